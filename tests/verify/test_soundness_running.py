"""What an induction runs through is another number in each step: false statements that an engine accepts which forgets after how
many steps a letter is what it is."""

import pytest
import sympy
from sympy import Eq

from attacks import claim, refused
from bounds.alpha_normec.symbols import SYMBOLS
from verify.case import Case
from verify.citation import Cite
from verify.facts import Fact, definition, derived, hypothesis
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.verdict import establish

x, y, v, k, m, t = sympy.symbols("x y v k m t", real=True)
R, GAMMA, K, N = (SYMBOLS[name].sympy() for name in ("R", "gamma", "K", "n"))
ZERO, ONE, TWO = map(sympy.Integer, range(3))
ROOM, ROUNDS, CLIENTS = hypothesis("R ≥ 0", R >= 0), hypothesis("K ≥ 0", K >= 0), hypothesis("n ≥ 1", N >= 1)
STEP = hypothesis("γ > 0", GAMMA > 0)


def run(invariant: Fact, start: dict, later: dict, *given: Fact, base: tuple[Fact, ...] = ()) -> Induction:
    first = Obligation("0", base, derived("0", invariant.at(start).relation))
    step = Obligation("k + 1", (invariant, *given), derived("k + 1", invariant.at(later).relation))
    return Induction(invariant.name, invariant, first, step, tuple(start.items()), tuple(later.items()))


TWICE = derived("x = 2k", Eq(x, 2 * k) & (k >= 0))
BY_TWOS = run(TWICE, {x: ZERO, k: ZERO}, {x: x + 2, k: k + 1})
SAME = obligation("k = K", (TWICE, TWICE.at({k: K})), Eq(k, K))
PAIRS = derived("k(k − 1) ≥ 0", (k * (k - 1) >= 0) & (k >= 0))
COUNTED = run(PAIRS, {k: ZERO}, {k: k + 1})
MOST = derived("k ≤ 1", k <= 1)


def test_a_sum_is_one_number_after_k_steps_and_another_after_all_of_them() -> None:
    every = obligation("n = K", (SAME.conclusion.at({k: N}), ROUNDS, CLIENTS), Eq(N, K))
    refused("takes x for what it is at k and at K", (ROUNDS, CLIENTS), BY_TWOS, SAME, every)


def test_it_is_so_by_way_of_another_step() -> None:
    last = obligation("x = 2K", (TWICE.at({k: K}),), Eq(x, 2 * K))
    use = obligation("k = K", (TWICE, last.conclusion), Eq(k, K))
    refused("takes x for what it is at k and at K", (ROUNDS,), BY_TWOS, last, use)


def test_so_is_what_a_definition_makes_of_it() -> None:
    doubled = obligation("y = 2k", (TWICE, definition("y = x", Eq(y, x))), Eq(y, 2 * k))
    use = obligation("k = K", (doubled.conclusion, doubled.conclusion.at({k: K})), Eq(k, K))
    refused("takes y for what it is at k and at K", (ROUNDS,), BY_TWOS, doubled, use)


def test_so_is_what_stands_in_its_place() -> None:
    last = obligation("v = 2K", (TWICE.at({x: v, k: K}),), Eq(v, 2 * K))
    use = obligation("K = n", (TWICE.at({x: v, k: N}), last.conclusion), Eq(K, N))
    refused("takes v for what it is at n and at K", (ROUNDS, CLIENTS), BY_TWOS, last, use)


def test_so_is_what_is_cited() -> None:
    source = claim((), BY_TWOS)
    cited = Cite(source, (ROUNDS,), ((k, K),)), Cite(source, (CLIENTS,), ((k, N),))
    use = obligation("K = n", tuple(cite.conclusion for cite in cited), Eq(K, N))
    refused("takes x for what it is at K and at n", (ROUNDS, CLIENTS), *cited, use)


def test_one_of_two_counts_runs_beside_the_other() -> None:
    both = derived("x = k", Eq(x, k))
    counted = run(both, {x: ZERO, k: ZERO}, {x: x + 1, k: k + 1})
    refused(
        "takes n for what x runs through",
        (ROUNDS, CLIENTS),
        counted,
        obligation("K = n", (both.at({x: N, k: K}),), Eq(K, N)),
    )


def test_the_last_of_the_sums_is_no_number_of_the_paper() -> None:
    for given, why in (
        ((TWICE.at({x: R, k: K}),), "takes R for what x runs through"),
        ((TWICE.at({x: v, k: K}), definition("v = R", Eq(v, R))), "'v = R' says what v is"),
        ((TWICE.at({k: K}), definition("x = R", Eq(x, R))), "'x = R' says what x is"),
    ):
        refused(why, (ROOM, ROUNDS), BY_TWOS, obligation("R = 2K", given, Eq(R, 2 * K)))


