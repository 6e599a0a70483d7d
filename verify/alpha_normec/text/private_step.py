"""Section 5: what the private setting changes in Algorithm 1."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import sympy

from methods.algebra import Method, State, advance, initialise
from methods.published import alpha_normec, dp_alpha_normec
from methods.randomness import Keyed
from verify.alpha_normec.letters import CLIENTS, PAPER, beta, n
from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.identity import Identity
from verify.proof import Proof

ROUNDS, SIZES = 50, (3, 4)
"""Rounds run; clients and coordinates."""
CHOSEN = (0.1, 0.1, 0.01)
"""γ, β and α of the best run (Table 2) and of 6.1."""


def _run(method: Method) -> Iterator[State]:
    """Quadratics ½‖x − c_i‖² with random centres c_i, from x⁰ = 0 and g_i⁰ = 0."""
    clients, d = SIZES
    centres = np.random.default_rng(1).standard_normal((clients, d))
    state, drawn = initialise(method, np.zeros(d), clients), Keyed(0)
    for _ in range(ROUNDS):
        state, _ = advance(method, state, lambda points: points - centres, drawn)
        yield state


def _differing(std: float, rounds: int) -> Fraction:
    """Numbers in which the private run with this noise and the other one differ over these rounds: x, ĝ and all g_i."""
    pairs = list(zip(_run(alpha_normec(*CHOSEN)), _run(dp_alpha_normec(*CHOSEN, std)), strict=True))[:rounds]
    held = [[(s.x, s.server_memory, s.memories) for s in pair] for pair in pairs]
    return Fraction(sum(int(np.sum(a != b)) for one, other in held for a, b in zip(one, other, strict=True)))


def _only_the_server() -> Comparison:
    """After one noisy round the clients' memories are the same, bit by bit, and ĝ and x are not."""
    plain, private = (next(_run(method)) for method in (alpha_normec(*CHOSEN), dp_alpha_normec(*CHOSEN, 1.0)))
    same = bool(np.array_equal(plain.memories, private.memories))  # type: ignore[arg-type]
    return Comparison(
        _differing(1.0, 1), "==", Fraction(2 * SIZES[1]), (("the memories are the same", same),)
    )


_server, _messages, _noises = sympy.symbols("ĝ ΣΔ Σz", real=True)
ALMOST = Claim(
    id="NEC-S5-ALMOST",
    paper=PAPER,
    place="Section 5, first paragraph, against Algorithm 1",
    kind="prose",
    printed="α-NormEC in the DP setting is almost identical to α-NormEC in the non-private setting, except for the step of "
    "communicating Δ̂_i^k of Algorithm 1.",
    reason="In a round that starts alike the clients' memories end alike, and ĝ^{k+1} differs by (β/n)Σz_i alone. As implemented "
    "the two are one run, bit by bit, where the noise is 0. (ĝ is then no longer the mean of the memories: NEC-L3.)",
    proof=Proof(
        (CLIENTS,),
        (
            Identity("line 10 with line 8 and with line 7: they differ by (β/n)Σz", _server + beta / n * (_messages + _noises)
                     - (_server + beta / n * _messages), beta / n * _noises, (CLIENTS,)),
            Computation(f"without noise all x, ĝ and g_i of {ROUNDS} rounds agree", "enumeration",
                        lambda: Comparison(_differing(0.0, ROUNDS), "==", Fraction(0))),
            Computation("one round with noise changes ĝ and x in every coordinate, and no memory", "enumeration", _only_the_server),
        ),
    ),
)  # fmt: skip
CLAIMS = (ALMOST,)
