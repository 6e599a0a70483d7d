"""Theorem 4 (a) and the second part of Theorem 6, where ηLE ≤ 1/4: clients may be drawn as rarely as 1/r − 1/n ≤ 17/12.

With x = ηLE, h = E ∇f_i(w*), M = f_i(w_k) − f_i* and W = LE²M, V = LE²Δ_i*, a client whose message is kept has

    A_h ≤ ηE(−2F + ⅔x²M) + η²(c‖u‖² − (1/x − 1)‖u − h‖²),   ‖u‖² ≤ 2W, ‖h‖² ≤ 2V.

Of c = 17/12 the part 1 + 5x/3 is paid by M, as much as the bound's factor has; the rest, (5/12)(1 − 4x), by ‖u − h‖² and by the
1 − 4x of Δ_i* that the bound's 3x has over the 2x + 4x² of (32).
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem6 as printed
from verify.dp_normfedavg import cut, rounds, sharper
from verify.dp_normfedavg.case import Case
from verify.dp_normfedavg.choices import ETA_SHOWN, QUARTER
from verify.dp_normfedavg.convexity import L9_U
from verify.dp_normfedavg.cut import EXCESS_STEP, FACT1_STAR, H_STAR
from verify.dp_normfedavg.harmonic import LEAST
from verify.dp_normfedavg.kept import FACTOR, S24
from verify.dp_normfedavg.letters import (
    CLIPPED,
    ETA,
    EXCESS,
    KEPT,
    LOCAL,
    SMOOTH,
    Delta,
    E,
    F,
    L,
    M,
    U,
    eta,
    summed,
)
from verify.dp_normfedavg.rounds import (
    ALPHA,
    CHAT_IS,
    CHOSEN,
    INDICATOR,
    INDICATOR_MEAN,
    LAST,
    MEAN_K,
    POSITIVE,
    RECURSION,
    ROUNDS6,
    S37_FACTOR,
    S39,
    S39_FACTOR,
    STEP6,
    SY,
    SZ,
    TD,
    TOTAL,
    TY,
    TZ,
    K,
    Z,
    alpha,
    distance,
    ind,
    j,
)
from verify.dp_normfedavg.sampling import n, r
from verify.dp_normfedavg.sharper import Ah, c, hh, up
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Node

MOST = sympy.Rational(17, 12)
SELDOM = hypothesis("0 < r ≤ n, 1/r − 1/n ≤ 17/12", (r > 0) & (n >= r) & (1 / r - 1 / n <= MOST))
RANGE = hypothesis("0 ≤ c ≤ 17/12", (c >= 0) & (c <= MOST))

# A client whose message is kept.
x, W, V = letters("x_step W V")
APART = U**2 - 2 * up + hh
"""‖u − h‖²."""
NAMES = definition(
    "x = ηLE, W = LE²M, V = LE²Δ_i*",
    equal(x, eta * L * E) & equal(W, L * E**2 * M) & equal(V, L * E**2 * Delta),
)
SIZES = obligation(
    "0 < x ≤ 1/4, ‖u‖² ≤ 2W, ‖h‖² ≤ 2V",
    (NAMES, QUARTER.conclusion, L9_U.conclusion, FACT1_STAR, ETA, SMOOTH, LOCAL),
    (x > 0) & (4 * x <= 1) & (U**2 <= 2 * W) & (hh <= 2 * V),
)
_b = 1 - x
_a = _b - sympy.Rational(5, 12) * x * (1 - 4 * x)
SHIFT = standard(
    "‖a u − b h‖² ≥ 0, a = 1 − x − (5/12)x(1 − 4x), b = 1 − x",
    _a**2 * U**2 - 2 * _a * _b * up + _b**2 * hh >= 0,
)
REST = obligation(
    "(5/12)x(1 − 4x)‖u‖² ≤ (1 − x)‖u − h‖² + ½x(1 − 4x)‖h‖²",
    (SIZES.conclusion, SHIFT, H_STAR),
    5 * x * (1 - 4 * x) * U**2 <= 12 * (1 - x) * APART + 6 * x * (1 - 4 * x) * hh,
)
PAID = obligation(
    "⅔x²W + cx‖u‖² − (1 − x)‖u − h‖² ≤ (2x + 4x²)W + (x − 4x²)V",
    (SIZES.conclusion, REST.conclusion, RANGE),
    2 * x**2 * W + 3 * c * x * U**2 - 3 * (1 - x) * APART
    <= 3 * (2 * x + 4 * x**2) * W + 3 * (x - 4 * x**2) * V,
)
WHOLE_SHARE = obligation(
    "a client with ‖u‖ ≤ C, with what ‖u − h‖² takes off",
    (
        sharper.KEPT_SHARE, sharper.SHARE, sharper.B_SHARP.conclusion, S24.conclusion, sharper.SQUARES_CUBE.conclusion,
        QUARTER.conclusion, EXCESS, ETA, SMOOTH, LOCAL,
    ),
    3 * Ah * L * E
    <= 3 * L * E * (-2 * eta * E * F + c * eta**2 * U**2) + 2 * eta**3 * L**3 * E**4 * M - 3 * eta * (1 - eta * L * E) * APART,
)  # fmt: skip
_kept = -eta * E * (FACTOR * F - 3 * eta * L * E * Delta)
KEPT_SELDOM = obligation(
    "a client with ‖u‖ ≤ C keeps (32), with 3ηLE for 2ηLE + 4η²L²E² at Δ_i*",
    (WHOLE_SHARE.conclusion, PAID.conclusion, NAMES, EXCESS, ETA, SMOOTH, LOCAL),
    Ah <= _kept,
)
CASE2 = Case(
    "(32), drawn seldom", KEPT,
    (*sharper.SHARP_NODES, sharper.SQUARES_CUBE, SIZES, REST, PAID, WHOLE_SHARE, KEPT_SELDOM),
)  # fmt: skip

# A client whose message is cut.
STEP_SHOWN = obligation(
    EXCESS_STEP.name,
    (QUARTER.conclusion, LEAST, RANGE, ETA_SHOWN.conclusion, SMOOTH, LOCAL),
    EXCESS_STEP.relation,
)
MARGIN = obligation(
    cut.CUT_MARGIN.name,
    (
        cut.SIZES.conclusion, cut.THRESHOLDED.conclusion, cut.STAR.conclusion, cut.PULL.conclusion, RANGE, sharper.SHARE, cut.UNITS,
        QUARTER.conclusion,
    ),
    cut.CUT_MARGIN.conclusion.relation,
)  # fmt: skip
_short = (cut.CUT_SHORT, cut.CUT_LONG)
CASE1 = Case(
    rounds.OUR_CASE1.name, CLIPPED,
    tuple(MARGIN if node == cut.CUT_MARGIN else node for node in cut.CUT_NODES if node not in _short),
)  # fmt: skip

# All clients, one round, K rounds: (34) to (39) with 3ηLE at Δ_i*.
Y = ind * 3 * eta * L * E * Delta
S34 = obligation(
    "(34), drawn seldom",
    (CASE1.conclusion, CASE2.conclusion, INDICATOR, CHAT_IS, SMOOTH, LOCAL),
    Ah <= -eta * E * (Z - Y),
)
CLIENT = definition("z_i and y_i are the two sums in (34)", equal(rounds.zi, Z) & equal(rounds.yi, Y))
SUM34 = summed(
    "(34), summed over clients, drawn seldom",
    -eta * E * (SZ - SY) >= rounds.SA,
    {rounds.SA: 0, SZ: 0, SY: 0},
    {rounds.SA: rounds.SA + rounds.ai, SZ: SZ + rounds.zi, SY: SY + rounds.yi},
    (S34.conclusion, CLIENT, rounds.NAME_AH),
)
S35 = obligation(
    rounds.S35.name,
    (rounds.ROUND_DRAWN.conclusion, SUM34.conclusion, *rounds.PER_ROUND),
    rounds.S35.conclusion.relation,
)
KEPT_SUM = standard(
    "a factor that does not depend on the client may be taken out of a sum over the clients: 3ηLE",
    equal(TY, 3 * eta * L * E * TD),
)
S36 = obligation(
    "(36), drawn seldom",
    (RECURSION.conclusion.at({j: K}, "j = K"), LAST, KEPT_SUM, ETA, LOCAL, TOTAL),
    distance**2 / (eta * E * K) + eta * E * K * rounds.CHAT**2 * rounds.rho**2 + 3 * eta * L * E * TD / K
    >= TZ / K,
)
HALF_RATIO = obligation(
    "2ηLE = ρE/α", (STEP6, ROUNDS6, ALPHA, *POSITIVE), equal(2 * eta * L * E, rounds.rho * E / alpha)
)
START = obligation(
    "(36), with A",
    (S36.conclusion, STEP6, MEAN_K, *POSITIVE),
    rounds.average <= printed.initialisation(**CHOSEN) + 3 * eta * L * E * rounds.kept_average,
)
LAST_LINE = obligation(
    S39.name,
    (START.conclusion, HALF_RATIO.conclusion, INDICATOR_MEAN, ALPHA, *POSITIVE),
    S39.conclusion.relation,
)


def nodes(cut_case: Node) -> tuple[Node, ...]:
    """From one round to (39); `cut_case` concludes what `CASE1` does."""
    return (
        *rounds.ROUND_SAMPLED, cut_case, CASE2, S34, SUM34, S35, RECURSION, S36, HALF_RATIO, START, S37_FACTOR,
        S39_FACTOR, LAST_LINE,
    )  # fmt: skip
