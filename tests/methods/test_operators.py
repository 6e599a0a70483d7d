"""Properties that define the operators, on any vectors, in every array library.

Lengths run over [1e-100, 1e100], where squares neither overflow nor vanish. `ULPS` bounds the rounding of a
norm of d ≤ 8 entries (d products, d − 1 sums, one root, each half an ulp) and of the few operations around
it.
"""

from __future__ import annotations

import math
import re
from dataclasses import is_dataclass

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from methods import operators
from methods.arrays import binade, norms
from methods.operators import Clip, FixedNorm, Identity, Operator, Scaling, SmoothedNorm, TopK, factors

EPS = np.finfo(np.float64).eps
ULPS = 16 * EPS

entries = st.floats(1e-100, 1e100) | st.floats(-1e100, -1e-100) | st.just(0.0) | st.integers(-3, 3).map(float)
vectors = st.lists(entries, min_size=1, max_size=8).map(lambda values: np.array(values, dtype=np.float64))
lengths = st.floats(1e-50, 1e50)


def norm(x: np.ndarray) -> float:
    """An independent norm: `math.hypot` scales, so that nothing overflows."""
    return math.hypot(*x.tolist())


def apply(operator: Operator, x: np.ndarray, xp=np) -> np.ndarray:
    return np.asarray(operator(xp.asarray(x, dtype=xp.float64)))


@given(g=vectors, tau=lengths)
def test_clip_is_the_identity_inside_the_ball_and_lands_on_the_sphere_outside(g, tau):
    clipped = apply(Clip(tau), g)
    if norm(g) <= tau * (1 - ULPS):
        assert np.array_equal(clipped, g)
    else:
        assert norm(clipped) == pytest.approx(min(tau, norm(g)), rel=ULPS)


@given(g=vectors, tau=lengths)
def test_clip_is_the_projection_onto_the_ball(g, tau):
    """‖g − Clip(g)‖ = max(0, ‖g‖ − τ), and no point of the ball is closer."""
    distance = norm(g - apply(Clip(tau), g))
    assert distance == pytest.approx(max(0.0, norm(g) - tau), rel=ULPS, abs=ULPS * norm(g))


@given(g=vectors, alpha=st.just(0.0) | lengths)
def test_smoothed_normalisation_has_length_norm_over_alpha_plus_norm(g, alpha):
    assume(norm(g) > 0)
    assert norm(apply(SmoothedNorm(alpha), g)) == pytest.approx(norm(g) / (alpha + norm(g)), rel=ULPS)


@given(g=vectors, alpha=st.just(0.0) | lengths, factor=st.floats(1e-3, 1e3))
def test_smoothed_normalisation_scales_with_its_alpha(g, alpha, factor):
    """Norm_{cα}(cg) = Norm_α(g): α is a gradient length, not a pure number."""
    scaled = apply(SmoothedNorm(factor * alpha), factor * g)
    assert scaled == pytest.approx(apply(SmoothedNorm(alpha), g), rel=ULPS, abs=0)


@given(g=vectors, alpha=lengths, beta=lengths)
def test_distance_identity_of_lemma_1(g, alpha, beta):
    """‖g − β Norm_α(g)‖ = |1 − β/(α + ‖g‖)| ‖g‖: eq. (8) of α-NormEC, the absolute value included."""
    shaped = apply(SmoothedNorm(alpha), g)
    rounding = ULPS * (norm(g) + beta * norm(shaped))
    expected = abs(1 - beta / (alpha + norm(g))) * norm(g)
    assert norm(g - beta * shaped) == pytest.approx(expected, rel=0, abs=rounding + 5e-324)


@given(g=vectors, c=lengths, factor=st.floats(1e-3, 1e3))
def test_fixed_norm_depends_on_the_direction_alone(g, c, factor):
    assume(norm(g) > 0)
    normalised = apply(FixedNorm(c), g)
    assert norm(normalised) == pytest.approx(c, rel=ULPS)
    assert apply(FixedNorm(c), factor * g) == pytest.approx(normalised, rel=ULPS, abs=0)


@given(g=vectors, c=lengths)
def test_fixed_norm_is_c_times_smoothed_normalisation_at_zero(g, c):
    assert apply(FixedNorm(c), g) == pytest.approx(c * apply(SmoothedNorm(0.0), g), rel=ULPS, abs=0)


