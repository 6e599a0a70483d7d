"""Tables of the privacy claims: reading × trust model → the ε that is had, and the constant that would be
needed.

Numbers come from `bounds.privacy` when a claim is decided; a cell shows one number where both sides agree
to six digits, and both sides otherwise.
"""

from __future__ import annotations

import math
from functools import cache

from bounds.privacy import (
    Enclosure,
    Neighbours,
    Setting,
    Trust,
    epsilon,
    gaussian_delta,
    gaussian_mu,
    gaussian_noise,
    noise,
)
from bounds.privacy.enclosure import rounded
from bounds.privacy.printed import (
    alpha_normec_noise,
    definition5_variance,
    experiment_scale,
    experiment_scale_short_root,
    moments_accountant,
    moments_accountant_reach,
    theorem3_variance,
)

Row = dict[str, str]
Rows = tuple[Row, ...]

CONSTANTS = "smallest constants: c in σ = c √(K log(1/δ))/ε, σ in units of a message's bound; n√c in NEC-EQ3"
CONSTANT_ONE = "constant 1, α-NormEC: by what is seen, K = 300, n = 10"
FED_CONSTANT_ONE = "constant 1, Fed-α-NormEC: by what is seen, K = 300, M = 20"
QUOTED = "where the quoted theorem applies"
CERTIFIED = "least certified noise: (8, 1e-5), K = 300, M = 20, replace-one"
READINGS = "readings of 6.2's noise: the ε at δ = 1e-5, n = 10"
THEOREM_3 = "Theorem 3 at q = 1: the true ε, K = 500, δ = 1e-5"
LEAST_Q = "Theorem 3 with everybody in every round: the q that is needed"
"""Titles. What stands before the colon is the name by which texts refer to a table: see `named`."""


def named(title: str) -> str:
    """A reference to a table from afar: those of privacy claims stand in the report's chapter on privacy."""
    return f"chapter on privacy, table “{title.partition(':')[0]}”"


EPSILON, DELTA, ROUNDS = 8.0, 1e-5, 300
"""What both α-NormEC papers print for their private experiments."""
CLIENTS, FED_CLIENTS = 10, 20
"""How many clients the experiments of α-NormEC and of Fed-α-NormEC have."""
STEPS_PER_EPOCH = 141
"""45,000 training images in batches of 10 × 32."""
RESNET20 = 269_722
"""Parameters of ResNet-20 for CIFAR-10 with option A shortcuts, batch-norm weights included."""
NEIGHBOURS: tuple[Neighbours, ...] = ("replace-one", "add-remove")
TRUSTS: tuple[Trust, ...] = ("messages", "participants", "sum", "server-noise")


def shown(found: Enclosure | float) -> str:
    """A constant is rounded up. Where clients are drawn it is within 1 % of the least that the accountant certifies."""
    return str(found) if isinstance(found, Enclosure) else rounded(found, 1, 4)


def had(setting: Setting, sigma: float, delta: float = DELTA) -> str:
    """The ε of a noise, as a cell."""
    return shown(epsilon(setting, sigma, delta))


@cache
def constants() -> Rows:
    """The smallest c in σ = c √(K log(1/δ))/ε that gives (ε, δ)-DP, everybody taking part; it does not
    depend on K. Beside it the c of the closed form that NEC-C2-DP's repair takes."""
    rows = []
    for delta in (0.1, 1e-5, 1e-8):
        for eps in (0.1, 1.0, 8.0, 10.0, 100.0, 1000.0):
            mu = gaussian_mu(eps, delta).lower
            row = {"ε": f"{eps:g}", "δ": f"{delta:g}"}
            for neighbours in NEIGHBOURS:
                s = Setting("messages", neighbours, 1).sensitivity
                row[f"smallest c, {neighbours}"] = shown(s * eps / (mu * math.sqrt(math.log(1 / delta))))
                closed = gaussian_noise(eps, delta, 1, s) / alpha_normec_noise(1, 0, eps, delta)
                row[f"c of NEC-C2-DP's repair, {neighbours}"] = shown(closed)
            rows.append(row)
    return tuple(rows)


@cache
def with_constant_one(participations: tuple[float, ...], clients: int) -> Rows:
    """The ε that p √(K log(1/δ))/ε gives at (8, 1e-5) in each trust model, and the constant that would be
    needed."""
    rows = []
    for p in participations:
        sigma = experiment_scale(1.0, ROUNDS, EPSILON, DELTA, p)
        for trust in TRUSTS:
            rows += [
                _printed_and_needed(Setting(trust, who, ROUNDS, p, clients), sigma) for who in NEIGHBOURS
            ]
    return tuple(rows)


