"""Who takes part: equations (7) to (13), and the exact second moment that repairs (12).

Algorithm 1 (line 3) draws each client by itself with probability r/n and divides by r; Algorithm 2 draws a
set of exactly r. Both are unbiased. The second moment of the first is found here twice: by induction over the
clients, for all n, and by summing over all subsets in fractions, for small n.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product

from bounds.dp_normfedavg.repaired import excess_one_by_one
from verify.claim import Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import huber
from verify.dp_normfedavg.counterexamples.exact import norm, update
from verify.dp_normfedavg.lemmas.convexity import FACT2, Q, p, ss, sy, yy
from verify.dp_normfedavg.letters import ETA, U, eta, summed, y2
from verify.facts import definition, equal, hypothesis, letters
from verify.obligation import obligation

Subset = tuple[int, ...]


def one_by_one(n: int, r: Fraction) -> Iterator[tuple[Subset, Fraction]]:
    """Every set of clients with its probability: each of n clients by itself with probability r/n."""
    chance = r / n
    for drawn in product((0, 1), repeat=n):
        size = sum(drawn)
        yield tuple(i for i in range(n) if drawn[i]), chance**size * (1 - chance) ** (n - size)


def fixed_size(n: int, r: int) -> Iterator[tuple[Subset, Fraction]]:
    """Every set of exactly r of n clients, all equally likely."""
    sets = list(combinations(range(n), r))
    for chosen in sets:
        yield chosen, Fraction(1, len(sets))


def second_moment(draws: Iterator[tuple[Subset, Fraction]], y: tuple[Fraction, ...], r: Fraction) -> Fraction:
    """E ((1/r) Σ_{i∈S} y_i)² for numbers y_i: with numbers of both signs this decides vectors too,
    coordinate by coordinate."""
    return sum(
        (chance * (sum((y[i] for i in chosen), Fraction(0)) / r) ** 2 for chosen, chance in draws),
        Fraction(0),
    )


# For all n: M = E‖Σ_{i<n} b_i y_i‖², ss = ‖Σ y_i‖², Q = Σ ‖y_i‖², with independent b_i in {0, 1} of mean t = r/n.
Mo, t = letters("M2 chance")
CHANCE = definition("E b_i b_j = t² for i ≠ j, E b_i² = t", t >= 0)
MOMENT = summed(
    "E‖Σ b_i y_i‖² = t²‖Σ y_i‖² + t(1−t) Σ ‖y_i‖²",
    equal(Mo, t**2 * ss + t * (1 - t) * Q),
    {Mo: 0, ss: 0, Q: 0},
    {Mo: Mo + 2 * t**2 * sy + t * yy, ss: ss + 2 * sy + yy, Q: Q + yy},
    (CHANCE,),
)
n, r, c, V, mean2, meanQ = letters("n r c V_drawn mean2 meanQ")
"""V = E‖(1/r) Σ_{i∈S} y_i‖², mean2 = ‖mean y_i‖², meanQ = mean ‖y_i‖², c = 1/r − 1/n."""
CLIENTS = hypothesis("0 < r ≤ n", (r > 0) & (n >= r))
NAMES = definition("means", equal(V, Mo / r**2) & equal(mean2, ss / n**2) & equal(meanQ, Q / n))
DRAWN = hypothesis("each client is drawn with probability r/n: E b_i = t = r/n", equal(t, r / n))
EXCESS_IS = hypothesis("c = 1/r − 1/n", equal(c, excess_one_by_one(n, r)))
SECOND = obligation(
    "E‖(1/r) Σ_{i∈S} y_i‖² = ‖mean y_i‖² + c mean ‖y_i‖²",
    (MOMENT.conclusion, NAMES, DRAWN, CLIENTS, EXCESS_IS),
    equal(V, mean2 + c * meanQ),
)
VECTORS = ((1, 1, 1, 1, 1), (1, -2, 3, 0, 5), (Fraction(7, 3), -1, 0, 0, 4))


def _enumerated() -> Comparison:
    """The largest difference between the formula and the sum over all sets, n ≤ 5."""
    worst = Fraction(0)
    for size in range(2, 6):
        for r in range(1, size + 1):
            for vector in VECTORS:
                y, k = tuple(Fraction(v) for v in vector[:size]), Fraction(r)
                square, mean = (sum(y) / size) ** 2, sum(v * v for v in y) / size
                found = second_moment(one_by_one(size, k), y, k)
                worst = max(worst, abs(found - square - excess_one_by_one(Fraction(size), k) * mean))
    return Comparison(worst, "==", Fraction(0))


ENUMERATED = Computation("second moment summed over all sets, one by one", "enumeration", _enumerated)
MOMENT_NODES = (MOMENT, ENUMERATED, SECOND)

# (9), (10), (11): the expansion. a = (1/r) Σ clip, ζ the averaged noise; inner products are letters.
yn2, a2, ya, yz, az, z2 = letters("yn2 a2 ya yz az z2")
STEP = definition(
    "w_{k+1} − w* = (w_k − w*) − η(a + ζ)",
    equal(yn2, y2 + eta**2 * (a2 + 2 * az + z2) - 2 * eta * (ya + yz)),
)
CENTRED = hypothesis("E[ζ | w_k, a] = 0: E⟨ζ, w_k − w*⟩ = E⟨ζ, a⟩ = 0", equal(yz, 0) & equal(az, 0))
S10 = obligation("(10)", (STEP, CENTRED), equal(yn2, y2 - 2 * eta * ya + eta**2 * (a2 + 2 * az + z2)))
sigma2, d = letters("sigma2 d")
size_mean = letters("size_mean")[0]
NOISE = definition(
    "E‖ζ‖² = (1/r²) E|S| · d r σ², E|S| = Σ_i E b_i",
    equal(size_mean, n * t) & equal(z2, size_mean * d * r * sigma2 / r**2),
)
NOISE_SIZE = obligation("E‖ζ_k‖² = dσ²", (NOISE, DRAWN, CLIENTS), equal(z2, d * sigma2))
S11 = obligation(
    "(11)",
    (S10.conclusion, CENTRED, NOISE_SIZE.conclusion),
    equal(yn2, y2 - 2 * eta * ya + eta**2 * a2 + eta**2 * d * sigma2),
)
mean_drawn, S1 = letters("mean_drawn S1")
UNBIASED = summed(
    "E (1/r) Σ_{i∈S} x_i = mean x_i", equal(mean_drawn, S1 / n), {mean_drawn: 0, S1: 0},
    {mean_drawn: mean_drawn + t * U / r, S1: S1 + U}, (DRAWN, CLIENTS),
)  # fmt: skip
now, after, star, sent, noise, after2, moved2 = letters("w w_next w_star sent zeta after2 moved2")
"""One coordinate of w_k, w_{k+1}, w*, (1/r) Σ clip and ζ_k; the squares of all coordinates so far."""
S9 = summed(
    "(9), coordinate by coordinate", equal(after2, moved2), {after2: 0, moved2: 0},
    {after2: after2 + (after - star) ** 2, moved2: moved2 + (now - eta * (sent + noise) - star) ** 2},
    (hypothesis("(7), in each coordinate", equal(after, now - eta * (sent + noise))),),
)  # fmt: skip

# (12) where |S| = s ≤ r, set by set: ‖(1/r) Σ‖² ≤ (s/r)(1/r) Σ ‖·‖².
size = letters("s_size")[0]
AT_MOST_R = hypothesis("|S_k| ≤ r", (size <= r) & (size >= 0))
FACT2_S = FACT2.conclusion.at({p: size}, "|S| vectors")
PSD = definition("Σ ‖y_i‖² ≥ 0", Q >= 0)
S12_FIXED = obligation("(12) for |S_k| ≤ r", (FACT2_S, AT_MOST_R, CLIENTS, PSD, ETA), ss / r**2 <= Q / r)


def _replay_12(v: Values) -> Comparison:
    """Both sides of (12) for n clients with one-dimensional clipped updates equal to C = 1."""
    n, r = int(v["n"]), v["r"]
    y = tuple(v["clip"] for _ in range(n))
    left = second_moment(one_by_one(n, r), y, r)
    squares = {chosen: sum((y[i] ** 2 for i in chosen), Fraction(0)) / r for chosen, _ in one_by_one(n, r)}
    right = sum((chance * squares[chosen] for chosen, chance in one_by_one(n, r)), Fraction(0))
    total = sum((chance for _, chance in one_by_one(n, r)), Fraction(0))
    return Comparison(left, "<=", right, (("the probabilities sum to 1", total == 1), ("0 < r ≤ n", 0 < r <= n),
                                          ("|clip(u, C)| ≤ C", abs(v["clip"]) <= v["C"])))  # fmt: skip


WITNESS_12 = Witness(
    {"n": Fraction(2), "r": Fraction(1), "clip": Fraction(1), "C": Fraction(1)},
    "E‖(1/r) Σ_{i∈S} clip(u_i)‖² ≤ E (1/r) Σ_{i∈S} ‖clip(u_i)‖²",
    _replay_12,
    "two clients that send the same update, each drawn with probability 1/2: both are drawn with probability 1/4",
)


def _replay_40(v: Values) -> Comparison:
    """Both sides of (40) without the noise's term, which is on both: n clients with one Huber function around w* = 0, one local
    step."""
    n, r, w, step = int(v["n"]), v["r"], v["w"], v["eta"]
    f = huber(v["L"], v["slope"])
    y = norm(update(f, w, step, 1), v["C"])
    left = sum(
        (chance * (w - step * len(chosen) * y / r) ** 2 for chosen, chance in one_by_one(n, r)), Fraction(0)
    )
    right = w**2 - 2 * step * y * w + step**2 * y**2
    met = (("f_i convex", f.convex), ("f_i L-smooth", f.smoothness <= v["L"]), ("0 < r ≤ n", 0 < r <= n),
           ("C, η > 0", v["C"] > 0 < step), ("u ≠ 0", f.gradient(w) != 0))  # fmt: skip
    return Comparison(left, "<=", right, met)


WITNESS_40 = Witness(
    {"n": Fraction(2), "r": Fraction(1), "w": Fraction(1), "eta": Fraction(1, 2), "L": Fraction(1), "slope": Fraction(1),
     "C": Fraction(1, 2)},
    "E‖w_k − η(1/r) Σ_{i∈S_k} norm(u_i) − w*‖² ≤ ‖w_k − w*‖² + mean A_i: (40) less η²E‖ζ_k‖² on either side",
    _replay_40,
    "two clients with one Huber function around 0, each drawn with probability 1/2, one local step from w_k = 1, η = C = 1/2",
)  # fmt: skip


def _replay_7(v: Values) -> Comparison:
    """The probability that nobody is drawn, in which event ζ_k = 0; a Gaussian of positive variance is
    never 0."""
    n, r = int(v["n"]), v["r"]
    nobody = sum((chance for chosen, chance in one_by_one(n, r) if not chosen), Fraction(0))
    return Comparison(nobody, "<=", Fraction(0), (("0 < r ≤ n", 0 < r <= n), ("σ² > 0", v["sigma2"] > 0)))


WITNESS_7 = Witness(
    {"n": Fraction(2), "r": Fraction(1), "sigma2": Fraction(1)},
    "P(ζ_k = 0) ≤ 0, as for N(0, σ²I) with σ² > 0",
    _replay_7,
    "two clients, each drawn with probability 1/2: with probability 1/4 nobody is drawn and no noise is added",
)
