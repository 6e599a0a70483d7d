"""What holds where σ² is the variance of each of d coordinates: what is proved of E‖z‖² = σ², at E‖z‖² = dσ²."""

from __future__ import annotations

from typing import Any

import sympy

from verify.citation import Cite
from verify.claim import Claim
from verify.facts import Fact, definition, equal, hypothesis
from verify.fed_alpha_normec.lemmas import noise as no
from verify.fed_alpha_normec.letters import CLIENTS, GAP, ROUNDS, V, sigma
from verify.proof import Proof

DIMENSION = definition("d ≥ 1", no.d >= 1)
TOTAL = hypothesis("E‖z‖² = dσ²: σ² is the variance of each of d coordinates", equal(V, no.d * sigma**2))
LETTERS = (DIMENSION, no.SIGMA, CLIENTS, ROUNDS, GAP)
"""What steps take for granted of their letters."""
CONDITION = "dσ_DP² for σ_DP²"
"""What the repaired statement changes."""


def proof(shown: Claim, repaired: bool = False, granted: tuple[Fact, ...] = ()) -> Proof:
    """The claim, or its repair, with dσ² in the place of σ² = E‖z‖². granted: what it takes for granted of its letters beside
    `LETTERS`."""
    at: tuple[tuple[sympy.Symbol, Any], ...] = ((sigma, sympy.sqrt(no.d) * sigma),)
    cited = Cite(shown, (), at, repaired)
    asked = tuple(TOTAL if fact is no.TOTAL_READING else fact for fact in cited.proof.assumptions)
    return Proof(asked, (Cite(shown, (*asked, *LETTERS, *granted), at, repaired),))