@cache
def _needed(setting: Setting) -> float:
    return noise(setting, EPSILON, DELTA, tolerance=1e-2)


def _printed_and_needed(setting: Setting, sigma: float) -> Row:
    return {
        "p": f"{setting.participation:g}",
        "seen": setting.trust,
        "neighbours": setting.neighbours,
        "true ε at δ = 1e-5": had(setting, sigma),
        "least c certified for ε = 8": shown(_needed(setting) / sigma),
    }


_BETAS = (0.001, 0.01, 0.1, 1.0)


@cache
def experiment_readings() -> Rows:
    """What 6.2's "noise variance at β √(K log(1/δ)) ε⁻¹" gives, in several readings of the sentence, z being the noise of
    Algorithm 1 and βz what reaches the memory: for each of its β, or, where
    the noise is as long beside the messages for all of them, once."""
    rows = {}
    for beta in _BETAS:
        for reading, sigma, rounds in _readings(beta):
            row = {"reading": reading, "noise / bound": f"{sigma:.4g}"}
            for trust in ("messages", "sum"):
                for neighbours in NEIGHBOURS:
                    row[f"ε, {trust}, {neighbours}"] = had(
                        Setting(trust, neighbours, rounds, 1.0, CLIENTS), sigma
                    )
            rows.setdefault(tuple(row.items()), []).append(beta)
    return tuple(
        {"β": "any" if len(betas) == len(_BETAS) else f"{beta:g}", **dict(row)}
        for row, betas in rows.items()
        for beta in betas[: 1 if len(betas) == len(_BETAS) else None]
    )


def _readings(beta: float) -> tuple[tuple[str, float, int], ...]:
    """The readings: in words, the noise in units of the longest message, and how many messages there are."""
    printed = experiment_scale(beta, ROUNDS, EPSILON, DELTA)
    short = experiment_scale_short_root(beta, ROUNDS, EPSILON, DELTA)
    return (
        ("standard deviation of βz", printed / beta, ROUNDS),
        ("the same, of the whole vector", printed / beta / math.sqrt(RESNET20), ROUNDS),
        ("the same, a message each step of 300 epochs", printed / beta, ROUNDS * STEPS_PER_EPOCH),
        ("standard deviation of βz, the root over K alone", short / beta, ROUNDS),
        ("standard deviation of z", printed, ROUNDS),
        ("variance of βz", math.sqrt(printed) / beta, ROUNDS),
        ("variance of z", math.sqrt(printed), ROUNDS),
    )


@cache
def tuning() -> Rows:
    """Choosing the step size afterwards: the ε of m runs that are all released, an upper side for the best
    of them."""
    sigma = experiment_scale(1.0, ROUNDS, EPSILON, DELTA)
    rows = []
    for runs, what in ((1, "one run"), (4, "four step sizes"), (16, "four step sizes for each of four β")):
        row = {"runs": str(runs), "chosen among": what}
        for trust in ("messages", "sum"):
            row[f"ε at most, {trust}"] = had(
                Setting(trust, "replace-one", ROUNDS * runs, 1.0, CLIENTS), sigma
            )
        rows.append(row)
    return tuple(rows)


@cache
def fed_experiment() -> Rows:
    """Fed-α-NormEC, Section 5: both readings of the root, each p, each trust model (one noise in the sum for the long root alone)."""
    rows = []
    for root, scale in (
        ("√(K log(1/δ))", experiment_scale),
        ("√K log(1/δ)", experiment_scale_short_root),
    ):
        for p in (1.0, 0.5, 0.25):
            sigma = scale(1.0, ROUNDS, EPSILON, DELTA, p)
            for trust in TRUSTS if scale is experiment_scale else TRUSTS[:3]:
                row = {"root": root, "p": f"{p:g}", "noise / bound": f"{sigma:.4g}", "seen": trust}
                for neighbours in NEIGHBOURS:
                    row[f"true ε, {neighbours}"] = had(
                        Setting(trust, neighbours, ROUNDS, p, FED_CLIENTS), sigma
                    )
                rows.append(row)
    return tuple(rows)


@cache
def needed_noise() -> Rows:
    """The noise that the accountant certifies for (8, 1e-5) as p shrinks, within 1 % of the least, and its local order in p; the
    papers print order 1."""
    rows, before = [], {}
    for p in (1.0, 0.5, 0.25):
        row = {"p": f"{p:g}"}
        for trust in TRUSTS:
            sigma = _needed(Setting(trust, "replace-one", ROUNDS, p, FED_CLIENTS))
            row[f"σ, {trust}"] = f"{sigma:.3f}"
            order = math.log2(before[trust] / sigma) if trust in before else math.nan
            row[f"order, {trust}"] = "" if math.isnan(order) else f"{order:.2f}"
            before[trust] = sigma
        rows.append(row)
    return tuple(rows)