@given(g=vectors, k=st.integers(1, 8))
def test_top_k_keeps_the_k_largest(g, k):
    assume(k <= len(g))
    kept = apply(TopK(k), g)
    changed = kept != g
    assert np.all(kept[changed] == 0)
    assert np.count_nonzero(changed) <= len(g) - k
    assert np.count_nonzero(kept) <= k
    if changed.any():
        assert np.abs(g[changed]).max() <= np.sort(np.abs(g))[-k]


@given(g=vectors, k=st.integers(1, 8))
def test_top_k_contracts(g, k):
    """‖g − Top-k(g)‖² ≤ (1 − k/d)‖g‖²: what EF21 asks of a compressor."""
    assume(k <= len(g))
    scale = max(np.abs(g).max(), 1e-300)
    rest, whole = (g - apply(TopK(k), g)) / scale, g / scale
    assert rest @ rest <= (1 - k / len(g)) * (whole @ whole) * (1 + ULPS)


def test_top_k_keeps_the_first_among_equals(xp):
    assert apply(TopK(2), np.array([1.0, -1.0, 1.0, -1.0]), xp).tolist() == [1.0, -1.0, 0.0, 0.0]


@pytest.mark.parametrize("operator", [SmoothedNorm(0.0), FixedNorm(2.0)], ids=repr)
def test_zero_over_zero_is_zero(operator, xp):
    """Also next to vectors that are not zero, and without a warning."""
    batch = np.array([[0.0, 0.0], [3.0, 4.0], [0.0, 0.0]])
    out = apply(operator, batch, xp)
    assert out[0].tolist() == [0.0, 0.0] == out[2].tolist()
    assert norm(out[1]) == pytest.approx(operator.sensitivity, rel=ULPS)


@given(g=vectors, tau=lengths, alpha=st.just(0.0) | lengths)
@pytest.mark.parametrize("make", [lambda t, a: Clip(t), lambda t, a: SmoothedNorm(a), lambda t, a:
FixedNorm(t)],
                         ids=["clip", "smoothed", "fixed"])  # fmt: skip
def test_sensitivity_bounds_the_length(g, tau, alpha, make):
    operator = make(tau, alpha)
    assert norm(apply(operator, g)) <= operator.sensitivity * (1 + ULPS)


@pytest.mark.parametrize(
    ("operator", "towards"),
    [(Clip(0.7), 1e9), (SmoothedNorm(0.3), 1e9), (FixedNorm(0.7), 1e-9)],
    ids=["clip", "smoothed", "fixed"],
)
def test_sensitivity_is_approached_so_it_is_not_only_an_upper_bound(operator, towards):
    assert norm(apply(operator, np.array([towards, 0.0]))) == pytest.approx(operator.sensitivity, rel=1e-8)


@pytest.mark.parametrize("operator", [Identity(), TopK(1)], ids=repr)
def test_unbounded_operators_say_so(operator):
    assert operator.sensitivity == math.inf
    assert norm(apply(operator, np.array([1e9, 0.0]))) == 1e9


@pytest.mark.parametrize(
    "operator", [Clip(0.5), SmoothedNorm(0.5), SmoothedNorm(0.0), FixedNorm(0.5), TopK(1)], ids=repr
)
def test_operator_does_something(operator):
    """Each differs from the identity on a vector longer than its threshold: a no-op would pass every bound on
    distance."""
    g = np.array([1.0, 2.0])
    assert not np.array_equal(apply(operator, g), g)


OPERATORS = [Identity(), Clip(0.7), SmoothedNorm(0.0), SmoothedNorm(0.3), FixedNorm(1.5), TopK(2)]


def test_every_operator_is_among_those_tried_in_every_library():
    known = {
        kind
        for kind in vars(operators).values()
        if isinstance(kind, type) and is_dataclass(kind) and kind.__module__ == operators.__name__
    }
    assert known == {type(operator) for operator in OPERATORS}


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_every_array_library_agrees_with_numpy(operator, xp):
    batch = np.random.default_rng(0).normal(size=(3, 4, 5))
    batch[0, 0] = 0.0
    assert apply(operator, batch, xp) == pytest.approx(apply(operator, batch), rel=ULPS, abs=0)


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_a_batch_is_its_vectors_one_by_one(operator):
    batch = np.random.default_rng(1).normal(size=(3, 4, 5))
    single = [[apply(operator, g) for g in row] for row in batch]
    assert np.array_equal(apply(operator, batch), np.array(single))


