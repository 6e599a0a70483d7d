"""Theorem 6's first part fails for r = 1 and E = 200 local steps: an exact lower bound on runs of Algorithm 1.

CLIENTS. A length of 1 is ηC, and L hardly above 1. w = (x, h, z_1, …, z_n), w_0 = (R, 0, …, 0), w* = 0. With P(μ) the convex hull of
0 and (−μd_j, s_j), j = 1, …, N, d_1 = 0, d_{j+1} − d_j = (j/N)(s_{j+1} − s_j), let F(p) = ½‖p‖² − ½dist(p, P(μ))²: its gradient is the
point of P(μ) next to p.
 down  F(cx + √(1 − c²) z_i, h), c = 1/(μR): all clients but 1 + V.
 up    F(cx + √(1 − c²) z_i, −h), with a larger μ: V clients.
 kick  F(t/μ, (1 + β)t − h) + ¼ max(0, x − R)², t = a(x)/a(R), μ as down: one client. a = 0 up to x = R/10⁶, a' = 1 from 2R/10⁶ on,
       linear between.
All are convex, L-smooth, ≥ 0 and 0 at w*: Δ_i* = 0. From w_0 no message takes x below R/10⁶ or z_i below 0. Hence down acts only where
h > 0 and up only where h < 0, neither takes h through 0 on its own, and its message has along x and z_i at most 1/R + μ times what it
has along h.

A CYCLE. At h = 0 kick alone acts; its message is cut and lifts h to 1, where all of down are cut, which adds 3/(8S) a round to the
left-hand side, S = ηLE. Some m ≥ 1 of them are drawn at once: h = 1 − m. One by one up bring h back to 0. The message of a client that
walks down from j takes x outwards, by Y_j/R; kick takes κ/R off x, and x − R where that is positive. So q = R(R − x) grows by
Z = κ − mY_1 − Y_1 − … − Y_{m−1} from one kick to the next, or less, and E Z < 0: cycles go on for ever.

WHAT IS COUNTED. L_k is ηE/(ηC)² times the left-hand side of round k. With η and K = kn fixed, as ρ → 0, the theorem says
Σ_k E L_k ≤ R² of runs without noise: its bound tends to that; w_k depends continuously on the noise; L_k is lower semicontinuous in
w_k (a client at the threshold counts as kept, which is less) and at least −b‖w_k‖², b = S(4S² + 2S − 2), so that Fatou's lemma
applies. L_k is a mean over clients: a cut one adds to it, a kept one takes b f_i(w_k). The run is followed up to its exit, the first
of these draws: kick in an unclean round, |h| > ε; two of up; more than M clients; kick with q > Q; a client that has moved its z_i
before, where |h| > ½ and it acts; kick for more than 2k times.

UP TO THE EXIT. H is 2Mμ² of up, ε = (1 − η)^E H. With kick at |h| ≤ ε, h rises to 1 within (6M/R)² + (M + 1)ε. Down is cut: its way
along h is that less what is left after E steps, that along z_i at least 2μ/7, so that its length is above 1 (`cut`). So h = 1 − m
within M times μ² of down, and h > 0 if m = 1. Up is cut, its μ being the larger, and ends at −H < h ≤ 0. Where 0 < |h| ≤ H, kept
clients take h to ε: down from above, the first time that one is drawn; if more are, then −H ≤ h < 0, and it is up's turn, which leaves
(1 − η)^E of it. This takes at most b(2μ²)²/2 a round (μ of down; 4 rounds in the mean, as two senders end it) and bH² (up, all rounds
in the mean); kick takes b/n in a round at h = 1, and is cut elsewhere. x > R by 3M/R at most, as kick leaves a hundredth of that.
F's gradient at (1/μ, h) is the (−μd, s) on the edges of P(μ) that has s = s(h), piecewise linear (`Edge`), but for 2μ²; if
the first coordinate is off by a share of it, it is as if h were off by less. With all that at most `off`, heights from within H of T
stay within H + S·off of those of the `walk` from T, as a gradient step is nonexpansive in h, and the ways along all edges differ
from its ways by S(H + (S + 1) off) at most (`wobble`).

THE EXIT'S CHANCE. Unclean are in the mean at most 4n/V rounds of a cycle: fewer than 4 of down's, and up is waited for m times, each
time 2n/V rounds at most. Before each kick E exp(θ max(q, 0)) ≤ 1/(1 − E e^{θZ}); e^y ≤ 1 + y + y² for y ≤ 1, and E Z² ≤ 13, so that
with θ = −E Z/26 it is at most 52/(E Z)². At most 4kM clients have moved; in the mean 1.6 rounds of a cycle are at h = 1 and 1.3n/V
below −½.

AFTER THE EXIT. E‖w_{k+1}‖² ≤ ‖w_k‖² − mean_i(2⟨g_i, w_k⟩ − ‖g_i‖²) + ‖mean g‖², and the bracket is at least 2ηf_i(w_k) for a kept
client, as one step takes that off ‖w‖² and none adds to it, and ≥ 0 for a cut one. Hence what is lost is at most b/(2η) times
E‖w‖² at the exit, at most 7R² by the chance, and Σ E‖mean g‖². Where h > 0 let A ≤ h be the mean of what down's messages take off it.
What is drawn, G, is in convex order below h times a Poisson variable of mean A/h ≤ 1, so that E|h − G| ≤ h − (1 − 2/e) A; the same for
up. Kick adds at most 1/n a round to E|h|. So Σ A ≤ 3.8(|h| + k), and Σ‖mean g‖² ≤ Σ‖mean g‖ ≤ 5k + 4|h|, whatever n is.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import factorial, floor

from verify.claim import Values, Witness
from verify.computation import Comparison

ONE, HALF = Fraction(1), Fraction(1, 2)
GRID = 10**30
"""Heights of a walk are rounded to multiples of 1/GRID."""
NOBODY = Fraction(3678, 10**4), Fraction(3679, 10**4)
"""Between them lies 1/e, and the chance that nobody of *down* is drawn, n being large. The second is above the chance that one is, and
above m! times that of m."""


@dataclass(frozen=True)
class Edge:
    """Of P(μ), of height s_{j+1} − s_j. The point next to (1/μ, h) is on it for h from `start` to start + height. at: j/N."""

    at: Fraction
    start: Fraction
    height: Fraction


def edges(v: Values) -> tuple[Edge, ...]:
    """From 0, the first being vertical; the s_j grow by a constant factor."""
    found, before = [], Fraction(0)
    for j in range(int(v["N"])):
        slope = v["slope"] * v["growth"] ** j
        found.append(Edge(j / v["N"], j / v["N"] + before, slope - before))
        before = slope
    return tuple(found)


@dataclass(frozen=True)
class Walk:
    """E local steps. ways: how far h moves along each edge. outwards: 1/μ times how far the first coordinate moves. left: more than is
    left of a height that starts within a quarter of s_1 of this one, with slopes that are off by less in all."""

    ways: tuple[Fraction, ...]
    outwards: Fraction
    left: Fraction

    @property
    def way(self) -> Fraction:
        return sum(self.ways, Fraction(0))


def walk(v: Values, height: Fraction) -> Walk:
    """From (1/μ, height), to 0 at last: from h = s_1 on, where F = ½h², each step leaves 1 − η."""
    parts, ways, low = edges(v), [Fraction(0)] * int(v["N"]), 0
    for _ in range(int(v["E"])):
        low += height <= v["slope"] / 2
        steps = [v["eta"] * min(max(height - part.start, Fraction(0)), part.height) for part in parts]
        ways = [way + step for way, step in zip(ways, steps, strict=True)]
        height = Fraction(floor((height - sum(steps)) * GRID), GRID)
    outwards = sum((part.at * way for part, way in zip(parts, ways, strict=True)), Fraction(0))
    return Walk(tuple(ways), outwards, v["slope"] * (1 - v["eta"]) ** low)


@dataclass(frozen=True)
class Bounds:
    """What the docstring of this module bounds, from its values. first, kicked: the walks from 1 and 1 + β; deeper: from 2, 3."""

    v: Values
    first: Walk
    kicked: Walk
    deeper: tuple[Walk, Walk]

    @property
    def S(self) -> Fraction:
        return self.v["eta"] * self.v["L"] * self.v["E"]

    @property
    def b(self) -> Fraction:
        return self.S * (4 * self.S**2 + 2 * self.S - 2)

    @property
    def H(self) -> Fraction:
        return 2 * self.v["most"] * self.v["mu_up"] ** 2

    @property
    def clean(self) -> Fraction:
        """ε."""
        return self.H * (1 - self.v["eta"]) ** int(self.v["E"])

    @property
    def off(self) -> Fraction:
        """Of x and a(x), of z_i, which is less than 3μ in a walk from 3 + H, and of the gradient."""
        v = self.v
        return 4 * (v["Q"] + 4 * v["most"]) / v["R"] ** 2 + 6 * v["mu_up"] ** 2

    @property
    def wobble(self) -> Fraction:
        """That of the docstring, and of the rounding."""
        rounding = self.v["E"] * (self.S + 1) / GRID
        return self.S * (self.H + (self.S + 1) * self.off) + rounding

    @property
    def loss(self) -> Fraction:
        """κ."""
        beyond = 1 / (1 - Fraction(3, 2 * 10**6))  # R/a(R)
        kick = self.kicked
        return beyond * (1 + self.v["beta"] - (kick.outwards - self.wobble) / (kick.way + self.wobble))

    @property
    def drift(self) -> Fraction:
        """E Z, at most: lifts from −4 on are left out, as they only add."""
        v, (low, high) = self.v, NOBODY
        slanted = 1 + 1 / v["R"] + v["mu_up"]
        walks = enumerate((self.first, *self.deeper), 1)
        gain = [(found.outwards - self.wobble) / ((j + self.H) * slanted) for j, found in walks]
        down = (1 - (v["V"] + 1) / v["n"]) / (1 - low)
        lifts = [1 - high / (1 - high) * factor for factor in (ONE, Fraction(3, 2), Fraction(5, 3))]
        return self.loss - down * gain[0] - sum(p * y for p, y in zip(lifts, gain, strict=True))

    @property
    def price(self) -> Fraction:
        """What kept clients take in a cycle."""
        return self.b * (2 / self.v["n"] + 8 * self.v["mu_down"] ** 4 + self.H**2)

    @property
    def exits(self) -> Fraction:
        """The chance of an exit within the K rounds, at most, in the order of the docstring."""
        v, drift = self.v, self.drift
        n, V, k, most, rounds = v["n"], v["V"], v["k"], v["most"], v["k"] * v["n"]
        far = rounds * 52 / drift**2 / 2 ** floor(-drift / 26 * v["Q"])
        moved = 7 * k**2 * most / n + 6 * k**2 * most / V
        return 4 * (k + 1) / V + k * V**2 / (2 * n) + rounds / factorial(int(most)) + far + moved + 1 / k

    @property
    def cut(self) -> bool:
        """Kick's update at h = 0 is, down's at 1, and up's at −1 and below −3/2."""
        v, R, most = self.v, self.v["R"], self.v["most"]
        left, clean, slant = self.first.left, (most + 1) * self.clean, self.S * self.off
        down = (6 * most / R) ** 2 + clean + left
        up = most * v["mu_down"] ** 2 + 2 * clean + left
        lower = self.deeper[0].way - 2 * self.H - slant - self.S * most * v["mu_up"] ** 2
        return (
            self.kicked.way - 2 * self.H - slant > 1
            and self.first.outwards - self.wobble > Fraction(3, 10)
            and (2 * v["mu_down"] / 7) ** 2 > 2 * down
            and (2 * v["mu_up"] / 7) ** 2 > 2 * up
            and lower > 1
        )

    @property
    def small(self) -> bool:
        """What the docstring calls small is, against what it is compared with."""
        v, R, most = self.v, self.v["R"], self.v["most"]
        return (
            10**3 / R < v["mu_down"] ** 2 < v["mu_up"] ** 2
            and most * v["mu_up"] ** 2 > 2 * (most + 1) * self.clean + (6 * most / R) ** 2
            and v["mu_down"] ** 2 > (most + 1) * self.clean
            and self.H + self.S * self.off < v["slope"] / 4
            and v["beta"] + self.H + (6 * most / R) ** 2 < Fraction(1, 100)
            and 4 * v["k"] * most * v["mu_up"] ** 2 < R**2
            and 10**6 * 2 * (v["V"] + 1) < v["n"]
            and 4 * (most + 3) ** 2 + 10**3 < R
            and self.loss < 1
        )


