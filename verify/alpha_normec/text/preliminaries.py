"""Sections 2 and 3 and Appendix A: what the paper says of others' methods and operators before its own."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import sympy

from verify.alpha_normec.letters import (
    ALPHA0,
    BETA,
    CLIENTS,
    GAMMA,
    PAPER,
    SMOOTH,
    TAU,
    L,
    alpha,
    beta,
    gamma,
    n,
    q,
    r,
    tau,
)
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, derived, equal, hypothesis
from verify.gram import Space, inner, vectors
from verify.identity import Identity, Limit
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

Phi, x, t, eta, P = sympy.symbols("Phi x t eta P", real=True)
PHI = hypothesis("Φ > 0", Phi > 0)
_u, _v = vectors("u v")
_PAIR = Space((_u, _v))
_norm_u, _norm_v = _PAIR.norm(_u, "‖u‖"), _PAIR.norm(_v, "‖v‖")
_norm_sum, _norm_difference = _PAIR.norm(_u + _v, "‖u+v‖"), _PAIR.norm(_u - _v, "‖u−v‖")


def _unequal_lengths(values: Values) -> Comparison:
    a, g, h = values["alpha"], values["norm_g"], values["norm_h"]
    return Comparison(g / (a + g), "==", h / (a + h), (("α > 0", a > 0), ("g, h ≠ 0", min(g, h) > 0)))


_local_step, _update, _gradient, _place = sympy.symbols(
    "eta_local u_coordinate g_coordinate w_coordinate", real=True
)
_LOCAL = hypothesis("η > 0", _local_step > 0)
_UPDATE = definition(
    "u = (w − (w − ηg))/η", equal(_update * _local_step, _place - (_place - _local_step * _gradient))
)
_TWO = hypothesis("g, h ≠ 0 of different length", (r > 0) & (q > 0) & sympy.Ne(r, q))
_batch, _drawn = sympy.symbols("B r_mean", real=True)
_ALL = hypothesis(
    "B = n, and r = n: all clients in each round",
    (n >= 1) & equal(_batch, n) & equal(_drawn, n),
)
S2_DAS = Claim(
    id="NEC-S2-DAS",
    paper=PAPER,
    place="Section 2, last sentence on distributed methods",
    kind="prose",
    printed="the distributed version of DP-SGD with smoothed normalization Bu et al. (2024); Yang et al. (2022), a special "
    "case of Das et al. (2022)",
    reason="Das et al. send vectors of one fixed length, norm(z, c) = cz/‖z‖; with α > 0 the lengths differ, so that α = 0 alone can "
    "be a special case, and is with all clients in each round. (Their own Appendix B says that the operations differ.)",
    witness=Witness(
        {"alpha": Fraction(1), "norm_g": Fraction(1), "norm_h": Fraction(2)},
        "‖Norm_α(g)‖ = ‖Norm_α(h)‖, as for norm(·, c)",
        _unequal_lengths,
    ),
    repair=Repair(
        "Norm_α sends vectors of one fixed length for α = 0 alone; there, with one local step of u = g, it is norm(u, 1), and with "
        "all clients in each round both servers take the mean over the n messages.",
        "α = 0, and B = n (r = n)",
        Proof(
            (ALPHA0, _TWO, _LOCAL, _ALL),
            (
                obligation("all clients: each is drawn with probability r/n = 1, and 1/B is their 1/r", (_ALL,),
                           equal(_drawn / n, 1) & equal(1 / _batch, 1 / _drawn)),
                obligation("the lengths agree exactly for α = 0", (ALPHA0, _TWO), sympy.Equivalent(
                    equal(r / (alpha + r), q / (alpha + q)), equal(alpha, 0)).to_nnf()),
                obligation("one local step: u = (w − (w − ηg))/η = g", (_LOCAL, _UPDATE), equal(_update, _gradient)),
                obligation("α = 0: the factors 1/(α + ‖g‖) and 1/‖g‖ agree", (ALPHA0, _TWO), sympy.Implies(
                    equal(alpha, 0), equal(1 / (alpha + r), 1 / r)).to_nnf()),
            ),
        ),
        weakest="α = 0 is necessary and sufficient for the messages; for B < n even α = 0 is no special case to the letter, since (2) "
        "has B clients in each round, and Das et al. draw each with probability r/n",
    ),
)  # fmt: skip

_SHORT = hypothesis("‖∇f_i(x)‖ ≤ Φ and ‖∇f_j(x)‖ ≤ Φ", (_norm_u <= Phi) & (_norm_v <= Phi))
_far = sympy.Symbol("x_far", real=True)
_FAR = definition("x = (Φ + 1)/L", equal(_far, (Phi + 1) / L))
EQ4 = Claim(
    id="NEC-EQ4",
    paper=PAPER,
    place="after eq. (4), Section 3.3",
    kind="prose",
    printed="[‖∇f_i(x)‖ ≤ Φ for all i and x ∈ R^d. (4)] excludes simple quadratic functions over unbounded domains. Thirdly, "
    "[…] it restricts the heterogeneity between different clients",
    reason="The gradient of Lx²/2 exceeds every Φ, and (4) bounds the difference of two clients' gradients by 2Φ.",
    proof=Proof(
        (PHI, SMOOTH, _SHORT),
        (
            obligation("the gradient of Lx²/2 at x = (Φ + 1)/L exceeds Φ", (SMOOTH, _FAR), L * _far > Phi),
            obligation("‖∇f_i − ∇f_j‖ ≤ 2Φ", (PHI, _SHORT, *_PAIR.facts()), _norm_difference <= 2 * Phi),
        ),
    ),
)  # fmt: skip


def _opposite(values: Values) -> Comparison:
    """Clip_τ(τe) − Clip_τ(−τe) on the line."""
    bound, one, other = values["tau"], values["g"], values["h"]

    def clip(g: Fraction) -> Fraction:
        return min(Fraction(1), bound / abs(g)) * g

    return Comparison(
        abs(clip(one) - clip(other)), "<=", bound, (("τ > 0", bound > 0), ("g, h ≠ 0", one * other != 0))
    )


_NONZERO = hypothesis("g ≠ 0", _norm_u > 0)
_CLIPPED = sympy.Min(1, tau / _norm_u) * _norm_u
CLIP_UNDEFINED = Gap(
    "undefined",
    "τ/‖g‖ at g = 0",
    Witness(
        {"tau": Fraction(1), "norm_g": Fraction(0)},
        "the denominator ‖g‖ is not 0",
        lambda v: Comparison(v["norm_g"], "!=", Fraction(0), (("τ > 0", v["tau"] > 0),)),
    ),
)
EQ5 = Claim(
    id="NEC-EQ5",
    paper=PAPER,
    place="eq. (5), Section 3.3; poster, Private Optimization",
    kind="equation",
    printed="Clip_τ(g) := min(1, τ/‖g‖) g. (5) Here, the sensitivity Φ is the clipping threshold τ, as ‖Ψ(g)‖ = "
    "‖Clip_τ(g)‖ ≤ τ = Φ. [Poster:] Ψ(g) = min(1, Φ/‖g‖)g",
    reason="The norm is min(‖g‖, τ) wherever (5) is defined; at g = 0 it divides by zero.",
    repair=Repair(
        "‖Clip_τ(g)‖ = min(‖g‖, τ) ≤ τ for g ≠ 0 (and Clip_τ(0) := 0).",
        "g ≠ 0",
        Proof(
            (TAU, _NONZERO),
            (
                obligation("min(1, τ/‖g‖)‖g‖ = min(‖g‖, τ)", (TAU, _NONZERO),
                           equal(_CLIPPED, sympy.Min(_norm_u, tau)) & (_CLIPPED <= tau)),
            ),
        ),
        weakest="the condition only says that τ/‖g‖ exists",
    ),
    gap=CLIP_UNDEFINED,
)  # fmt: skip
_MESSAGES = hypothesis("‖Ψ(g)‖ ≤ τ and ‖Ψ(h)‖ ≤ τ", (_norm_u <= tau) & (_norm_v <= tau))
EQ5_REPLACE = Claim(
    id="NEC-EQ5@replace-one",
    paper=PAPER,
    place="eq. (5), Section 3.3",
    kind="privacy",
    printed="the sensitivity Φ [read as: how far a client's message moves when its data are replaced] is the clipping "
    "threshold τ",
    reason="A message of length τ can turn round: it moves by 2τ. That Φ bounds the sensitivity is right where data sets "
    "differ by the absence of a client.",
    witness=Witness(
        {"tau": Fraction(1), "g": Fraction(1), "h": Fraction(-1)}, "‖Clip_τ(g) − Clip_τ(h)‖ ≤ τ", _opposite
    ),
    repair=Repair(
        "‖Ψ(g) − Ψ(h)‖ ≤ 2τ.",
        "2τ for τ",
        Proof(
            (TAU, _MESSAGES),
            (
                obligation(
                    "‖Ψ(g) − Ψ(h)‖ ≤ 2τ", (TAU, _MESSAGES, *_PAIR.facts()), _norm_difference <= 2 * tau
                ),
            ),
        ),
        weakest="attained by g = −h of length τ or more",
    ),
    consequence="For replaced clients (3) takes Φ = 2τ: four times the variance that it has with Φ = τ, twice the standard deviation.",
)

_hat, _sum, _messages, _hat0, _sum0 = sympy.symbols("ĝ Σg_i ΣΨ_i ĝ⁰ Σg_i⁰", real=True)
_START = hypothesis("ĝ⁰ = (1/n)Σg_i⁰", equal(_hat0 * n, _sum0))
_SAME = derived("ĝᵏ = (1/n)Σg_iᵏ for every k", equal(_hat * n, _sum))
_before, _after, _one_message, _one = sympy.symbols("Σ_{i≤m}g_i Σ_{i≤m}g_i⁺ Ψ_i g_i", real=True)
_so_far = sympy.Symbol("Σ_{i≤m}Ψ_i", real=True)
_ADDED = derived("Σ_{i≤m} g_i⁺ = Σ_{i≤m} g_i + βΣ_{i≤m}Ψ_i", equal(_after, _before + beta * _so_far))
_NONE = ((_after, 0), (_before, 0), (_so_far, 0))
_MORE = (
    (_after, _after + (_one + beta * _one_message)),
    (_before, _before + _one),
    (_so_far, _so_far + _one_message),
)
_FROM = ((_hat, _hat0), (_sum, _sum0))
_ROUND = ((_hat, _hat + beta / n * _messages), (_sum, _sum + beta * _messages))
EQ10 = Claim(
    id="NEC-EQ10",
    paper=PAPER,
    place="eqs. (9) and (10), Section 3.5; Appendix D, Step 3",
    kind="equation",
    printed="computes the global gradient estimator g^k := (1/n) Σ_{i=1}^n g_i^k as g^{k+1} = g^k + β/n Σ_{i=1}^n "
    "Ψ(∇f_i(x^k) − g_i^k), (10) […] by the fact that ĝ^{k+1} = g^{k+1}",
    reason="(10) is the mean of (9), coordinate by coordinate, if the server starts from the mean of the memories, as "
    "Algorithm 1 asks.",
    proof=Proof(
        (BETA, CLIENTS, _START),
        (
            Induction(
                _ADDED.name,
                _ADDED,
                Obligation("no client", (), derived("start", _ADDED.at(dict(_NONE)).relation)),
                Obligation("one client more", (_ADDED,), derived("step", _ADDED.at(dict(_MORE)).relation)),
                _NONE,
                _MORE,
            ),
            Induction(
                _SAME.name,
                _SAME,
                Obligation("k = 0", (_START,), derived("start", _SAME.at(dict(_FROM)).relation)),
                Obligation("one round", (_SAME, CLIENTS), derived("step", _SAME.at(dict(_ROUND)).relation)),
                _FROM,
                _ROUND,
            ),
        ),
    ),
)

_k, _length = sympy.symbols("k ‖xᵏ−x⁰‖", real=True)
_path, _message = vectors("xᵏ−x⁰ m")
_walk = Space((_path, _message))
_walk.norm(_path, "‖xᵏ−x⁰‖")
_moved: Any = _path + (-gamma) * _message
_size, _longer = _walk.norm(_message, "‖m‖"), _walk.norm(_moved, "‖xᵏ⁺¹−x⁰‖")
_BOUNDED = hypothesis("‖Ψ(g)‖ ≤ Φ for every g, so the mean m of messages has ‖m‖ ≤ Φ", _size <= Phi)
_LINEAR = derived("‖xᵏ − x⁰‖ ≤ kγΦ", _length <= _k * gamma * Phi)
_ON_THE_LINE = hypothesis("xᵏ = t(1, 1, 1), t > 0", t > 0)
_first, _others = 2 * t * (-3) + t / 2, 2 * t * 2 + t / 2
"""The gradient of ⟨a_1, x⟩² + ¼‖x‖² at t(1, 1, 1), where ⟨a_1, x⟩ = t: its first and its other coordinates."""
S34_TOP1 = Claim(
    id="NEC-S34-TOP1",
    paper=PAPER,
    place="Section 3.4, against eq. (2)",
    kind="prose",
    printed="DP-SGD (2) diverge exponentially when Ψ(·) is a Top-1 compressor […] [(2): Ψ is an operator with bounded norm, i.e. "
    "‖Ψ(g)‖ ≤ Φ for some Φ > 0 and any g]",
    reason="Top-1 has no bounded norm, so it is no Ψ of (2); and with a Ψ of (2) the iterates move, without noise, at most kγΦ, never "
    "exponentially. The cited example diverges for a Ψ that (2) excludes. (2) says itself what its Ψ is, so that no reading is left, "
    "as (9) leaves one (NEC-S35-EF21): the two sections contradict each other.",
    conflict=Proof(
        (PHI, GAMMA, _BOUNDED),
        (
            obligation("Top-1 leaves (Φ + 1)e as it is, which is longer than Φ", (PHI,), sympy.Abs(Phi + 1) > Phi),
            Induction(
                _LINEAR.name,
                _LINEAR,
                Obligation("k = 0", (), derived("start", sympy.Le(0, 0 * gamma * Phi))),
                Obligation("one step", (PHI, GAMMA, _BOUNDED, _LINEAR, *_walk.facts()),
                           derived("step", _longer <= (_k + 1) * gamma * Phi)),
                ((_length, 0), (_k, 0)),
                ((_length, _longer), (_k, _k + 1)),
            ),
            Limit("which is nothing against 2ᵏ", _k * gamma * Phi / 2**_k, _k, sympy.oo, sympy.Integer(0), "-",
                  (PHI, GAMMA)),
        ),
    ),
    repair=Repair(
        "Without “bounded norm”: with three clients f_i = ⟨a_i, x⟩² + ¼‖x‖², a_1 = (−3, 2, 2), a_2 = (2, −3, 2), "
        "a_3 = (2, 2, −3), from t(1, 1, 1), (2) with B = 3, all clients in each round, Top-1 and z = 0 gives "
        "x^{k+1} = (1 + 11γ/6)x^k.",
        "an unbounded Ψ",
        Proof(
            (GAMMA, _ON_THE_LINE),
            (
                Identity("⟨a_1, t(1, 1, 1)⟩ = t", -3 * t + 2 * t + 2 * t, t),
                obligation("Top-1 keeps the i-th coordinate of client i", (_ON_THE_LINE,),
                           sympy.Abs(_first) > sympy.Abs(_others)),
                obligation("each coordinate is multiplied by 1 + 11γ/6 > 1", (GAMMA, _ON_THE_LINE),
                           equal(t - gamma * _first / 3, (1 + 11 * gamma / 6) * t) & (11 * gamma / 6 > 0)),
            ),
        ),
    ),
)  # fmt: skip
_TWICE_TAU = hypothesis("x = 2τ", equal(x, 2 * tau))
_slope_1, _slope_2 = x - 3 * tau, x + 3 * tau
S34_CLIP = Claim(
    id="NEC-S34-CLIP",
    paper=PAPER,
    place="Section 3.3 and Section 3.4; Section 2, on distributed methods; poster, Motivation",
    kind="prose",
    printed="Even without DP noise, DP-SGD fails to converge due to the clipping bias […] fail to converge when Ψ(·) is clipping "
    "[Section 2:] federated optimization methods with clipping have been analyzed under the bounded difference between the local "
    "and global gradients […] However, even in the non-private setting, these distributed clipping methods do not converge for "
    "simple problems [read as: (2) with clipping, under such a bounded difference] [Poster:] Clipping "
    "introduces bias preventing convergence to the exact solution.",
    reason="For every τ: f_1 = ½(x − 3τ)², f_2 = ½(x + 3τ)² have clipped gradients −τ and τ at 2τ, where ∇f = 2τ; "
    "with both in each round (2) stays there. Their gradients are 3τ from ∇f everywhere, so that a bound on that difference does not "
    "help.",
    proof=Proof(
        (TAU, _TWICE_TAU),
        (
            Identity("∇f − ∇f_1 = 3τ at every x", ((x - 3 * tau) + (x + 3 * tau)) / 2 - (x - 3 * tau), 3 * tau),
            Identity("∇f − ∇f_2 = −3τ at every x", ((x - 3 * tau) + (x + 3 * tau)) / 2 - (x + 3 * tau), -3 * tau),
            obligation("Clip_τ(x − 3τ) + Clip_τ(x + 3τ) = 0", (TAU, _TWICE_TAU), equal(
                sympy.Min(1, tau / sympy.Abs(_slope_1)) * _slope_1 + sympy.Min(1, tau / sympy.Abs(_slope_2)) * _slope_2, 0)),
            obligation("2τ is not stationary", (TAU, _TWICE_TAU), (_slope_1 + _slope_2) / 2 > 0),
        ),
    ),
)  # fmt: skip

centre, place = sympy.symbols("c y", real=True)
_SHRUNK = derived("after any number of local steps y − c = P(x⁰ − c), P the same for all clients",
                  equal(place - centre, P * (x - centre)))  # fmt: skip
_NONE_YET = ((place, x), (P, 1))
_AGAIN = ((place, place - eta * (place - centre)), (P, P * (1 - eta)))
_right, _left = sympy.symbols("y_1 y_2", real=True)
_TWO_HERE = hypothesis("x⁰ = 2", equal(x, 2))
_local = Induction(
    _SHRUNK.name,
    _SHRUNK,
    Obligation("no local step", (), derived("start", _SHRUNK.at(dict(_NONE_YET)).relation)),
    Obligation("one more", (_SHRUNK,), derived("step", _SHRUNK.at(dict(_AGAIN)).relation)),
    _NONE_YET,
    _AGAIN,
)
_BOTH = (
    _local.conclusion.at({centre: 3, place: _right}),
    _local.conclusion.at({centre: -3, place: _left}),
    _TWO_HERE,
)
_MOVING = hypothesis("u_1, u_2 ≠ 0", sympy.Ne(_right, x) & sympy.Ne(_left, x))
S34_DAS = Claim(
    id="NEC-S34-DAS",
    paper=PAPER,
    place="Section 3.4, after Example 1",
    kind="prose",
    printed="this fundamental limitation affects federated averaging algorithms that apply normalization on the client updates "
    "(Das et al., 2022)",
    reason="On Example 1 from x⁰ = 2 the updates after any number of local gradient steps of any size η point in opposite "
    "directions (or are both 0): the normalised ones cancel, where both clients take part (r = n) and no noise is added. A round in "
    "which one of them, whose update is not 0, takes part alone does move w.",
    proof=Proof(
        (_TWO_HERE, _MOVING),
        (
            _local,
            obligation("u_1 = 0 and u_2 = 0, or neither", _BOTH, sympy.Equivalent(equal(_right, x), equal(_left, x)).to_nnf()),
            obligation(
                "where they are not 0: u_1/|u_1| + u_2/|u_2| = 0",
                (*_BOTH, _MOVING),
                equal((_right - x) / sympy.Abs(_right - x) + (_left - x) / sympy.Abs(_left - x), 0),
            ),
        ),
    ),
)  # fmt: skip

_mean_before, _lengths = sympy.symbols("‖Σx_i‖ Σ‖x_i‖", real=True)
_whole, _next = vectors("Σ_{i≤m}x_i x_{m+1}")
_many = Space((_whole, _next))
_many.norm(_whole, "‖Σx_i‖")
_one_length, _grown = _many.norm(_next, "‖x_{m+1}‖"), _many.norm(_whole + _next, "‖Σx_i⁺‖")
_TRIANGLE = derived("‖Σ_{i≤m} x_i‖ ≤ Σ_{i≤m}‖x_i‖", _mean_before <= _lengths)
MEAN_OF_NORMS = (
    Induction(
        _TRIANGLE.name,
        _TRIANGLE,
        Obligation("no vector", (), derived("start", sympy.Le(0, 0))),
        Obligation(
            "one more", (_TRIANGLE, *_many.facts()), derived("step", _grown <= _lengths + _one_length)
        ),
        ((_mean_before, 0), (_lengths, 0)),
        ((_mean_before, _grown), (_lengths, _lengths + _one_length)),
    ),
    obligation("(15)", (CLIENTS, _TRIANGLE), _mean_before / n <= _lengths / n),
)
APPENDIX_A = Claim(
    id="NEC-AA",
    paper=PAPER,
    place="eqs. (13), (14), (15), Appendix A",
    kind="equation",
    printed="⟨x, y⟩ ≤ ‖x‖‖y‖, (13) ‖x + y‖ ≤ ‖x‖ + ‖y‖, and (14) ‖(1/n) Σ_{i=1}^n x_i‖ ≤ (1/n) Σ_{i=1}^n ‖x_i‖. (15)",
    reason="All three hold in every dimension, (15) by induction over the vectors.",
    proof=Proof(
        (CLIENTS,),
        (
            obligation("(13)", _PAIR.facts(), inner(_u, _v) <= _norm_u * _norm_v),
            obligation("(14)", _PAIR.facts(), _norm_sum <= _norm_u + _norm_v),
            *MEAN_OF_NORMS,
        ),
    ),
)  # fmt: skip
CLAIMS = (S2_DAS, EQ4, EQ5, EQ5_REPLACE, S34_TOP1, S34_CLIP, S34_DAS, EQ10, APPENDIX_A)
