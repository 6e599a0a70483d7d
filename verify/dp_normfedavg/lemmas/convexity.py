"""Facts 1 and 2 and Lemmas 8, 9 and 10 (Appendix E), node by node."""

from __future__ import annotations

from verify.dp_normfedavg.letters import (
    CONVEX_STAR,
    ETA,
    GAP,
    HALF,
    LOCAL,
    LOCAL_STEP,
    SMOOTH,
    WHOLE,
    Delta,
    E,
    L,
    M,
    S,
    T,
    U,
    eta,
    fm,
    fs,
    ft,
    g2,
    summed,
    x2,
    x2n,
    y2,
)
from verify.facts import definition, equal, letters, standard
from verify.gram import inner, square, vectors
from verify.obligation import obligation

# Fact 1: the descent lemma at x − ∇h(x)/L, where h is at least h*.
h, h_next, h_min = letters("h h_next h_min")
DESCENT_FACT1 = standard("descent lemma at x − ∇h(x)/L", h_next <= h - g2 / L + L / 2 * g2 / L**2)
BELOW = standard("h* is the minimum", h_next >= h_min)
FACT1 = obligation("Fact 1", (SMOOTH, DESCENT_FACT1, BELOW), g2 <= 2 * L * (h - h_min))

# Fact 2: ‖Σ y_i‖² ≤ p Σ ‖y_i‖², one vector at a time. ss = ‖Σ y‖², Q = Σ ‖y‖², sy = ⟨Σ y, y⟩, yy = ‖y‖².
p, ss, Q, sy, yy = letters("p ss Q sy yy")
COUNT = definition("p ≥ 0 vectors so far", (p >= 0) & (Q >= 0) & (yy >= 0) & (ss >= 0))
SQUARE = standard("‖Σ y − p y_{p+1}‖² ≥ 0", ss - 2 * p * sy + p**2 * yy >= 0)
SCHWARZ = standard("Cauchy–Schwarz: ⟨Σ y, y_{p+1}⟩² ≤ ‖Σ y‖² ‖y_{p+1}‖²", sy**2 <= ss * yy)
FACT2 = summed(
    "Fact 2",
    ss <= p * Q,
    {p: 0, ss: 0, Q: 0},
    {p: p + 1, ss: ss + 2 * sy + yy, Q: Q + yy},
    (COUNT, SQUARE, SCHWARZ),
)

# Lemma 8.
_48 = x2 - 2 * eta * (ft - fs) + eta**2 * g2
L8_48 = obligation("(48)", (ETA, LOCAL_STEP, CONVEX_STAR), x2n <= _48)
_49 = x2 - 2 * eta * (ft - fm) + 2 * eta * Delta + eta**2 * g2
L8_49_MORE = obligation("(49), after (48)", (ETA, GAP), _48 <= _49)
L8_49 = obligation("(49)", (L8_48.conclusion, ETA, GAP), x2n <= _49)
FACT1_HERE = FACT1.conclusion.at({h: ft, h_min: fm}, "at w_{k,τ}")
_50 = x2 - eta / L * g2 + 2 * eta * Delta + eta**2 * g2
L8_50_MORE = obligation("(50), after (49)", (FACT1_HERE, ETA, SMOOTH), _49 <= _50)
L8_50 = obligation("(50)", (L8_49.conclusion, FACT1_HERE, ETA, SMOOTH), x2n <= _50)
L8_51 = obligation(
    "(51)",
    (L8_50.conclusion, LOCAL_STEP, ETA, SMOOTH, HALF),
    x2n <= x2 - eta / (2 * L) * g2 + 2 * eta * Delta,
)
xT2 = letters("xT2")[0]
"""‖w_{k,T} − w*‖²."""
LEMMA8 = summed(
    "Lemma 8",
    xT2 <= y2 - eta / (2 * L) * S + 2 * eta * T * Delta,
    {xT2: y2, S: 0, T: 0},
    {xT2: x2n, S: S + g2, T: T + 1},
    (L8_51.conclusion.at({x2: xT2}, "from w_{k,T}"), SMOOTH, ETA),
)
LEMMA8_NODES = (FACT1, L8_48, L8_49, L8_50, L8_51, LEMMA8)

