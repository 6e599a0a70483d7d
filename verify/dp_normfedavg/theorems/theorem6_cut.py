"""Theorem 6, case 1 (‖u‖ > C): equations (14) to (22)."""

from __future__ import annotations

from verify.dp_normfedavg.lemmas.convexity import FACT2, LEMMA8, LEMMA8_NODES, Q, p, ss, xT2
from verify.dp_normfedavg.letters import (
    CLIPPED,
    CUT,
    DELTA,
    ETA,
    LAST,
    LOCAL,
    SMOOTH,
    THRESHOLD,
    A,
    C,
    Delta,
    E,
    L,
    S,
    T,
    U,
    eta,
    uy,
    wE2,
    y2,
)
from verify.facts import definition, equal, letters
from verify.obligation import obligation

ay, a2 = letters("clip_y clip2")
"""⟨clip(u, C), w_k − w*⟩ and ‖clip(u, C)‖²."""
SENT = definition("A_i of (13)", equal(A, -2 * eta * ay + eta**2 * a2))
CLIP_CUTS = definition("clip(u, C) = (C/‖u‖) u", equal(ay, C / U * uy) & equal(a2, (C / U) ** 2 * U**2))

S14 = obligation("(14)", (SENT, CLIP_CUTS, CLIPPED, CUT), equal(A, -2 * eta * C * uy / U + eta**2 * C**2))
S15 = obligation(
    "(15)",
    (S14.conclusion, LAST, CLIPPED, CUT),
    equal(A, -C / U * (y2 + eta**2 * U**2 - wE2) + eta**2 * C**2),
)
LEMMA8_HERE = LEMMA8.conclusion.at({xT2: wE2, T: E}, "T = E")
S16 = obligation("(16)", (LEMMA8_HERE, ETA, SMOOTH), y2 - wE2 >= eta / (2 * L) * S - 2 * eta * E * Delta)
FACT2_HERE = FACT2.conclusion.at({ss: U**2, p: E, Q: S}, "u = sum of E gradients")
S17 = obligation("(17)", (FACT2_HERE,), U**2 <= E * S)
S18 = obligation(
    "(18)",
    (S16.conclusion, S17.conclusion, ETA, SMOOTH, LOCAL),
    y2 - wE2 >= eta / (2 * L * E) * U**2 - 2 * eta * E * Delta,
)
S19 = obligation(
    "(19)",
    (S15.conclusion, S18.conclusion, CLIPPED, CUT, ETA, SMOOTH, LOCAL),
    -C * (eta**2 + eta / (2 * L * E)) * U + 2 * eta * C / U * E * Delta + eta**2 * C**2 >= A,
)
S19_LESS = obligation("(19), C/‖u‖ < 1", (CLIPPED, CUT), C / U < 1)
S20A = obligation(
    "(20), E Δ_i* ≤ C²/(16LE) ≤ C‖u‖/(16LE)",
    (THRESHOLD, CLIPPED, CUT, SMOOTH, LOCAL),
    (E * Delta <= C**2 / (16 * L * E)) & (C**2 / (16 * L * E) <= C * U / (16 * L * E)),
)
S20B = obligation(
    "(20), the term of Δ_i*",
    (S20A.conclusion, CLIPPED, CUT, ETA, SMOOTH, LOCAL, DELTA),
    2 * eta * C / U * E * Delta <= eta * C * U / (8 * L * E),
)
_20 = -C * (eta**2 + eta / (2 * L * E)) * U + eta * C / (8 * L * E) * U + eta**2 * C**2
S20 = obligation("(20)", (S19.conclusion, S20B.conclusion), _20 >= A)
_21 = -3 * eta * C / (8 * L * E) * U + eta**2 * C * (C - U)
S21_SAME = obligation("(21), equality", (SMOOTH, LOCAL), equal(_20, _21))
S21 = obligation("(21)", (S20.conclusion, SMOOTH, LOCAL), _21 >= A)
S21_LESS = obligation("(21), C − ‖u‖ < 0", (CLIPPED,), C - U < 0)
_22 = -3 * eta * C / (8 * L * E) * U
S22_MORE = obligation("(22), after (21)", (ETA, CLIPPED, CUT, SMOOTH, LOCAL), _21 <= _22)
S22 = obligation("(22)", (S21.conclusion, ETA, CLIPPED, CUT, SMOOTH, LOCAL), _22 >= A)

FROM_15 = (S15, S16, S17, S18, S19, S20A, S20B, S20, S21, S22)
CLIPPED_NODES = (*LEMMA8_NODES, FACT2, S14, *FROM_15)

STEPS = (
    ("14", (S14,)),
    ("15", (S15,)),
    ("16", (*LEMMA8_NODES, S16)),
    ("17", (FACT2, S17)),
    ("18", (S18,)),
    ("19", (S19_LESS, S19)),
    ("20", (S20A, S20B, S20)),
    ("21", (S21_LESS, S21_SAME, S21)),
    ("22", (S22_MORE, S22)),
)  # fmt: skip
"""(equation, the nodes that decide it)."""
