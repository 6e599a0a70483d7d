"""What a search reports can be computed again from its result alone: plain loops over the reported instance, the bound
as the paper prints it, no code of the project."""

from __future__ import annotations

import itertools
import json
import math

import pytest

from toy_problems.falsifier.attack import Effort
from toy_problems.falsifier.convex.attack import attack_convex
from toy_problems.falsifier.convex.targets import CONVEX
from toy_problems.falsifier.grid.attack import attack_grid
from toy_problems.falsifier.local.attack import attack_local
from toy_problems.falsifier.local.targets import LOCAL
from toy_problems.falsifier.targets import DETERMINISTIC

CLOSE = 1e-7
"""Relative: some hundred roundings of 1e-16, magnified where a small update is the difference of two far larger points."""


def reported(attack, target, instances: int) -> tuple[dict, dict, float]:
    result = json.loads(json.dumps(attack(target, Effort(instances, 60.0, 5))))
    return result["instance"], result["instance"]["letters"], result["tightness"]


def slope(base: float, slopes: list[float], x: float) -> float:
    """f' at x: f'(0) = base, f'' = slopes[j] on [j − J, j − J + 1), 0 beyond ±J."""
    J = len(slopes) // 2
    if x >= 0:
        return base + sum(slopes[J + j] * min(1.0, x - j) for j in range(J) if x > j)
    return base - sum(slopes[J - 1 - j] * min(1.0, -x - j) for j in range(J) if -x > j)


def norm_ec(v, update, mean, memories, x, eta: float) -> tuple[float, float]:
    """min over k in [0, K] of |f'(xᵏ)| and max_i |u_i(x¹) − g_i¹| of Algorithm 1 in one variable, as printed."""
    n, least, residual = len(memories), math.inf, 0.0
    server = sum(memories) / n
    for k in range(int(v["K"]) + 1):
        least = min(least, abs(mean(x)))
        away = [update(i, x) - g for i, g in enumerate(memories)]
        if k == 1:
            residual = max(map(abs, away))
        sent = [a / (v["alpha"] + abs(a)) for a in away]
        memories = [g + v["beta"] * s for g, s in zip(memories, sent, strict=True)]
        server += v["beta"] / n * sum(sent)
        x -= eta * math.copysign(1.0, server)
    return least, residual


def theorem1(v):
    return v["f_gap"] / (v["gamma"] * (v["K"] + 1)) + 2 * v["R"] + v["L"] / 2 * v["gamma"]


def corollary1(v):
    D, share = v["D"], v["beta"] * v["D"] / (v["L_max"] * (v["alpha"] + v["D"]))
    return (v["f_gap"] / share + 2 * D + v["L"] / 2 * share) / math.sqrt(v["K"] + 1)


def poster(v):
    return v["f_gap"] / (v["gamma"] * (v["K"] + 1)) + v["gamma"] * v["L"] / 2


GRID = {"NEC-T1": theorem1, "NEC-C1": corollary1, "NEC-T2-POSTER": poster, "NEC-L2": lambda v: v["R"]}


@pytest.mark.unchecked
@pytest.mark.parametrize("name", GRID)
def test_alpha_normec(name):
    instance, v, ratio = reported(attack_grid, DETERMINISTIC[name], 2000)
    base, slopes = instance["base"], instance["slopes"]
    memories = [b - v["R"] * r for b, r in zip(base, instance["residual"], strict=True)]

    def update(i: int, x: float) -> float:
        return slope(base[i], slopes[i], x)

    def mean(x: float) -> float:
        return sum(update(i, x) for i in range(len(base))) / len(base)

    found = norm_ec(v, update, mean, memories, 0.0, v["gamma"])[name == "NEC-L2"]
    assert found / GRID[name](v) == pytest.approx(ratio, rel=CLOSE), f"{name} at K = {v['K']:g}"


@pytest.mark.unchecked
def test_fed_alpha_normec_with_local_steps():
    """Theorem 1 as Appendix F.2 prints it, for all clients and no noise; with K as large as a run shows."""
    instance, v, ratio = reported(attack_local, LOCAL["FED-T1-APP"], 1000)
    base, slopes = instance["base"], instance["slopes"]
    T, gamma, L = int(v["T"]), v["gamma"], v["L"]

    def local(i: int, x: float) -> float:
        return sum(slope(b, s, x) for b, s in zip(base[i], slopes[i], strict=True)) / len(base[i])

    def update(i: int, x: float) -> float:
        y = x
        for _ in range(T):
            y -= gamma / T * local(i, y)
        return (x - y) / gamma

    def mean(x: float) -> float:
        return sum(local(i, x) for i in range(len(base))) / len(base)

    start = instance["start"]
    memories = [update(i, start) - v["R"] * r for i, r in enumerate(instance["residual"])]
    rounds = v | {"K": min(v["K"], instance["rounds run"])}
    found = norm_ec(rounds, update, mean, memories, start, v["eta"])[0]
    bound = 3 * v["f_gap"] / (v["eta"] * (v["K"] + 1)) + 2 * v["R"] + v["eta"] * L / 2
    bound += gamma * 8 * L * math.sqrt(2 * L * v["Delta"]) if T > 1 else 0.0
    assert found / bound == pytest.approx(ratio, rel=CLOSE)