def bounds(v: Values) -> Bounds:
    return Bounds(v, walk(v, ONE), walk(v, 1 + v["beta"]), (walk(v, 2 * ONE), walk(v, 3 * ONE)))


def replay(v: Values) -> Comparison:
    """Σ_k E L_k over R², at least. Kick is drawn k times in the mean, and a round follows in which down are cut, but for the last
    round and for the exit, where E[draws; exit] ≤ (k + 1)√chance."""
    found, parts, R, k, n = bounds(v), edges(v), v["R"], v["k"], v["n"]
    chance = v["root"] ** 2
    gain = 3 / (8 * found.S) * (1 - (v["V"] + 1) / n) * (k - 1 - (k + 1) * v["root"])
    lost = found.b / (2 * v["eta"]) * (35 * R**2 + 6 * k) * chance
    total = (gain - (k + 1) * found.price - lost) / R**2
    tilt = 1 / (v["mu_down"] * R)
    met = (
        ("f_i convex: P(μ) is, and the t of the client that lifts h has no negative sign",
         all(0 <= p.at < 1 and p.height > 0 for p in parts)),
        ("f_i L-smooth: F ∘ (a linear map and a bit), and ½ across", v["slope"] * v["growth"] ** len(parts) < 2
         and 1 + 2 * tilt + 10**7 * tilt / R <= v["L"] <= Fraction(11, 10)),
        ("Ĉ ≥ 4√(L max Δ_j*) = 0, and 0 < c < 1", 0 < tilt < Fraction(1, 10)),
        ("K > 2γ/(ĈE)/ρ, that is ηL < ½", 0 < v["eta"] * v["L"] < HALF),
        ("1 = r ≤ n, and V + 2 clients at least", 1 <= v["V"] <= n - 2),
        ("E, n, V, K/n = k, “most” and N are whole numbers",
         all(v[name].denominator == 1 for name in ("E", "n", "V", "k", "most", "N"))),
        ("what is to be cut is cut", found.cut),
        ("what is to be small is small", found.small),
        ("a cycle takes w outwards in the mean", found.drift < 0),
        ("the chance of an exit is at most root²", found.drift < 0 and found.exits <= chance),
    )  # fmt: skip
    return Comparison(Fraction(floor(total * 10**9), 10**9), "<=", ONE, met)


