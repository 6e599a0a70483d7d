"""Theorem 4 (a) and the second part of Theorem 6, where ηLE ≤ 1/4: how rarely clients may be drawn, by c = 1/r − 1/n.

With x = ηLE, h = E ∇f_i(w*), M = f_i(w_k) − f_i*, W = LE²M, V = LE²Δ_i*, ψ = (E − 1)/E and κ = (E − 1)(2E − 1)/(3E²), from 0 at
E = 1 to ⅔, a client whose message is kept has

    A_h ≤ ηE(−2F + κx²M) + η²(c‖u‖² − (1/x − 1)‖u − h‖²),   (1 + ψx)‖u‖² ≤ 2W, ‖h‖² ≤ 2V.

Of c the part 1 + (2 + ψ − ½κ)x is paid by M, as much as the bound's factor has; the rest by ‖u − h‖² and by the 1 − 4x of Δ_i* that
the bound's 3x has over the 2x + 4x² of (32). That is enough for c ≤ 1.49, and for c ≤ 3/2 where E ≥ 2: there ψ − ½κ ≥ 3/8.
"""

from __future__ import annotations

import sympy

from bounds.dp_normfedavg import theorem6 as printed
from verify.case import Case
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
    T,
    U,
    eta,
    summed,
)
from verify.dp_normfedavg.ours import cut, sharper
from verify.dp_normfedavg.ours.cut import EXCESS_STEP, FACT1_STAR, H_STAR
from verify.dp_normfedavg.ours.falling import FALLING_NODES, LONGEST
from verify.dp_normfedavg.ours.harmonic import LEAST
from verify.dp_normfedavg.ours.sharper import SQUARES, Ah, c, hh, up
from verify.dp_normfedavg.theorems import rounds
from verify.dp_normfedavg.theorems.choices import ETA_SHOWN, QUARTER
from verify.dp_normfedavg.theorems.rounds import (
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
from verify.dp_normfedavg.theorems.sampling import n, r
from verify.dp_normfedavg.theorems.theorem6_kept import FACTOR, S24
from verify.facts import definition, equal, hypothesis, letters, standard
from verify.obligation import obligation
from verify.proof import Node

_LOCAL_PART = (E - 1) * (2 * E - 1) / (3 * E**2)
SAID = "1/r − 1/n ≤ 149/100, and ≤ 3/2 where E ≥ 2"
SELDOM = hypothesis(
    f"0 < r ≤ n, {SAID}",
    (r > 0) & (n >= r) & ((100 * (n - r) <= 149 * n * r) | ((E >= 2) & (2 * (n - r) <= 3 * n * r))),
)
RANGE = hypothesis(
    "0 ≤ c ≤ 149/100, or ≤ 3/2 where E ≥ 2", (c >= 0) & ((100 * c <= 149) | ((E >= 2) & (2 * c <= 3)))
)

# A client whose message is kept.
x, W, V, kappa, psi, room = letters("x_step W V kappa_E psi_E room")
APART = U**2 - 2 * up + hh
"""‖u − h‖²."""
NAMES = definition(
    "x = ηLE, W = LE²M, V = LE²Δ_i*, κ = (E − 1)(2E − 1)/(3E²), ψ = (E − 1)/E",
    equal(x, eta * L * E)
    & equal(W, L * E**2 * M)
    & equal(V, L * E**2 * Delta)
    & equal(kappa, _LOCAL_PART)
    & equal(psi, (E - 1) / E),
)
SIZES = obligation(
    "0 < x ≤ 1/4, (1 + ψx)‖u‖² ≤ 2W, ‖h‖² ≤ 2V",
    (NAMES, QUARTER.conclusion, LONGEST.conclusion, FACT1_STAR, ETA, SMOOTH, LOCAL),
    (x > 0) & (4 * x <= 1) & ((1 + psi * x) * U**2 <= 2 * W) & (hh <= 2 * V),
)
STEPS = obligation(
    "0 ≤ κ ≤ ⅔, κ ≤ 2ψ; c ≤ 1.49, or c ≤ 3/2 and 4κ + 3 ≤ 8ψ",
    (NAMES, RANGE, LOCAL),
    (kappa >= 0)
    & (3 * kappa <= 2)
    & (kappa <= 2 * psi)
    & ((100 * c <= 149) | ((2 * c <= 3) & (4 * kappa + 3 <= 8 * psi))),
)
ROOM_IS = definition(
    "room = 0.49 − 2x if c ≤ 1.49, ½ − 19x/8 if not",
    ((100 * c <= 149) & equal(room, sympy.Rational(49, 100) - 2 * x))
    | ((100 * c > 149) & equal(room, sympy.Rational(1, 2) - sympy.Rational(19, 8) * x)),
)
_b = 1 - x
_a = _b - x * room
SHIFT = standard(
    "‖a u − b h‖² ≥ 0, a = 1 − x − x·room, b = 1 − x", _a**2 * U**2 - 2 * _a * _b * up + _b**2 * hh >= 0
)
ROOM = obligation(
    "0 < a, (1 − x)² ≤ a(1 − x + ½x(1 − 4x))",
    (SIZES.conclusion, ROOM_IS),
    (_a > 0) & (_b**2 <= _a * (_b + x * (1 - 4 * x) / 2)),
)
REST = obligation(
    "x·room·‖u‖² ≤ (1 − x)‖u − h‖² + ½x(1 − 4x)‖h‖²",
    (SIZES.conclusion, ROOM.conclusion, SHIFT, H_STAR),
    2 * x * room * U**2 <= 2 * (1 - x) * APART + x * (1 - 4 * x) * hh,
)
PAID = obligation(
    "κx²W + cx‖u‖² − (1 − x)‖u − h‖² ≤ (2x + 4x²)W + (x − 4x²)V",
    (SIZES.conclusion, STEPS.conclusion, ROOM_IS, REST.conclusion),
    kappa * x**2 * W + c * x * U**2 - (1 - x) * APART <= (2 * x + 4 * x**2) * W + (x - 4 * x**2) * V,
)
CUBE = obligation(
    "E(E − 1)(2E − 1)/6 = ½κE³",
    (sharper.TRAVEL_SUM.conclusion.at({T: E}, "T = E"), NAMES, LOCAL),
    equal(2 * SQUARES, kappa * E**3),
)
WHOLE_SHARE = obligation(
    "a client with ‖u‖ ≤ C, with what ‖u − h‖² takes off",
    (
        sharper.KEPT_SHARE, sharper.SHARE, sharper.B_SHARP.conclusion, S24.conclusion, CUBE.conclusion, QUARTER.conclusion, EXCESS,
        ETA, SMOOTH, LOCAL,
    ),
    Ah * L * E
    <= L * E * (-2 * eta * E * F + c * eta**2 * U**2) + kappa * eta**3 * L**3 * E**4 * M - eta * (1 - eta * L * E) * APART,
)  # fmt: skip
_kept = -eta * E * (FACTOR * F - 3 * eta * L * E * Delta)
KEPT_SELDOM = obligation(
    "a client with ‖u‖ ≤ C keeps (32), with 3ηLE for 2ηLE + 4η²L²E² at Δ_i*",
    (WHOLE_SHARE.conclusion, PAID.conclusion, NAMES, EXCESS, ETA, SMOOTH, LOCAL),
    Ah <= _kept,
)
CASE2 = Case(
    "(32), drawn seldom", KEPT,
    (*sharper.SHARP_NODES, *FALLING_NODES, SIZES, STEPS, ROOM, REST, PAID, CUBE, WHOLE_SHARE, KEPT_SELDOM),
)  # fmt: skip

# A client whose message is cut.
AT_MOST = obligation("0 ≤ c ≤ 3/2", (RANGE, LOCAL), (c >= 0) & (2 * c <= 3))
STEP_SHOWN = obligation(
    EXCESS_STEP.name,
    (QUARTER.conclusion, LEAST, AT_MOST.conclusion, ETA_SHOWN.conclusion, SMOOTH, LOCAL),
    EXCESS_STEP.relation,
)
FEW = obligation(
    "φ = ηLE ≤ 1/4 in units of ‖u‖",
    (sharper.SHARE, cut.UNITS, QUARTER.conclusion),
    equal(cut.phi, cut.s) & (4 * cut.s <= 1),
)
OWN_MARGIN = obligation(
    "margin with ηLE for φ",
    (
        cut.SIZES.conclusion, cut.THRESHOLDED.conclusion, cut.STAR.conclusion, cut.PULL.conclusion, AT_MOST.conclusion, FEW.conclusion,
    ),
    8 * cut.margin(cut.s) >= 3 * cut.t,
)  # fmt: skip
MARGIN = obligation(
    cut.CUT_MARGIN.name,
    (FEW.conclusion, OWN_MARGIN.conclusion),
    cut.CUT_MARGIN.conclusion.relation,
)
_kept_nodes = [node for node in cut.CUT_NODES if node not in (cut.CUT_SHORT, cut.CUT_LONG)]
_at = _kept_nodes.index(cut.CUT_MARGIN)
CASE1 = Case(
    rounds.OUR_CASE1.name, CLIPPED,
    (*_kept_nodes[:_at], FEW, OWN_MARGIN, MARGIN, *_kept_nodes[_at + 1:]),
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
