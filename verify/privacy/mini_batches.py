"""Example-level privacy where a client computes its gradient on a batch that is drawn anew in each round, and not on all its data.

Whoever sees the messages does not see which examples were drawn. That hides a rare example as long as only the messages of its own
rounds tell of it; but Algorithm 1's memory is updated without noise, g ← g + βNorm_α(∇ − g), and carries it into later messages.
For β > 2α the residual of a constant gradient swings between c and −c, c = β/2 − α, since c − βc/(α + c) = −c. One round with
residual 0 sets the swing back by a round, and every later message is turned around.
"""

from __future__ import annotations

from fractions import Fraction

from verify.claim import Claim, Values
from verify.computation import Comparison
from verify.privacy.experiment_noise import MESSAGES, values, variance_over_bound
from verify.privacy.experiments import NEC, SET, in_domain, witness_of
from verify.privacy.rigorous import below, iv, number, sqrt, tail

F = Fraction


def messages(v: Values, drawn: int | None) -> list[Fraction]:
    """Lines 5 and 6 of Algorithm 1 along e, from g⁰ = 0: what a client sends whose other examples have the gradient c, and whose first
    example, with the gradient −(B − 1)c, is in the batch of round `drawn` alone; None: in none, or it is as the others are."""
    alpha, beta, size = v["alpha"], v["beta"], v["batch"]
    swing, memory, sent = beta / 2 - alpha, F(0), []
    for k in range(int(v["releases"])):
        gradient = ((size - 1) * swing + (1 - size) * swing) / size if k == drawn else swing
        residual = gradient - memory
        sent.append(residual / (alpha + abs(residual)))
        memory += beta * sent[-1]
    return sent


def once_drawn(v: Values) -> Comparison:
    """Event: the messages from round `until` on, along what they differ by, exceed z of their noise. One data set's messages are
    certain; on the other the example is drawn exactly once, in an even round before `until`, with probability W at least."""
    K, until, p = int(v["releases"]), int(v["until"]), v["batch"] / v["examples"]
    plain = messages(v, None)
    turned = [messages(v, k) for k in range(0, until, 2)]
    apart = [one - other for one, other in zip(turned[0], plain, strict=True)][until:]
    mu = sqrt(number(sum(step**2 for step in apart)) / variance_over_bound(v))
    drawn = len(turned) * p * (1 - p) ** (K - 1)
    had = number(drawn) * tail(number(v["z"]) - mu) - iv.exp(number(v["epsilon"])) * tail(number(v["z"]))
    met = (
        *in_domain(v),
        ("β > 2α > 0", v["beta"] > 2 * v["alpha"] > 0),
        ("1 < B ≤ m examples", 1 < v["batch"] <= v["examples"]),
        (
            "later messages do not depend on when it was drawn",
            all(one[until:] == turned[0][until:] for one in turned),
        ),
    )
    return Comparison(below(had), "<=", v["delta"], met)


CLAIMS = (
    Claim(
        "NEC-EXP-DP@example-level,mini-batch",
        *NEC,
        f"{SET} [as a standard deviation in each coordinate on messages scaled by β: (8, 10⁻⁵)-DP at example level to an adversary "
        "who sees the messages, at every β of the experiments; in each round one step on a fresh batch of 32 of a client's 4,500 "
        "examples]",
        "At β = 1 the true δ at ε = 8 is above 0.004 though an example is in a batch with probability 0.007: the memory is updated "
        "without noise, and an example that was drawn once can turn all later messages around.",
        repair=MESSAGES,
        witness=witness_of(
            values(beta=1, alpha=F(1, 100), batch=32, examples=4500, until=60, z=5),
            once_drawn,
            "β = 1, α = 0.01, g⁰ = 0; 4,499 examples have the gradient 0.49e at every model, e a unit vector, and one has −15.19e, "
            "or 0.49e on the other data set; it is drawn once, in an even round before the 60th",
        ),
        consequence="Where clients have memories, count an example as if it were in every batch. (For β ≤ 2α this witness has nothing "
        "to turn around, and nothing is decided here.)",
    ),
)
