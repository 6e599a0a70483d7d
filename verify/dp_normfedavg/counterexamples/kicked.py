"""Theorem 6's first part fails for r = 1 and many local steps: runs of Algorithm 1, a statistical witness.

Client i has f_i(w) = ½‖p‖² − ½dist(p, K_i)², p two coordinates of w in an orthonormal frame of its own and K_i a convex polygon
with a corner at 0: f_i is convex, its gradient is the point of K_i next to p, so that L = 1, and w* = 0 minimises every f_i: Δ_i* = 0.
w = (x, h, ξ_1, …, ξ_n), and x is large. Nearly all clients, *down*, look at c x + √(1 − c²) ξ_i and h, pull h down to 0 and are flat
below. Few, *up*, do the same from below with −h. One, *kick*, looks at axes turned by a small angle, and pulls h from 0 up to about 1,
the length of a cut message (ηC = 1).

A cycle: the kick; with one client a round in the mean m of *down*, all of them cut, send at once after some rounds of nobody; m − 1
of *up* bring h back. The slopes of K_i grow by a constant factor from h to h + 1/12, so that a client hardly loses loss on its way,
and its message carries x outwards. What the kick takes from x² is made up for by the m messages, and the cycle goes on and on: no
distance from w* is used up, and each round in which *down* is cut adds to the left-hand side.

Between cycles h is 0 up to (1 − η)^E ‖u_i‖η. Which client is drawn when is drawn; how long nobody is counts by its mean. All that a
cycle does is a function of x and m, tabulated here by Algorithm 1's own local steps. A client out of its turn (10⁻²⁰ a cycle) can have
*down* kept once, at some 10⁷ times the gain of a cycle, and the cycles go on: in the mean nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import exp, factorial

import numpy as np

from verify.sampling import Sampling, sample

E, STEP = 200, 0.495
"""E and ηL = η; a length of 1 is ηC."""
S = STEP * E
"""ηLE."""
CORNERS, GROWTH, HIGHEST = 12, 1.7, 1.06
"""Slopes of a polygon's corners, each GROWTH times the last, up to the height HIGHEST above the flat."""
START = 120.0
"""‖w₀ − w*‖ = x."""
DOWN, UP = 0.40, 0.35
"""c of the two kinds: the smaller, the further a message goes along ξ_i, and the longer it is."""
HEIGHT = 1.045
"""Of the kick's flat above h = 0 at x = START."""
CLIENTS, UPS = 1e40, 1e20
"""n and how many of them are *up*."""
MOST = 14
"""Senders of one round: more have probability 10⁻¹²."""
CYCLES = 1_700_000
"""In the mean: K = CYCLES · n rounds."""
WIDTH, POINTS = 0.04, 801
"""The table: x from (1 − WIDTH) START to (1 + WIDTH) START."""
BLOCK = 10_000
"""Cycles between two looks at where x is."""
SOMEBODY = 1 - exp(-1)
"""The chance that one of *down* is drawn in a round."""
FIRST, LONGER = tuple(range(5)), tuple(range(5, 13))
"""Seeds of the first runs and of the independent, longer set."""
LEAST_DEVIATION = 1e-3

Arrays = tuple[np.ndarray, np.ndarray]


def corners(a: float) -> Arrays:
    """(depth, slope) of the corners of K_i but 0, for a client that looks at `a` along its first axis: a slope's corner is the nearest
    from one multiple of HIGHEST/CORNERS up to the next."""
    slopes = 1 / (CORNERS * 0.8 * S * (1 - 1 / GROWTH)) * GROWTH ** np.arange(CORNERS)
    heights = HIGHEST / CORNERS * np.arange(1, CORNERS)
    return np.concatenate([[0.0], np.cumsum(np.diff(slopes) * heights)]) / a, slopes