@pytest.mark.parametrize("operator", OPERATORS, ids=repr)
def test_the_factors_of_the_lengths_are_those_of_the_vectors(operator, xp):
    """What has lengths and no vectors uses the law that the vectors' own operator uses; Top-k has none."""
    assert isinstance(operator, Scaling) == (not isinstance(operator, TopK))
    if isinstance(operator, Scaling):
        batch = np.random.default_rng(3).normal(size=(3, 4, 5)) * np.logspace(-2, 2, 4)[:, None]
        batch[0, 0] = 0.0
        lengths = np.linalg.norm(batch, axis=-1)
        found = np.asarray(factors(operator, xp.asarray(lengths, dtype=xp.float64)))
        assert found[..., None] * batch == pytest.approx(apply(operator, batch, xp), rel=ULPS, abs=0)
        assert found[0, 0] == 0
        assert np.isnan(found).sum() == 0
        spoilt = factors(operator, xp.asarray([math.nan, 1.0], dtype=xp.float64))
        assert bool(xp.isnan(spoilt[0])) == (not isinstance(operator, Identity))


@pytest.mark.parametrize("make", [Clip, SmoothedNorm, FixedNorm], ids=lambda c: c.__name__)
def test_a_vector_is_scaled_by_the_factor_of_its_length_and_no_other_way(make, monkeypatch):
    """One law: whatever `scaled` says is what the operator does."""
    operator = make(0.5)
    g = np.array([[3.0, 4.0]])
    assert np.array_equal(operator(g), operator.scaled(g, norms(g)))
    monkeypatch.setattr(make, "scaled", lambda self, x, length: length * x)
    assert operator(g).tolist() == [[15.0, 20.0]]
    assert factors(operator, np.array([5.0])).tolist() == [5.0]


@pytest.mark.parametrize("make", [Clip, SmoothedNorm, FixedNorm], ids=lambda c: c.__name__)
def test_a_parameter_for_each_run(make, xp):
    """A parameter of shape (runs,) meets (runs, clients, d) at the leading axis."""
    values = np.array([0.5, 1.0, 2.0])
    batch = np.random.default_rng(2).normal(size=(3, 3, 3))
    together = apply(make(xp.asarray(values, dtype=xp.float64)), batch, xp)
    alone = np.stack([apply(make(float(v)), g) for v, g in zip(values, batch, strict=True)])
    assert together == pytest.approx(alone, rel=ULPS, abs=0)


@pytest.mark.parametrize(
    ("make", "bad", "message"),
    [
        (Clip, 0.0, r"τ = 0.0 must be finite and > 0"),
        (Clip, float("nan"), r"τ = nan must be finite and > 0"),
        (SmoothedNorm, -0.1, r"α = -0.1 must be finite and >= 0"),
        (FixedNorm, float("inf"), r"C = inf must be finite and > 0"),
        (FixedNorm, "1", r"C = '1' must be an int or a float"),
        (TopK, 0, r"k = 0 must be an integer >= 1"),
        (Clip, np.array([1.0, -2.0]), r"τ has an entry -2.0; every entry must be finite and > 0"),
        (Clip, np.True_, "τ has dtype bool; every entry must be an integer or a float, finite and > 0"),
        (Clip, np.array([True]), "τ has dtype bool"),
        (SmoothedNorm, np.array([1 + 1j]), "α has dtype complex128"),
        (FixedNorm, np.array(["a"]), "C has dtype <U1"),
        (Clip, np.array([1.0], dtype=object), "τ has dtype object"),
        (Clip, np.array([]), r"τ has no entry, its shape is \(0,\); give a number, finite and > 0"),
    ],
)
def test_bad_parameters_get_one_clear_error(make, bad, message):
    with pytest.raises((ValueError, TypeError), match=message):
        make(bad)


