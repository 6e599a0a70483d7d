"""What DP-NormFedAvg's captions of Figures 2, 3 and 4 say, measured: one rule for each sentence.

The rules were written together with the first runs at q = 1, not before them: the reading of "visible", the smallest
update norm over all rounds and the factor APPRECIABLE were settled after first numbers had been seen. They are one
reading of the words, and no verdict of `proved` or `refuted` rests on them.

The words that a rule has to read:
    "attains … lower suboptimality": the mean over the runs of f(w_K) − f(w⋆) after the last round.
    "appreciably": clipping's is at least APPRECIABLE times normalisation's. "nearly equivalent": the two are
    within that factor of each other. "never": at every point of the grid, and, where it is about a curve, in
    every round. Ties: below the smallest update norm the methods compute the same vector with different
    rounding; TIE is the relative difference that counts as none (500 rounds of 1e-16 relative, amplified by
    at most 1e4).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from toy_problems.appendix_f import CONSTRUCTORS, INITS, METHODS, Curves, Setting, curves, methods_of, start
from toy_problems.problem import Array
from toy_problems.runner import run

APPRECIABLE = 1.1
TIE = 1e-9
VISIBLE = 0.01
LARGE = (50.0, 100.0)
FIGURE4_CASES = ((100.0, 0.001), (50.0, 0.003))


@dataclass(frozen=True)
class Sentence:
    """A sentence of a caption: whether it holds by its rule, and the numbers that decide.

    exceptions: where it fails, each as "I1, C = 50, η = 0.001: …"; cases: how many were looked at.
    """

    figure: str
    printed: str
    rule: str
    holds: bool
    cases: int
    exceptions: tuple[str, ...]
    measured: dict[str, float]


def _cells(curves: Curves, keep: Callable[[float], bool]) -> Iterable[tuple[str, int, int, int]]:
    """(name, init, C, η) of the grid points whose C is kept."""
    for i, init in enumerate(INITS):
        for c, C in enumerate(curves.setting.C):
            for e, eta in enumerate(curves.setting.eta):
                if keep(C):
                    yield f"{init}, C = {C:g}, η = {eta:g}", i, c, e


def _sentence(figure, printed, rule, ratios: dict[str, float], good, measured=None) -> Sentence | None:
    """None where no case could speak of it."""
    if not ratios:
        return None
    for name, value in ratios.items():
        if not np.isfinite(value):
            raise ValueError(f"Figure {figure}: the ratio at {name} is {value}; take a q nearer to 1")
    bad = tuple(f"{name}: {value:.6g}" for name, value in ratios.items() if not good(value))
    values = list(ratios.values())
    numbers = {"smallest": float(min(values)), "largest": float(max(values))} | (measured or {})
    return Sentence(figure, printed, rule, not bad, len(ratios), bad, numbers)


def _decided(*sentences: Sentence | None) -> list[Sentence]:
    return [sentence for sentence in sentences if sentence is not None]


def figure2(found: Curves) -> list[Sentence]:
    """The sentences under Figure 2 that the grid has cases of; ratios are clipping's suboptimality over normalisation's."""
    final = found.final.mean(axis=-1)
    ratio = final[0] / final[1]
    curve = found.mean()
    large = {name: ratio[i, c, e] for name, i, c, e in _cells(found, lambda C: C in LARGE)}
    small = {name: ratio[i, c, e] for name, i, c, e in _cells(found, lambda C: C <= 40)}
    rounds = {
        name: (curve[0, i, c, e] / curve[1, i, c, e]).min()
        for name, i, c, e in _cells(found, lambda C: C <= 40)
    }
    low = found.smallest_update.min(axis=(0, -1))  # over methods and runs, shape (init, C, η)
    equal = {
        name: np.abs(curve[0, i, c, e] / curve[1, i, c, e] - 1).max()
        for name, i, c, e in _cells(found, lambda C: True)
        if found.setting.C[c] <= low[i, c, e]
    }
    text = "For C = {50, 100} and all values of η, normalization attains an appreciably lower function suboptimality"
    return _decided(
        _sentence("2", text + " than clipping.", f"ratio ≥ {APPRECIABLE}", large, lambda r: r >= APPRECIABLE),
        _sentence(
            "2", text.replace("an appreciably", "a") + " (weaker form)", "ratio > 1", large, lambda r: r > 1
        ),
        _sentence(
            "2",
            "For C = 40 and lower, normalization and clipping are nearly equivalent",
            f"ratio within {APPRECIABLE} and its inverse",
            small,
            lambda r: 1 / APPRECIABLE <= r <= APPRECIABLE,
        ),
        _sentence(
            "2",
            "clipping never does better than normalization",
            f"ratio ≥ 1 after the last round, up to {TIE:g}",
            small,
            lambda r: r >= 1 - TIE,
        ),
        _sentence(
            "2",
            "clipping never does better than normalization (by what a plot can show)",
            f"smallest ratio over the rounds ≥ 1 − {VISIBLE}",
            rounds,
            lambda r: r >= 1 - VISIBLE,
        ),
        _sentence(
            "2",
            "if the client update norms are lower bounded by C_low, then clipping with threshold C ≤ C_low is "
            "equivalent to normalization",
            f"largest relative difference of the curves ≤ {TIE:g} where C ≤ the smallest update norm of all rounds",
            equal,
            lambda r: r <= TIE,
        ),
    )


def figure3(found: Curves) -> list[Sentence]:
    """The sentences under Figure 3 that the grid has cases of, on every η of the grid; the figure shows one."""
    snr = found.mean("snr")
    worst = {n: (snr[1, i, c, e] / snr[0, i, c, e]).min() for n, i, c, e in _cells(found, lambda C: True)}
    run_by_run = found.snr[1] / found.snr[0]
    gain = {C: np.mean(snr[1, :, c] / snr[0, :, c]) for c, C in enumerate(found.setting.C)}
    large = [C for C in LARGE if C in gain]
    trend = {
        f"C = {C:g} over C = 40": float((gain[C] - 1) / max(gain[40.0] - 1, TIE))
        for C in large
        if 40.0 in gain
    }
    return _decided(
        _sentence(
            "3",
            "the SNR of normalization is never lower than that of clipping",
            f"smallest ratio over the rounds of the SNRs averaged over the runs ≥ 1, up to {TIE:g}",
            worst,
            lambda r: r >= 1 - TIE,
            {"share of (run, round) where clipping's SNR is higher": float((run_by_run < 1 - TIE).mean())},
        ),
        _sentence(
            "3",
            "the improvement in SNR of normalization is much higher for C = {50, 100} than C = 40",
            "mean improvement at that C at least twice that at C = 40",
            trend,
            lambda r: r >= 2,
            {f"mean SNR ratio at C = {C:g}": float(value) for C, value in gain.items()},
        ),
    )


@dataclass(frozen=True, eq=False)
class Trajectories:
    """Figure 4: for each case (C, η), the averaged trajectories from I1 in a plane through w⋆.

    plane: shape (case, method, K + 1, 2); the first axis is the direction of w_0 − w⋆, the second the
    direction in which the two methods' smoothed trajectories differ most from the first. The paper does not
    say which projection it used. smooth: rounds in the moving average. distance: ‖w_k − w⋆‖ in all d
    dimensions, shape (case, method, run, K + 1).
    """

    cases: tuple[tuple[float, float], ...]
    plane: Array
    distance: Array
    smooth: int


def figure4(setting: Setting, smooth: int = 20) -> Trajectories:
    """Run the two cases of Figure 4."""
    begin = start(setting)
    C, eta = (np.array(values)[:, None] for values in zip(*FIGURE4_CASES, strict=True))
    seeds = setting.seed * 1000 + np.arange(setting.runs)
    paths = []
    for method in methods_of(setting, C, eta).values():
        found = run(begin.problem, method, begin.inits[0], setting.K, seeds=seeds, keep=("x",))
        paths.append(np.concatenate([found["x"], found.x[..., None, :]], axis=-2) - begin.optimum)
    offsets = np.stack(paths, axis=1)  # (case, method, run, K + 1, d)
    mean = offsets.mean(axis=2)
    window = np.ones(smooth) / smooth
    padded = np.concatenate([np.repeat(mean[..., :1, :], smooth - 1, axis=-2), mean], axis=-2)
    moving = np.apply_along_axis(lambda column: np.convolve(column, window, "valid"), -2, padded)
    first = (begin.inits[0] - begin.optimum) / np.linalg.norm(begin.inits[0] - begin.optimum)
    along = moving @ first
    rest = moving - along[..., None] * first
    plane = np.empty((*along.shape, 2))
    plane[..., 0] = along
    for case in range(len(FIGURE4_CASES)):
        second = np.linalg.svd(rest[case].reshape(-1, setting.d), full_matrices=False)[2][0]
        plane[case, ..., 1] = rest[case] @ second
    return Trajectories(FIGURE4_CASES, plane, np.linalg.norm(offsets, axis=-1), smooth)


def figure4_ends(setting: Setting, q: Sequence[float]) -> tuple[Array, Array]:
    """‖w_K − w⋆‖ and f(w_K) − f(w⋆) in the runs of Figure 4 at each q, all at once; each of shape (q, case, method, run)."""
    begin = start(setting)
    C, eta = (np.array(values)[:, None] for values in zip(*FIGURE4_CASES, strict=True))
    sigmas = np.stack([replace(setting, q=value).sigma(C) for value in q])
    C, eta, sigma = np.broadcast_arrays(C, eta, sigmas)
    seeds = setting.seed * 1000 + np.arange(setting.runs)
    methods = (build(eta, eta, C, setting.E, sigma) for build in CONSTRUCTORS.values())
    last = np.stack(
        [run(begin.problem, m, begin.inits[0], setting.K, seeds=seeds, keep=()).x for m in methods], axis=2
    )
    height = begin.problem.objective(last.reshape(-1, setting.d)).reshape(last.shape[:-1])
    return np.linalg.norm(last - begin.optimum, axis=-1), height - begin.problem.constants.f_inf


def figure4_sentences(distance: Array) -> list[Sentence]:
    """The sentence about Figure 4. distance: ‖w_K − w⋆‖, shape (case, method, run); averaged over the runs."""
    last = distance.mean(axis=-1)
    ratio = {f"C = {C:g}, η = {eta:g}": last[c, 0] / last[c, 1] for c, (C, eta) in enumerate(FIGURE4_CASES)}
    numbers = {
        f"‖w_K − w⋆‖ of {method}, C = {C:g}, η = {eta:g}": float(last[c, m])
        for c, (C, eta) in enumerate(FIGURE4_CASES)
        for m, method in enumerate(METHODS)
    }
    printed = (
        "In both cases, note that DP-NormFedAvg reaches closer to the optimum than DP-FedAvg with clipping."
    )
    return _decided(
        _sentence("4", printed, "ratio of the final distances > 1", ratio, lambda r: r > 1, numbers)
    )


@dataclass(frozen=True)
class Picture:
    """All sentences under one reading of q, and whether the methods make progress at all from I1 at the
    captions' η."""

    q: float
    sentences: tuple[Sentence, ...]
    progress: dict[str, float]

    @property
    def holds(self) -> bool:
        return all(sentence.holds for sentence in self.sentences)


def scan(
    setting: Setting,
    q: Iterable[float] = (0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0),
    progress: Callable[[int], object] | None = None,
) -> list[Picture]:
    """The sentences of Figures 2 and 3 under each value of q.

    `progress` of a picture: final over initial suboptimality of normalisation, by init, C and η.
    """
    pictures = []
    for value in q:
        found = curves(replace(setting, q=value), progress)
        final, initial = found.final.mean(axis=-1)[1], found.suboptimality[1, :, :, :, 0, 0]
        gained = {
            name: float(final[i, c, e] / initial[i, c, e]) for name, i, c, e in _cells(found, lambda C: True)
        }
        pictures.append(Picture(value, (*figure2(found), *figure3(found)), gained))
    return pictures
