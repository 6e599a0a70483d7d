"""Theorem 3 at q = 1 towards whoever sees the sums: clients add the noise, and what is said of other q is the accountant's."""

from __future__ import annotations

import math
import re

import pytest

from bounds.privacy import Enclosure, Neighbours, Setting, epsilon
from bounds.privacy.printed import theorem3_variance
from verify.catalogue import claim
from verify.privacy import tables

ROUNDS, CLIENTS, SENDERS = 500, 3000, 600


def had(neighbours: Neighbours, q: float, wanted: float = 5.0, trust: str = "sum") -> Enclosure:
    """The ε at δ = 1e-5 of Appendix G's FMNIST runs; for `server-noise` the mean number of noises is in every sum."""
    of_each = math.sqrt(SENDERS * theorem3_variance(q, ROUNDS, 1.0, CLIENTS, wanted, 1e-5))
    sigma = of_each * math.sqrt(SENDERS) if trust == "server-noise" else of_each
    setting = Setting(trust, neighbours, ROUNDS, SENDERS / CLIENTS, CLIENTS)  # pyright: ignore[reportArgumentType]
    return epsilon(setting, sigma, 1e-5)


@pytest.mark.parametrize("neighbours", tables.NEIGHBOURS)
@pytest.mark.parametrize("wanted", [5.0, 2.0])
def test_a_sum_carries_the_noise_of_those_who_send(neighbours: Neighbours, wanted: float) -> None:
    cells = {
        row["seen"]: row[f"true ε, {neighbours}"]
        for row in tables.theorem3()
        if row["printed ε"] == f"{wanted:g}"
    }
    assert list(cells) == [
        f"{what}, noise √r σ of each" for what in ("sum", "sum and participants", "messages")
    ]
    assert cells["sum, noise √r σ of each"] == str(had(neighbours, 1.0, wanted))
    ends = [[float(end) for end in re.findall(r"[\d.]+", cell)] for cell in cells.values()]
    assert ends[0][0] < ends[1][0] < ends[2][0], "who sees more, sees more"
    assert ends[0][-1] <= ends[1][-1] < ends[2][-1]


def test_one_noise_of_fixed_variance_is_another_mechanism() -> None:
    assert had("replace-one", 1.0, trust="server-noise").upper < had("replace-one", 1.0).lower


@pytest.mark.slow
@pytest.mark.parametrize(("neighbours", "q"), [("add-remove", 1.55), ("replace-one", 6.8)])
def test_which_q_is_enough_towards_the_sums(neighbours: Neighbours, q: float) -> None:
    """DAS-EXP-DP@datasets: what is not enough, what is, and that between them the accountant does not say."""
    assert had(neighbours, q).lower > 5 >= had(neighbours, q + 0.1).lower
    assert had(neighbours, 8.1).upper > 5 >= had(neighbours, 8.2).upper
    repair = claim("DAS-EXP-DP@datasets").repair
    assert repair is not None
    assert "1.55 and 6.8 are not either, 8.2 is for both" in repair.weakest