def nearest(polygon: Arrays, along: np.ndarray, height: np.ndarray) -> Arrays:
    """∇f_i at points p = (along, height), along ≫ 1: the point of K_i next to p, on the edges from 0 up to the steepest corner."""
    depth, slope = polygon
    best = np.zeros_like(along), np.clip(height, 0.0, slope[0])
    left = best[0] ** 2 - 2 * best[0] * along + (best[1] - height) ** 2
    for j in range(len(slope) - 1):
        edge = depth[j] - depth[j + 1], slope[j + 1] - slope[j]
        part = np.clip(
            ((along + depth[j]) * edge[0] + (height - slope[j]) * edge[1]) / (edge[0] ** 2 + edge[1] ** 2),
            0,
            1,
        )
        at = part * edge[0] - depth[j], part * edge[1] + slope[j]
        far = at[0] ** 2 - 2 * at[0] * along + (at[1] - height) ** 2
        best = tuple(np.where(far < left, new, old) for new, old in zip(at, best, strict=True))
        left = np.minimum(far, left)
    return best[0], best[1]


@dataclass(frozen=True)
class Update:
    """ηu_i along the two axes of a client, in units of ηC, its length, and f_i(w_k)."""

    along: np.ndarray
    down: np.ndarray
    length: np.ndarray
    loss: np.ndarray

    @property
    def sent(self) -> Arrays:
        """The message, clipped."""
        part = 1 / np.maximum(self.length, 1.0)
        return part * self.along, part * self.down

    @property
    def left(self) -> np.ndarray:
        """ηE times the left-hand side of the theorem for this client, over (ηC)²."""
        kept = S * (2 - 2 * S - 4 * S**2) * self.loss
        return np.where(self.length > 1, 3 * self.length / (8 * S), kept)


def update(polygon: Arrays, along: np.ndarray, height: np.ndarray) -> Update:
    """E local steps of a client at (along, height)."""
    at = along.astype(float), height.astype(float)
    slope = nearest(polygon, *at)
    loss = slope[0] * along + slope[1] * height - (slope[0] ** 2 + slope[1] ** 2) / 2
    for _ in range(E):
        slope = nearest(polygon, *at)
        at = at[0] - STEP * slope[0], at[1] - STEP * slope[1]
    gone = along - at[0], height - at[1]
    return Update(gone[0], gone[1], np.hypot(*gone), loss)


@dataclass(frozen=True)
class Cycles:
    """By x at the start, one row for each number m ≥ 1 of first senders: x at the end, and what the cycle adds to the left-hand side,
    in its mean over who is drawn when. shortest: the shortest update of each kind that is to be cut."""

    x: np.ndarray
    end: np.ndarray
    gain: np.ndarray
    shortest: dict[str, float]


def kick(x: np.ndarray) -> tuple[np.ndarray, np.ndarray, Update]:
    """x and h after the kick at h = 0, and its update."""
    sine = HEIGHT / START
    cosine = np.sqrt(1 - sine**2)
    found = update(corners(cosine * START), cosine * x, sine * x)
    along, down = found.sent
    return x - cosine * along - sine * down, cosine * down - sine * along, found


@cache
def cycles() -> Cycles:
    """The table."""
    x = START * np.linspace(1 - WIDTH, 1 + WIDTH, POINTS)
    at, top, kicked = kick(x)
    first = update(corners(DOWN * START), DOWN * at, top)
    waiting = kicked.left + first.left / SOMEBODY
    ends, gains, ups = [], [], []
    for m in range(1, MOST + 1):
        end, h, gain = at - m * DOWN * first.sent[0], top - m * first.sent[1], waiting
        for _ in range(1, m):
            back = update(corners(UP * START), UP * end, -h)
            end, h, gain = end - UP * back.sent[0], h + back.sent[1], gain + back.left
            ups.append(back.length.min())
        ends.append(end)
        gains.append(gain + rest(h))
    shortest = {"kick": kicked.length.min(), "down": first.length.min(), "up": min(ups)}
    return Cycles(x, np.array(ends), np.array(gains), {name: float(size) for name, size in shortest.items()})


