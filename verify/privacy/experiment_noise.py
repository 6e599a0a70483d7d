"""The noise of the private experiments in each reading of the sentence that gives it, and how much is enough.

α-NormEC, 6.2: "We set the noise variance at β √(K log(1/δ)) ϵ⁻¹ for ϵ = 8, δ = 10⁻⁵", 300 rounds, ten
clients. Fed-α-NormEC, 5: "setting the variance of added noise at pβ √K log(1/δ) ϵ⁻¹", 300 rounds, twenty
clients, p = 1, 0.5, 0.25. What is open: variance or standard deviation; of z or of βz; whether the root
covers the logarithm; who sees what; which data sets are neighbours; what a round releases. Here s is the
distance of the neighbours' messages in units of their bound.
"""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.claim import Repair, Values
from verify.computation import Comparison, Computation
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.obligation import obligation
from verify.privacy.alpha_normec import domains
from verify.privacy.mechanisms import (
    least_certain,
    least_visible,
    log_inverse,
    most_certain,
    most_visible,
)
from verify.privacy.memories import WITHOUT_DATA
from verify.privacy.rigorous import Interval, number, sqrt
from verify.proof import Proof

F = Fraction
ROUNDS, EPSILON, DELTA = 300, F(8), F(1, 10**5)
STEPS = 141
"""Batches of 10 × 32 in an epoch of 45,000 images."""


def printed(v: Values) -> Interval:
    """p β √(K log(1/δ))/ε, or with `short_root` p β √K log(1/δ)/ε; K is `counted`, 300 whatever is released."""
    L = log_inverse(v["delta"])
    under_root = number(v.get("counted", ROUNDS)) * (L * L if v.get("short_root", 0) == 1 else L)
    return number(v["p"] * v["beta"] / v["epsilon"]) * sqrt(under_root)


def variance_over_bound(v: Values) -> Interval:
    """Variance of the noise in units of the bound that it hides: `power` 1 reads the printed number as a
    variance, 2 as a standard deviation; `scaled` = 1 adds it to β Norm_α, 0 to Norm_α before β; as many `coordinates` share it."""
    square = printed(v) ** int(v["power"]) / number(v.get("coordinates", F(1)))
    return square / number(v["beta"] ** 2) if v["scaled"] == 1 else square


def values(**changes: int | Fraction) -> Values:
    """The reading as a standard deviation on β Norm_α, with changes."""
    base = {"p": 1, "beta": F(1, 100), "power": 2, "scaled": 1, "s": 1, "clients": 1, "releases": ROUNDS,
            "epsilon": EPSILON, "delta": DELTA}  # fmt: skip
    return {name: F(value) for name, value in (base | changes).items()}


def _repair(statement: str, condition: str, proof: Proof, weakest: str) -> Repair:
    """No noise on the messages hides what the start tells (FED-C2-DP@initial-memory, NEC-C2-DP@initial-memory)."""
    return Repair(f"Where {WITHOUT_DATA}, {statement}", f"{condition}; {WITHOUT_DATA}", proof, weakest)


def enough_for_all(
    statement: str,
    condition: str,
    releases: dict[str, tuple[Values, Fraction]],
    weakest: str = "to a hundredth",
) -> Repair:
    """Noise that is enough where everybody takes part. releases: by what is seen, the reading and the factor on its standard
    deviation. The factor is the least in hundredths: a hundredth less is shown to be too little."""
    nodes = []
    for seen, (v, factor) in releases.items():
        for times, bound, sign in ((factor, most_certain, "<="), (factor - F(1, 100), least_certain, ">")):

            def run(v: Values = v, times: Fraction = times, bound=bound, sign=sign) -> Comparison:
                variance = variance_over_bound(v) * number(times**2 * v["clients"])
                had = bound(v["epsilon"], int(v["releases"]), variance, int(v["s"]))
                return Comparison(had, sign, v["delta"], tuple(domains(v)))

            nodes.append(
                Computation(
                    f"{float(times):.2f} times that noise, {seen}: δ(8) {sign} 1e-5", "accounting", run
                )
            )
    return _repair(statement, condition, Proof((), tuple(nodes)), weakest)


COUNTED = {F(1): range(300, 301), F(1, 2): range(106, 195), F(1, 4): range(37, 117)}
"""By p, how often a client takes part in 300 rounds but for a probability below 1e-6, at which everything counts as lost."""


def enough_for_some(
    statement: str, condition: str, factor: Fraction, least: Fraction, **reading: int
) -> Repair:
    """Noise that is enough at each p of Fed-α-NormEC's runs, messages and senders being seen: `factor` times the reading with
    √p for p. `least` is the least factor in hundredths that is enough at the smallest p."""

    def computation(p: Fraction, times: Fraction, sign: str) -> Computation:
        v = values(p=p, s=2, **reading)

        def run() -> Comparison:
            bound = most_visible if sign == "<=" else least_visible
            variance = variance_over_bound(v) * number(times**2 / p)
            return Comparison(
                bound(EPSILON, ROUNDS, p, variance, 2, COUNTED[p]), sign, DELTA, tuple(domains(v))
            )

        name = f"p = {p}, {float(times):.2f} times that noise with √p for p: δ(8) {sign} 1e-5"
        return Computation(name, "accounting", run)

    rare = min(COUNTED)
    needed = {(p, factor): "<=" for p in COUNTED} | {(rare, least): "<=", (rare, least - F(1, 100)): ">"}
    proof = Proof((), tuple(computation(p, times, sign) for (p, times), sign in needed.items()))
    weakest = (
        f"at p = {rare} a factor of {float(least):.2f} is enough and one of {float(least) - 0.01:.2f} is not"
    )
    return _repair(statement, condition, proof, weakest)


