"""Section 3.5: Clip21's server adds up all noises, and its gradients grow with their sum."""

from __future__ import annotations

from typing import Any

import sympy

from verify.alpha_normec.letters import BETA, GAMMA, PAPER, TAU, beta, gamma, tau
from verify.alpha_normec.theorems.descent import LINEAR
from verify.claim import Claim
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

_past, _fresh, _sent, _memory, _START = vectors("e z ψ gᵏ⁺¹ xᵏ")
_noises = Space((_past, _fresh))
k, drawn, second, V = sympy.symbols("k m E‖e‖² V", real=True)
_SUM = derived("E‖e‖² = mβ²E‖z‖² for a sum of m noises", equal(second, drawn * beta**2 * V))
_SQUARE = definition("E‖eᵏ‖² is that square", equal(second, square(_past)))
_MEAN = hypothesis(
    "z, the mean of the clients' noises of a round, has E‖z‖² = V > 0", equal(square(_fresh), V) & (V > 0)
)
_NEW = hypothesis(
    "noise is independent of the past with zero mean",
    equal(inner(_past, _fresh), 0) & equal(inner(_sent, _fresh), 0),
)
_MOVED = _START - gamma * _memory
_AGAIN = _MOVED - gamma * (_memory + beta * (_sent + _fresh))
"""x^k, x^{k+1} and x^{k+2} by (11) and (10), ψ the mean of the clients' Ψ."""
_sizes = sympy.symbols("E‖∇f(xᵏ)‖² E‖∇f(xᵏ⁺¹)‖² E‖∇f(xᵏ⁺²)‖²", real=True)
_BEND = square(_START - 2 * _MOVED + _AGAIN)
_BENT = Identity(
    "(10) with noise and (11): E‖xᵏ − 2xᵏ⁺¹ + xᵏ⁺²‖² = γ²β²E‖ψ + z‖²",
    _BEND,
    gamma**2 * beta**2 * square(_sent + _fresh),
)
_THREE = obligation(
    "E‖xᵏ − 2xᵏ⁺¹ + xᵏ⁺²‖² ≤ 6(E‖xᵏ‖² + E‖xᵏ⁺¹‖² + E‖xᵏ⁺²‖²)",
    (
        *(
            definition(f"{size}, where ∇f(x) = x", equal(size, square(x)))
            for size, x in zip(_sizes, (_START, _MOVED, _AGAIN), strict=True)
        ),
        standard(
            "E‖2xᵏ + xᵏ⁺¹‖², E‖xᵏ⁺¹ + 2xᵏ⁺²‖², E‖xᵏ − xᵏ⁺²‖² ≥ 0",
            (square(2 * _START + _MOVED) >= 0)
            & (square(_MOVED + 2 * _AGAIN) >= 0)
            & (square(_START - _AGAIN) >= 0),
        ),
    ),
    _BEND <= 6 * sum(_sizes),
)
_OWN = obligation(
    "E‖ψ + z‖² ≥ V", (_MEAN, _NEW, *Space((_sent, _fresh)).facts()), square(_sent + _fresh) >= V
)
_NEVER = obligation(
    "on f_i(x) = ½‖x‖² one of any three rounds in a row has E‖∇f‖² ≥ γ²β²V/18",
    (GAMMA, BETA, _MEAN, _BENT.conclusion, _THREE.conclusion, _OWN.conclusion),
    (18 * sympy.Max(*_sizes) >= gamma**2 * beta**2 * V) & (gamma**2 * beta**2 * V > 0),
)
_BEGIN = ((second, 0), (drawn, 0))
_ROUND = ((second, square(_past + beta * _fresh)), (drawn, drawn + 1))
_ADDED = Induction(
    _SUM.name,
    _SUM,
    Obligation("no noise", (), derived("start", _SUM.at(dict(_BEGIN)).relation)),
    Obligation(
        "one round more",
        (BETA, _SUM, _SQUARE, _MEAN, _NEW, *_noises.facts()),
        derived("step", _SUM.at(dict(_ROUND)).relation),
    ),
    _BEGIN,
    _ROUND,
)