def rest(h: np.ndarray) -> np.ndarray:
    """What the way back to h = 0 adds, from |h| below the flattest slope, where f_i = ½h² and ηu_i = h: *down* from above, with
    nobody drawn for a while and then m clients, to (1 − m)h; *up* from below, one client."""
    if np.abs(h).max() >= corners(1.0)[1][0]:
        raise ValueError(f"h = {np.abs(h).max():.2g} after a cycle is no small remainder")
    price = S * (2 - 2 * S - 4 * S**2) / 2
    again = sum(exp(-1) / factorial(m) * (1 - m) ** 2 for m in range(2, 20)) / SOMEBODY
    return price * h**2 * np.where(h > 0, 1 / SOMEBODY + again, 1.0)


def run(seeds: tuple[int, ...], mean_cycles: int) -> dict[int, float]:
    """(ηE/‖w₀ − w*‖²) Σ_{k<K} (left-hand side of round k), K = mean_cycles · n, by seed. Raises `ArithmeticError` where x comes
    near the table's end or a client is drawn out of its turn: *kick* or two of *up* while h is on its way, or over MOST of *down*.
    """
    table = cycles()
    rngs = [np.random.default_rng(seed) for seed in seeds]
    lengths = np.array([rng.poisson(mean_cycles) for rng in rngs])
    strange = sum(rng.poisson(mean_cycles * 4 * MOST * (UPS / CLIENTS + 1 / UPS)) for rng in rngs)
    ratio = np.diff(table.end, axis=1, append=np.nan) / (table.x[1] - table.x[0])
    offset = (table.end - ratio * table.x).ravel()
    ratio, gains = ratio.ravel(), table.gain.ravel()
    x, total = np.full(len(seeds), START), np.zeros(len(seeds))
    per_unit, least = (POINTS - 1) / (2 * WIDTH * START), table.x[0]
    for begin in range(0, int(lengths.max()), BLOCK):
        senders = np.array([_senders(rng) for rng in rngs]).T
        cells = (np.minimum(senders, MOST) - 1) * POINTS
        for cell in cells:
            cell += ((x - least) * per_unit).astype(np.int64)
            x = offset[cell] + ratio[cell] * x
        counted = begin + np.arange(BLOCK)[:, None] < lengths
        total += np.where(counted, gains[cells], 0.0).sum(axis=0)
        if strange or (senders > MOST).any() or not (np.abs(x / START - 1) < 0.75 * WIDTH).all():
            raise ArithmeticError(f"x = {x}, {strange} drawn out of turn, up to {senders.max()} at once")
    return dict(zip(seeds, (total / START**2).tolist(), strict=True))


def _senders(rng: np.random.Generator) -> np.ndarray:
    """BLOCK numbers of *down* that are drawn in the first round in which somebody is."""
    found = rng.poisson(1.0, 2 * BLOCK)
    return found[found > 0][:BLOCK]


def sampling(mean_cycles: int = CYCLES) -> Sampling:
    """The tightness of the theorem, its bound 1 but for DP noise as small as one likes."""
    breaks = "(ηE/‖w₀ − w*‖²) Σ_k E[left-hand side less terms of Δ_i*] is at most 1, the bound as ρ → 0 with η and K fixed"
    shortest = cycles().shortest
    problem = (
        f"clients as the docstring of {__name__} describes them; r = 1, n = 10⁴⁰, E = {E}, ηL = {STEP}, "
        f"‖w₀ − w*‖ = {START:g}ηC, K = {mean_cycles:,}n, Δ_i* = 0"
    )
    if min(shortest.values()) <= 1:
        return Sampling(breaks, f"{problem}: an update is not cut: {shortest}", "<=", 1.0)
    try:
        found = run((*FIRST, *LONGER), mean_cycles)  # one after the other takes twice as long
        samples = tuple(
            sample({seed: found[seed] for seed in seeds}, "lower", LEAST_DEVIATION)
            for seeds in (FIRST, LONGER)
        )
    except ArithmeticError as error:
        return Sampling(breaks, f"{problem}: {error}", "<=", 1.0)
    said = [
        f"seeds {s.seeds[0]} to {s.seeds[-1]}: mean {s.mean:.3f}, at least {s.limit:.3f} at confidence 1 − 1e-6"
        for s in samples
    ]
    return Sampling(breaks, f"{problem}; {'; '.join(said)}", "<=", 1.0, samples)
