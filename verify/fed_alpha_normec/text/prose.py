"""Sentences about the theorems: versions, vacuity, special cases."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem1 import theorem1 as alpha_normec_bound
from bounds.fed_alpha_normec import theorem1 as printed
from bounds.fed_alpha_normec.repaired import ONE_STEP
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec import conditions
from verify.fed_alpha_normec.lemmas import local_gradient_close as gc
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK, ROOTS_R, kept
from verify.fed_alpha_normec.letters import (
    ALPHA,
    BETA,
    CLIENTS,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    RADIUS,
    ROUNDS,
    SMOOTH,
    SPREAD,
    Delta,
    F,
    K,
    L,
    M,
    R,
    alpha,
    beta,
    claim,
    eta,
    gamma,
    p,
    sigma,
    values,
)
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.text.limits import EARLIER
from verify.identity import Identity
from verify.obligation import obligation
from verify.proof import Proof

q, n, G = letters("q n G")

# B increases as p falls.
_TWO = hypothesis("0 < p < q ≤ 1", (p > 0) & (p < q) & (q <= 1))
_VERSIONS = {"text": printed.b_main, "sentence": printed.b_text, "appendix": printed.b_appendix}
_FALLING = tuple(
    obligation(f"B, {name}", (_TWO, definition("σ ≥ 0", sigma >= 0)), b(p, sigma) > b(q, sigma))
    for name, b in _VERSIONS.items()
)
_clients, _mean_p, _mean_q = letters("M_clients sent_p sent_q")
_SENT = obligation(
    "the mean number of messages to the server is smaller at p than at q",
    (
        _TWO,
        definition("M ≥ 1", _clients >= 1),
        standard(
            "linearity: M clients send Mp and Mq messages in the mean (FED-EXP-KPM)",
            equal(_mean_p, _clients * p) & equal(_mean_q, _clients * q),
        ),
    ),
    _mean_p < _mean_q,
)

# What Theorem 1 gives at best for T = 1, p = 1, σ = 0.
_COUNT = definition(
    "n = K + 1 ≥ 1, G = √(2L(f(x⁰) − f^inf))",
    equal(n, K + 1) & (n >= 1) & (G >= 0) & equal(G**2, 2 * L * F),
)
_DOMAIN = (ALPHA, BETA, RADIUS, SMOOTH, GAMMA, ETA, FEEDBACK, LOCAL_STEP)


_WHOLE_STEP = hypothesis("η ≤ γ βR/(α + R)", eta <= gamma * beta * R / (alpha + R))
_STEPS = (ro.HALF_STEP, ro.THIRD_STEP, _WHOLE_STEP, ro.STEP_SEVERAL, gc.STEP)
_ANY_STEP = hypothesis(
    f"one of these: {'; '.join(step.name for step in _STEPS)}", sympy.Or(*(step.relation for step in _STEPS))
)
_MORE_ROOM = obligation(
    "the last one allows more than any other",
    (*_DOMAIN[:5], LOCAL_STEP),
    (gamma * beta * R / (alpha + R) <= beta * R / (alpha + R) / (2 * L))
    & (beta * R / (alpha + R) / (2 * L) < beta * R / (alpha + R) / (gc.CONSTANT * L)),
)
_NEAR = (
    _MORE_ROOM, FROM_FEEDBACK, ro.shorter(gc.STEP, _ANY_STEP), ro.STEP_LENGTH, *gc.NODES, kept(gc.MOVE_CLOSE.conclusion),
)  # fmt: skip


def _never(step, least: int, ratio: int) -> tuple:
    """For n ≤ least the bound is at least G, from 2R > 2·ratio·Lη."""
    long = obligation(f"R ≥ {ratio}Lη", (*_DOMAIN, step), R >= ratio * L * eta)
    few = hypothesis(f"K + 1 ≤ {least}", n <= least)
    return long, obligation(
        f"K + 1 ≤ {least} ⇒ the bound is at least √(2L(f(x⁰) − f^inf))",
        (SMOOTH, ETA, RADIUS, _COUNT, few, long.conclusion),
        3 * F / (n * eta) + 2 * R + eta * L / 2 >= G,
    )


_later = letters("n_later")[0]
_MORE = hypothesis("n ≤ n'", _later >= n)
_MORE_ROUNDS = obligation(
    "more rounds at the same η and R do not raise the bound",
    (SMOOTH, ETA, RADIUS, _COUNT, GAP, _MORE),
    3 * F / (_later * eta) + 2 * R + eta * L / 2 <= 3 * F / (n * eta) + 2 * R + eta * L / 2,
)
_ALLOWED = hypothesis("ηγ ≤ 1/n · Δ^inf/(4L√(2L))", eta * gamma <= Delta / (4 * L * sympy.sqrt(2 * L)) / n)
_raised = letters("Delta_raised")[0]
_RAISED = definition("Δ^inf raised by n'/n", equal(_raised * n, Delta * _later))
_RAISE = obligation(
    "a Δ^inf larger by n'/n keeps the condition on ηγ, and at T = 1 Δ^inf is not in the bound",
    (SMOOTH, GAMMA, ETA, SPREAD, _COUNT, _MORE, _ALLOWED, _RAISED),
    (_raised >= Delta) & (eta * gamma <= _raised / (4 * L * sympy.sqrt(2 * L)) / _later),
)
_MAIN_NEVER = _never(ro.HALF_STEP, 51, 4)
_APP_NEVER = _never(ro.THIRD_STEP, 75, 6)


def _informative(rounds: int, divisor: int) -> Comparison:
    """Parameters inside Theorem 1's conditions with a bound below √(2L f_gap) = 1: L = 1, f_gap = 1/2, Δ^inf = 16."""
    step = Fraction(3, 2) / rounds / (2 * divisor * 2 + Fraction(1, 2))
    eta_ = Fraction(round(float(step) ** 0.5 * 10**9), 10**9)
    R_ = eta_ * 2 * divisor * (1 + Fraction(1, 10**6))
    a = R_ / 10**9
    b = (a + R_) * (1 - Fraction(1, 10**9))
    Delta_, g = Fraction(16), Fraction(1, 2)
    given = {
        "f_gap": Fraction(1, 2), "K": Fraction(rounds - 1), "eta": eta_, "R": R_, "alpha": a, "beta": b, "M": Fraction(2),
        "p": Fraction(1), "sigma": Fraction(0), "gamma": g, "T": Fraction(1), "L": Fraction(1), "Delta": Delta_,
    }  # fmt: skip
    right = printed.MAIN.value(**given)  # at p = 1 and σ = 0 that of every version
    version = {2: printed.MAIN, 3: printed.APPENDIX}[divisor]
    return Comparison(right, "<", Fraction(1), conditions.met(version, given))


