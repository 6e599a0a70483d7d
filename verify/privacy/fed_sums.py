"""Claims: the noise of Fed-α-NormEC's private experiments where sums are seen, with or without who took part.

The other readings of Section 5's sentence, in which the messages are seen, stand in `experiments` and `fed_readings`. Where who
takes part is seen a client hides among 20p senders on average, whose noise is proportional to p as well: to keep ε the noise of
each must not fall with p at all (`senders_seen`). To whoever sees the sums alone participation hides something, though less
than p.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim, Repair, Values
from verify.computation import Comparison, Computation
from verify.privacy.alpha_normec import domains
from verify.privacy.experiment_noise import (
    COUNTED,
    DELTA,
    EPSILON,
    ROUNDS,
    values,
    variance_over_bound,
)
from verify.privacy.experiments import FED, in_domain, witness_of
from verify.privacy.fed_hidden import in_sums
from verify.privacy.fed_readings import SET
from verify.privacy.mechanisms import least_certain, most_certain
from verify.privacy.memories import FED_FROM_THE_DATA, WITHOUT_DATA, public
from verify.privacy.rigorous import Interval, number
from verify.privacy.senders_seen import Senders, least_seen, most_seen
from verify.proof import Proof

F = Fraction
CLIENTS = 20
MOST = {F(1, 2): (F(29, 250), 9), F(1, 4): (F(28, 100), 4)}
"""By p: x and θ of `most_seen`."""


def _senders(p: Fraction) -> Senders:
    return Senders(CLIENTS, ROUNDS, p, COUNTED[p])


def _at_most(p: Fraction, variance: Interval) -> Fraction:
    """δ(8) where sums and senders are seen, replace-one; at p = 1 all 20 noises are in each sum."""
    if p == 1:
        return most_certain(EPSILON, ROUNDS, variance * CLIENTS, 2)
    return most_seen(EPSILON, _senders(p), variance, 2, *MOST[p])


def _private(p: Fraction) -> Computation:
    v = values(p=p, s=2, short_root=1)
    return Computation(
        f"p = {p}: δ(8) of 300 sums and their senders ≤ 1e-5",
        "accounting",
        lambda: Comparison(_at_most(p, variance_over_bound(v)), "<=", DELTA, in_domain(v)),
    )


def _without_p(factor: Fraction) -> tuple[Computation, ...]:
    """`factor` times √(K log(1/δ))/ε is enough at each p; 0.63 times that is not at p = 1."""
    v = values(s=2)

    def enough(p: Fraction) -> Comparison:
        had = _at_most(p, variance_over_bound(v) * number(factor**2))
        return Comparison(had, "<=", DELTA, tuple(domains(v)))

    def too_little() -> Comparison:
        variance = variance_over_bound(v) * number(F(63, 100) ** 2 * CLIENTS)
        return Comparison(least_certain(EPSILON, ROUNDS, variance, 2), ">", DELTA, tuple(domains(v)))

    return (
        *(
            Computation(
                f"{float(factor):.2f} times √(K log(1/δ))/ε, p = {p}: δ(8) of 300 sums and their senders ≤ 1e-5",
                "accounting",
                lambda p=p: enough(p),
            )
            for p in COUNTED
        ),
        Computation("0.63 times that, p = 1: δ(8) of 300 sums > 1e-5", "accounting", too_little),
    )


def _seen(v: Values) -> Comparison:
    had = least_seen(
        v["epsilon"], _senders(v["p"]), variance_over_bound(v), int(v["s"]), v["x"], int(v["theta"])
    )
    return Comparison(had, "<=", v["delta"], in_domain(v))


def _hidden(v: Values) -> Comparison:
    had, met = in_sums(v, variance_over_bound(v))
    return Comparison(had, "<=", v["delta"], (*in_domain(v), *met))


def _repair(weakest: str) -> Repair:
    return Repair(
        f"Where {WITHOUT_DATA}, noise of standard deviation 0.78 β√(K log(1/δ))/ϵ in each coordinate on messages scaled by β, "
        "K = 300, the same at every p, makes the runs at p = 1, 0.5 and 0.25 (8, 10⁻⁵)-DP (replace-one) towards whoever sees the "
        "sums and who takes part",
        f"no factor p, and the factor 0.78; {WITHOUT_DATA}",
        Proof((), _without_p(F(78, 100))),
        f"at p = 1 a factor of 0.63 is not enough; {weakest}, by the accountant of `bounds.privacy`",
    )


ENOUGH = public(
    "300 sums of the messages of 20 clients, with that noise in each coordinate of a message, are (8, 10^{−5})-DP (replace-one) at "
    "each p, also where who takes part is seen",
    Proof((), tuple(_private(p) for p in COUNTED)),
)
SHORT = (
    "as the standard deviation in each coordinate of the noise on messages scaled by β, the root over K alone, replace-one, "
    "20 clients: (8, 10^{−5})-DP at p = 1, 0.5, 0.25 to an adversary who sees the sum of each round's messages"
)
LONG = (
    "as the standard deviation p√(K log(1/δ))/ϵ of the noise on messages scaled by β, replace-one, 20 clients: (8, 10^{−5})-DP at "
    "p = 1, 0.5, 0.25 to an adversary who sees the sum of each round's messages"
)

CLAIMS = (
    Claim(
        "FED-EXP-DP@participants",
        *FED,
        f"{SET} [{SHORT} and who takes part]",
        "ε is at most 1.18, 2.57 and 5.83 for p = 1, 0.5 and 0.25: within 8, though less private the fewer clients take part; for "
        "memories that start without the data, and how they start is not printed.",
        repair=ENOUGH,
        gap=FED_FROM_THE_DATA,
    ),
    Claim(
        "FED-EXP-DP@sum",
        *FED,
        f"{SET} [{SHORT} alone]",
        "ε is at most 1.18, 1.75 and 2.68 for p = 1, 0.5 and 0.25: within 8, where every client updates its memory in every round "
        "(line 6); for memories that start without the data, and how they start is not printed.",
        repair=ENOUGH,
        gap=FED_FROM_THE_DATA,
        consequence="Whether the noise of these experiments is enough hangs on who sees the messages: ε = 15.7 at p = 0.25 to whoever "
        "does (FED-EXP-DP).",
    ),
    Claim(
        "FED-EXP-DP@long-root,participants",
        *FED,
        f"{SET} [{LONG} and who takes part]",
        "It gives at most ε = 4.66 at p = 1, but more than 10.8 and 27.8 at p = 0.5 and 0.25: a client hides among fewer senders, "
        "each of whom sends less noise.",
        repair=_repair("0.66 is for all three"),
        witness=witness_of(
            values(s=2, clients=CLIENTS, p=F(1, 4), x=F(155, 1000), theta=-12),
            _seen,
            "p = 1/4; one client's messages are β e or −β e, e a unit vector, on the neighbours",
        ),
        consequence="Where who takes part is seen, the accountant asks at p = 1/2 and 1/4 for no less noise than at p = 1 (0.633, "
        "0.639 and 0.652 in the place of the factor); only where Mp is about 1 or less does it fall.",
    ),
    Claim(
        "FED-EXP-DP@long-root,sum",
        *FED,
        f"{SET} [{LONG} alone]",
        "It gives at most ε = 4.66 at p = 1 and 7.30 at p = 0.5, but at least 11.6 at p = 0.25.",
        repair=_repair("towards whoever sees the sums alone 0.64, 0.47 and 0.36 are at p = 1, 0.5 and 0.25"),
        witness=witness_of(
            values(s=2, clients=CLIENTS, p=F(1, 4), t=280, N_1=30, N_2=120, m_1=1220, m_2=1639),
            _hidden,
            "p = 1/4; one client's messages are as near to β or −β as one likes, all others send zero; sums that add up to more than "
            "t β mean +. Counted: the client sends N_1 to N_2 messages, the others m, between m_1 and m_2",
        ),
    ),
)