@pytest.mark.unchecked
@pytest.mark.parametrize(
    "operator", [Clip(1.0), SmoothedNorm(1.0), FixedNorm(1.0), FixedNorm(300), TopK(1)], ids=repr
)
@pytest.mark.parametrize(
    "entries",
    [np.array([16, 0], np.uint8), np.array([2**32, 0]), np.array([50000, 0], np.int32), np.array([True, False]),
     np.array([1j, 0]), np.array([0, 200], np.uint8)],
    ids=lambda a: f"{a.dtype}-{a.max()}",
)  # fmt: skip
def test_what_is_no_real_float_is_refused_in_every_library(operator, entries, xp):
    """The square of 16 is 0 in uint8, so that Clip(1) returned what was 16 long; and −200 is 56."""
    with pytest.raises(ValueError, match=r"the vector has dtype .*; give it a real floating one"):
        operator(xp.asarray(entries))


@pytest.mark.unchecked
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("operator", [Clip(1.0), SmoothedNorm(1.0), FixedNorm(1.0), TopK(1)], ids=repr)
def test_floats_of_every_precision_keep_theirs(operator, dtype, xp):
    kind = getattr(xp, dtype)
    assert operator(xp.asarray([16.0, 0.0], dtype=kind)).dtype == kind


@pytest.mark.unchecked
@pytest.mark.filterwarnings("ignore:Dynamo detected a call to a `functools.lru_cache`")
@pytest.mark.parametrize("operator", [Clip(1.0), SmoothedNorm(1.0), FixedNorm(1.0), TopK(1)], ids=repr)
def test_an_operator_is_one_graph(operator):
    """What looks at a dtype looks at no value: a compiler would break the graph there."""
    torch = pytest.importorskip("torch")
    x = torch.tensor([[3.0, 4.0], [0.0, 0.1]], dtype=torch.float64)
    compiled = torch.compile(lambda v: operator(v), fullgraph=True, backend="eager")
    assert torch.equal(compiled(x), operator(x))


def test_top_k_of_a_short_vector_says_what_k_may_be():
    with pytest.raises(ValueError, match="k must be at most d"):
        TopK(3)(np.zeros(2))


@pytest.mark.parametrize("operator", OPERATORS[1:], ids=repr)
def test_what_is_no_number_is_passed_on(operator, xp):
    """A run that has diverged is not to look finite."""
    assert np.isnan(apply(operator, np.array([1.0, np.nan, 2.0]), xp)).any()


@pytest.mark.unchecked
@pytest.mark.parametrize("operator", OPERATORS[1:], ids=repr)
@pytest.mark.parametrize(
    ("what", "error", "told"),
    [(np.array(3.0), ValueError, r"shape \(\); give it one of"), ([3.0, 4.0], TypeError, "list")],
    ids=["no axis", "list"],
)
def test_what_is_no_vector_is_refused_by_every_operator(operator, what, error, told):
    with pytest.raises(error, match=told):
        operator(what)


@pytest.mark.unchecked
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(
    "make", [FixedNorm, lambda c: SmoothedNorm(0.0), SmoothedNorm, Clip], ids=["fixed", "0", "α", "clip"]
)
def test_sensitivity_bounds_the_length_where_squares_vanish(make, dtype, xp):
    """The square of half an entry is rounded to 0 and that of one entry is not: the sum of the squares misses nearly all."""
    kind = getattr(xp, dtype)
    least = float(xp.finfo(kind).smallest_normal * xp.finfo(kind).eps) ** 0.5
    d = 10_000
    for scale in (0.7, 1.0, 1.3, 100.0, 1e6):
        x = xp.full((d,), 0.5 * scale * least, dtype=kind)
        x[0] = scale * least
        operator = make(least) if make is not FixedNorm else make(1.0)
        assert norm(np.asarray(operator(x), dtype=float)) <= operator.sensitivity * (1 + 1e-4)


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_sensitivity_bounds_the_length_where_a_processor_drops_small_squares(dtype, xp):
    """Numbers below the smallest normal one are 0 there, as each of the d squares is here."""
    torch = pytest.importorskip("torch")
    kind, d = getattr(xp, dtype), 10_000
    x = xp.full((d,), 0.9 * float(xp.finfo(kind).smallest_normal) ** 0.5, dtype=kind)
    if not torch.set_flush_denormal(True):
        pytest.skip("this processor keeps them")
    try:
        sent = FixedNorm(1.0)(x)
    finally:
        torch.set_flush_denormal(False)
    assert norm(np.asarray(sent, dtype=float)) <= 1.0


