"""α-NormEC in fractions, which witnesses are replayed with, against the method in floating point: two implementations, nothing
shared."""

from fractions import Fraction

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from methods.algebra import advance, initialise
from methods.published import dp_alpha_normec
from methods.randomness import Keyed
from verify.curves import Quadratic
from verify.exact import alpha_normec

CLIENTS = (
    Quadratic(Fraction(1), Fraction(-1)),
    Quadratic(Fraction(1, 2)),
    Quadratic(Fraction(2), Fraction(1)),
)
ROUNDS = 4


@settings(max_examples=50)
@given(
    x=st.fractions(-3, 3, max_denominator=50),
    memories=st.lists(st.fractions(-3, 3, max_denominator=50), min_size=3, max_size=3),
    numbers=st.tuples(*[st.fractions("1/20", 2, max_denominator=20)] * 3),
    seed=st.integers(0, 1000),
)
def test_exact_run_agrees_with_methods(x, memories, numbers, seed) -> None:
    """Iterates, memories and the server's estimate over four rounds, with the noise that the method drew."""
    alpha, beta, gamma = numbers
    method = dp_alpha_normec(float(gamma), float(beta), float(alpha), std=0.5)
    held = np.array([[float(m)] for m in memories])
    state, drawn = initialise(method, np.array([float(x)]), 3, memories=held), []

    def gradients(points: np.ndarray) -> np.ndarray:
        centres, curvatures = (
            np.array([[float(getattr(f, part))] for f in CLIENTS]) for part in ("centre", "curvature")
        )
        return curvatures * (points - centres)

    states = [state]
    for _ in range(ROUNDS):
        state, record = advance(method, state, gradients, Keyed(seed))
        drawn.append([Fraction(float(z)) for z in np.asarray(record.noise)[:, 0]])
        states.append(state)
    run = alpha_normec(
        [f.gradient for f in CLIENTS], x, memories, alpha, beta, gamma, ROUNDS, lambda k, i: drawn[k][i]
    )
    assume(all(abs(g) > Fraction(1, 10**9) for g in run.server[1:]))  # its sign decides the step
    for k, state in enumerate(states):
        np.testing.assert_allclose(state.x, [float(run.x[k])], atol=1e-12, err_msg=f"x^{k}")
        np.testing.assert_allclose(
            np.asarray(state.memories)[:, 0],
            [float(g) for g in run.memories[k]],
            atol=1e-12,
            err_msg=f"g^{k}",
        )
        np.testing.assert_allclose(state.server_memory, [float(run.server[k])], atol=1e-12, err_msg=f"ĝ^{k}")