_LONGEST = obligation("Lη ≤ 2R", (ALPHA, BETA, RADIUS, SMOOTH, ETA, ROOTS_R, ro.STEP_ONE), L * eta <= 2 * R)
_NEVER_REPAIRED = (
    _LONGEST,
    obligation(
        "K + 1 ≤ 3 ⇒ the bound is at least √(2L(f(x⁰) − f^inf))",
        (SMOOTH, ETA, RADIUS, _COUNT, hypothesis("K + 1 ≤ 3", n <= 3), _LONGEST.conclusion),
        F / (n * eta) + 2 * R + eta * L / 2 >= G,
    ),
)


_MORE_ROUNDS_REPAIRED = obligation(
    "more rounds at the same η and R do not raise FED-R1",
    (ETA, _COUNT, GAP, _MORE),
    F / (_later * eta) + 2 * R + eta * L / 2 <= F / (n * eta) + 2 * R + eta * L / 2,
)


def _informative_repaired() -> Comparison:
    """L = 1, f_gap = 1/2, R = α = 9/64, β = 4R, η = 2R, four rounds."""
    r = Fraction(9, 64)
    right = ONE_STEP(
        f_gap=Fraction(1, 2),
        K=Fraction(3),
        eta=2 * r,
        R=r,
        beta=4 * r,
        M=Fraction(1),
        p=Fraction(1),
        V=Fraction(0),
        L=Fraction(1),
        alpha=r,
    )
    return Comparison(right, "<", Fraction(1))