def test_a_sum_may_have_a_name_of_its_own_at_the_end() -> None:
    last = obligation("v ≥ 2K", (TWICE.at({x: v, k: K}),), v >= 2 * K)
    mean = obligation(
        "y ≥ 2", (last.conclusion, definition("y = v/K", Eq(y * K, v)), hypothesis("K > 0", K > 0)), y >= 2
    )
    assert establish(claim((hypothesis("K > 0", K > 0),), BY_TWOS, last, mean)).verdict == "proved"


def test_what_runs_in_one_induction_does_not_rest_in_another() -> None:
    below = derived("2k ≤ x + 1", 2 * k <= x + 1)
    rests = run(below, {k: ZERO}, {k: k + 1}, TWICE, base=(TWICE,))
    refused("speaks of x, which is another number in each of its steps", (), BY_TWOS, rests)


def test_a_case_does_not_hold_of_all_that_a_letter_runs_through() -> None:
    """x = 1, −1, 1, …: where x = 1 t is 0 and not k."""
    case, more = hypothesis("x = 1", Eq(x, 1)), derived("t ≥ k", t >= k)
    runs = run(more, {x: ONE, t: ZERO, k: ZERO}, {x: -x, t: t + x, k: k + 1}, case)
    refused("'case' assumes 'x = 1' and runs through x", (), Case("case", case, (runs,)))


@pytest.mark.parametrize("letter", [k, x], ids=["the count", "a sum"])
def test_a_hypothesis_about_one_of_the_numbers_is_not_given_to_every_step(letter) -> None:
    short, invariant = hypothesis("at most 0", letter <= 0), derived("at most 2", letter <= 2)
    runs = run(invariant, {letter: ZERO}, {letter: letter + 2 if letter == x else k + 1}, short)
    refused("is given 'at most 0', which need not hold in every step", (short,), runs)


def test_a_sign_that_is_lost_is_not_given_to_every_step() -> None:
    down = derived("x = −k", Eq(x, -k) & (k >= 0))
    falls = run(down, {x: ZERO, k: ZERO}, {x: x - 1, k: k + 1})
    still = run(MOST, {k: ZERO}, {k: k + 1}, down, definition("x ≥ 0", x >= 0))
    use = obligation("K ≤ 1", (MOST.at({k: K}), ROUNDS), K <= 1)
    refused(
        "is given 'x ≥ 0', which need not hold in every step: not one step later",
        (ROUNDS,),
        falls,
        still,
        use,
    )


def test_nor_is_one_that_is_not_there_at_the_start() -> None:
    low, product = hypothesis("y ≥ −5", y >= -5), derived("xk ≥ 0", (x * k >= 0) & (k >= 0))
    runs = run(product, {x: y, k: ZERO}, {x: x + 1, k: k + 1}, definition("x ≥ 0", x >= 0))
    use = obligation("y ≥ −1", (product.at({x: y + 1, k: ONE}), low), y >= -1)
    refused("is given 'x ≥ 0', which need not hold in every step: not at the start", (low,), runs, use)


def test_a_count_from_1_does_not_end_at_0() -> None:
    some = derived("k ≥ 1", k >= 1)
    counted = run(some, {k: ONE}, {k: k + 1})
    refused(
        "'k ≤ K' is used as a definition",
        (ROUNDS,),
        counted,
        obligation("K ≥ 1", (some, definition("k ≤ K", k <= K)), K >= 1),
    )


def test_nor_does_one_end_at_what_runs_itself() -> None:
    """x = 0, 0, …, of which only the other induction knows."""
    none = derived("x = 0", Eq(x, 0))
    runs = run(none, {x: ZERO, k: ZERO}, {x: 2 * x, k: k + 1})
    short = run(MOST, {k: ZERO}, {k: k + 1}, none, definition("k ≤ x, x ≥ 0", (k <= x) & (x >= 0)))
    cited = Cite(claim((), runs, short), (ROUNDS,), ((k, K),))
    refused(
        "'k ≤ x, x ≥ 0' is used as a definition",
        (ROUNDS,),
        cited,
        obligation("K ≤ 1", (cited.conclusion,), K <= 1),
    )


@pytest.mark.parametrize(
    ("given", "why"),
    [
        (
            (PAIRS.at({k: m}), definition("m = γ", Eq(m, GAMMA))),
            "'m = γ' says m = gamma, which need not be 0, 1, …",
        ),
        ((PAIRS, definition("k − γ = 0", Eq(k - GAMMA, 0))), "'k − γ = 0' says what k is"),
    ],
    ids=["by way of another letter", "as a difference"],
)
def test_no_definition_makes_a_count_of_any_number(given: tuple[Fact, ...], why: str) -> None:
    refused(why, (STEP,), COUNTED, obligation("γ ≥ 1", (*given, STEP), GAMMA >= 1))


