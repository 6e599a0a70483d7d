"""Claims: the noise of the private experiments. What the papers print, and what is open in it, stands in `experiment_noise`."""

from __future__ import annotations

import math
from fractions import Fraction

import sympy

from verify.claim import Claim, ClaimKind, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import derived
from verify.privacy import tables
from verify.privacy.alpha_normec import domains
from verify.privacy.experiment_noise import (
    ALL_FOUR,
    EVERY_STEP,
    MESSAGES,
    ROOT_OF_P,
    ROOT_OF_P_LONG,
    ROUNDS,
    SMALL_BETA,
    SMALL_BETA_IN_SUMS,
    STEPS,
    values,
    variance_over_bound,
)
from verify.privacy.mechanisms import NEARLY, least_certain, least_visible, most_certain
from verify.privacy.memories import FED_FROM_THE_DATA, FROM_THE_DATA, public
from verify.privacy.rigorous import below, iv, number, sqrt, tail
from verify.proof import Proof

F = Fraction


def in_domain(v: Values) -> tuple[tuple[str, bool], ...]:
    return (
        *domains(v),
        ("0 < p ≤ 1, β > 0", 0 < v["p"] <= 1 and v["beta"] > 0),
        ("variance or standard deviation", v["power"] in (1, 2)),
        ("at least one coordinate", v.get("coordinates", F(1)) >= 1),
    )


def full_participation(v: Values) -> Comparison:
    variance = variance_over_bound(v) * int(v["clients"])
    had = least_certain(v["epsilon"], int(v["releases"]), variance, int(v["s"]))
    return Comparison(had, "<=", v["delta"], in_domain(v))


def _partial(v: Values) -> Comparison:
    counts = range(int(v["N_1"]), int(v["N_2"]) + 1)
    had = least_visible(v["epsilon"], int(v["releases"]), v["p"], variance_over_bound(v), int(v["s"]), counts)
    return Comparison(had, "<=", v["delta"], in_domain(v))


def best_of_runs(v: Values) -> Comparison:
    """The best of m runs by a score that prefers the + direction; only its sums are released. With T their
    sum in units of its noise, T ~ N(±μ/2, 1) in each run and the best has the largest T. Event: T ≤ t."""
    mu = sqrt(number((NEARLY * v["s"]) ** 2 * v["releases"]) / (variance_over_bound(v) * int(v["clients"])))
    minus = (1 - tail(number(v["t"]) + mu / 2)) ** int(v["runs"])
    plus = (1 - tail(number(v["t"]) - mu / 2)) ** int(v["runs"])
    had = below(minus - iv.exp(number(v["epsilon"])) * plus)
    one = most_certain(
        v["epsilon"], int(v["releases"]), variance_over_bound(v) * int(v["clients"]), int(v["s"])
    )
    return Comparison(
        had, "<=", v["delta"], (*in_domain(v), ("one run alone is (8, 1e-5)-DP", one <= v["delta"]))
    )


def _holds(name: str, v: Values) -> Proof:
    def run() -> Comparison:
        variance = variance_over_bound(v) * int(v["clients"])
        had = most_certain(v["epsilon"], int(v["releases"]), variance, int(v["s"]))
        return Comparison(had, "<=", v["delta"], in_domain(v))

    return Proof((), (Computation(name, "accounting", run, concludes=derived(name, sympy.true)),))


def witness_of(v: Values, replay, problem: str) -> Witness:
    return Witness(v, "the true δ at ε = 8 is at most 1e-5", replay, problem)


Place = tuple[str, str, ClaimKind]
SET = "We set the noise variance at β√(K log(1/δ)) ϵ⁻¹ for ϵ = 8, δ = 10⁻⁵"
"""α-NormEC, Section 6.2; what a claim reads into it follows in brackets."""
NEC: Place = ("alpha-normec", "Section 6.2", "privacy")
FED: Place = ("fed-alpha-normec", "Section 5", "privacy")
QUARTER = {"p": F(1, 4), "N_1": 60, "N_2": 90}

