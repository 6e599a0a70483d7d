"""Claims: Definition 1 and what the text says of it (Sections 2 and 4)."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

import sympy

from bounds.dp_normfedavg import choices as printed
from bounds.dp_normfedavg import theorem4 as four
from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import huber, tilted
from verify.dp_normfedavg.counterexamples.exact import ZERO, clip
from verify.dp_normfedavg.letters import LOCAL, SMOOTH
from verify.dp_normfedavg.theorems.choices import BOUND_4, LIPSCHITZ_POS, G
from verify.dp_normfedavg.theorems.rounds import ALPHA, GAMMA, RHO
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation

PAPER = "dp-normfedavg"
ONE = Fraction(1)


# Definition 1.
def two_minimisers(one: Fraction = -ONE, other: Fraction = ONE) -> Comparison:
    """Δ_1* at two minimisers of f = mean of two Huber functions around −3 and 3: f is flat between them, f_1 is not."""
    f = (huber(ONE, ONE, Fraction(-3)), huber(ONE, ONE, Fraction(3)))
    met = (("both minimise f", all(sum(g.gradient(w) for g in f) == 0 for w in (one, other))),)
    return Comparison(f[0](one), "!=", f[0](other), met)


mean_1, mean_2, lowest, first_gap, second_gap = letters("f_star f_star_2 mean_inf mean_gap_1 mean_gap_2")
MEAN_GAP = obligation(
    "mean Δ_i* = f(w*) − mean inf f_i is the same for every w*",
    (hypothesis("w* and w** minimise f: f(w*) = f(w**)", equal(mean_1, mean_2)),
     definition("means of Δ_i*", equal(first_gap, mean_1 - lowest) & equal(second_gap, mean_2 - lowest))),
    equal(first_gap, second_gap),
)  # fmt: skip

# f_1(w) = log(1 + e^w) and f_2(w) = log(1 + e^(−w)): y = e^w, y_1 = e^(w−1).
y, y_before, value, value_before = letters("y y_before f_1 f_1_before")
EXPONENTIAL = definition("y = e^w > 0", y > 0)
SLOPES = obligation(
    "f_1′ = y/(1 + y) lies in (0, 1), f_1″ = y/(1 + y)² is at most 1/4 and at least 0",
    (EXPONENTIAL,),
    (y / (1 + y) > 0) & (y / (1 + y) < 1) & (4 * y / (1 + y) ** 2 <= 1) & (y / (1 + y) ** 2 >= 0),
)
LEAST = obligation("f = ½ log(2 + y + 1/y) is least at w = 0, y = 1", (EXPONENTIAL,), y + 1 / y >= 2)
LOWER = obligation(
    "f_1(w − 1) < f_1(w) at every w: f_1 has no minimum (its infimum is 0)",
    (
        EXPONENTIAL,
        standard("e^(w−1) = e^w/e, e > 2", (y_before > 0) & (2 * y_before < y)),
        standard("log increases", sympy.Implies(1 + y_before < 1 + y, value_before < value)),
    ),
    value_before < value,
)

# "similar distributions".
own_star, own_low, all_star, all_low, apart_by = letters("f_i_star f_i_min f_star f_at_m_i e")
SIMILAR = obligation(
    "Δ_i* = f_i(w*) − f_i(m_i) ≤ 2e where f_i is within e of f, m_i a minimiser of f_i",
    (
        hypothesis(
            "|f_i − f| ≤ e at w* and at m_i",
            (own_star <= all_star + apart_by) & (own_low >= all_low - apart_by),
        ),
        hypothesis("w* minimises f", all_star <= all_low),
    ),
    own_star - own_low <= 2 * apart_by,
)


def _replay_samples(v: Values) -> Comparison:
    """E mean Δ_i* for n clients of one sample x = ±1 each with loss (w − x)²/2, by enumeration, against a tenth of a client's
    expected loss at the best w of the distribution, 0: w* is the mean of the samples and min f_i = 0."""
    n = int(v["n"])
    total = ZERO
    for drawn in product((-ONE, ONE), repeat=n):
        star = sum(drawn, ZERO) / n
        total += sum(((star - x) ** 2 / 2 for x in drawn), ZERO) / n
    return Comparison(total / 2**n, "<=", Fraction(1, 2) / 10, (("n ≥ 2", n >= 2),))


# "which leads to worse convergence".
def _replay_degree(v: Values) -> Comparison:
    """Clipping without its noise, two clients in every round, one local step, C = G: f(w_K) of clients f ± tw against that of
    two clients f. The minimum of f + w is where the slope of f is −1, at w = −1."""
    G_, L_, t, a, rho_, K = v["G"], v["L"], v["t"], v["alpha"], v["rho"], int(v["K"])
    f, step = huber(L_, ONE), printed.step_theorem4(rho_, a, L_)
    ends = {}
    for tilt in (ZERO, t):
        clients, w = (tilted(f, tilt), tilted(f, -tilt)), v["w0"]
        for _ in range(K):
            w -= step * sum((clip(g.gradient(w), G_) for g in clients), ZERO) / 2
        ends[tilt] = f(w)
    gaps = [ZERO - tilted(f, sign * t)(-sign * t / L_) for sign in (ONE, -ONE)]
    met = (
        ("f convex and L-smooth", f.convex and f.smoothness <= L_),
        ("f ± tw G-Lipschitz", f.lipschitz + t <= G_),
        ("f(w₀) is not least", f(v["w0"]) > 0),
        ("Δ_i* = t²/(2L) > 0 against 0", all(d == t**2 / (2 * L_) > 0 for d in gaps) and t <= ONE),
        ("E = 1 ≤ α/(2ρ), α ≥ 1", a >= 1 and a / (2 * rho_) >= 1),
        ("0 < ρ < 1, γ > 0", 0 < rho_ < 1 and v["gamma"] > 0),
        ("K = (2αγ/C)/ρ² ≥ 1", printed.rounds_theorem4(a, v["gamma"], G_, rho_) == v["K"] == K >= 1),
    )
    return Comparison(ends[t], ">", ends[ZERO], met)


slope, tilt, sent = letters("slope tilt message")
SAME_MESSAGE = obligation(
    "the mean message is ∇f at every w, whatever t is: nothing is cut at C = G, and the noise is the same",
    (
        hypothesis("f ± tw is G-Lipschitz", (slope + tilt <= G) & (slope - tilt <= G) & (slope + tilt >= -G) & (slope - tilt >= -G)),
        definition(
            "mean of clip(f′ + t, G) and clip(f′ − t, G)",
            equal(
                2 * sent,
                sympy.Max(-G, sympy.Min(G, slope + tilt)) + sympy.Max(-G, sympy.Min(G, slope - tilt)),
            ),
        ),
    ),
    equal(sent, slope),
)  # fmt: skip
low, high = letters("Delta_low Delta_high")
_MORE = (
    hypothesis("0 ≤ Δ̄* < Δ̄*′", (low >= 0) & (low < high)),
    LIPSCHITZ_POS,
    SMOOTH,
    GAMMA,
    RHO,
    ALPHA,
    LOCAL,
)
BOUNDS_GROW = (
    obligation(
        "the right-hand side of (2) increases with mean Δ_i*",
        _MORE,
        four.theorem4a(**BOUND_4, Delta=low) < four.theorem4a(**BOUND_4, Delta=high),
    ),
    obligation(
        "the right-hand side of (3) increases with the mean of (GE/‖u_i‖) Δ_i*",
        _MORE,
        four.theorem4b(**BOUND_4, z_Delta=low) < four.theorem4b(**BOUND_4, z_Delta=high),
    ),
)

_PRINTED = (
    "Let w* ∈ arg min_{w'∈ℝ^d} f(w') and Δ_i* := f_i(w*) − min_{w'∈ℝ^d} f_i(w'). The system's heterogeneity is quantified "
    "by some increasing function of {Δ_i*}_{i=1}^n."
)
CLAIMS = (
    Claim(
        "DAS-DEF1", PAPER, "Definition 1", "definition", _PRINTED,
        "a convex client need not attain its infimum, and then Δ_i* is not defined; with the infimum it is, and the mean of the "
        "Δ_i* is such a function, a number of the system. B₂ of (3) weighs the Δ_i* by the run's GE/‖u_i‖, and so is no function of "
        "the Δ_i* alone",
        repair=Repair("Δ_i* := f_i(w*) − inf f_i; their mean, which B₁ of (2) reads, does not depend on w*, as a single one may",
                      "inf for min",
                      closed((MEAN_GAP, Computation(
                          "a single Δ_1* does: 3/2 at w* = −1, 7/2 at w* = 1, of two Huber functions around −3 and 3",
                          "enumeration", two_minimisers))),
                      "the proofs of Theorems 4, 6 and 7 use no more of min f_i than that nothing lies below it"),
        gap=Gap("undefined", "min f_1 for f_1 = log(1 + e^w) and f_2 = log(1 + e^(−w)), convex, ¼-smooth, 1-Lipschitz, w* = 0",
                closed((SLOPES, LEAST, LOWER))),
        consequence="unregularised logistic regression is such a case where a client's data are separable, of one class for "
        "instance; where inf f_i = −∞ the theorems say nothing; where f has "
        "several minimisers the repaired Theorem 4 (b) and Theorem 7 hold for each of them, with Δ_i* of its own",
    ),
    Claim(
        "DAS-DEF1-SIMILAR", PAPER, "Section 2, after Definition 1", "prose",
        "Note that if the per-client distributions (i.e. 𝒫_i's) are similar, then we expect the Δ_i*'s to be small indicating smaller "
        "heterogeneity.",
        "Δ_i* is small where the functions f_i are close; few samples from one distribution make different functions. Say each of n "
        "clients has one sample x_i, 1 or −1 with equal chances, and f_i(w) = (w − x_i)²/2: w* is the mean of the x_i, and "
        "E mean Δ_i* = ½(1 − 1/n)",
        repair=Repair("|f_i − f| ≤ e at w* and at a minimiser of f_i gives Δ_i* ≤ 2e", "functions close, in the place of "
            "distributions",
                      closed((SIMILAR,))),
        gap=Gap("reading", "equal distributions, and one sample to a client", Witness(
            {"n": Fraction(8)}, "E mean Δ_i* is at most a tenth of a client's expected loss at the best w", _replay_samples,
            "eight clients with one sample each, ±1 with equal chances, loss (w − x)²/2: 7/16 against 1/20")),
    ),
    Claim(
        "DAS-S4-DEGREE", PAPER, "Section 4, after Theorem 4", "prose",
        "A high (respectively, low) degree of heterogeneity implies high (respectively, low) values of Δ_i*'s, which leads to worse "
        "(respectively, better) convergence.",
        "true of the two bounds, of which the paragraph speaks: B₁ grows with the mean of the Δ_i*, B₂ with their mean weighed by "
        "GE/‖u_i‖; the run itself need not know: with one local step, everybody present and nothing cut, clients f + tw and f − tw "
        "send under clipping the mean of two clients f, whatever t is, and every w_k has the same law",
        repair=Repair("the bound (2) is the larger the larger the mean of the Δ_i* is, (3) the larger their mean weighed by the run's "
                      "GE/‖u_i‖ is", "of the bounds, not of the run", closed(BOUNDS_GROW)),
        gap=Gap("reading", "convergence of the run, not of its bound", Witness(
            {"G": Fraction(2), "L": ONE, "t": ONE, "alpha": ONE, "rho": Fraction(1, 2), "w0": Fraction(3), "K": Fraction(20),
             "gamma": Fraction(5)},
            "f(w_K) of the clients with Δ_i* = 1/2 is above that of the clients with Δ_i* = 0", _replay_degree,
            "f a Huber function, twenty rounds of clipping without noise from w₀ = 3: the two runs are one", closed((SAME_MESSAGE,)))),
    ),
)  # fmt: skip