def _not_recovered(numbers: Values) -> Comparison:
    """The two bounds at the same parameters; Fed's η is α-NormEC's γ."""
    gap, K_, e, R_, L_, Delta_, M_ = (numbers[k] for k in ("gap", "K", "eta", "R", "L", "Delta_inf", "M"))
    g = Fraction(1, 2) / L_
    given = {
        "f_gap": gap, "K": K_, "eta": e, "R": R_, "alpha": numbers["alpha"], "beta": numbers["beta"], "M": M_,
        "p": Fraction(1), "sigma": Fraction(0), "gamma": g, "T": Fraction(1), "L": L_, "Delta": Delta_,
    }  # fmt: skip
    fed = printed.MAIN.value(**given)
    other = alpha_normec_bound(f_gap=gap, gamma=e, K=K_, R=R_, L=L_)
    met = (*conditions.met(printed.MAIN, given), ("M ≥ 2, as Δ^inf > 0 asks of infima", M_ >= 2))
    return Comparison(fed, "==", other, met)


_ALLOWED_TOO = obligation(
    "what Theorem 1 allows α-NormEC's theorem allows: η ≤ βR/(α+R) · 1/L, and a quarter of it",
    (ALPHA, BETA, RADIUS, SMOOTH, GAMMA, LOCAL_STEP, ro.HALF_STEP),
    (4 * eta <= beta * R / (alpha + R) / L) & (eta <= beta * R / (alpha + R) / L),
)
_THREE_TIMES = obligation(
    "3(f(x⁰)−f^inf)/((K+1)η) + 2R + ηL/2 is at most three times α-NormEC's bound",
    (ETA, RADIUS, SMOOTH, ROUNDS, GAP),
    3 * F / ((K + 1) * eta) + 2 * R + eta * L / 2 <= 3 * EARLIER,
)
_AT_ONE = Identity(
    "which is Theorem 1's bound at T = p = 1, σ_DP = 0",
    printed.theorem1_main(
        f_gap=F,
        K=K,
        eta=eta,
        R=R,
        beta=beta,
        M=M,
        p=sympy.Integer(1),
        sigma=sympy.Integer(0),
        gamma=gamma,
        T=1,
        L=L,
        Delta=Delta,
    ),
    3 * F / ((K + 1) * eta) + 2 * R + eta * L / 2,
    (ETA, ROUNDS, CLIENTS),
)


def _two_limits() -> Comparison:
    """γ = β = α = R = 1: γ/2 · βR/(α+R) and γ/3 · βR/(α+R)."""
    return Comparison(Fraction(1, 2) * Fraction(1, 2), "!=", Fraction(1, 3) * Fraction(1, 2))