CLAIMS = (
    Claim(
        "NEC-EXP-DP",
        *NEC,
        f"{SET} [300 communication rounds; the same DP guarantee (the same β). As a standard deviation in each coordinate on messages "
        "scaled by β, the root over K log(1/δ): (8, 10⁻⁵)-DP to an adversary who sees a client's messages, as Algorithm 1's lines "
        "7 to 10 send them]",
        "In this reading it gives ε = 12.3 (add-remove; who is removed still sends noise alone) or 30.5 (replace-one). Over the "
        f"readings that are listed ({tables.named(tables.READINGS)}) ε goes from 0.2 to 10⁷. Who sees what is said twice: Section "
        "3.5's server receives the average alone (NEC-S35-AVERAGE), and then ε is 7.0 (NEC-EXP-DP@sum).",
        repair=MESSAGES,
        witness=witness_of(
            values(),
            full_participation,
            "a client whose 300 messages are as near to β e as one likes, e a unit vector, on one data set and absent on the other",
        ),
        tables=lambda: {
            tables.READINGS: tables.experiment_readings(),
            "best of several runs": tables.tuning(),
            tables.CONSTANT_ONE: tables.with_constant_one((1.0,), tables.CLIENTS),
            tables.QUOTED: tables.quoted_theorem(),
        },
        consequence=(
            "in this reading the private experiments have ε = 30.5 at client level, or 7.0 if only sums of ten messages "
            "are seen, before the step size is tuned"
        ),
    ),
    Claim(
        "NEC-EXP-DP@sum",
        *NEC,
        f"{SET} [as a standard deviation in each coordinate on messages scaled by β: (8, 10⁻⁵)-DP to an adversary who sees "
        "only the sum of the ten clients' messages]",
        "The ten noises add up: ε = 7.00 (replace-one) for memories that start without the data; how they start is not printed.",
        repair=public(
            "300 sums of ten messages, with that noise in each coordinate, are (8, 10⁻⁵)-DP (replace-one)",
            _holds("δ(8) of 300 sums of ten messages is at most 1e-5", values(s=2, clients=10)),
        ),
        gap=FROM_THE_DATA,
    ),
    Claim(
        "NEC-EXP-DP@sum-best-of-4",
        *NEC,
        "The convergence plots present results for tuned step size γ. […] "
        f"{SET} [(8, 10⁻⁵)-DP to an adversary who sees only the sums of the best of four runs, one for each γ of I.1, by a score that "
        "is a function of the sums]",
        "Each run alone is (8, 1e-5)-DP; choosing one by a score that is a function of its sums releases the choice as well, and "
        "the true δ is above 0.01. (That a test accuracy can be such a score is not shown.)",
        repair=ALL_FOUR,
        witness=witness_of(
            values(s=2, clients=10, runs=4, t=-1),
            best_of_runs,
            "four runs; the score grows with the sum of the chosen run's 300 sums",
        ),
        consequence="four tuned runs cost at most ε = 16.6 (sums) or 83.9 (messages), all being released",
    ),
    Claim(
        "NEC-EXP-DP@whole-vector",
        *NEC,
        f"{SET} [as a standard deviation of the whole vector of noise on messages scaled by β, equally much of its variance in each "
        "coordinate: (8, 10⁻⁵)-DP to an adversary who sees the messages]",
        f"Along a message the noise of ResNet-20's {tables.RESNET20:,} coordinates has 1/{math.isqrt(tables.RESNET20)} of that "
        "standard deviation: ε = 754,909 (add-remove) or 3,009,196 (replace-one).",
        repair=MESSAGES,
        witness=witness_of(
            values(coordinates=tables.RESNET20),
            full_participation,
            "messages as near to β e, e a unit vector, as one likes against absence",
        ),
        consequence="Lemma 3 and Theorem 2 take σ_DP² for the variance of the whole vector (NEC-L3, NEC-T2-MAIN), privacy needs it in "
        "each coordinate",
    ),
    Claim(
        "NEC-EXP-DP@steps",
        *NEC,
        f"{SET} [(8, 10⁻⁵)-DP if a communication round is an epoch of 141 steps and every step sends a message, only sums being "
        "seen; the noise as a standard deviation in each coordinate on messages scaled by β]",
        "42,300 sums are released while the noise counts 300: ε = 76 (add-remove) or 231 (replace-one).",
        repair=EVERY_STEP,
        witness=witness_of(
            values(clients=10, releases=STEPS * ROUNDS),
            full_participation,
            "42,300 sums of ten messages; one client's messages are near β e, e a unit vector, on one data set and absent on the "
            "other",
        ),
    ),
    Claim(
        "NEC-EXP-DP@example-level",
        *NEC,
        f"{SET} [(8, 10⁻⁵)-DP at example level to an adversary who sees the messages; full local gradients, as in Algorithm 1; the "
        "noise as a standard deviation in each coordinate on messages scaled by β]",
        "Nothing bounds one example's part in a message: replacing it can turn the normalised residual of "
        "its client around, as replacing the client can.",
        repair=MESSAGES,
        witness=witness_of(
            values(),
            full_participation,
            "one example dominates its client's gradient: the message is near β e, e a unit vector, with it and near −β e, or 0, "
            "without",
        ),
    ),
    Claim(
        "NEC-EXP-DP@std-before-beta",
        *NEC,
        f"{SET} [as the standard deviation of z in Δ̂ = Δ + z, Algorithm 1, line 8: (8, 10⁻⁵)-DP at β = 0.01]",
        "The message Δ may be as near to 1 long as one likes whatever β is, and its noise shrinks with β: ε = 28,799 (add-remove).",
        repair=MESSAGES,
        witness=witness_of(
            values(scaled=0),
            full_participation,
            "messages as near to a unit vector e as one likes against absence",
        ),
    ),
    Claim(
        "NEC-EXP-DP@variance-before-beta",
        *NEC,
        f"{SET} [as the variance of z in Δ̂ = Δ + z, Algorithm 1, line 8: (8, 10⁻⁵)-DP at β = 0.01]",
        "The literal reading: ε = 2,313 (add-remove).",
        repair=MESSAGES,
        witness=witness_of(
            values(scaled=0, power=1),
            full_participation,
            "messages as near to a unit vector e as one likes against absence",
        ),
    ),
    Claim(
        "NEC-EXP-DP@variance",
        *NEC,
        f"{SET} [as the variance in each coordinate of the noise on messages scaled by β: (8, 10⁻⁵)-DP at every β of the experiments]",
        "It does for β ≤ 0.016, not for β = 0.1 and 1: a variance proportional to β is not a standard "
        "deviation proportional to β.",
        repair=SMALL_BETA,
        witness=witness_of(
            values(power=1, beta=F(1, 10)),
            full_participation,
            "β = 0.1; messages as near to β e as one likes, e a unit vector, against absence",
        ),
    ),
    Claim(
        "NEC-EXP-DP@variance,sum",
        *NEC,
        f"{SET} [as the variance in each coordinate of the noise on messages scaled by β: (8, 10⁻⁵)-DP at every β of the experiments "
        "to an adversary who sees only the sum of the ten clients' messages]",
        "At β = 0.1 it gives ε = 5.83 (replace-one) and less at smaller β, but 24.7 at β = 1.",
        repair=SMALL_BETA_IN_SUMS,
        witness=witness_of(
            values(power=1, beta=1, s=2, clients=10),
            full_participation,
            "β = 1; one client's messages are as near to e or −e, e a unit vector, as one likes on the neighbours",
        ),
    ),
    Claim(
        "NEC-EXP-DP@variance-small-beta",
        *NEC,
        f"{SET} [as the variance in each coordinate of the noise on messages scaled by β: (8, 10⁻⁵)-DP at β = 0.01]",
        "ε = 5.83 (replace-one) to whoever sees the messages, for memories that start without the data; how they start is not "
        "printed.",
        repair=public(
            "300 messages at β = 0.01, with that noise in each coordinate, are (8, 10⁻⁵)-DP (replace-one)",
            _holds("δ(8) of 300 messages is at most 1e-5", values(power=1, s=2)),
        ),
        gap=FROM_THE_DATA,
    ),
    Claim(
        "NEC-EXP-DP@short-root",
        *NEC,
        "We set the noise variance at β√K log(1/δ) ϵ⁻¹ for ϵ = 8, δ = 10⁻⁵ [the root over K alone, as in Fed-α-NormEC's Section 5: "
        "the text at hand has lost where it ends; as a standard deviation in each coordinate on messages scaled by β: (8, 10⁻⁵)-DP to "
        "an adversary who sees the messages]",
        "ε = 6.44 (replace-one) for memories that start without the data; how they start is not printed. With the root over the "
        "logarithm as well it is 30.5 (NEC-EXP-DP).",
        repair=public(
            "300 messages, with that noise in each coordinate, are (8, 10⁻⁵)-DP (replace-one)",
            _holds("δ(8) of 300 messages is at most 1e-5", values(short_root=1, s=2)),
        ),
        gap=FROM_THE_DATA,
        consequence="Where that root ends decides whether 300 messages are (8, 10⁻⁵)-DP.",
    ),
    Claim(
        "FED-EXP-DP",
        *FED,
        "setting the variance of added noise at pβ√K log(1/δ)ϵ^{−1} for ϵ = 8, δ = 10^{−5} [read as the standard deviation in each "
        "coordinate of the noise on messages scaled by β, the root over K alone, replace-one; 300 rounds, p = 1, 0.5, 0.25: "
        "(8, 10^{−5})-DP to an adversary who sees the messages, as line 9 of Algorithm 1 sends them]",
        "Read as the standard deviation p √K log(1/δ)/ε on messages scaled by β, it gives ε = 6.4, 9.9 "
        "and 15.7 (replace-one) for p = 1, 0.5 and 0.25 to whoever sees the messages, and with the root "
        "over the logarithm 30.5, 51.2 and 91.5: less privacy the fewer clients take part. (Where a client is added or removed "
        "(FED-EXP-DP@add-remove), or the sums alone are seen (FED-EXP-DP@sum), this reading is within 8.)",
        repair=ROOT_OF_P,
        witness=witness_of(
            values(short_root=1, s=2, **QUARTER),
            _partial,
            "p = 1/4; messages β e and −β e, e a unit vector, on the neighbours",
        ),
        tables=lambda: {
            "true ε by root, participation and what is seen": tables.fed_experiment(),
            tables.QUOTED: tables.quoted_theorem(),
        },
        consequence=(
            "runs at different p are compared as if equally private; in this reading they are not, in any of the trust models "
            "with noise from participants (read as a variance they nearly are: FED-EXP-DP@variance)"
        ),
    ),
    Claim(
        "FED-EXP-DP@long-root",
        *FED,
        "setting the variance of added noise at pβ√K log(1/δ)ϵ^{−1} for ϵ = 8, δ = 10^{−5} [read as the standard deviation "
        "p√(K log(1/δ))/ϵ, the σ_DP of the appendix with c = 1: (8, 10^{−5})-DP at p = 0.25 to an adversary who sees the messages]",
        "It gives ε = 32.2 (add-remove) or 91.5 (replace-one).",
        repair=ROOT_OF_P_LONG,
        witness=witness_of(
            values(**QUARTER), _partial, "p = 1/4; messages β e, e a unit vector, against absence"
        ),
    ),
    Claim(
        "FED-EXP-DP@full-participation",
        *FED,
        "setting the variance of added noise at pβ√K log(1/δ)ϵ^{−1} for ϵ = 8, δ = 10^{−5} and vary β to simulate different "
        "privacy levels [read as the standard deviation √K log(1/δ)/ϵ "
        "in each coordinate at p = 1: (8, 10^{−5})-DP to an adversary who sees the messages]",
        "ε = 6.44 (replace-one) for memories that start without the data; how they start is not printed.",
        repair=public(
            "300 messages, with that noise in each coordinate, are (8, 10^{−5})-DP (replace-one)",
            _holds("δ(8) of 300 messages is at most 1e-5", values(short_root=1, s=2)),
        ),
        gap=FED_FROM_THE_DATA,
    ),
)
