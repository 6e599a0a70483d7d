"""Section 1 of α-NormEC on the privacy that a grid search costs, against how its own runs were chosen."""

from __future__ import annotations

from dataclasses import replace

from verify.claim import Claim
from verify.computation import Comparison, Computation
from verify.privacy import experiments
from verify.proof import Proof

BEST_OF_FOUR = {c.id: c for c in experiments.CLAIMS}["NEC-EXP-DP@sum-best-of-4"]


def _costs() -> Comparison:
    """The best of four runs, each of them (8, 10⁻⁵)-DP by itself, by a score that grows with its sums: its true δ at ε = 8 exceeds
    10⁻⁵."""
    witness = BEST_OF_FOUR.witness
    assert witness is not None
    return replace(witness.replay(witness.values), comparison=">")


SEARCH = Claim(
    "NEC-S1-SEARCH",
    experiments.NEC[0],
    "Section 1, against Section 6 and 6.2",
    "privacy",
    "Extensive grid search for the optimal clipping threshold is computationally expensive […] and leads to additional privacy "
    "loss [Section 6:] The convergence plots present results for tuned step size γ. [6.2:] We set the noise variance at β√(K "
    "log(1/δ)) ϵ⁻¹ for ϵ = 8, δ = 10⁻⁵. […] under the same DP guarantee (the same β)",
    "The private runs are the best of a grid over γ, and yet their guarantee is said to be the same where β is: it is that of one "
    "run. What Section 1 says of others holds here: where each of four runs is (8, 10⁻⁵)-DP, their best by a score that is a function "
    "of their sums can have a true δ above 0.01. (That a test accuracy can be such a score is not shown.)",
    conflict=Proof(
        (), (Computation("the best of four runs need not be (8, 10⁻⁵)-DP", "accounting", _costs),)
    ),
    consequence="What all runs together cost: NEC-EXP-DP@sum-best-of-4.",
)
CLAIMS = (SEARCH,)