class FedAvg:
    """DP-NormFedAvg's Algorithm 1 without noise on Huber functions, every sequence of draws one after the other."""

    def __init__(self, instance: dict, v: dict, normalise: bool) -> None:
        self.instance, self.v, self.normalise, self.n = instance, v, normalise, instance["clients"]
        self.sums: dict[str, float] = {}
        self.visit(0, instance["start"], 1.0)

    def curve(self, i: int, w: float) -> tuple[float, float]:
        """f_i − min f_i and f_i' at w."""
        a, s, c = (self.instance[name][i] for name in ("curvature", "slope", "centre"))
        t = abs(w - c)
        return (
            (a * t * t / 2, a * (w - c)) if a * t <= s else (s * t - s * s / (2 * a), math.copysign(s, w - c))
        )

    def visit(self, k: int, w: float, chance: float) -> None:
        """Rounds k, k + 1, … from w_k = w; adds up what the theorems take the mean of, over k̃ too."""
        v, E = self.v, self.instance["E"]
        updates = []
        for i in range(self.n):
            y = w
            for _ in range(E):
                y -= v["eta"] * self.curve(i, y)[1]
            u = (w - y) / v["eta"]
            updates.append(u)
            Delta = self.curve(i, self.instance["start"] - math.copysign(v["distance"], self.side))[0]
            gap, z = self.curve(i, w)[0] - Delta, v["C"] / abs(u)
            kept = abs(u) <= v["C"]
            cut = 0.0 if kept else 3 * v["C_hat"] * abs(u) / (8 * v["L"] * E)
            for name, value in {"gap": gap, "z gap": z * gap, "z Delta": z * Delta, "kept gap": kept * gap,
                                "kept z gap": kept * z * gap, "kept Delta": kept * Delta, "kept": kept,
                                "kept z Delta": kept * z * Delta, "cut": cut}.items():  # fmt: skip
                self.sums[name] = self.sums.get(name, 0.0) + chance / v["K"] / self.n * value
        if k == v["K"] - 1:
            return
        q = v["r"] / self.n
        for drawn in itertools.product((0, 1), repeat=self.n):
            p = math.prod(q if d else 1 - q for d in drawn)
            shaped = [u * (v["C"] / abs(u) if self.normalise else min(1.0, v["C"] / abs(u))) for u in updates]
            if p > 0:
                step = sum(d * s for d, s in zip(drawn, shaped, strict=True)) / v["r"]
                self.visit(k + 1, w - v["eta"] * step, chance * p)

    @property
    def side(self) -> float:
        """The side of the minimiser on which w₀ lies: there f' has that sign."""
        return sum(self.curve(i, self.instance["start"])[1] for i in range(self.n))


def first_term(v):
    return v["C_hat"] * (v["L"] * v["distance"] ** 2 / v["gamma"] + v["gamma"] / v["L"]) * v["rho"]


def das4a(v, m):
    x = v["rho"] * v["E"] / v["alpha"]
    return (2 - x - x * x) * m["gap"], first_term(v) + 3 * v["E"] / (2 * v["alpha"]) * v["Delta"] * v["rho"]


def das4b(v, m):
    x = v["rho"] * v["E"] / v["alpha"]
    heterogeneity = v["E"] / v["alpha"] * (v["G"] ** 2 / (2 * v["L"]) + m["z Delta"] * x) * v["rho"]
    return (2 - x * x) * m["z gap"], first_term(v) + heterogeneity


def das6(v, m):
    x = 2 * v["gamma"] / (v["C_hat"] * v["K"] * v["rho"])
    return (2 - x - x * x) * m["kept gap"] + m["cut"], first_term(v) + x * (1 + x) * m["kept Delta"]


def das7(v, m):
    x = 2 * v["gamma"] / (v["C_hat"] * v["K"] * v["rho"])
    heterogeneity = (
        v["gamma"] * v["C_hat"] / (v["L"] * v["K"] * v["rho"]) * m["kept"] + x * x * m["kept z Delta"]
    )
    return (2 - x * x) * m["kept z gap"] + m["cut"], first_term(v) + heterogeneity


DAS = {"DAS-T4a": das4a, "DAS-T4b": das4b, "DAS-T6": das6, "DAS-T7": das7}


@pytest.mark.unchecked
@pytest.mark.parametrize("name", DAS)
def test_dp_normfedavg(name):
    instance, v, ratio = reported(attack_convex, CONVEX[name], 2000)
    measured, bound = DAS[name](v, FedAvg(instance, v, name in ("DAS-T4b", "DAS-T7")).sums)
    assert measured / bound == pytest.approx(ratio, rel=CLOSE), f"{name}, {instance['law']}, K = {v['K']:g}"