@pytest.mark.unchecked
@pytest.mark.parametrize("scale", [1e-7, 3e-4, 0.03, 100.0])
def test_half_precision_is_squared_in_a_longer_type(scale):
    x = np.full(1000, scale, dtype=np.float16)
    assert FixedNorm(1.0)(x).dtype == np.float16
    assert norm(FixedNorm(1.0)(x).astype(float)) <= 1.002
    if scale > 1e-5:
        assert norm(FixedNorm(1.0)(x).astype(float)) == pytest.approx(1, rel=2e-3)


@pytest.mark.parametrize("make", [Clip, SmoothedNorm, FixedNorm], ids=lambda c: c.__name__)
@pytest.mark.parametrize(("value", "shown"), [(10**400, "10^400"), (10**5000, "10^5000"), (-(10**400), "-10^400")],
                         ids=["400", "5000", "negative"])  # fmt: skip
def test_an_integer_that_floats_do_not_hold_is_named(make, value, shown):
    with pytest.raises(
        ValueError, match=re.escape(f" = {shown} or so, more than floats hold, must be finite and >")
    ):
        make(value)


@pytest.mark.parametrize("make", [Clip, SmoothedNorm, FixedNorm], ids=lambda c: c.__name__)
def test_a_long_integer_is_the_float_that_it_is(make, xp):
    """torch takes no integer beyond 2⁶³ beside a tensor."""
    x = np.array([3.0, 4.0])
    assert np.array_equal(apply(make(10**20), x, xp), apply(make(1e20), x, xp))


EXTREMES = [1e-300, 1e-173, 1e-37, 1e-30, 3e-5, 1.0, 7.3, 3e4, 1e30, 3e38, 1e200, 1.7e308]


@pytest.mark.unchecked
@pytest.mark.parametrize("make", [Clip, FixedNorm], ids=lambda c: c.__name__)
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_no_constant_and_no_length_makes_a_message_longer_than_its_sensitivity(make, dtype):
    """A quotient τ/‖g‖ or a product c·g that leaves the floats on the way is no reason to be longer, or shorter."""
    least, most, eps = (float(getattr(np.finfo(dtype), name)) for name in ("smallest_normal", "max", "eps"))
    fits = [v for v in EXTREMES if least <= v <= most]
    short, long = (1e-4, 4e4) if dtype == "float16" else (1e3 * least**0.5, 0.5 * most**0.5)
    for c in fits:
        for size in [v for v in [*fits, short, long] if short <= v <= long]:
            x = np.array([[size, size, 0.0]], dtype=dtype)
            sent = norm(make(c)(x)[0].astype(float) / c)
            wanted = min(1.0, norm(x[0].astype(float)) / c) if make is Clip else 1.0
            assert sent == pytest.approx(wanted, rel=8 * eps, abs=0), (c, size)


@pytest.mark.unchecked
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_ordinary_message_has_the_digits_of_the_printed_formula(dtype):
    random, kind = np.random.default_rng(0), np.dtype(dtype).type
    for c in 10.0 ** random.uniform(-6, 6, 200):
        x = (random.standard_normal((20, 7)) * 10.0 ** random.uniform(-6, 6, (20, 1))).astype(kind)
        length, bound = norms(x), kind(c)
        assert np.array_equal(FixedNorm(c)(x), x * bound / length)
        assert np.array_equal(Clip(c)(x), x * (bound / np.maximum(length, bound)))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_an_exponent_is_taken_out_of_arrays_as_of_numbers(dtype, xp):
    kind = getattr(xp, dtype)
    limits = np.finfo(dtype)
    exponents = range(int(np.log2(limits.smallest_normal)), int(np.log2(limits.max)))
    for values in ([2.0**e for e in exponents], [1.5 * 2.0**e for e in exponents]):
        found = binade(xp.asarray(values, dtype=kind))
        assert np.asarray(found).tolist() == [binade(v) for v in values] == [2.0**e for e in exponents]
