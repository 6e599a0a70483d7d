"""FedAvg with clipping on a convex quadratic: where it goes is not the optimum (Sections 1 and 3, Appendix D.1). Model clipping may
mean that the update of the model is clipped, as Section 3 defines the method, or the model that a client sends."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.computation import Comparison, Computation
from verify.curves import Quadratic
from verify.facts import definition, equal, letters
from verify.fed_alpha_normec.letters import claim
from verify.obligation import obligation
from verify.proof import Proof

CENTRES, OPTIMUM = (0, 0, 9), Fraction(3)
CLIENTS = [Quadratic(Fraction(1), Fraction(c)) for c in CENTRES]
STEP, BOUND = Fraction(1, 2), Fraction(1)


def fedavg(x: Fraction, bound: Fraction, server: Fraction = Fraction(1)) -> Fraction:
    """One round with every client: x − (η/M) Σ clip(x − T_i(x)), T_i(x) = x − γ∇f_i(x), no noise."""
    moves = [STEP * f.gradient(x) for f in CLIENTS]
    return x - server * sum((max(-bound, min(bound, move)) for move in moves), Fraction(0)) / len(CLIENTS)


def slope(x: Fraction) -> Fraction:
    return sum((f.gradient(x) for f in CLIENTS), Fraction(0)) / len(CLIENTS)


model, sent = letters("x_local clip(x_local)")
_OF_ANY = definition("a model clipped at 1", equal(sent, sympy.Max(-1, sympy.Min(1, model))))
MODELS = obligation(
    "a clipped model is 8 or more from 9, whatever was clipped", (_OF_ANY,), sympy.Abs(sent - 9) >= 8
)


def clipped_model(x: Fraction) -> Fraction:
    """One round with one client ½(x − 9)², γ = 1/2, whose local model is clipped at 1 and is the next global one."""
    local = x - STEP * Quadratic(Fraction(1), Fraction(9)).gradient(x)
    return max(-BOUND, min(BOUND, local))


place, later = letters("x x⁺")
ROUND = definition(
    "x⁺ = x − (1/3)(2 clip(x/2) + clip((x − 9)/2)), clip(y) being y cut to [−1, 1]",
    equal(
        later,
        place
        - sum((sympy.Max(-1, sympy.Min(1, (place - c) / 2)) for c in CENTRES), sympy.S.Zero) / len(CENTRES),
    ),
)
TO_ONE = obligation(
    "from 1 ≤ x ≤ 3 one round leads to 1 ≤ x⁺ ≤ 1 + (5/6)(x − 1): from every such start x goes to 1",
    (ROUND,),
    sympy.Implies((place >= 1) & (place <= OPTIMUM), (later >= 1) & (6 * (later - 1) <= 5 * (place - 1))),
)


def _distance(start: Fraction) -> Fraction:
    """How far from x = 1 a hundred rounds from `start` end."""
    x = start
    for _ in range(100):
        x = fedavg(x, BOUND)
    return abs(x - 1)


CLAIMS = (
    claim(
        "FED-S3-CLIP",
        "Section 3; the same in Section 1 and Appendix D.1",
        "prose",
        "FedAvg with model clipping fails to converge to the global optimum when solving a convex quadratic problem.",
        "There is such a problem, which is what is shown here. Where updates are clipped: on ½x², ½x² and ½(x − 9)² with γ = 1/2 and "
        "bound 1 it stays at x = 1, and goes there from all of [1, 3], 3 being the optimum. Where the models themselves are clipped "
        "at 1: on ½(x − 9)² every model lies in [−1, 1], 8 or more from the optimum.",
        proof=Proof(
            (),
            (
                MODELS,
                Computation(
                    "models clipped: from the optimum x = 9 of ½(x − 9)² to x = 1, where its gradient is −8",
                    "enumeration",
                    lambda: Comparison(
                        clipped_model(Fraction(9)),
                        "==",
                        BOUND,
                        (("and there it stays", clipped_model(BOUND) == BOUND),),
                    ),
                ),
                Computation(
                    "f is least at x = 3",
                    "enumeration",
                    lambda: Comparison(slope(OPTIMUM), "==", Fraction(0)),
                ),
                Computation(
                    "x = 1 is a fixed point",
                    "enumeration",
                    lambda: Comparison(fedavg(Fraction(1), BOUND), "==", Fraction(1)),
                ),
                Computation(
                    "the gradient there is not 0",
                    "enumeration",
                    lambda: Comparison(slope(Fraction(1)), "==", Fraction(-2)),
                ),
                Computation(
                    "100 rounds from the optimum end at x = 1, to 1e-6",
                    "enumeration",
                    lambda: Comparison(_distance(Fraction(3)), "<", Fraction(1, 10**6)),
                ),
                Computation(
                    "control: unclipped it stays at the optimum",
                    "enumeration",
                    lambda: Comparison(fedavg(Fraction(3), Fraction(100)), "==", Fraction(3)),
                ),
                TO_ONE,
            ),
        ),
    ),
)
