"""Trials of what Theorems 6 and 7 of DP-NormFedAvg take of means over w_k̃ and over the clients.

A fact on every w_k̃ names one of them, as in `expectations`.
"""

from __future__ import annotations

from verify.textbook.convex import bent, minimiser, run
from verify.textbook.draws import Draws, Number, Vector, mp, norm, plus
from verify.textbook.expectations import chances
from verify.textbook.functions import Function
from verify.textbook.trial import Trial, Values


def _clients(draws: Draws, common: bool, d: int, L: Number) -> tuple[list[Function], Vector]:
    """Convex clients and a minimiser of their mean, of all of them if common."""
    n, centre = draws.whole(1, 3), draws.vector(d)
    fs = [bent(draws, d, L, centre if common else None) for _ in range(n)]
    return fs, centre if common else minimiser(fs)


def _visited(draws: Draws, fs: list[Function], d: int, length: float) -> list[Vector]:
    """Values of w_k̃, none of which is a minimiser of a client: every update is to have a direction."""
    found = []
    for _ in range(draws.whole(1, 4)):
        w = draws.vector(d, length)
        while any(norm(f.gradient(w)) == 0 for f in fs):
            w = plus(w, tuple(draws.positive(0.01, 1) for _ in range(d)))
        found.append(w)
    return found


def _two_sums(draws: Draws, common: bool, kept: bool) -> tuple[dict[str, Number], list[dict[str, Number]]]:
    """E, L, η; and by value of w_k̃ its probability and the sums over the clients of what Theorems 6 and 7 sum: f_i(w) − f_i(w*),
    the same times ĈE/‖u_i‖, and z_i of (34) and of (46), C = ĈE. kept: nothing is cut."""
    d, L, E = draws.whole(1, 2), draws.positive(0.1, 10), draws.whole(1, 3)
    eta = draws.positive(0.01, 0.7) / (L * E)
    fs, star = _clients(draws, common, d, L)
    places = _visited(draws, fs, d, 3)
    us = [[norm(run(f, w, eta, E)) for f in fs] for w in places]
    longest = max(max(lengths) for lengths in us)
    C = longest * (1 if kept else draws.positive(0.3, 3))
    x = eta * L * E
    outcomes = []
    for chance, w, sizes in zip(chances(draws, len(places)), places, us, strict=True):
        above = [f.value(w) - f.value(star) for f in fs]
        found = {"chance": chance, "n": mp.mpf(len(fs)), "plain": sum(above)}
        found["weighted"] = sum(C / size * gap for size, gap in zip(sizes, above, strict=True))
        for theorem in (6, 7):
            found[f"z{theorem}"] = mp.mpf(0)
            for size, gap in zip(sizes, above, strict=True):
                if size > C:
                    found[f"z{theorem}"] += 3 * C * size / (8 * L * E**2)
                elif theorem == 6:
                    found["z6"] += (2 - 2 * x - 4 * x**2) * gap
                else:
                    found["z7"] += (2 - 4 * x**2) * C / size * gap
        outcomes.append(found)
    return {"E": mp.mpf(E), "L": L, "eta": eta}, outcomes


def _over_all(outcomes: list[dict[str, Number]], name: str) -> Number:
    """The mean over w_k̃ of the mean over the clients."""
    return sum(found["chance"] * found[name] / found["n"] for found in outcomes)


def means_of_six(draws: Draws) -> Values:
    """Theorem 6, where nothing is cut and where something may be: the w_k̃ is named at which Σ z_i differs most from
    (2 − 2ηLE − 4η²L²E²) Σ (f_i(w) − f_i(w*))."""
    found, outcomes = _two_sums(draws, common=draws.chance(0.3), kept=draws.chance(0.7))
    x = found["eta"] * found["L"] * found["E"]
    worst = max(outcomes, key=lambda at: abs(at["z6"] - (2 - 2 * x - 4 * x**2) * at["plain"]))
    return {
        **found, "SZ": worst["z6"], "SF": worst["plain"], "average": _over_all(outcomes, "z6"),
        "mean_gap": _over_all(outcomes, "plain"),
    }  # fmt: skip


def means_of_seven(draws: Draws) -> Values:
    """The same for Theorem 7, (2 − 4η²L²E²) and the weights ĈE/‖u_i‖."""
    found, outcomes = _two_sums(draws, common=draws.chance(0.3), kept=draws.chance(0.7))
    x = found["eta"] * found["L"] * found["E"]
    worst = max(outcomes, key=lambda at: abs(at["z7"] - (2 - 4 * x**2) * at["weighted"]))
    return {
        **found, "SZ": worst["z7"], "SzF": worst["weighted"], "average": _over_all(outcomes, "z7"),
        "mean_z_gap": _over_all(outcomes, "weighted"),
    }  # fmt: skip


def common_minimiser(draws: Draws) -> Values:
    """The weights of Theorem 7 where w* minimises every f_i and nothing is cut, ηLE ≤ 1/√2."""
    _, outcomes = _two_sums(draws, common=True, kept=True)
    at = outcomes[0]
    return {
        "SF": at["plain"], "SzF": at["weighted"],
        "mean_gap": _over_all(outcomes, "plain"), "mean_z_gap": _over_all(outcomes, "weighted"),
    }  # fmt: skip


def disagreeing(draws: Draws) -> Values:
    """z_iF_i ≥ F_i − (z_i − 1)Δ_i*, for z_i ≥ 1 and F_i ≥ −Δ_i*, often with equality; ηLE ≤ 1/√2. The outcome is named where
    the sum over the clients of the difference is least."""
    E, L, n = draws.whole(1, 3), draws.positive(0.1, 10), draws.whole(1, 3)
    eta = draws.positive(0.01, 0.7) / (L * E)
    factor, outcomes = 2 - 4 * (eta * L * E) ** 2, []
    for chance in chances(draws, draws.whole(1, 4)):
        found = {"chance": chance, "n": mp.mpf(n), "z": mp.mpf(0), "plain": mp.mpf(0), "more": mp.mpf(0)}
        for _ in range(n):
            Delta, z = draws.number(0, 1) * draws.positive(), 1 + draws.number(0, 1) * draws.positive()
            F = -Delta + (mp.mpf(0) if draws.chance(0.7) else draws.positive())
            found["z"] += factor * z * F
            found["plain"] += F
            found["more"] += (z - 1) * Delta
        outcomes.append(found)
    worst = min(outcomes, key=lambda at: at["z"] - factor * (at["plain"] - at["more"]))
    return {
        "E": mp.mpf(E), "L": L, "eta": eta, "SZ": worst["z"], "SF": worst["plain"], "S(z-1)Delta": worst["more"],
        "average": _over_all(outcomes, "z"), "mean_gap": _over_all(outcomes, "plain"),
        "mean_(z-1)Delta": _over_all(outcomes, "more"),
    }  # fmt: skip


TRIALS = (
    Trial("means and expectations are linear", means_of_six),
    Trial("means and expectations are linear", means_of_seven),
    Trial("means and expectations are monotone", common_minimiser),
    Trial("means and expectations are monotone", disagreeing),
)
