"""δ of w_k̃: the witness by other means, where it shows nothing, and false neighbours of the argument."""

from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
import sympy
from scipy import stats

from verify.catalogue import claim
from verify.claim import Witness
from verify.facts import derived, equal, hypothesis
from verify.obligation import Settings
from verify.privacy import returned
from verify.proof import Proof
from verify.prove import prove

QUICK = Settings(minimise=False)


def witness(name: str) -> Witness:
    found = claim(name).witness
    assert found is not None
    return found


def test_the_event_by_the_laws_of_all_iterates() -> None:
    """Every k̃ by itself: a mean of normal tails at the shift and the noise of k̃ rounds, from σ as it is printed."""
    w = witness("DAS-T3")
    v = {name: float(value) for name, value in w.values.items()}
    K, n, C = 10**6, v["n"], 1.0
    sigma = np.sqrt(v["q"] * K * C**2 * np.log(1 / v["delta"])) / (n * v["epsilon"])
    k = np.arange(1, K)
    at = v["y"] * sigma * np.sqrt(K)
    first = stats.norm.sf((at - k * C / n) / (sigma * np.sqrt(k))).sum() / K
    other = v["epsilon"] + stats.norm.logsf(at / (sigma * np.sqrt(k))).max()
    had = float(w.replay(w.values).lhs)
    assert other < -20
    assert had < first < had + 0.01


@pytest.mark.parametrize("changed", [{"q": Fraction(10_000)}, {"y": Fraction(200)}, {"y": Fraction(700)}])
def test_where_the_event_shows_nothing(changed: dict[str, Fraction]) -> None:
    w = witness("DAS-T3")
    assert not replace(w, values={**w.values, **changed}).stands()[0]


@pytest.mark.parametrize(
    ("which", "goal"),
    [
        (returned.TOTAL, equal(returned.mu**2, 10 * returned.epsilon)),
        (returned.SEEN, 2 * returned.seen > 1),
        (returned.MISSED, 100 * returned.other <= 11),
    ],
)
def test_a_stronger_step_is_not_provable(which, goal) -> None:
    assert replace(which, goal=derived("false neighbour", goal)).discharge(QUICK).status != "proved"


def test_half_the_rounds_do_not_lead_far_enough_at_less_epsilon() -> None:
    less = hypothesis("μ² = 12 ε", equal(returned.mu**2, 12 * returned.epsilon))
    given = tuple(less if fact == returned.TOTAL.conclusion else fact for fact in returned.BEYOND.given)
    assert less in given
    assert replace(returned.BEYOND, given=given).discharge(QUICK).status != "proved"


@pytest.mark.parametrize(
    "point", [sympy.Eq(returned.epsilon, returned.q * returned.L / 50), returned.epsilon >= 6]
)
def test_without_its_point_the_argument_does_not_go_through(point) -> None:
    other = hypothesis("another ε", point & (returned.epsilon >= 6))
    nodes = tuple(
        replace(node, given=tuple(other if fact is returned.POINT else fact for fact in node.given))  # pyright: ignore
        if getattr(node, "given", ())
        else node
        for node in returned.NO_CONSTANT.nodes
    )
    assert prove(returned.NO_CONSTANT, QUICK).ok
    assert not prove(Proof((returned.POSITIVE, returned.NOISE, other, returned.ROUNDS), nodes), QUICK).ok


@pytest.mark.parametrize(("pulling", "above"), [(9, False), (0, True)])
def test_the_other_clients_must_not_pull_w_back(pulling: int, above: bool) -> None:
    """DAS-T3-NOCONST at n = 10, ε = 6 = 20 q ln(1/δ), K = 1000, E = C = η = β = 1: client 1 sends 1 or nothing, `pulling` others clip
    their ∇f_j(w) = w, the rest send nothing along e. By the laws of all w_k on a grid: the total variation distance, which no true δ
    exceeds, and for none that pulls the true δ itself."""
    n, K, epsilon = 10, 1000, 6.0
    sigma = np.sqrt(K * (epsilon / 20)) / (n * epsilon)
    grid = np.arange(-400, 401) * 0.02 if pulling else np.arange(-600, 201) * 0.2
    laws = []
    for sent in (1.0, 0.0):
        ends = grid - (sent + pulling * np.clip(grid, -1, 1)) / n
        steps = stats.norm.pdf((grid[:, None] - ends) / sigma)
        steps /= steps.sum(0)
        law, total = (grid == 0).astype(float), np.zeros_like(grid)
        for _ in range(K):
            total += law / K
            law = steps @ law
        laws.append(total)
    distance = np.abs(laws[0] - laws[1]).sum() / 2
    had = np.maximum(laws[0] - np.exp(epsilon) * laws[1], 0).sum()
    assert (had > 1 / 3) if above else (distance < 1 / 5)
    told = claim("DAS-T3-NOCONST")
    assert "while everybody else's are orthogonal to e" in told.printed
