"""Claims: over-parameterisation in Section 4.1, a common minimiser of all clients; when one is to be expected, and the converse."""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from verify.case import closed
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import huber
from verify.dp_normfedavg.letters import summed
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Proof

PAPER = "dp-normfedavg"
HALF = Fraction(1, 2)


def _replay_homogeneous(v: Values) -> Comparison:
    """n clients of m = 1 sample x = ±1 each, both equally likely, with loss (w − x)²/2: f is least at the mean of the samples
    alone, f_i at its own. The probability that the one is the other for every client, by enumeration."""
    n, samples = int(v["n"]), (Fraction(-1), Fraction(1))
    shared = sum(
        Fraction(1, len(samples) ** n)
        for drawn in product(samples, repeat=n)
        if all(sum(drawn, Fraction(0)) / n == own for own in drawn)
    )
    return Comparison(Fraction(shared), ">=", HALF, (("n ≥ 2", n >= 2),))


gap, others, least, mean = letters("gap_i gap_others f_at_common f_at_w_star")
COMMON = obligation(
    "f_i(w*) − min f_i = 0 for each i",
    (
        definition(
            "n f(w*) = Σ_j min f_j + (f_i(w*) − min f_i) + the others' gaps",
            equal(mean, least + gap + others),
        ),
        standard("no function is below its minimum", (gap >= 0) & (others >= 0)),
        hypothesis("some w minimises every f_i, and w* minimises f: n f(w*) ≤ Σ_j min f_j", mean <= least),
    ),
    equal(gap, 0),
)

own_at_star, own_least, mean_least = letters("n_f_i_at_w_star n_min_f_i n_min_f")
EQUAL = obligation(
    "f_i(w*) − min f_i = 0 where f_i = f",
    (
        hypothesis(
            "f_i = f for all i, and w* minimises f",
            equal(own_at_star, mean) & equal(own_least, mean_least) & equal(mean, mean_least),
        ),
    ),
    equal(own_at_star - own_least, 0),
)

_PRINTED = (
    "An example of such a situation is over-parameterization where each minimizer of f is also a minimizer of all the f_i's "
    "but not the other way around [22]; this can be expected in the homogeneous case."
)
own_v, own_w, total_v, total_w = letters("f_i_at_v f_i_at_w n_f_at_v n_f_at_w")
BOTH_WAYS = summed(
    "a minimiser w of all f_i minimises f: Σ f_i(v) ≥ Σ f_i(w) for every v",
    total_v >= total_w,
    {total_v: 0, total_w: 0},
    {total_v: total_v + own_v, total_w: total_w + own_w},
    (hypothesis("w minimises every f_i: f_i(v) ≥ f_i(w)", own_v >= own_w),),
)


def _own_minimisers() -> Comparison:
    """f_1 Huber around 0 and f_2 = 0: f_1(0) and f_2(0) are least, so that 0 minimises all; 1 minimises f_2. By how much f is above
    its minimum at 1."""
    f = huber(Fraction(1), Fraction(1))
    above = f(Fraction(1)) / 2 - f(Fraction(0)) / 2
    return Comparison(above, ">", Fraction(0), (("f_1(0) = 0 is least", f(Fraction(0)) == 0),))


NOT_SHARED = Witness(
    {"n": Fraction(8)},
    "all f_i share the minimiser of f with probability at least 1/2",
    _replay_homogeneous,
    "eight clients with one sample each, ±1 with equal chances, loss (w − x)²/2: 1/128",
)
CLAIMS = (
    Claim(
        "DAS-S41-HOMOGENEOUS",
        PAPER,
        "Section 4.1",
        "prose",
        _PRINTED,
        "true where the clients' functions are one function, as with infinitely many samples from one distribution, or where one "
        "w fits all data; clients that each draw samples of their own from it share no minimiser as a rule",
        repair=Repair(
            "where all f_i are one function, or some w minimises every f_i, each minimiser of f minimises every f_i",
            "equal f_i, or a w that minimises every f_i, in the place of equal distributions",
            closed((EQUAL, COMMON)),
            "an equivalence: where every minimiser of f minimises every f_i, it is such a w",
        ),
        gap=Gap(
            "reading",
            "at least as likely as not, for clients with samples of their own from one distribution",
            NOT_SHARED,
        ),
        consequence="over-parameterised is a property of model and data together; the clients of Appendix F, drawn alike, are not",
    ),
    Claim(
        "DAS-S41-CONVERSE",
        PAPER,
        "Section 4.1",
        "prose",
        "over-parameterization where each minimizer of f is also a minimizer of all the f_i's but not the other way around",
        "a minimiser of one f_i need not minimise f; a minimiser of all the f_i's, which is the other way around to the letter, "
        "always does",
        repair=Repair(
            "each minimiser of f is one of every f_i, but a minimiser of some f_i need not be one of f",
            "“the other way around” is about the minimisers of a single f_i",
            Proof((), (Computation("f_2 = 0 is least at 1, and f is not", "enumeration", _own_minimisers),)),
            "where no f_i has more minimisers than f the two sets are one",
        ),
        gap=Gap("reading", "some minimiser of all the f_i's does not minimise f", closed((BOTH_WAYS,))),
    ),
)
