"""Remarks of Sections 3 and 5: standard normalisation, Clip21's threshold and noise, and what the utility bound assumes."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.corollaries.corollary2 import STANDING, UTIL, first_gradient
from verify.alpha_normec.lemmas.operator import NONZERO
from verify.alpha_normec.letters import PAPER, SIGMA, TAU, K, alpha, r, sigma, tau
from verify.alpha_normec.text.rates import S11_FREE, Phi
from verify.alpha_normec.theorems.descent import grad
from verify.claim import Claim, Gap, Repair
from verify.computation import Comparison, Computation
from verify.facts import definition, equal, hypothesis, letters
from verify.identity import Limit
from verify.obligation import obligation
from verify.proof import Proof

_STANDARD_ALPHA = hypothesis("α = 0", equal(alpha, 0))
STANDARD = Claim(
    id="NEC-S33-STANDARD",
    paper=PAPER,
    place="Section 3.3, after Lemma 1",
    kind="prose",
    printed="smoothed normalization with α = 0 recovers standard normalization g/‖g‖",
    reason="Where g/‖g‖ has a value, at g ≠ 0, Norm_0(g) is the same vector, of norm 1; at g = 0 neither has one.",
    proof=Proof(
        (NONZERO, _STANDARD_ALPHA),
        (
            obligation("1/(α + ‖g‖) = 1/‖g‖", (NONZERO, _STANDARD_ALPHA), equal(1 / (alpha + r), 1 / r)),
            obligation("‖Norm_α(g)‖ = 1", (NONZERO, _STANDARD_ALPHA), equal(r / (alpha + r), 1)),
        ),
    ),
)

_f, _g, _M = letters("f(x) g(x) M")
_EVERY = hypothesis("M > 0, one for all x", _M > 0)
_POSITIVE = hypothesis("g(x) > 0", _g > 0)
_OWN = definition("M = (|f(x)| + g(x))/g(x), which depends on x", equal(_M * _g, sympy.Abs(_f) + _g))
ORDER = Claim(
    id="NEC-S31-O",
    paper=PAPER,
    place="Section 3.1, definition of O",
    kind="definition",
    printed="for functions f, g : R^d → R, we write f(x) = O(g(x)) if f(x) ≤ M · g(x) for some M > 0.",
    reason="For which x, and whether M may depend on x, is not said: if it may, every f is O(g) wherever g > 0, and the notation says "
    "nothing; with one M for all x it does, as x² is not O(x).",
    repair=Repair(
        "f(x) ≤ M g(x) for all x, with one M > 0: then x² is not O(x) on x > 0, as M x < x² at x = M + 1.",
        "M > 0, one for all x",
        Proof(
            (_EVERY,),
            (obligation("at x = M + 1 > 0, whatever M > 0 is: x² > M x", (_EVERY,),
                        ((_M + 1) ** 2 > _M * (_M + 1)) & (_M + 1 > 0)),),
        ),
        weakest="where x is a number that grows, as K does in O(1/√K), one M for all large x is enough",
    ),
    gap=Gap(
        "reading",
        "an M for each x",
        Proof(
            (_POSITIVE,),
            (obligation("every f is O(g): f(x) ≤ M g(x) and M > 0", (_POSITIVE, _OWN), (_f <= _M * _g) & (_M > 0)),),
        ),
    ),
    consequence="O bounds from above alone, in either reading: steps and noise of such an order may be as small as one likes "
    "(NEC-C1-RATE@O-as-defined, NEC-C2-DP@O-as-defined).",
)  # fmt: skip

THRESHOLD = Claim(
    id="NEC-S35-TAU",
    paper=PAPER,
    place="Section 3.5, last paragraph; Section 6.2, footnote 1",
    kind="prose",
    printed="Clip21 faces difficulty in establishing the convergence in the presence of DP noise for two primary reasons. Firstly, "
    "its convergence analysis relies on separate descent inequalities when clipping turns on and off, as the operator does not "
    "satisfy the contractive compressor property […] A sufficiently large τ is required to achieve the descent inequality "
    "[Section 6.2, footnote 1:] DP-Clip21, unlike Clip21, does not have theoretical convergence guarantees.",
    reason="Which descent inequality of Clip21 with noise is meant, and how large τ has to be, is not said. (Smoothed normalisation "
    "does not satisfy that property either: NEC-TAB1-CAP.)",
    undecided="The paper states no descent inequality of Clip21, with or without noise, so there is nothing to check the sentences "
    "against, and that no guarantee of DP-Clip21 is known is a statement about the literature. Without noise Appendix F quotes a "
    "bound for every τ > 0; with a normalised server step in the place of (11) every τ > L_max γ is enough (NEC-OUR-T2-CLIP). The "
    "inequality that is meant, written out, would decide.",
)

_least, _shift, _allowed, _apart = sympy.symbols("v μ μ* s", real=True)
_EQ3 = hypothesis(
    "(3) with Φ = τ: σ²_DP ≥ τ²v, v = cB²K log(1/δ)/(n²ϵ²) > 0", (_least > 0) & (sigma**2 >= tau**2 * _least)
)
_HIDDEN = hypothesis(
    "K ≥ 1 messages sτ apart, s ≥ 1, are (ϵ, δ)-DP: μ = sτ√K/σ_DP, in which δ(ϵ; μ) increases, is at most the μ* > 0 where it is δ",
    (K >= 1) & (_apart >= 1) & (_allowed > 0) & (_shift <= _allowed) & equal(_shift * sigma, _apart * tau * sympy.sqrt(K)),
)  # fmt: skip
LARGE = Claim(
    id="NEC-S35-TAU@noise",
    paper=PAPER,
    place="Section 3.5, last paragraph, by eq. (3)",
    kind="prose",
    printed="[a sufficiently large τ] this condition requires adding large Gaussian noise",
    reason="By (3) the standard deviation is at least proportional to Φ = τ, and not only by (3): two messages of length τ can differ "
    "by 2τ, and at fixed ϵ, δ and K Gaussian noise hides that only where its standard deviation grows in proportion to τ. (How "
    "large τ has to be: NEC-S35-TAU.)",
    proof=Proof(
        (TAU, SIGMA, _EQ3, _HIDDEN),
        (
            obligation("by (3): σ_DP ≥ τ√v", (TAU, SIGMA, _EQ3), sigma >= tau * sympy.sqrt(_least)),
            obligation("for any Gaussian noise: σ_DP ≥ sτ√K/μ* ≥ τ/μ*", (TAU, SIGMA, _HIDDEN), sigma >= tau / _allowed),
            Limit("τ√v → ∞ with τ", tau * sympy.sqrt(_least), tau, sympy.oo, sympy.oo, "-", (_EQ3,)),
            Limit("τ/μ* → ∞ with τ", tau / _allowed, tau, sympy.oo, sympy.oo, "-", (_HIDDEN,)),
        ),
    ),
)  # fmt: skip
assert UTIL.repair is not None
assert UTIL.witness is not None
assert S11_FREE.proof is not None
_ASSUMED = UTIL.repair.proof.assumptions
_CLIENTS = S11_FREE.proof.nodes[1:]
_LARGE = tuple(f for f in S11_FREE.proof.assumptions if f in {g for node in _CLIENTS for g in node.given})


def _free_of_gradients() -> Comparison:
    """How many hypotheses of the repaired Corollary 2 speak of a gradient's norm: the residuals' norm r is none."""
    gradients = {grad, first_gradient, Phi}
    return Comparison(Fraction(sum(bool(fact.relation.free_symbols & gradients) for fact in _ASSUMED)), "==", Fraction(0), (
        ("they are those of Theorem 2 and the choices of α, β₀ and γ", len(_ASSUMED) > len(STANDING)),
    ))  # fmt: skip


APPLIES = Claim(
    id="NEC-S5-APPLIES",
    paper=PAPER,
    place="after Corollary 2, Section 5; Section 7",
    kind="prose",
    printed="Our obtained utility bound applies for smooth problems without the bounded gradient norm assumption [Section 5:] "
    "α-NormEC provides the first utility bound in the DP distributed setting that accounts for the effect of smoothed normalization "
    "[Section 7:] provides the first utility bound for private training without relying on restrictive assumptions such as bounded "
    "gradient norms. [Whether it is the first: NEC-S11-FIRST@qualified.]",
    reason="True of the repaired bound, false of the one that Corollary 2 prints, and which is meant is not said. The repaired one "
    "follows without such an assumption, and clients ½(x ∓ c)² satisfy its hypotheses; so does the one with β₀ = …, which is void "
    "(NEC-C2-UTIL@equality). The one that Corollary 2 prints, with β₀ ≤ …, does not hold (NEC-C2-UTIL): not on x²/2, smooth, with "
    "gradients beyond every Φ.",
    gap=Gap("reading", "the bound that Corollary 2 prints, with β₀ ≤ … (NEC-C2-UTIL)", UTIL.witness),
    repair=Repair(
        "The hypotheses of NEC-C2-UTIL's repaired bound put no limit on a gradient, and hold of smooth problems whose gradients are "
        "not bounded.",
        "the repaired bound",
        Proof(
            _LARGE,
            (
                Computation("none of its hypotheses bounds a gradient", "enumeration", _free_of_gradients),
                *_CLIENTS,
            ),
        ),
    ),
)
CLAIMS = (ORDER, STANDARD, THRESHOLD, LARGE, APPLIES)
