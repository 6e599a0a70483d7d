"""Section 3.5's mechanism, (9) to (11): which methods are cases of it, and what the server receives."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import sympy

from verify.alpha_normec.letters import PAPER, TAU, gamma, tau
from verify.alpha_normec.text.preliminaries import CLIP_UNDEFINED
from verify.claim import Claim, Gap, Repair
from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.exact import alpha_normec
from verify.facts import definition, equal, hypothesis
from verify.gram import Space, vectors
from verify.obligation import obligation
from verify.proof import Proof

Phi, eta = sympy.symbols("Phi eta", real=True)
_g, _kept = vectors("g C(g)")
_space = Space((_g, _kept))
_length, _image, _rest = (
    _space.norm(v, name) for v, name in ((_g, "‖g‖"), (_kept, "‖C(g)‖"), (_g - _kept, "‖g−C(g)‖"))
)
_SHARE = hypothesis("η ∈ (0, 1]", (eta > 0) & (eta <= 1))
_CONTRACTS = hypothesis("‖g − C(g)‖² ≤ (1 − η)²‖g‖²", _rest**2 <= (1 - eta) ** 2 * _length**2)
_PHI = hypothesis("Φ > 0", Phi > 0)
_LONG = hypothesis("‖g‖ = (Φ + 1)/η (the property is for any g)", equal(_length * eta, Phi + 1))
_GROWS = obligation("‖C(g)‖ ≥ η‖g‖", (_SHARE, _CONTRACTS, *_space.facts()), _image >= eta * _length)

_memory, _slope, _argument, _message, _later, _point, _moved, _server = sympy.symbols(
    "g_i⁺ ∇f_i(x⁺) v C(v) g_i⁺⁺ x x⁺ g⁺", real=True
)
_own, _own_later, _own_server = sympy.symbols("g̃_i g̃_i⁺ g̃", real=True)
_NINE = hypothesis(
    "(9) with β = 1 and Ψ = C, in a coordinate, at k + 1: g_i⁺⁺ = g_i⁺ + C(v), v = ∇f_i(x⁺) − g_i⁺",
    equal(_later, _memory + _message) & equal(_argument, _slope - _memory),
)
_ELEVEN = hypothesis("(11) at k: x⁺ = x − γg⁺", equal(_moved, _point - gamma * _server))
_SHIFTED = definition(
    "g̃_iᵏ := g_i^(k+1)",
    equal(_own, _memory) & equal(_own_later, _later) & equal(_own_server, _server),
)
Vector = tuple[Fraction, ...]


def _top1(v: Vector) -> Vector:
    """The first of the largest entries, the others 0."""
    kept = max(range(len(v)), key=lambda j: abs(v[j]))
    return tuple(x if j == kept else Fraction(0) for j, x in enumerate(v))


def _plus(v: Vector, w: Vector, factor: Fraction = Fraction(1)) -> Vector:
    return tuple(a + factor * b for a, b in zip(v, w, strict=True))


def _minima(centres: tuple[Vector, ...]) -> list[Callable[[Vector], Vector]]:
    """Gradients of ½‖x − centre‖²."""
    return [lambda x, c=c: _plus(x, c, Fraction(-1)) for c in centres]


def _same_runs() -> Comparison:
    """(9) to (11) with β = 1 and Top-1 from memories 0, and EF21 from g̃_i⁰ = Top-1(∇f_i(x⁰)): the squares of the distances of
    x¹, …, x⁶, added up. Both are written out as printed."""
    step, zero, rounds = Fraction(1, 3), (Fraction(0),) * 3, 6
    slopes = _minima(((Fraction(1), Fraction(-2), Fraction(3)), (Fraction(-4), Fraction(1), Fraction(1, 2))))
    mean = Fraction(1, len(slopes))
    x, memories, server, printed = zero, [zero, zero], zero, [zero]
    for _ in range(rounds):
        sent = [_top1(_plus(f(x), g, Fraction(-1))) for f, g in zip(slopes, memories, strict=True)]
        memories = [_plus(g, c) for g, c in zip(memories, sent, strict=True)]
        for c in sent:
            server = _plus(server, c, mean)
        x = _plus(x, server, -step)
        printed.append(x)
    x, memories, ef21 = zero, [_top1(f(zero)) for f in slopes], [zero]
    for _ in range(rounds):
        for g in memories:
            x = _plus(x, g, -step * mean)
        ef21.append(x)
        memories = [
            _plus(g, _top1(_plus(f(x), g, Fraction(-1)))) for f, g in zip(slopes, memories, strict=True)
        ]
    apart = sum(
        (d**2 for v, w in zip(printed, ef21, strict=True) for d in _plus(v, w, Fraction(-1))), Fraction(0)
    )
    return Comparison(
        apart, "==", Fraction(0), (("both move in each round", len(set(printed)) == rounds + 1),)
    )


EF21 = Claim(
    id="NEC-S35-EF21",
    paper=PAPER,
    place="Section 3.5, with Sections 3.3 and 3.4",
    kind="prose",
    printed="This method generalizes EF21, which utilizes a contractive compressor […] defined by ‖g − C(g)‖² ≤ (1 − "
    "η)²‖g‖², for some η ∈ (0, 1] and any g ∈ R^d. [Section 3.3:] Ψ : R^d → R^d is an operator with bounded norm, i.e. "
    "‖Ψ(g)‖ ≤ Φ for some Φ > 0 and any g ∈ R^d. [Section 3.4:] diverge exponentially when Ψ(·) is a Top-1 compressor",
    reason="For any Ψ, as Section 3.4 takes Top-1, β = 1 and g̃_i^k := g_i^{k+1} make (9) to (11) EF21's recursion. For the Ψ of "
    "Section 3.3 nothing does: its norm is bounded, and ‖C(g)‖ ≥ η‖g‖ exceeds every Φ. Which Ψ (9) has Section 3.5 leaves open, "
    "where (2) says it of its own (NEC-S34-TOP1).",
    repair=Repair(
        "For any Ψ: with β = 1, Ψ = C and g̃_i^k := g_i^{k+1}, (9) to (11) are x^{k+1} = x^k − γg̃^k and g̃_i^{k+1} = g̃_i^k + "
        "C(∇f_i(x^{k+1}) − g̃_i^k), EF21 (Richtárik et al., 2021) from g̃_i⁰ = g_i¹. What (9) leaves of a residual is (1 − η) of it "
        "at most.",
        "Ψ need not be bounded",
        Proof(
            (_SHARE, _CONTRACTS, _NINE, _ELEVEN),
            (
                Computation("with Top-1, exactly: x¹, …, x⁶ are those of EF21 from g̃_i⁰ = C(∇f_i(x⁰))", "enumeration", _same_runs),
                obligation("(9) and (11) are EF21's", (_NINE, _ELEVEN, _SHIFTED),
                           equal(_moved, _point - gamma * _own_server) & equal(_own_later, _own + _message)
                           & equal(_argument, _slope - _own)),
                obligation("g := ∇f_i − g_i: ‖g − C(g)‖ ≤ (1 − η)‖g‖", (_SHARE, _CONTRACTS, *_space.facts()),
                           _rest <= (1 - eta) * _length),
            ),
        ),
        weakest="bounded and contractive exclude each other, whatever Φ and η are",
    ),
    gap=Gap(
        "reading",
        "with the Ψ that Section 3.3 introduces, of bounded norm",
        Proof(
            (_PHI, _SHARE, _CONTRACTS, _LONG),
            (
                _GROWS,
                obligation("at ‖g‖ = (Φ + 1)/η: ‖C(g)‖ > Φ", (_PHI, _SHARE, _GROWS.conclusion, _LONG), _image > Phi),
            ),
        ),
    ),
    consequence="The sensitivity of an EF21 message is not bounded: privacy needs what EF21's analysis excludes.",
)  # fmt: skip

_r = sympy.Symbol("‖v‖", real=True)
_LONGER = hypothesis("v ≠ 0", _r > 0)
_SHARE_KEPT = sympy.Min(1, tau / _r)
"""Clip_τ(v) is this times v."""
CLIPPING = Claim(
    id="NEC-S35-CLIP",
    paper=PAPER,
    place="Section 3.5, with Section 3.3",
    kind="prose",
    printed="For instance, the method encompasses other estimators Ψ(·) such as clipping in Clip21 proposed by Khirirat et al. "
    "(2023). [Section 3.3:] Ψ : R^d → R^d is an operator with bounded norm, i.e. ‖Ψ(g)‖ ≤ Φ for some Φ > 0 and any g ∈ R^d.",
    reason="Clipping, wherever (5) is defined, is a Ψ of Section 3.3 with Φ = τ; with β = 1, (9) is then g_i + Clip_τ(∇f_i − g_i), "
    "which shortens ‖∇f_i − g_i‖ by τ or to 0. Clip21 updates its memories so. At 0 (5) divides by zero (NEC-EQ5).",
    repair=Repair(
        "‖Clip_τ(v)‖ ≤ τ and ‖v − Clip_τ(v)‖ = max(0, ‖v‖ − τ) for v ≠ 0 (and Clip_τ(0) := 0).",
        "v ≠ 0",
        Proof(
            (TAU, _LONGER),
            (
                obligation("‖Clip_τ(v)‖ = min(1, τ/‖v‖)‖v‖ ≤ τ", (TAU, _LONGER), (_SHARE_KEPT * _r <= tau) & (_SHARE_KEPT >= 0)),
                obligation("‖v − Clip_τ(v)‖ = (1 − min(1, τ/‖v‖))‖v‖ = max(0, ‖v‖ − τ)", (TAU, _LONGER),
                           equal((1 - _SHARE_KEPT) * _r, sympy.Max(0, _r - tau)) & (_SHARE_KEPT <= 1)),
            ),
        ),
        weakest="the condition only says that τ/‖v‖ exists",
    ),
    gap=CLIP_UNDEFINED,
)  # fmt: skip


def _two_means() -> Comparison:
    """The mean of two clients' memories, and of what they send, in the first round of Algorithm 1 on ½(x − 3)² and ½(x + 1)²."""
    clients = (Quadratic(Fraction(1), Fraction(3)), Quadratic(Fraction(1), Fraction(-1)))
    start, memories, beta = Fraction(0), (Fraction(1), Fraction(0)), Fraction(1, 2)
    run = alpha_normec([f.gradient for f in clients], start, memories, Fraction(1), beta, Fraction(1, 10), 1)
    sent = (run.server[1] - run.server[0]) / beta
    return Comparison(sum(memories, Fraction(0)) / len(memories), "!=", sent)


