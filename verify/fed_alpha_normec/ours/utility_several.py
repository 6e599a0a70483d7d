"""What holds in the place of Corollaries 4 and 6: FED-R2-SHARP and FED-R3-SHARP with the noise of Corollary 2.

The error at the server is split as in `utility` into what absent clients and what noise leave; the local steps add their drift,
which falls with γ. η does not carry γ, so nothing ties γ to Δ^inf.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact
from verify.fed_alpha_normec.corollaries import utility as ut
from verify.fed_alpha_normec.lemmas.lemma1 import FROM_FEEDBACK
from verify.fed_alpha_normec.letters import (
    ALPHA,
    ETA,
    FEEDBACK,
    GAMMA,
    GAP,
    LOCAL_STEP,
    PARTICIPATION,
    RADIUS,
    ROUNDS,
    SMOOTH,
    Delta,
    Delta_local,
    F,
    L,
    beta,
    gamma,
)
from verify.fed_alpha_normec.ours import rising as ri
from verify.fed_alpha_normec.ours import rounds as ro
from verify.fed_alpha_normec.ours import several as se
from verify.obligation import obligation
from verify.proof import Node, Proof

_CHOSEN = (ALPHA, RADIUS, SMOOTH, ROUNDS, ut.SMALL, ut.SCHEDULE, ut.LENGTH)


def _with_drift(nodes: tuple[Node, ...], height: Fact, higher: Fact, drift: sympy.Expr) -> Proof:
    """The bound of FED-C2-EXPLICIT and a drift, from the nodes of a theorem without a condition on ηγ."""
    end = obligation(
        "utility, explicit, several local steps",
        (
            ALPHA, RADIUS, SMOOTH, GAMMA, ETA, ROUNDS, GAP, ut.SMALL, ut.LENGTH, height, nodes[-1].conclusion, ut.ERR.conclusion,
            ri.NOT_MORE.conclusion,
        ),
        ro.low <= ut.EXPLICIT + drift,
    )  # fmt: skip
    return Proof(
        (
            ALPHA, RADIUS, SMOOTH, GAMMA, LOCAL_STEP, PARTICIPATION, ut.SMALL, ut.SCHEDULE, ut.LENGTH, ut.ONCE, ut.NOISE_LEVEL,
            *ro.STARTED, higher,
        ),
        (
            obligation("β > 0", (ut.SCHEDULE,), beta > 0),
            obligation(ETA.name, (ALPHA, RADIUS, SMOOTH, ROUNDS, ut.SMALL, ut.LENGTH), ETA.relation),
            obligation(FEEDBACK.name, (ALPHA, RADIUS, ROUNDS, ut.SCHEDULE, ut.ONCE), FEEDBACK.relation),
            FROM_FEEDBACK,
            obligation(ro.STEP_SEVERAL.name, _CHOSEN, ro.STEP_SEVERAL.relation),
            *nodes,
            ut.TOTAL,
            ut.ERR,
            ri.NOT_MORE,
            end,
        ),
    )  # fmt: skip


GRADIENT = _with_drift(
    se.SHARP_GD_NODES,
    se.HEIGHT,
    se.HIGHER,
    L * gamma * sympy.sqrt(2 * L * (F + Delta)),
)
INCREMENTAL = _with_drift(
    se.SHARP_IG_NODES,
    se.HEIGHT_IG,
    se.HIGHER_IG,
    2 * L * gamma * sympy.sqrt(2 * L * (F + Delta + Delta_local)),
)
