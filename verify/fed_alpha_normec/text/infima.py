"""What it says of Δ^inf and of both Δ_i^inf that the f^inf are infima, and not just lower bounds: signs, and when they are 0.

Sums run over clients (Fi = Σ f_i^inf, F = Σ f_i(x)) and, within a client, over its functions f_{i,j}.
"""

from __future__ import annotations

import sympy

from verify.facts import Fact, definition, equal, hypothesis, letters, standard
from verify.fed_alpha_normec.letters import CLIENTS, M, N
from verify.induction import Induction
from verify.obligation import obligation

n, F, Fi, f_inf, f, fi, m_i, spread, eps = letters("n F Fi f_inf f fi m_i spread eps")

# (1/M) Σ f_i^inf ≤ f^inf: a lower bound of every f_i, averaged, is one of f.
BOUNDED = hypothesis("Assumption 1: f_i^inf ≤ f_i(x)", m_i <= fi)
_SUM = Fact("Σ f_i^inf ≤ Σ f_i(x)", Fi <= F, "derived")
BELOW = Induction(
    _SUM.name,
    _SUM,
    obligation("no function", (), sympy.true),
    obligation("one function more", (_SUM, BOUNDED), Fi + m_i <= F + fi),
    start=((Fi, 0), (F, 0)),
    next=((Fi, Fi + m_i), (F, F + fi)),
)
NONNEGATIVE = obligation(
    "Δ^inf ≥ 0",
    (
        CLIENTS,
        _SUM,
        definition(
            "f(x) = (1/M) Σ f_i(x), Δ^inf = f^inf − (1/M) Σ f_i^inf",
            equal(f * M, F) & equal((f_inf - spread) * M, Fi),
        ),
        definition(
            "ε > 0; half of −Δ^inf, were that positive",
            (eps > 0) & ((spread >= 0) | equal(2 * eps, -spread)),
        ),
        standard("f^inf is the infimum of f: f(x) ≤ f^inf + ε for some x", sympy.Le(f, f_inf + eps)),
    ),
    spread >= 0,
)

# Within a client: (1/N) Σ f_{i,j}^inf ≤ f_i^inf in the same way; f_i at a point x' of its own.
parts, parts_inf, f_ij, m_ij, there, own, eps_i = letters(
    "Σ_jf_{i,j} Σ_jf_{i,j}^inf f_{i,j} f_{i,j}^inf f_i(x') Δ_i ε_i"
)
PART_BOUNDED = hypothesis("Assumption 1: f_{i,j}^inf ≤ f_{i,j}(x')", m_ij <= f_ij)
_PARTS = Fact("Σ f_{i,j}^inf ≤ Σ f_{i,j}(x')", parts_inf <= parts, "derived")
PARTS_BELOW = Induction(
    _PARTS.name,
    _PARTS,
    obligation("no function of the client", (), sympy.true),
    obligation("one function more of the client", (_PARTS, PART_BOUNDED), parts_inf + m_ij <= parts + f_ij),
    start=((parts_inf, 0), (parts, 0)),
    next=((parts_inf, parts_inf + m_ij), (parts, parts + f_ij)),
)
OWN = obligation(
    "f_i^inf − (1/N) Σ f_{i,j}^inf ≥ 0",
    (
        definition("N ≥ 1", N >= 1),
        _PARTS,
        definition(
            "f_i(x') = (1/N) Σ f_{i,j}(x'), Δ_i = f_i^inf − (1/N) Σ f_{i,j}^inf",
            equal(there * N, parts) & equal((m_i - own) * N, parts_inf),
        ),
        definition(
            "ε_i > 0; half of −Δ_i, were that positive", (eps_i > 0) & ((own >= 0) | equal(2 * eps_i, -own))
        ),
        standard(
            "f_i^inf is the infimum of f_i: f_i(x') ≤ f_i^inf + ε_i for some x'", sympy.Le(there, m_i + eps_i)
        ),
    ),
    own >= 0,
)

# Over the clients: Lemma 8's Δ_i^inf = Δ_i, and Theorem 2's.
owns, whole, whole_i, mean_own, mean_whole = letters(
    "ΣΔ_i Σ(f^inf−(1/N)Σf_{i,j}^inf) f^inf−(1/N)Σf_{i,j}^inf mean_own mean_whole"
)
_SHIFTED = Fact(
    "Σ (f^inf − (1/N) Σ f_{i,j}^inf) = nf^inf − Σ f_i^inf + Σ Δ_i, and Σ Δ_i ≥ 0",
    equal(whole, n * f_inf - Fi + owns) & (owns >= 0),
    "derived",
)
SHIFT = Induction(
    _SHIFTED.name,
    _SHIFTED,
    obligation("no client", (), sympy.true),
    obligation(
        "one client more",
        (
            _SHIFTED,
            OWN.conclusion,
            definition("f^inf − (1/N) Σ f_{i,j}^inf", equal(whole_i, f_inf - (m_i - own))),
        ),
        equal(whole + whole_i, (n + 1) * f_inf - (Fi + m_i) + (owns + own)) & (owns + own >= 0),
    ),
    start=((n, 0), (Fi, 0), (owns, 0), (whole, 0)),
    next=((n, n + 1), (Fi, Fi + m_i), (owns, owns + own), (whole, whole + whole_i)),
)
MEANS = obligation(
    "Theorem 2's mean is Lemma 8's plus Δ^inf, and 0 ≤ Lemma 8's ≤ Theorem 2's",
    (
        CLIENTS,
        _SHIFTED.at({n: M}),
        NONNEGATIVE.conclusion,
        definition(
            "both means, Δ^inf = f^inf − (1/M) Σ f_i^inf",
            equal(mean_own * M, owns) & equal(mean_whole * M, whole) & equal((f_inf - spread) * M, Fi),
        ),
    ),
    equal(mean_whole, mean_own + spread) & (mean_own >= 0) & (mean_whole >= mean_own),
)

# A common minimiser x*: f_i(x*) = f_i^inf for every i.
COMMON = hypothesis("x* minimises every f_i: Σ f_i(x*) = Σ f_i^inf", equal(F, Fi))
VANISHES = obligation(
    "Δ^inf = 0",
    (
        CLIENTS,
        COMMON,
        NONNEGATIVE.conclusion,
        definition(
            "f(x*) = (1/M) Σ f_i(x*), Δ^inf = f^inf − (1/M) Σ f_i^inf",
            equal(f * M, F) & equal((f_inf - spread) * M, Fi),
        ),
        standard("f^inf is the infimum of f: f^inf ≤ f(x*)", f_inf <= f),
    ),
    equal(spread, 0),
)
