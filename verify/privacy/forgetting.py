"""After Theorem 3 of DP-NormFedAvg: is an earlier iterate as private as the last one?

Not as a sentence about iterates. A round of gradient steps can forget where it started, so that the last iterate hides
what an earlier one shows. What does hold is about the account: where the ε of K rounds comes from composing them, the
first k of them cost no more. And where every iterate is private, so is one that is drawn without a look at the data.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Curve, huber
from verify.dp_normfedavg.counterexamples.exact import clip, round_without_noise
from verify.facts import definition, derived, equal, hypothesis, letters, standard
from verify.induction import Induction
from verify.obligation import obligation
from verify.privacy.rigorous import Interval, above, below, gaussian_delta, number, tail
from verify.proof import Proof

F = Fraction
ONE = F(1)


def _means(f: Curve, v: Values) -> Fraction:
    """w_1 without its noise: one round of Algorithm 1, Option (i), with n = r = E = 1."""
    return round_without_noise((f,), v["w0"], v["eta"], 1, v["C"], ONE, clip, (0,))


def _forgets(f: Curve, v: Values) -> bool:
    """A round without noise leads to 0 from both ends of the stretch where ∇f is linear, so from all of it."""
    reach = f.knots[-1]
    ends = (round_without_noise((f,), w, v["eta"], 1, v["C"], ONE, clip, (0,)) for w in (-reach, reach))
    return all(abs(f.gradient(reach)) <= v["C"] and w == 0 for w in ends)


def _leaves(f: Curve, v: Values) -> Interval:
    """P(w_1 outside that stretch): on it w_2 is noise alone, N(0, η²σ²)."""
    reach, mean, deviation = f.knots[-1], _means(f, v), v["eta"] * v["sigma"]
    return tail(number((reach - mean) / deviation)) + tail(number((reach + mean) / deviation))


def _first_of_two(v: Values) -> Comparison:
    """δ of w_1, a Gaussian with two means, where w_2 is (ε, δ)-DP: each law of w_2 is within P(w_1 leaves) of N(0, η²σ²)
    in total variation, so that they are within the sum of each other."""
    f, g = huber(v["L"], v["slope"]), huber(v["L"], v["slope_neighbour"])
    last = above(_leaves(f, v) + _leaves(g, v))
    apart = (_means(f, v) - _means(g, v)) / (v["eta"] * v["sigma"])
    had = below(gaussian_delta(number(v["epsilon"]), number(apart**2)))
    met = (
        ("f_1 convex on both data sets", f.convex and g.convex),
        ("f_1 L-smooth on both", max(f.smoothness, g.smoothness) <= v["L"]),
        ("f_1 G-Lipschitz on both, C = GE = G", max(f.lipschitz, g.lipschitz) <= v["C"]),
        ("ε, σ > 0 and 0 < δ < 1", v["epsilon"] > 0 and v["sigma"] > 0 and 0 < v["delta"] < 1),
        ("a round forgets where it began, on both data sets", _forgets(f, v) and _forgets(g, v)),
        ("the last iterate w_2 is (ε, δ)-DP", last <= v["delta"]),
    )
    return Comparison(had, "<=", v["delta"], met)


def _composed() -> Proof:
    """Fewer releases, a smaller shift; the Gaussian curve increases with the shift."""
    k, K, s, sd, one, whole, own, first, all_, delta = sympy.symbols(
        "k K s sigma mu_k mu_K own_k delta_k delta_K delta", real=True
    )
    meaning = definition(
        "μ_k² = s²k/σ² and μ_K² = s²K/σ², both ≥ 0",
        (one >= 0) & (whole >= 0) & equal(one**2 * sd**2, s**2 * k) & equal(whole**2 * sd**2, s**2 * K),
    )
    noise, earlier = hypothesis("σ > 0", sd > 0), hypothesis("0 ≤ k ≤ K", (k >= 0) & (k <= K))
    enough = hypothesis("the K releases together are (ε, δ)-DP: δ_K ≤ δ", all_ <= delta)
    monotone = standard(
        "δ_k = δ(ε; μ_k) of k Gaussian releases increases with μ_k",
        sympy.Implies(one <= whole, first <= all_),
    )
    processed = standard("w_k is a function of the first k releases: its own δ ≤ δ_k", own <= first)
    smaller = obligation("μ_k ≤ μ_K", (noise, earlier, meaning), one <= whole)
    private = obligation("w_k is (ε, δ)-DP", (smaller.conclusion, monotone, processed, enough), own <= delta)
    return Proof((noise, earlier, enough), (smaller, private))


def _drawn() -> Proof:
    """P and Q are the probabilities of one event on the two data sets: of w_k, summed over k, of w_k̃."""
    K, k, e, delta, P_k, Q_k, P, Q, P_sum, Q_sum = letters("K k e^ε delta P_k Q_k P Q P_sum Q_sum")
    rounds = hypothesis("K ≥ 1", K >= 1)
    private = hypothesis(
        "w_k is (ε, δ)-DP for every k: P(w_k ∈ S) ≤ e^ε Q(w_k ∈ S) + δ", P_k <= e * Q_k + delta
    )
    uniform = hypothesis(
        "k̃ ~ unif[0, K−1] whatever the data and the iterates are: K P(w_k̃ ∈ S) = Σ_k P(w_k ∈ S), and so with Q",
        equal(K * P, P_sum) & equal(K * Q, Q_sum),
    )
    so_far = derived("Σ_{l<k} P(w_l ∈ S) ≤ e^ε Σ_{l<k} Q(w_l ∈ S) + kδ", P_sum <= e * Q_sum + k * delta)
    summed = Induction(
        so_far.name,
        so_far,
        obligation("no iterate", (), sympy.true),
        obligation("one iterate more", (so_far, private), P_sum + P_k <= e * (Q_sum + Q_k) + (k + 1) * delta),
        start=((P_sum, 0), (Q_sum, 0), (k, 0)),
        next=((P_sum, P_sum + P_k), (Q_sum, Q_sum + Q_k), (k, k + 1)),
    )
    mean = obligation(
        "w_k̃ is (ε, δ)-DP: P(w_k̃ ∈ S) ≤ e^ε Q(w_k̃ ∈ S) + δ",
        (rounds, so_far.at({k: K}), uniform),
        P <= e * Q + delta,
    )
    return Proof((rounds, private, uniform), (summed, mean))


CLAIMS = (
    Claim(
        "DAS-T3-ITERATES",
        "dp-normfedavg",
        "after Theorem 3",
        "prose",
        "if the last iterate is (ε, δ)-DP, then so is any other iterate (due to additivity of the privacy cost)",
        "True of an account that adds up the rounds (the repair), which bounds every iterate at once. Of the iterates' own laws, "
        "however the last one became private, it is false, because a round can forget where it started: w_2 can be (1, 10⁻⁶)-DP "
        "and w_1 have δ above 0.66 at ε = 1.",
        gap=Gap(
            "reading",
            "of the iterates' own laws, however the last one became private",
            Witness(
                {
                    "w0": ONE,
                    "eta": ONE,
                    "C": ONE,
                    "L": ONE,
                    "sigma": F(1, 10),
                    "slope": ONE,
                    "slope_neighbour": F(3, 4),
                    "epsilon": ONE,
                    "delta": F(1, 10**6),
                },
                "the true δ of w_1 at ε = 1 is at most 1e-6, as that of w_2 is",
                _first_of_two,
                "Algorithm 1, Option (i), n = r = E = 1, K = 2, β = η = C = 1; two data sets, on which f_1 is a Huber function "
                "around 0 of slope 1 or 3/4: w_1 ~ N(0, 1/100) or N(1/4, 1/100), and both second rounds lead back to 0",
            ),
        ),
        repair=Repair(
            "with r = n: if the K rounds' sums together are (ε, δ)-DP, so is every iterate, where w₀, C, η and β_k do not depend on "
            "the data",
            "the ε of the last iterate is that of composing the rounds' Gaussian sums, as in [1], with r = n; w₀, C, η and β_k "
            "without the data",
            _composed(),
            "r = n is not the point: for r < n w_k is a function of the first k rounds' sums as well, and they are part of what all K "
            "release",
        ),
        consequence="Algorithm 1 returns a random earlier iterate: an account of the last iterate alone (amplification by "
        "iteration) does not cover what it returns",
    ),
    Claim(
        "DAS-T3-FOLLOWS",
        "dp-normfedavg",
        "after Theorem 3",
        "prose",
        "then so is any other iterate […], from which Theorem 3 follows",
        "This last inference is sound: k̃ is drawn without a look at the data, so the law of w_k̃ is the mean of those of the "
        "iterates, and a mean of (ε, δ)-DP laws is (ε, δ)-DP. What it starts from is not (DAS-T3-LAST), or not in every reading "
        "(DAS-T3-ITERATES).",
        proof=_drawn(),
    ),
)
