"""Amplification by hidden participation: FED-AMP where only the sums of the messages are seen."""

from __future__ import annotations

from fractions import Fraction
from math import comb

from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.privacy.alpha_normec import domains
from verify.privacy.fed_alpha_normec import LEVEL, PAPER
from verify.privacy.hidden_draws import UNSEEN, USUAL
from verify.privacy.mechanisms import NEARLY, most_certain
from verify.privacy.memories import WITHOUT_DATA
from verify.privacy.one_noise import enough_in_sums
from verify.privacy.rigorous import Interval, below, iv, number, sqrt, tail

F = Fraction
BLOCK = 70
"""Numbers of messages that are rounded to the safe side together."""
AMPLIFIED = "[…] the amplification effect of subsampling in the local privacy setting."
SCALED = "the noise that is enough at p = 1 is enough at p < 1 after multiplication by p"


def _enough_at_1(v: Values, clients: Fraction) -> tuple[str, bool]:
    had = most_certain(v["epsilon"], int(v["releases"]), number(clients * v["sigma_1"] ** 2), int(v["s"]))
    return "σ₁ is enough at p = 1", had <= v["delta"]


def _one_noise(v: Values) -> Comparison:
    """One noise pσ₁ in each sum, others send zero; the message is ±a, a < 1 as near to 1 as one likes. Event: some sum exceeds
    1/2. Its probability is at least P(N ≥ 1) Φ((a − 1/2)/(pσ₁)) with message +a, at most K Φ(−1/(2pσ₁)) with message −a or
    without."""
    J, noise = int(v["releases"]), v["p"] * v["sigma_1"]
    hit = 1 - tail(number((NEARLY - F(1, 2)) / noise))
    with_message = (1 - number(1 - v["p"]) ** J) * hit
    had = below(with_message - iv.exp(number(v["epsilon"])) * J * tail(number(F(1, 2) / noise)))
    met = (("0 < p ≤ 1", 0 < v["p"] <= 1), ("replace-one", v["s"] == 2))
    return Comparison(had, "<=", v["delta"], (*domains(v), *met, _enough_at_1(v, F(1))))


def in_sums(v: Values, variance: Interval) -> tuple[Fraction, tuple[tuple[str, bool], ...]]:
    """A lower bound of δ(ε), and what it supposes. Noise of that variance of each participant, others send zero; the message is ±a,
    a < 1 as near to 1 as one likes. Event: the J sums add up to more than t.

    Given that the client takes part n times and the others m times in all, that sum is N(±an, σ²(m + n)). P(+) counts n in
    N_1 … N_2 ≤ t and m in m_1 … m_2, P(−) all that is not excluded. The m are taken in blocks, each at its safe end.
    """
    p, J, t = v["p"], int(v["releases"]), v["t"]
    others = int(v["clients"] - 1) * J
    plus, minus, counted, blocked = number(0), number(0), F(0), F(0)
    blocks = []
    for low in range(int(v["m_1"]), int(v["m_2"]) + 1, BLOCK):
        block = range(low, min(low + BLOCK, int(v["m_2"]) + 1))
        share = sum((comb(others, m) * p**m * (1 - p) ** (others - m) for m in block), F(0))
        blocked += share
        blocks.append((block[0], block[-1], number(share)))
    for n in range(int(v["N_1"]), int(v["N_2"]) + 1):
        mass = comb(J, n) * p**n * (1 - p) ** (J - n)
        counted += mass
        sent = NEARLY * n
        for few, many, share in blocks:
            plus += number(mass) * share * tail(number(t - sent) / sqrt(variance * number(few + n)))
            minus += number(mass) * share * tail(number(t + sent) / sqrt(variance * number(many + n)))
    left_out = number((1 - counted) + (1 - blocked))
    had = below(plus - iv.exp(number(v["epsilon"])) * (minus + left_out))
    met = (
        ("N_2 ≤ t", v["N_2"] <= t),
        ("0 < p ≤ 1", 0 < p <= 1),
        ("replace-one", v["s"] == 2),
    )
    return had, met


def _noise_of_each(v: Values) -> Comparison:
    """Noise pσ₁ of each participant."""
    had, met = in_sums(v, number((v["p"] * v["sigma_1"]) ** 2))
    return Comparison(had, "<=", v["delta"], (*domains(v), *met, _enough_at_1(v, v["clients"])))


