"""What the papers assume stands among the hypotheses of a proof, is found to be needed, and is missed where it is left out.

Each pair was once a definition of a letter, which no report lists: a bound, a case, an independence.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from verify.catalogue import claim
from verify.dp_normfedavg.ours import nobody_sends, received_moment, received_noise
from verify.induction import Induction
from verify.obligation import Settings
from verify.proof import Node, Proof
from verify.prove import prove

CLOSE = "‖xᵏ⁺¹ − xᵏ‖ ≤ η"
CLIENTS = "the n_i of a round are independent, with mean zero: E⟨Σ_{l < i} n_l, n_i⟩ = 0"
ROUNDS = "E[nᵏ | past] = 0 for nᵏ = (1/M) Σ n_i: E⟨Σ_{l < k} nˡ, nᵏ⟩ = 0"
NOISE = (
    "n_i = (1 − q_i)Δ_i − q_i z_i, and z_i has mean zero and is independent of q_i and Δ_i: E(1 − q)q⟨Δ, z⟩ = 0, "
    "Cov(q², ‖z‖²) = 0"
)
NEEDED = {
    "FED-L7-2": (CLOSE,),
    "FED-L7-4": (CLOSE,),
    "FED-L7-MOVE": (CLOSE,),
    "FED-L9-2": (CLOSE,),
    "FED-L9-3": (CLOSE,),
    "FED-L2": (CLIENTS, ROUNDS),
    "FED-L3@total": (CLIENTS, ROUNDS, NOISE),
    "FED-L3-S2": (NOISE,),
    "FED-R1": (CLIENTS, ROUNDS, NOISE, "T = 1"),
    "FED-R1-CONTRACTS": (CLIENTS, ROUNDS, NOISE, "T = 1", "β < 2α", "η ≤ θR/L, θ = min(β/(α+R), 2 − β/α)"),
    "FED-R2": (CLIENTS, ROUNDS, NOISE),
    "FED-R2-CONTRACTS": (NOISE, "β < 2α", "η ≤ θR/(2L), θ = min(β/(α+R), 2 − β/α)", "γ ≤ 1/(2L)"),
    "FED-INIT": ("v_i⁰ = 0: ‖(x⁰ − T_i(x⁰))/γ‖ ≤ R", "γ ≤ 1/(2L)"),
    "FED-L4@zero": ("Gᵏ = 0 and xᵏ⁺¹ = xᵏ",),
    "FED-C2-VAC": ("B₂/M ≥ 1/11664", "α = R"),
    "FED-C4-VAC": ("√Δ^inf > γ√(2L)β̂R/(α+R)", "α = R"),
    "FED-C6-S1": (
        "f(x⁰) > f^inf, B₂, C > 0",
        "d ≥ 1",
        "β̂ = √(3(f(x⁰) − f^inf)/γ) (M/B₂)^{1/4}",
        "β = β̂/(K+1)",
    ),
    "NEC-T1": ("without noise and with ĝ⁰ = (1/n)Σg_i⁰ (Algorithm 1), ĝᵏ = gᵏ = (1/n)Σg_iᵏ (NEC-EQ10)",),
    "NEC-L3-S4": ("noises of different iterations are uncorrelated: E⟨z^j, z^i⟩ = 0 for i ≠ j",),
    "NEC-L3-S5": ("k ≤ K",),
    "NEC-S34-DAS": ("u_1, u_2 ≠ 0",),
    "NEC-OUR-EX1": (
        "0 < x < 3",
        "the two messages cancel: ‖Σ‖ = 0",
    ),
    "NEC-T1-ADD@zero-memory": ("g_i⁰ = 0, so that R = max_i ‖∇f_i(x⁰)‖",),
    "DAS-OURS-NOBODY": (nobody_sends.SMALL.name, nobody_sends.UNIT.name),
    "DAS-OURS-RECEIVED-NOISE": tuple(
        fact.name
        for fact in (
            received_moment.ONE,
            received_moment.GAUSSIAN,
            received_moment.MEAN_NOISE,
            received_noise.SMALL,
        )
    ),
    "DAS-OURS-FINITE": ("E ≤ α/(2ρ), that is 0 < x ≤ 1/2 for x = ρE/α",),
}


def _proof(identifier: str) -> Proof:
    found = claim(identifier)
    proof = found.proof or (found.repair.proof if found.repair else None)
    assert proof is not None
    return proof


def _without(node: Node, name: str) -> Node:
    if isinstance(node, Induction):
        return replace(node, base=_without(node.base, name), step=_without(node.step, name))
    given = tuple(fact for fact in node.given if fact.name != name)
    return replace(node, given=given) if given != node.given else node  # pyright: ignore


LONG = ("FED-R1", "FED-R2")
"""Theorems, whose proofs are rechecked once for every fact that is left out."""


@pytest.mark.slow
@pytest.mark.parametrize(
    "identifier", [pytest.param(i, marks=pytest.mark.slow) if i in LONG else i for i in NEEDED]
)
def test_what_is_assumed_is_listed_as_needed(identifier: str) -> None:
    found = prove(_proof(identifier), Settings(), claim(identifier).paper)
    assert found.ok, found.detail
    assert set(NEEDED[identifier]) <= set(found.needed)


@pytest.mark.slow
@pytest.mark.parametrize(("identifier", "name"), [(i, name) for i, names in NEEDED.items() for name in names])
def test_without_it_there_is_no_proof(identifier: str, name: str) -> None:
    """Left out of the list alone, the proof has a gap; left out everywhere, a step falls."""
    proof = _proof(identifier)
    rest = tuple(fact for fact in proof.assumptions if fact.name != name)
    assert len(rest) == len(proof.assumptions) - 1
    assert any(f"uses '{name}'" in gap for gap in Proof(rest, proof.nodes).gaps())
    bare = Proof(rest, tuple(_without(node, name) for node in proof.nodes))
    assert not bare.gaps()
    found = prove(bare, Settings(minimise=False, seconds=2.0), claim(identifier).paper)
    assert not found.ok
    assert any(not part.ok for part in found.parts)


@pytest.mark.parametrize(
    ("identifier", "whose"),
    [
        ("FED-L7-4", "f_i"),
        ("FED-L7-5-S3", "f_i"),
        ("FED-T1-S2", "f_i"),
        ("FED-L9-3", "f_{i,j}"),
        ("FED-L9-4-S3", "f_{i,j}"),
        ("FED-T2-S2", "f_{i,j}"),
        ("FED-T2-S5", "f_{i,j}"),
        ("FED-T2-S12", "f_{i,j}"),
        ("FED-R3-FORGETS", "f_{i,j}"),
    ],
)
def test_the_functions_that_local_steps_follow_are_the_smooth_ones(identifier: str, whose: str) -> None:
    """Local gradient steps follow ∇f_i, those of a pass the ∇f_{i,j}."""
    found = {name.rpartition("each ")[2] for name in _proof(identifier).standard if "is L-smooth" in name}
    assert found == {f"{whose} is L-smooth"}
