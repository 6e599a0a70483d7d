"""Who sends, where clients are drawn one by one and a_k is the mean of the updates received: P(|S_k| ≥ 1), a client's share
E[1(i ∈ S_k)/|S_k|] of that mean, and the noise in it, for every n and r.

The shares of all clients come to P(|S_k| ≥ 1): a set of size s gives each of its members 1/s, and n C(n − 1, s − 1) = s C(n, s)
counts its pairs of a set of s clients and a member twice. For n ≤ 6 the same is summed over all sets in fractions.
"""

from __future__ import annotations

from fractions import Fraction

from verify.computation import Comparison, Computation
from verify.dp_normfedavg.letters import U, summed
from verify.dp_normfedavg.theorems.sampling import CLIENTS, S1, d, mean_drawn, n, one_by_one, r, sigma2, z2
from verify.facts import equal, hypothesis, letters, standard
from verify.obligation import obligation

size, chance, some, by_size, by_set, none_yet, drawn, part, nu, squares = letters(
    "s_size P_set P_some P_some_by_size P_some_by_set P_none i_drawn client_part nu mu"
)
"""|S|, the probability of the set S, P(|S_k| ≥ 1) counted client by client, size by size and set by set, (1 − r/n)^i, i,
E[1(i ∈ S_k)/|S_k|], ν = E[r/|S_k|; |S_k| ≥ 1] and μ = E[r²/|S_k|²; |S_k| ≥ 1]."""
sets, own = letters("sets_of_size own_sets_of_size")
"""C(n, s) and C(n − 1, s − 1): how many sets of s clients there are, and how many of them have client i."""
SOME = hypothesis("S is a set with somebody in it: |S| ≥ 1", size >= 1)

# Client by client: somebody of the first i + 1 is drawn where somebody of the first i is, or where the next one is the first.
NOBODY = summed(
    "of i clients somebody is drawn with probability 1 − (1 − r/n)^i, and (1 − r/n)^i ≤ 1 − r/n for i ≥ 1",
    equal(some, 1 - none_yet)
    & (none_yet >= 0)
    & (none_yet <= 1)
    & (drawn >= 0)
    & (equal(drawn, 0) | (none_yet <= 1 - r / n)),
    {some: 0, none_yet: 1, drawn: 0},
    {some: some + none_yet * r / n, none_yet: none_yet * (1 - r / n), drawn: drawn + 1},
    (CLIENTS,),
)
SOMEBODY = obligation(
    "P = P(|S_k| ≥ 1) = 1 − (1 − r/n)^n > 0",
    (NOBODY.conclusion.at({drawn: n}, "n clients"), CLIENTS),
    equal(some, 1 - none_yet) & (some > 0),
)
# Size by size: all sets of one size are equally likely, each with (r/n)^s (1 − r/n)^(n−s), of which nothing is used.
SHARES = summed(
    "n E[1(i ∈ S_k)/|S_k|] = P(|S_k| ≥ 1), and n C(n − 1, s − 1) = s C(n, s)",
    equal(n * own, size * sets) & equal(n * part, by_size) & (size >= 1),
    {size: 1, sets: n, own: 1, part: 0, by_size: 0},
    {
        size: size + 1,
        sets: sets * (n - size) / (size + 1),
        own: own * (n - size) / size,
        part: part + own * chance / size,
        by_size: by_size + sets * chance,
    },
    (),
)
SAME = standard(
    "P(|S_k| ≥ 1) is one number, counted client by client, size by size or set by set",
    equal(by_size, some) & equal(by_set, some),
)
SYMMETRIC = obligation(
    "n E[1(i ∈ S_k)/|S_k|] = P(|S_k| ≥ 1) for every client",
    (SHARES.conclusion.at({size: n + 1}, "sizes 1 to n"), SAME),
    equal(n * part, some),
)
RECEIVED = summed(
    "E[(1/|S_k|) Σ_{i∈S_k} x_i; |S_k| ≥ 1] = E[1(i ∈ S_k)/|S_k|] Σ x_i",
    equal(mean_drawn, part * S1), {mean_drawn: 0, S1: 0}, {mean_drawn: mean_drawn + part * U, S1: S1 + U}, (),
)  # fmt: skip
NOISE = summed(
    "E‖ζ_k‖² = νdσ², ζ_k = (1/|S_k|) Σ_{i∈S_k} ζ_k^{(i)}: set by set the mean of |S| noises of mean square d r σ²",
    equal(z2, nu * d * sigma2),
    {z2: 0, nu: 0},
    {z2: z2 + chance * size * (d * r * sigma2) / size**2, nu: nu + chance * r / size},
    (SOME,),
)


def moments(n_: int, r_: Fraction) -> tuple[Fraction, Fraction, Fraction]:
    """P(|S_k| ≥ 1), E[1(1 ∈ S_k)/|S_k|] and ν = E[r/|S_k|; |S_k| ≥ 1], over all sets."""
    found = [(chosen, likely) for chosen, likely in one_by_one(n_, r_) if chosen]
    return (
        sum((likely for _, likely in found), Fraction(0)),
        sum((likely / len(chosen) for chosen, likely in found if 0 in chosen), Fraction(0)),
        sum((likely * r_ / len(chosen) for chosen, likely in found), Fraction(0)),
    )


def square_moment(n_: int, r_: Fraction) -> Fraction:
    """μ = E[r²/|S_k|²; |S_k| ≥ 1], over all sets."""
    return sum(
        (likely * (r_ / len(chosen)) ** 2 for chosen, likely in one_by_one(n_, r_) if chosen), Fraction(0)
    )


def _enumerated() -> Comparison:
    """The largest difference between P and 1 − (1 − r/n)^n, and between P and n times a client's share, n ≤ 6."""
    worst = Fraction(0)
    for size_ in range(1, 7):
        for r_ in (Fraction(1, 3), Fraction(1), Fraction(size_) / 2, Fraction(size_)):
            if r_ <= size_:
                chance_, part_, _ = moments(size_, r_)
                worst = max(worst, abs(chance_ - 1 + (1 - r_ / size_) ** size_), abs(chance_ - size_ * part_))
    return Comparison(worst, "==", Fraction(0))


ENUMERATED = Computation("who sends, summed over all sets, one by one", "enumeration", _enumerated)
NODES = (NOBODY, SOMEBODY, SHARES, SYMMETRIC, RECEIVED, NOISE, ENUMERATED)