# Clip21 on f_i(x) = ½x², where all clients have one memory g. From here on the letters of norms and squares stand for expectations
# too: what is linear in them holds for both.
_SLOW = hypothesis("β ≤ 1 (Clip21 has β = 1)", beta <= 1)
_held, _here, _before, _server = vectors("gᵏ xᵏ xᵏ⁻¹ ĝᵏ")
_share = sympy.Symbol("c", real=True)
_both = Space((_held, _here))
_own, _gradient, _residual = (
    _both.norm(v, name) for v, name in ((_held, "‖gᵏ‖"), (_here, "‖xᵏ‖"), (_here - _held, "‖xᵏ − gᵏ‖"))
)
_LENGTHS = definition("norms are ≥ 0", (_own >= 0) & (_gradient >= 0) & (_residual >= 0))
_CLIP = definition(
    "(9): gᵏ⁺¹ = gᵏ + cv, v = xᵏ − gᵏ, with c = β where ‖v‖ ≤ τ, and c‖v‖ = βτ elsewhere",
    ((_residual <= tau) & equal(_share, beta)) | ((_residual > tau) & equal(_share * _residual, beta * tau)),
)
_next = square(_held + _share * (_here - _held))
now, later = sympy.symbols("‖gᵏ‖² ‖gᵏ⁺¹‖²", real=True)
_LETTERS = definition("letters for the squares", equal(now, _own**2) & equal(later, _next))
_TRIANGLE = obligation("‖gᵏ‖ ≤ ‖xᵏ‖ + ‖v‖", _both.facts(), _own <= _gradient + _residual)
_PULLED = obligation(
    "‖gᵏ⁺¹‖² ≤ ‖gᵏ‖² + c‖v‖(2‖xᵏ‖ − 2‖v‖ + c‖v‖)",
    (BETA, TAU, _CLIP, *_both.facts()),
    _next <= _own**2 + _share * _residual * (2 * _gradient - 2 * _residual + _share * _residual),
)
_DRAWN = obligation(
    "‖gᵏ⁺¹‖² ≤ ‖gᵏ‖² + βτ(4‖xᵏ‖ − 2‖gᵏ‖ + 2τ)",
    (BETA, _SLOW, TAU, _CLIP, _LENGTHS, _LETTERS, _TRIANGLE.conclusion, _PULLED.conclusion),
    later <= now + beta * tau * (4 * _gradient - 2 * _own + 2 * tau),
)
_moving, _apart = Space((_before, _server)), Space((_server, _held))
_earlier, _direction = _moving.norm(_before, "‖xᵏ⁻¹‖"), _moving.norm(_server, "‖ĝᵏ‖")
_off = _apart.norm(_server - _held, "‖eᵏ‖")
_after: Any = _before - gamma * _server
assert _moving.norm(_after, "‖xᵏ‖") == _gradient
assert (_apart.norm(_server, "‖ĝᵏ‖"), _apart.norm(_held, "‖gᵏ‖")) == (_direction, _own)
_STEPS = obligation(
    "(11), xᵏ = xᵏ⁻¹ − γĝᵏ: γ‖ĝᵏ‖ ≤ ‖xᵏ⁻¹‖ + ‖xᵏ‖",
    (GAMMA, *_moving.facts()),
    gamma * _direction <= _earlier + _gradient,
)
_HIDDEN = obligation("eᵏ = ĝᵏ − gᵏ: ‖eᵏ‖ ≤ ‖ĝᵏ‖ + ‖gᵏ‖", _apart.facts(), _off <= _direction + _own)
_circle, size, root, _root_next = sympy.symbols("π β√V √k √(k+1)", real=True)
_GAUSS = standard(
    "on the line eᵏ, a sum of Gaussian noises, is Gaussian with mean 0: (E|eᵏ|)² = (2/π)E(eᵏ)², and π < 22/7",
    (_off >= 0) & equal(_circle * _off**2, 2 * second) & (_circle > 0) & (7 * _circle < 22),
)
_SIZE = definition("β√V > 0 is a letter", (size > 0) & equal(size**2, beta**2 * V))
_ROOTS = definition("√k, k ≥ 1", (k >= 1) & (root >= 1) & equal(root, sympy.sqrt(k)))
_ROOT_NEXT = definition("√(k+1)", (_root_next > 0) & equal(_root_next**2, k + 1))
_SPREAD = obligation(
    "E|eᵏ| ≥ ¾β√V√k", (_SUM.at({drawn: k}, "eᵏ"), _GAUSS, _SIZE, _ROOTS), 4 * _off >= 3 * size * root
)  # fmt: skip
most, first, per_round = sympy.symbols("M E(g¹)² h", real=True)
_MOST = hypothesis("M ≥ E|∇f(xʲ)| for all j ≤ K", (_gradient <= most) & (_earlier <= most) & (most >= 0))
_PER_ROUND = definition(
    "h = βτ(4M + 4M/γ + 2τ)",
    equal(per_round * gamma, beta * tau * (4 * most * (gamma + 1) + 2 * tau * gamma)),
)
_ONE = obligation(
    "E(gᵏ⁺¹)² ≤ E(gᵏ)² + h − (3/2)βτ β√V √k",
    (
        GAMMA,
        BETA,
        TAU,
        LINEAR,
        _DRAWN.conclusion,
        _STEPS.conclusion,
        _HIDDEN.conclusion,
        _SPREAD.conclusion,
        _MOST,
        _PER_ROUND,
    ),
    later <= now + per_round - sympy.Rational(3, 2) * beta * tau * size * root,
)
_SUMS = obligation(
    "(2/3)((k+1)^(3/2) − k^(3/2)) ≤ √(k+1)",
    (_ROOTS, _ROOT_NEXT),
    2 * (_root_next**3 - root**3) <= 3 * _root_next,
)
_TOTAL = derived(
    "E(gᵏ)² + βτ β√V (k^(3/2) − (3/2)√k) ≤ E(g¹)² + kh for 1 ≤ k ≤ K",
    now + beta * tau * size * (root**3 - sympy.Rational(3, 2) * root) <= first + k * per_round,
)
_FROM, _TO = ((now, first), (root, 1), (k, 1)), ((now, later), (root, _root_next), (k, k + 1))
_OVER = Induction(
    _TOTAL.name,
    _TOTAL,
    Obligation("k = 1", (BETA, TAU, GAMMA, _SIZE, _MOST, _PER_ROUND), derived("start", _TOTAL.at(dict(_FROM)).relation)),
    Obligation("one round more", (BETA, TAU, _SIZE, _TOTAL, _ONE.conclusion, _SUMS.conclusion),
               derived("step", _TOTAL.at(dict(_TO)).relation)),
    _FROM,
    _TO,
)  # fmt: skip
_LEAST = (
    (size * (root - sympy.Rational(3, 2) / root) - 2 * tau - first / (beta * tau * root**2))
    * gamma
    / (4 * (1 + gamma))
)
_GROWS = obligation(
    "at k = K: M ≥ (β√V(√K − 3/(2√K)) − 2τ − E(g¹)²/(βτK)) γ/(4(1+γ))",
    (GAMMA, BETA, TAU, _ROOTS, _TOTAL, _PER_ROUND, definition("E(gᵏ)² ≥ 0", now >= 0)),
    most >= _LEAST,
)
_WITHOUT_END = Limit(
    "which → ∞ with K: no M is above them all",
    _LEAST,
    root,
    sympy.oo,
    sympy.oo,
    "-",
    (GAMMA, BETA, TAU, definition("β√V > 0, E(g¹)² ≥ 0", (size > 0) & (first >= 0))),
)
ACCUMULATES = Claim(
    id="NEC-S35-NOISE",
    paper=PAPER,
    place="Section 3.5, last paragraph",
    kind="prose",
    printed="adding large Gaussian noise, which can prevent the convergence when it is accumulated",
    reason="The server's memory (10) adds up all noises, whatever Ψ is: its mean square error kβ²E‖z‖² grows without limit, and the "
    "iterates of (11) have to follow it. For Clip21 (β ≤ 1, any γ and τ) with Gaussian noise on f_i(x) = ½x², equal memories, the "
    "largest E|∇f(x^k)|, k ≤ K, grows at least like √K. For every Ψ, on f_i = ½‖x‖², E‖∇f‖² does not tend to 0, and for that nothing "
    "has to accumulate: the newest noise alone moves x^k − 2x^{k+1} + x^{k+2}.",
    proof=Proof(
        (GAMMA, BETA, _MEAN, _NEW, TAU, _SLOW, _MOST),
        (
            _BENT,
            _THREE,
            _OWN,
            _NEVER,
            _ADDED,
            Limit("kβ²E‖z‖² → ∞", k * beta**2 * V, k, sympy.oo, sympy.oo, "-", (BETA, _MEAN)),
            _TRIANGLE,
            _PULLED,
            _DRAWN,
            _STEPS,
            _HIDDEN,
            _SPREAD,
            _ONE,
            _SUMS,
            _OVER,
            _GROWS,
            _WITHOUT_END,
        ),
    ),
    consequence="It is given as Clip21's trouble; α-NormEC has the same sum (NEC-L3), and only a β that falls with K keeps it "
    "small.",
)
CLAIMS = (ACCUMULATES,)