def enough_for_small_beta(
    statement: str, most: Fraction, participation: tuple[Fraction, ...], **reading: int
) -> Repair:
    """The printed number, read as the variance on messages scaled by β, is enough where β is small: μ² is proportional to β.
    (`clients`: of how many messages the sum is seen; above 1 everybody takes part in every round.)
    `most` is the largest β in thousandths: at the smallest p a thousandth more is shown to be too much."""
    if reading.get("clients", 1) > 1 and set(participation) != {1}:
        raise ValueError(
            f"p = {participation}: a sum has the noise of all {reading['clients']} clients at p = 1 alone"
        )
    beta, mu, at, scale = sympy.symbols("beta mu mu_0 C", real=True)
    largest, small = sympy.Rational(*most.as_integer_ratio()), sympy.Rational(*DELTA.as_integer_ratio())
    domain = hypothesis(f"0 < β ≤ {float(most):g}", sympy.And(beta > 0, beta <= largest))
    meaning = definition(
        f"μ² C = β and μ_0² C = {float(most):g} with μ, μ_0 ≥ 0, C > 0",
        (mu >= 0) & (at >= 0) & (scale > 0) & equal(mu**2 * scale, beta) & equal(at**2 * scale, largest),
    )

    def computation(p: Fraction, b: Fraction, bound, sign: str, concluded=sympy.true) -> Computation:
        v = values(p=p, beta=b, power=1, s=2, **reading)

        def run() -> Comparison:
            had = bound(EPSILON, ROUNDS, p, variance_over_bound(v) * number(v["clients"]), 2, COUNTED[p])
            return Comparison(had, sign, DELTA, tuple(domains(v)))

        name = f"p = {p}, β = {float(b):g}: δ(8) {sign} 1e-5"
        return Computation(name, "accounting", run, concludes=derived(name, concluded))

    shrinks = obligation("μ ≤ μ_0", (domain, meaning), mu <= at)
    rare, more = min(participation), most + F(1, 1000)
    nodes: list = [computation(rare, more, least_visible, ">"), shrinks]
    for p in participation:
        had, had_at = sympy.symbols(f"delta_{p} delta_0_{p}", real=True)
        monotone = standard(
            f"δ(ε; μ) increases with μ, and so does its mean over how often the client sends (p = {p})",
            sympy.Implies(mu <= at, had <= had_at),
        )
        there = computation(p, most, most_visible, "<=", had_at <= small)
        given = (shrinks.conclusion, monotone, there.conclusion)
        nodes += [there, obligation(f"p = {p}: δ(8) ≤ 1e-5 for every such β", given, had <= small)]
    condition = f"β ≤ {float(most):g}"
    weakest = f"in thousandths: β = {float(more):g} is too much{f' at p = {rare}' if rare < 1 else ''}"
    return _repair(statement, condition, Proof((domain,), tuple(nodes)), weakest)


MESSAGES = enough_for_all(
    "noise of standard deviation 2.84 β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 300, "
    "makes the runs (8, 10⁻⁵)-DP (replace-one) "
    "towards whoever sees the messages; 1.42 is enough where for the neighbour's client noise alone is sent",
    "read as a standard deviation on messages scaled by β, and the factor 2.84 or 1.42",
    {"replace-one": (values(s=2), F(284, 100)), "add-remove": (values(s=1), F(142, 100))},
)
SMALL_BETA = enough_for_small_beta(
    "noise of variance β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 300, makes the runs (8, 10⁻⁵)-DP "
    "(replace-one) towards whoever sees the messages for every β ≤ 0.016; for larger β see NEC-EXP-DP",
    F(16, 1000),
    (F(1),),
)
SMALL_BETA_IN_SUMS = enough_for_small_beta(
    "noise of variance β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 300, makes the runs (8, 10⁻⁵)-DP "
    "(replace-one) towards whoever sees the sums of ten messages alone for every β ≤ 0.169; for larger β see NEC-EXP-DP@sum",
    F(169, 1000),
    (F(1),),
    clients=10,
)
ALL_FOUR = enough_for_all(
    "noise of standard deviation 1.8 β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 300, "
    "makes all four runs together (8, 10⁻⁵)-DP (replace-one) towards "
    "whoever sees the sums, whichever of them is chosen",
    "the factor 1.8",
    {"1,200 sums": (values(s=2, clients=10, releases=4 * ROUNDS), F(180, 100))},
    "to a hundredth for all four; the best of them alone may need less",
)
EVERY_STEP = enough_for_all(
    "noise of standard deviation β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 42,300, "
    "makes the runs (8, 10⁻⁵)-DP (replace-one) towards whoever sees the "
    "sums; 0.9 times that is enough",
    "K is the number of sums that are released",
    {"42,300 sums": (values(s=2, clients=10, releases=STEPS * ROUNDS, counted=STEPS * ROUNDS), F(90, 100))},
)
ROOT_OF_P = enough_for_some(
    "noise of standard deviation √p β√K log(1/δ)/ϵ in each coordinate on messages scaled by β, K = 300, "
    "makes the runs at p = 1, 0.5 and 0.25 (8, 10⁻⁵)-DP "
    "(replace-one) towards whoever sees the messages and who sends them",
    "read as a standard deviation on messages scaled by β, and √p instead of p",
    F(1),
    F(86, 100),
    short_root=1,
)
ROOT_OF_P_LONG = enough_for_some(
    "noise of standard deviation 2.91 √p β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, K = 300, "
    "makes the runs at p = 1, 0.5 and 0.25 (8, 10⁻⁵)-DP "
    "(replace-one) towards whoever sees the messages and who sends them",
    "√p instead of p, and the factor 2.91",
    F(291, 100),
    F(291, 100),
)