# Lemma 9. v2 = ‖w_k − w_{k,T}‖², uu = ‖Σ_{t<T} ∇f_i(w_{k,t})‖², SM = Σ_{t<T} (f_i(w_{k,t}) − f_i*).
v2, uu, SM, m, m_next, P = letters("v2 uu SM m m_next P")
TRAVEL = definition("w_k − w_{k,T} = η Σ_{t<T} ∇f_i(w_{k,t})", equal(v2, eta**2 * uu) & (S >= 0))
FACT2_HERE = FACT2.conclusion.at({ss: uu, p: T, Q: S}, "gradients of T steps")
L9_52 = obligation("(52)", (TRAVEL, FACT2_HERE, ETA), v2 <= eta**2 * T * S)
LOSS = definition("the loss at w_{k,τ}, f_i(w_{k,τ}) − f_i*", equal(m, ft - fm))
L9_53A = summed(
    "(53), summed Fact 1",
    S <= 2 * L * SM,
    {S: 0, SM: 0},
    {S: S + g2, SM: SM + m},
    (FACT1_HERE, LOSS, SMOOTH),
)
STEPS = definition("T ≥ 0", T >= 0)
L9_53 = obligation(
    "(53)", (L9_52.conclusion, L9_53A.conclusion, ETA, SMOOTH, STEPS), v2 <= 2 * eta**2 * L * T * SM
)
descent, travel2 = letters("⟨∇f_i,w_t−w_{t−1}⟩ ‖w_t−w_{t−1}‖²")
DESCENT_STEP = standard("descent lemma from w_{k,t−1} to w_{k,t}", m_next <= m + descent + L / 2 * travel2)
LOCAL_MOVE = definition(
    "w_{k,t} − w_{k,t−1} = −η∇f_i", equal(descent, -eta * g2) & equal(travel2, eta**2 * g2)
)
NORM_G = definition("‖∇f_i‖² ≥ 0", g2 >= 0)
L9_55 = obligation("(55)", (DESCENT_STEP, LOCAL_MOVE), m_next <= m - eta * g2 + eta**2 * L / 2 * g2)
L9_56 = obligation("(56)", (L9_55.conclusion, ETA, SMOOTH, WHOLE, NORM_G), m_next <= m - eta / 2 * g2)
L9_57 = summed(
    "(57)",
    (m <= M - eta / 2 * P) & (P >= 0),
    {m: M, P: 0},
    {m: m_next, P: P + g2},
    (L9_56.conclusion, NORM_G),
)
L9_57B = obligation("(57), last inequality", (L9_57.conclusion, ETA), m <= M)
L9_58A = summed("(58), summed (57)", SM <= T * M, {SM: 0, T: 0}, {SM: SM + m, T: T + 1}, (L9_57B.conclusion,))
L9_58 = obligation(
    "(58)", (L9_53.conclusion, L9_58A.conclusion, ETA, SMOOTH, STEPS), v2 <= 2 * eta**2 * L * T**2 * M
)
whole_travel = letters("‖w_k−w_{k,E}‖²")[0]
WHOLE_TRAVEL = definition("w_k − w_{k,E} = ηu", equal(whole_travel, eta**2 * U**2))
L9_U = obligation(
    "Lemma 9, ‖u‖²",
    (L9_58.conclusion.at({T: E, v2: whole_travel}, "T = E"), WHOLE_TRAVEL, ETA, LOCAL),
    U**2 <= 2 * L * E**2 * M,
)
LEMMA9_NODES = (
    FACT1, FACT2, L9_52, L9_53A, L9_53, L9_55, L9_56, L9_57, L9_57B, L9_58A, L9_58, L9_U,
)  # fmt: skip

# Lemma 10: g = ∇f_i(w_{k,τ}), q = ∇f_i(w_{k,τ+1}).
_g, _q = vectors("g q")
gg, qq, gq = square(_g), square(_q), inner(_g, _q)
difference = square(_q - _g)
step_product = -eta * inner(_q - _g, _g)
"""⟨∇f_i(w_{k,τ+1}) − ∇f_i(w_{k,τ}), w_{k,τ+1} − w_{k,τ}⟩."""
here, there = letters("f_i(w_{k,τ}) f_i(w_{k,τ+1})")
ABOVE_TANGENT = standard(
    "f_i(y) ≥ f_i(x) + ⟨∇f_i(x), y − x⟩ + ‖∇f_i(y) − ∇f_i(x)‖²/(2L), f_i convex and L-smooth, both ways",
    (there >= here - eta * gg + difference / (2 * L)) & (here >= there + eta * gq + difference / (2 * L)),
)
L10_59 = obligation("(59)", (ABOVE_TANGENT, SMOOTH), step_product >= difference / L)
L10_60 = obligation("(60)", (L10_59.conclusion, SMOOTH), L * step_product >= qq + gg - 2 * gq)
L10_61 = obligation("(61)", (L10_60.conclusion,), (2 - eta * L) * gq >= qq + (1 - eta * L) * gg)
_change = letters("‖q−g‖²")[0]
L10_62 = obligation(
    "(62)",
    (definition("‖q − g‖², written out", equal(_change, difference)),),
    equal(gq, (qq + gg - _change) / 2),
)
L10_63 = obligation(
    "(63)",
    (L10_61.conclusion, ETA, SMOOTH),
    qq <= gg - (2 / (eta * L) - 1) * difference,
)
LEMMA10_NODES = (L10_59, L10_60, L10_61, L10_63)