_TEN = Fraction(10)
WITNESS = Witness(
    {"E": Fraction(200), "eta": Fraction(499, 1000), "L": 1 + _TEN**-9, "n": _TEN**320, "V": _TEN**120, "k": 400 * _TEN**40,
     "R": _TEN**20, "N": Fraction(16), "slope": Fraction(1, 400), "growth": Fraction(3, 2), "beta": _TEN**-4,
     "mu_down": 2 * _TEN**-7, "mu_up": 2 * _TEN**-5, "most": Fraction(250), "Q": _TEN**7, "root": _TEN**-8},
    "(ηE/‖w₀ − w*‖²) Σ_{k<K} E[left-hand side less terms of Δ_i*] is at most 1, the bound as ρ → 0 with η and K fixed; a lower bound",
    replay,
    "lengths in units of ηC, w = (x, h, z_1, …, z_n), w₀ = (R, 0, …, 0), w* = 0, Δ_i* = 0; r = 1, K = kn. All clients but 1 + V have "
    "f_i(w) = F(cx + √(1 − c²) z_i, h), c = 1/(μR), F(p) = ½‖p‖² − ½dist(p, P(μ))², P(μ) the convex hull of 0 and of (−μd_j, s_j), "
    "j ≤ N, s_1 = slope, s_{j+1} = growth · s_j, d_1 = 0, d_{j+1} − d_j = (j/N)(s_{j+1} − s_j), μ = μ_down; V have −h for h and "
    "μ = μ_up; one, drawn every n rounds in the mean, lifts h from 0 to 1 (in the docstring of "
    f"{__name__}, with the proof of what is bounded). Each time nearly all clients are cut for a round, and w stays where it is",
)  # fmt: skip