@cache
def quoted_theorem() -> Rows:
    """For which ε the moments accountant's proof covers K rounds with participation p at all, with some σ."""
    rows = []
    for paper, p, rounds in (
        ("α-NormEC, experiments", 1.0, ROUNDS),
        ("Fed-α-NormEC, experiments", 0.5, ROUNDS),
        ("Fed-α-NormEC, experiments", 0.25, ROUNDS),
        ("DP-NormFedAvg, experiments (K = 500 of Appendix F)", 0.2, 500),
        ("for comparison", 0.05, ROUNDS),
        ("for comparison", 0.01, 10_000),
        ("for comparison", 0.001, 1_000_000),
    ):
        reach = moments_accountant_reach(p, rounds, DELTA)
        sigma = experiment_scale(1.0, rounds, EPSILON, DELTA, p)
        at = moments_accountant(p, sigma, rounds, EPSILON, DELTA)
        rows.append(
            {
                "where": paper,
                "p": f"{p:g}",
                "K": str(rounds),
                "p < 1/(16 σ), σ ≥ 1 possible": "yes" if p < 1 / 16 else "no",
                "ε covered by some σ": f"from {reach:.3g}" if reach else "none",
                "covered at ε = 8 with c = 1": "yes" if at.applies else "no",
            }
        )
    return tuple(rows)


@cache
def theorem3() -> Rows:
    """Theorem 3 with q = 1 for the experiments of Table 2 (K = 500, as Appendix F has it; the paper does
    not say). Clients add the noise, so that a round's sum carries that of as many as take part: its variance is random, as they are.
    In sums only r/n matters, or nearly so: CIFAR's rows with n = 5000 would repeat those of
    FMNIST. (A message has noise ∝ √r/n: less of it with CIFAR's n and r.)"""
    rows, rounds, n, r = [], 500, 3000, 600
    seen: tuple[tuple[Trust, str], ...] = (
        ("sum", "sum"),
        ("participants", "sum and participants"),
        ("messages", "messages"),
    )
    for eps in (5.0, 2.0):
        sigma = math.sqrt(r * theorem3_variance(1.0, rounds, 1.0, n, eps, DELTA))
        for trust, text in seen:
            row = {"n": str(n), "r": str(r), "printed ε": f"{eps:g}", "seen": f"{text}, noise √r σ of each"}
            for neighbours in NEIGHBOURS:
                row[f"true ε, {neighbours}"] = had(Setting(trust, neighbours, rounds, r / n, n), sigma)
            rows.append(row)
    return tuple(rows)


@cache
def least_q() -> Rows:
    """The least q of Theorem 3, rounded up, and what q = 1 gives, with everybody in every round: K = 500, the n and (ε, δ) of
    Appendices F and G."""
    rows = []
    for eps, delta, n in ((5.0, 1e-6, 100), (5.0, 1e-5, 3000), (2.0, 1e-5, 3000)):
        sigma = math.sqrt(n * theorem3_variance(1.0, 500, 1.0, n, eps, delta))
        row = {"ε": f"{eps:g}", "δ": f"{delta:g}"}
        for s, who in zip((2, 1), NEIGHBOURS, strict=True):
            square = gaussian_mu(eps, delta).lower ** 2
            row[f"least q, {who}"] = shown(s**2 * eps**2 / (square * math.log(1 / delta)))
            row[f"true ε at q = 1, {who}"] = had(Setting("sum", who, 500, 1.0, n), sigma, delta)
        rows.append(row)
    return tuple(rows)


@cache
def definition5() -> Rows:
    """The largest ε at which 2 log(1.25/δ) Δ²/ε² is enough; larger ε fail, smaller ones hold."""
    return tuple(
        {"δ": f"{delta:g}", "largest ε": f"{definition5_reach(delta):.3f}"}
        for delta in (0.9, 0.5, 0.1, 1e-2, 1e-3, 1e-5, 1e-8)
    )


def definition5_reach(delta: float) -> float:
    """Where the true δ of Definition 5, which increases in ε, reaches δ; a lower side."""
    low, high = 0.0, 1e3
    while high - low > 1e-9 * high:
        middle = (low + high) / 2
        mu = 1 / math.sqrt(definition5_variance(1.0, middle, delta))
        low, high = (middle, high) if gaussian_delta(middle, mu).upper <= delta else (low, middle)
    return low