def test_what_is_shown_by_induction_is_no_hypothesis() -> None:
    """Of whose values nobody asks whether they are whole."""
    with pytest.raises(ValueError, match="is shown by induction and so derived"):
        run(hypothesis("k ≥ 0", k >= 0), {k: ZERO}, {k: k + 1})


EVENS = derived("x(x − 2) ≥ 0", (x * (x - 2) >= 0) & (x >= 0))
BY_EVENS = run(EVENS, {x: ZERO}, {x: x + 2})
DOWN = derived("x = −k", Eq(x, -k) & (k >= 0))
FALLS = run(DOWN, {x: ZERO, k: ZERO}, {x: x - 1, k: k + 1})


@pytest.mark.parametrize(
    ("runs", "given", "why"),
    [
        (BY_EVENS, (EVENS.at({x: m + GAMMA}), definition("m = 0", Eq(m, 0))), "'m = 0' says what m is"),
        (
            COUNTED,
            (PAIRS, definition("k + t = γ", Eq(k + t, GAMMA)), definition("t = 0", Eq(t, 0))),
            "'k + t = γ', 't = 0' says what k is",
        ),
        (
            COUNTED,
            (
                PAIRS.at({k: m}),
                definition("m² = t", (m >= 0) & Eq(m**2, t)),
                definition("t = γ", Eq(t, GAMMA)),
            ),
            "'m² = t', 't = γ' says what m is",
        ),
        (
            COUNTED,
            (PAIRS.at({k: m}), definition("m = t", Eq(m, t)), definition("t = γ", Eq(t, GAMMA))),
            "'t = γ' says t = gamma, which need not be 0, 1, …",
        ),
    ],
    ids=["a part of what stands in its place", "a part of it", "a root of it", "it under two names"],
)
def test_no_chain_of_definitions_makes_a_count_or_a_sum_of_any_number(
    runs: Induction, given: tuple[Fact, ...], why: str
) -> None:
    refused(why, (STEP,), runs, obligation("γ ≥ 1", (*given, STEP), GAMMA >= 1))


@pytest.mark.parametrize(
    ("ties", "why"),
    [
        (
            (definition("x ≥ 0", x >= 0),),
            "given 'x ≥ 0', which need not hold in every step: not one step later",
        ),
        ((definition("x = v²", Eq(x, v**2)),), "'x = v²' says what x is"),
    ],
    ids=["as a sign", "as a square"],
)
def test_what_falls_below_zero_is_not_said_to_stay_above(ties: tuple[Fact, ...], why: str) -> None:
    none = obligation("k ≤ 0", (DOWN, *ties), k <= 0)
    use = obligation("K ≤ 0", (none.conclusion.at({k: K}), ROUNDS), K <= 0)
    refused(why, (ROUNDS,), FALLS, none, use)


def test_nor_is_what_stands_in_its_place() -> None:
    given = (DOWN.at({x: v, k: K}), definition("v ≥ 0", v >= 0), ROUNDS)
    refused("given 'v ≥ 0', which need not hold", (ROUNDS,), FALLS, obligation("K ≤ 0", given, K <= 0))


def test_a_definition_of_two_letters_by_what_runs_is_one_of_its_time() -> None:
    """y + t is 2k and 2K where t is 0 or not."""
    both = obligation("y + t = 2k", (TWICE, definition("y + t = x", Eq(y + t, x))), Eq(y + t, 2 * k))
    use = obligation("k = K", (both.conclusion, both.conclusion.at({k: K})), Eq(k, K))
    refused("takes y for what it is at k and at K", (ROUNDS,), BY_TWOS, both, use)


def test_a_sum_of_what_is_not_negative_may_be_said_to_be_none() -> None:
    """‖u₁‖ + ‖u₂‖ + …, of norms ‖u_i‖ that each step brings."""
    least = derived("x ≥ k t", x >= k * t)
    long = definition("v ≥ t", Eq(v, t + y**2))
    sums = run(least, {x: ZERO, k: ZERO}, {x: x + v, k: k + 1}, long)
    use = obligation("x + 1 > 0", (definition("x ≥ 0", x >= 0),), x + 1 > 0)
    refused("given 'x ≥ 0', which need not hold in every step", (), sums, use)
    signs = run(least, {x: ZERO, k: ZERO}, {x: x + v, k: k + 1}, long, definition("v ≥ 0", v >= 0))
    assert establish(claim((), signs, use)).verdict == "proved"