AVERAGE = Claim(
    id="NEC-S35-AVERAGE",
    paper=PAPER,
    place="Section 3.5, before (10), against the sentence before (9) and Algorithm 1, lines 7 to 10",
    kind="definition",
    printed="EF21 applies Ψ to the difference between the true gradient and the current error feedback vector. […] Next, the central "
    "server receives the average of local error feedback vectors that are communicated by all clients (1/n) Σ_{i=1}^n Ψ(∇f_i(x^k) − "
    "g_i^k) [Algorithm 1:] for each client i = 1, 2, …, n in parallel do […] Transmit Δ̂_i^k = Δ_i^k + z_i^k […] Server computes "
    "ĝ^{k+1} = ĝ^k + β/n Σ_{i=1}^n Δ̂_i^k",
    reason="The error feedback vector of the first sentence is g_i^k, and what is averaged are the Ψ(∇f_i(x^k) − g_i^k). Here the "
    "server receives their average; in Algorithm 1 it receives what each client transmits, and averages itself.",
    conflict=Proof((), (Computation("the mean of the memories is not that of the messages", "enumeration", _two_means),)),
    consequence="What is seen decides how private a run is: the average alone is NEC-EXP-DP@sum, the messages are NEC-EXP-DP.",
)  # fmt: skip
CLAIMS = (EF21, CLIPPING, AVERAGE)