CLAIMS = (
    Claim(
        "FED-AMP@server-noise",
        PAPER,
        "DP utility bound with privacy amplification, Section 4",
        "privacy",
        f"{AMPLIFIED} [{SCALED}; only sums seen, one noise added to each]",
        "Amplification holds for p = 1/2 and 1/4 here, but not for all p: at p = 1/1000 the noise is too small to hide that somebody "
        "took part. (The cited theorem does not speak of it: its ε < c₁p²K would need c₁ > 26,000.)",
        repair=Repair(
            "At the other p of Section 5: one noise of standard deviation 27p in each coordinate of each sum, drawn anew in every "
            "round as the participants are, each of them with probability p and by itself, makes 300 rounds (8, 1e-5)-DP "
            f"(replace-one) towards an adversary who sees the sums alone, at p = 1, 1/2 and 1/4, where {WITHOUT_DATA}.",
            "p = 1, 1/2 or 1/4, K = 300, and 27, which is not the least noise, at p = 1; one noise in each sum, in each coordinate "
            "and drawn anew in every round, as the participants are, each with probability p and by itself; sums alone are seen, "
            f"replace-one; {WITHOUT_DATA}",
            enough_in_sums(LEVEL["epsilon"], LEVEL["delta"], 300, F(27), (F(1, 2), F(1, 4)), 5),
            "21 is enough at p = 1, and so is 21p at p = 1/2 and 1/4 by the accountant of `bounds.privacy`; this proof asks for more. "
            "At p = 1/1000 it is not enough. For every p and K with ε < c₁p²K, as the cited theorem asks, a noise proportional to p "
            "is, with a larger constant: FED-AMP-SUMS",
        ),
        gap=Gap(
            "reading",
            "for every p, however small",
            Witness(
                {"sigma_1": F(21), "p": F(1, 1000), "releases": F(300), "s": F(2), **LEVEL},
                "the true δ at ε = 8 is at most 1e-5",
                _one_noise,
                "one client's message is as near to +1 or −1 as one likes, all others send zero; some sum above 1/2 means +1",
            ),
        ),
        consequence="while Kp > δ, σ ∝ p needs σ of order 1 or more, that is p² K above a constant times ε²/ln(1/δ)",
    ),
    Claim(
        "FED-AMP-SUMS",
        PAPER,
        "ours, on the DP utility bound with privacy amplification, Section 4",
        "ours",
        "With L = ln(1/δ) and any t > 0: sums of K rounds' messages, each at most 1 long, to which a client contributes with "
        "probability p, by itself and unseen, are (ε, δ)-DP with one Gaussian noise of deviation at least √c · p√(KL)/ε in each "
        "coordinate of each sum, drawn anew, if ε ≤ tL and ε < c₁p²K, for c = 7.2 s²(1 + t)² and c₁ = 0.9 s(1 + t), s = 1 (a client "
        "whose messages are replaced by 0) or 2 (replace-one), towards an adversary who sees the sums alone; parameters and memories "
        "do not depend on the data.",
        f"So the noise may fall as p says where one noise of fixed variance is added to a sum and p is not too small: {USUAL}.",
        proof=UNSEEN,
        consequence="noise that each participant adds to its own message is another matter (FED-AMP, FED-AMP@sum)",
    ),
    Claim(
        "FED-AMP@sum",
        PAPER,
        "DP utility bound with privacy amplification, Section 4",
        "privacy",
        f"{AMPLIFIED} [{SCALED}; only sums seen, the noise in them from the participants, 20 clients]",
        "The noise in a sum falls twice, with p and with the number of participants: the constant 0.64, which is enough "
        "at p = 1, leaves a true δ above 0.04 at p = 1/4.",
        witness=Witness(
            {
                "sigma_1": F(47, 10),
                "p": F(1, 4),
                "releases": F(300),
                "clients": F(20),
                "s": F(2),
                "t": F(140),
                "N_1": F(30),
                "N_2": F(120),
                "m_1": F(1220),
                "m_2": F(1639),
                **LEVEL,
            },
            "the true δ at ε = 8 is at most 1e-5",
            _noise_of_each,
            "one client's messages are as near to +1 or −1 as one likes, all others send zero; sums that add up to more than t mean "
            "+1. Counted: the client sends N_1 to N_2 messages, the others m, between m_1 and m_2",
        ),
        consequence="hiding the participants helps, by less than p",
    ),
)