CLAIMS = (
    claim(
        "FED-T1-ETA",
        "Theorem 1 in Section 4 and in F.2",
        "definition",
        "0 < η ≤ (γ/2)(βR/(α+R)) (Section 4) […] 0 < η ≤ (γ/3)(βR/(α+R)) (F.2)",
        "Two different conditions for one theorem; the printed proof gives γ/3 (Lemma 1 with ρ = 2).",
        conflict=Proof(
            (), (Computation("the limits differ at γ = β = α = R = 1", "enumeration", _two_limits),)
        ),
        repair=Repair(
            "For ‖P_i(xᵏ) − v_iᵏ⁺¹‖ ≤ R at every k (FED-L1-INV) either is enough, where β/(α+R) < 1; so is η ≤ γβR/(α+R), and so is "
            "η ≤ βR/(1.3L(α+R)), which allows more.",
            "η ≤ βR/(1.3L(α+R)), without γ",
            Proof((*_DOMAIN, ro.START, _ANY_STEP), _NEAR),
            weakest="‖P_i(x) − P_i(y)‖ comes near (√e − 1)/γ · ‖x − y‖ = 1.2974 L‖x − y‖ as T → ∞ at γL = 1/2 (FED-L7-TIGHT)",
        ),
    ),
    claim(
        "FED-T1-VAC",
        "Theorem 1, T = 1, p = 1, σ = 0, against √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖",
        "ours",
        "The bound of Section 4 is below √(2L(f(x⁰)−f^inf)) for some allowed parameters, Δ^inf among them, if and only if K + 1 "
        "≥ 52; that of F.2 if and only if K + 1 ≥ 76",
        "2R ≥ 8Lη (12Lη in F.2) ties the terms together; with that many rounds some parameters do, and with more rounds "
        "the same ones and a larger Δ^inf, which keeps the condition on ηγ. For FED-R1 four rounds are enough (FED-R1-VAC).",
        proof=Proof(
            (
                *_DOMAIN,
                ro.HALF_STEP,
                ro.THIRD_STEP,
                hypothesis("K + 1 ≤ 51", n <= 51),
                hypothesis("K + 1 ≤ 75", n <= 75),
                _MORE,
                SPREAD,
                _ALLOWED,
            ),
            (
                *_MAIN_NEVER,
                *_APP_NEVER,
                _MORE_ROUNDS,
                _RAISE,
                Computation("K + 1 = 52, Section 4", "enumeration", lambda: _informative(52, 2)),
                Computation("K + 1 = 76, F.2", "enumeration", lambda: _informative(76, 3)),
            ),
        ),
    ),
    claim(
        "FED-R1-VAC",
        "ours, FED-R1 at p = 1, V = 0 against √(2L(f(x⁰)−f^inf)) ≥ ‖∇f(x⁰)‖",
        "ours",
        "FED-R1 is below √(2L(f(x⁰)−f^inf)) for some allowed parameters if and only if K + 1 ≥ 4",
        "β ≤ (√α+√R)² gives Lη ≤ 2R, and α = R, β = 4R, η = 2R/L reaches it.",
        proof=Proof(
            (ALPHA, BETA, RADIUS, SMOOTH, ETA, ROOTS_R, ro.STEP_ONE, hypothesis("K + 1 ≤ 3", n <= 3), _MORE),
            (
                *_NEVER_REPAIRED,
                _MORE_ROUNDS_REPAIRED,
                Computation("K + 1 = 4", "enumeration", _informative_repaired),
            ),
        ),
    ),
    claim(
        "FED-T1-ONE",
        "Section 4, full participation and non-private setting",
        "prose",
        "[For T = 1, p = 1, σ_DP = 0:] Under this scenario, the convergence bound of Fed-α-NormEC recovers that of "
        "α-NormEC as its special case.",
        "The first term is three times α-NormEC's, the other two are the same. And fewer parameters are allowed: η is at most a "
        "quarter as long, and Δ^inf > 0 and a condition on ηγ are added. (Whether that recovers α-NormEC's guarantees, as Section 1 "
        "says: FED-T1-ONE@guarantees.)",
        gap=Gap(
            "reading",
            "the same bound, term by term",
            Witness(
                values(gap=1, K=99, eta="1/100", R=1, L=1, alpha=1, beta=1, Delta_inf=3, M=2),
                "Theorem 1 at T = p = 1, σ = 0 equals Theorem 1 of α-NormEC",
                _not_recovered,
                "f(x⁰)−f^inf = L = R = α = β = 1, γ = 1/2, η = 1/100, K = 99, M = 2, Δ^inf = 3",
            ),
        ),
        repair=Repair(
            "At parameters that Theorem 1 allows, α-NormEC's theorem applies too, and Theorem 1's bound is at most three times its "
            "bound. FED-R1 at p = 1, V = 0 is that bound, term by term, and its condition β ≤ (√α + √R)² follows from β/(α+R) < 1.",
            "up to the factor 3 in the first term, at parameters that Theorem 1 allows",
            Proof(
                (ETA, ALPHA, BETA, RADIUS, FEEDBACK, SMOOTH, GAMMA, LOCAL_STEP, ro.HALF_STEP),
                (
                    _ALLOWED_TOO,
                    _AT_ONE,
                    _THREE_TIMES,
                    FROM_FEEDBACK,
                    Identity(
                        "FED-R1 at p = 1, V = 0",
                        ONE_STEP.formula(
                            f_gap=F,
                            K=K,
                            eta=eta,
                            R=R,
                            beta=beta,
                            M=sympy.Integer(1),
                            p=sympy.Integer(1),
                            V=sympy.Integer(0),
                            L=L,
                        ),
                        EARLIER,
                        (ETA, ROUNDS),
                    ),
                ),
            ),
        ),
    ),
    claim(
        "FED-C1-P",
        "Section 4, after Corollary 1",
        "prose",
        "Reducing p decreases bandwidth of participating clients to communicate at each round at the price of a larger error term B.",
        "Mp messages to the server a round in the mean, which falls with p; each of the three printed B grows as p falls (σ fixed). "
        "(What the server sends does not fall with p: FED-EXP-KPM@both-directions.)",
        proof=Proof((_TWO,), (_SENT, *_FALLING)),
    ),
)
