"""Section 5 on why full participation wins round for round: which part of B decides, and what the noise in it is.

The sentence names the sampling component (p − 1)²/p and the noise part σ²/p: those of B = 2(p − 1)²/p + 2σ²/p, the B of Section 4's
text. Theorem 1 itself prints 2σ² for 2σ²/p, and F.2's component is 2(1 − p)/p. A witness here is one against all three, and a proof
is one for all three. Where the root of √K log(1/δ)ε⁻¹ ends may have been lost in the text at hand. Three ends are read: the root over
K alone, as it stands there; over K log(1/δ), as F.5 prints its root; over K log(1/δ)ε⁻¹, as Section 4 does.
"""

from __future__ import annotations

from fractions import Fraction
from math import factorial
from typing import Any

import sympy

from bounds.fed_alpha_normec.theorem1 import b_appendix, b_main, b_text
from verify.claim import Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.facts import definition, derived, equal, hypothesis, letters
from verify.fed_alpha_normec.letters import K, beta, claim, p, values
from verify.identity import Identity
from verify.obligation import obligation
from verify.privacy import tables
from verify.privacy.tables import RESNET20
from verify.proof import Proof

LOG = "23/2"
"""Below log(1/δ) = 5 ln 10. With each B what B(1) − B(p) has of the noise increases with it, so that its lower end decides."""


def _exponential_below(x: Fraction, limit: Fraction) -> bool:
    """Whether exp(x) < limit, for 0 ≤ x < 20: forty terms and a geometric tail."""
    term, total = Fraction(1), Fraction(0)
    for k in range(40):
        total += term
        term = term * x / (k + 1)
    return total + term / (1 - x / 41) < limit


def _exponential_from_below(x: Fraction) -> Fraction:
    """Below exp(x) for x > 0: eight terms."""
    return sum((x**k / factorial(k) for k in range(8)), Fraction(0))


def _compared(v: Values, variance: Fraction) -> Comparison:
    """B at p = 1 against the largest of the three printed B at p, for σ_DP ∝ p; `variance` is σ_DP² at p = 1, of the whole
    vector."""
    p_ = v["p"]
    sampling, noise = 2 * (p_ - 1) ** 2 / p_, p_**2 * variance
    main, text, appendix = sampling + 2 * noise, sampling + 2 * noise / p_, 2 * (1 - p_) / p_ + 2 * noise / p_
    return Comparison(2 * variance, "<=", max(main, text, appendix), _domains(v))


def _domains(v: Values) -> tuple[tuple[str, bool], ...]:
    return (
        ("0 < p < 1", 0 < v["p"] < 1),
        (
            "5 ln 10 > 23/2, that is exp(23/10) < 10",
            v["log"] == Fraction(LOG) and _exponential_below(v["log"] / 5, Fraction(10)),
        ),
    )


def _round_for_round(v: Values) -> Comparison:
    """Section 5's σ_DP = pβ√K log(1/δ)/ε, the root over K alone, in each of d coordinates (d = 1: of the whole vector)."""
    return _compared(v, v["d"] * v["beta"] ** 2 * v["K"] * v["log"] ** 2 / v["epsilon"] ** 2)


def _long_root(v: Values) -> Comparison:
    """With the root over K log(1/δ)."""
    return _compared(v, v["d"] * v["beta"] ** 2 * v["K"] * v["log"] / v["epsilon"] ** 2)


def _whole_root(v: Values) -> Comparison:
    """With the root over K log(1/δ)/ε."""
    return _compared(v, v["d"] * v["beta"] ** 2 * v["K"] * v["log"] / v["epsilon"])


def _any_root(v: Values) -> Comparison:
    """Of the three the one that is nearest to the conclusion: where it breaks, all break."""
    return min((_round_for_round(v), _long_root(v), _whole_root(v)), key=lambda found: found.lhs - found.rhs)


def _section4(v: Values) -> Comparison:
    """The smaller of cp√((K+1)log(1/δ)/ε) (Section 4) and cp√((K+1)log(1/δ))/ε (F.5)."""
    return _compared(v, v["c"] ** 2 * (v["K"] + 1) * v["log"] / v["epsilon"] / max(v["epsilon"], Fraction(1)))


def _own_noise(v: Values) -> Comparison:
    """Theorem 1's own B, its noise part 2σ² having no p below it, for the variance pβ√K log(1/δ)/ε in each of d coordinates: of
    three ends of the root the one that is nearest to the conclusion. With ε under it too the noise is no less than with log(1/δ)."""
    met = (
        *_domains(v),
        ("0 < s < √K", 0 < v["s"] and v["s"] ** 2 < v["K"]),
        ("0 < t < √log(1/δ)", 0 < v["t"] and v["t"] ** 2 < v["log"]),
        ("ε ≥ 1, so that √(log(1/δ)/ε) ≥ √log(1/δ)/ε", v["epsilon"] >= 1),
    )
    variances = (v["d"] * v["beta"] * v["s"] * scale / v["epsilon"] for scale in (v["log"], v["t"]))
    sampling = 2 * (v["p"] - 1) ** 2 / v["p"]
    found = (Comparison(2 * w, "<=", sampling + 2 * v["p"] * w, met) for w in variances)
    return min(found, key=lambda one: one.lhs - one.rhs)


v = letters("v")[0]
PART = hypothesis("0 < p < 1", (p > 0) & (p < 1))
FULL = definition("v = σ(1)² > 0", v > 0)


TEXT, F2 = 2 * (1 - p) ** 2 / p, 2 * (1 - p) / p
"""The sampling component of B: Theorem 1 and Section 4's text, which the sentence names, and F.2."""


def fewer(component: sympy.Expr, noise: sympy.Expr = 2 * p * v):
    """B(1) < B(p), for the parts of B(p) as given."""
    return 2 * v < component + noise


def _exactly(name: str, part: Any, criterion: Any):
    both = sympy.And(sympy.Implies(part, criterion), sympy.Implies(criterion, part))
    return obligation(name, (PART, FULL), both)


_BY_TEXT = _exactly("σ_DP ∝ p: B(1) < B(p) ⇔ pσ(1)² < 1 − p", fewer(TEXT), p * v < 1 - p)
_BY_F2 = _exactly("with F.2's B: B(1) < B(p) ⇔ pσ(1)² < 1", fewer(F2), p * v < 1)
_BY_MAIN = _exactly(
    "with Theorem 1's B: B(1) < B(p) ⇔ p(1 + p)σ(1)² < 1 − p",
    fewer(TEXT, 2 * p**2 * v),
    p * (1 + p) * v < 1 - p,
)
_OWN_NOISE = _exactly(
    "σ_DP² ∝ p, Theorem 1's B: B(1) < B(p) ⇔ pσ(1)² < 1 − p", fewer(TEXT, 2 * (p * v)), p * v < 1 - p
)
_sigma = letters("sigma_p")[0]
_QUOTED, _QUOTED_MAIN, _QUOTED_F2 = (
    Identity(f"the B of {where}", b(p, _sigma), parts, (PART, definition("σ ≥ 0", _sigma >= 0)))
    for where, b, parts in (
        ("Section 4's text", b_text, TEXT + 2 * _sigma**2 / p),
        ("Theorem 1", b_main, TEXT + 2 * _sigma**2),
        ("F.2", b_appendix, F2 + 2 * _sigma**2 / p),
    )
)
_VARIANCE_READING = obligation(
    "σ² ∝ p ⇒ B(1) < B(p), with Section 4's text and with F.2",
    (PART, definition("v = σ²/p > 0", v > 0)),
    (2 * v < TEXT + 2 * (p * v) / p) & (2 * v < F2 + 2 * (p * v) / p),
)

# The root over K log(1/δ), at Section 5's numbers.
_log, _epsilon = letters("log(1/δ) epsilon")
_SECTION_5 = hypothesis(
    "p = 1/4, K = 300, ε = 8 and β = 0.001, 0.01 or 0.1",
    equal(4 * p, 1)
    & equal(K, 300)
    & equal(_epsilon, 8)
    & (equal(1000 * beta, 1) | equal(100 * beta, 1) | equal(10 * beta, 1)),
)
_LOG_BELOW = Computation(
    "δ = 10⁻⁵: log(1/δ) = 5 ln 10 < 12, that is exp(12/5) > 10",
    "enumeration",
    lambda: Comparison(_exponential_from_below(Fraction(12, 5)), ">", Fraction(10)),
    concludes=derived("log(1/δ) < 12", _log < 12),
)
_LONG_ROOT = definition(
    "v = σ(1)² = β²K log(1/δ)/ε², δ < 1", equal(v * _epsilon**2, beta**2 * K * _log) & (_log > 0)
)
_CRITERIA = obligation(
    "pσ(1)² < 1 − p and p(1 + p)σ(1)² < 1 − p, and so pσ(1)² < 1",
    (_SECTION_5, _LONG_ROOT, _LOG_BELOW.conclusion, FULL),
    (p * v < 1 - p) & (p * (1 + p) * v < 1 - p) & (p * v < 1),
)
_AT_EACH_BETA = obligation(
    "B(1) < B(1/4) at each β with each of the three B; the sampling component is positive at p = 1/4, and the noise's σ²/p smaller",
    (
        PART,
        FULL,
        _CRITERIA.conclusion,
        *(found.conclusion for found in (_BY_TEXT, _BY_F2, _BY_MAIN)),
    ),
    fewer(TEXT) & fewer(F2) & fewer(TEXT, 2 * p**2 * v) & (TEXT > 0) & (F2 > 0) & ((p**2 * v) / p < v),
)
_AT_ONE = tuple(
    Identity(f"at p = 1 the B of {where} is 2σ²", b(sympy.Integer(1), _sigma), 2 * _sigma**2)
    for where, b in (("Section 4's text", b_text), ("Theorem 1", b_main), ("F.2", b_appendix))
)

# What Section 5 says of its own noise, at two p: the variance is a pβ, and the standard deviation b pβ.
a, b, p_1, p_2 = letters("a b p_1 p_2")
TWO = hypothesis("0 < p₁ < p₂ ≤ 1, β > 0", (p_1 > 0) & (p_1 < p_2) & (p_2 <= 1) & (beta > 0))
SCALES = definition("a, b > 0 depend on K, δ and ε alone", (a > 0) & (b > 0))
_BOTH = obligation(
    "apβ = (bpβ)² fails at p₁ or at p₂",
    (TWO, SCALES),
    sympy.Not(equal(a * p_1 * beta, (b * p_1 * beta) ** 2) & equal(a * p_2 * beta, (b * p_2 * beta) ** 2)),
)
_noise_1, _noise_2 = letters("σ²/p_1 σ²/p_2")
_CONTRIBUTIONS = definition(
    "σ²/p at both p, σ² = apβ", equal(_noise_1 * p_1, a * p_1 * beta) & equal(_noise_2 * p_2, a * p_2 * beta)
)
_SMALLER = obligation(
    "with the variance apβ the contribution σ²/p is the same at both p, with (bpβ)² it is smaller at the smaller p",
    (TWO, SCALES, _CONTRIBUTIONS),
    equal(_noise_1, a * beta)
    & equal(_noise_2, a * beta)
    & ((b * p_1 * beta) ** 2 / p_1 < (b * p_2 * beta) ** 2 / p_2),
)

OUTPERFORMS = (
    "Per communication round, Full participation (p = 1.0) outperforms Partial participation (p = 0.25) for a fixed β. This is "
    "consistent with Theorem 1"
)
BECAUSE = (
    f"{OUTPERFORMS}: the client sampling variance component of B ((p−1)²/p) is zero for p = 1 but positive for p = 0.25. Although "
    "the DP noise contribution to B (σ_DP²/p ∝ pβ²) is smaller for p = 0.25, the client sampling variance appears more dominant "
    "in round-wise performance."
)
VARIANCE = "setting the variance of added noise at pβ√K log(1/δ)ϵ^{−1}"
NUMBERS = {"p": "1/4", "K": 300, "epsilon": 8, "log": LOG}

AT_LARGEST = Witness(
    values(**NUMBERS, beta="1/10", d=1),
    "B(p = 1) ≤ B(p = 1/4), the largest of the three printed B, at β = 0.1",
    _round_for_round,
    "β = 0.1, K = 300, ε = 8, δ = 10⁻⁵",
)

CLAIMS = (
    claim(
        "FED-EXP-NOISE",
        "Section 5, against itself",
        "prose",
        f"{VARIANCE} for ϵ = 8, δ = 10^{{−5}} […] (since σ_DP ∝ pβ) […] Although the DP noise contribution to B (σ_DP²/p ∝ pβ²) is "
        "smaller for p = 0.25",
        "If the variance is proportional to pβ, then σ_DP is proportional to √(pβ), and σ_DP²/p does not depend on p at all.",
        conflict=Proof((TWO,), (_BOTH, _SMALLER)),
        consequence="The privacy of the runs depends on which of the two was run: FED-EXP-DP against FED-EXP-DP@variance.",
    ),
    claim(
        "FED-EXP-ROUNDWISE",
        "Section 5",
        "prose",
        f"{BECAUSE} [with σ_DP = pβ√K log(1/δ)/ϵ, the root over K alone, for the whole vector, as FED-L3@total reads it]",
        "True at β = 0.001 and 0.01 of Section 5, false at β = 0.1 (FED-EXP-ROUNDWISE@every-beta): which β is fixed is not said. "
        "(With log(1/δ) under the root it is true at all three, FED-EXP-ROUNDWISE@long-root; with ε too false at 0.1 again, "
        "FED-EXP-ROUNDWISE@whole-root.) At 0.1 B is 12.4 at p = 1 and 7.6 at "
        "p = 0.25 (Section 4's text, whose parts the sentence names; Theorem 1's own B is 5.3, F.2's 9.1), and so the bound the "
        "smaller one at p = 0.25.",
        gap=Gap(
            "reading",
            "at every β of Section 5, 0.1 too, the root over K alone",
            AT_LARGEST,
        ),
        repair=Repair(
            "B is smaller at p = 1 exactly where pσ(1)² < 1 − p, σ(1) = β√K log(1/δ)/ε: for p = 1/4 where β < 0.069. With F.2's B, "
            "whose component is (1 − p)/p, exactly where pσ(1)² < 1: where β < 0.08; with Theorem 1's own, whose noise part is σ², "
            "exactly where p(1+p)σ(1)² < 1 − p: where β < 0.062. (The root over K alone; over K log(1/δ) β < 0.235, 0.272 and 0.21; "
            "over K log(1/δ)/ε β < 0.083, 0.096 and 0.074.)",
            "pσ(1)² < 1 − p, B being that of Section 4's text",
            Proof((PART,), (_QUOTED_F2, _BY_F2, _QUOTED_MAIN, _BY_MAIN, _QUOTED, _BY_TEXT)),
            weakest="necessary and sufficient",
        ),
    ),
    claim(
        "FED-EXP-ROUNDWISE@every-beta",
        "Section 5, at each of its three β, the root over K alone",
        "prose",
        f"{BECAUSE} [at each β of Section 5, 0.1 too, with σ_DP = pβ√K log(1/δ)/ϵ, the root over K alone, for the whole vector, as "
        "FED-L3@total reads it]",
        "At β = 0.1 the noise decides, not the sampling: B is 12.4 at p = 1 and 7.6 at p = 0.25 (Section 4's text; 5.3 with Theorem "
        "1's own B, 9.1 with F.2's), so that the bound is the smaller one at p = 0.25.",
        witness=AT_LARGEST,
        consequence="At β = 0.001 and 0.01 it is as the sentence says (FED-EXP-ROUNDWISE), and at all three with the root over "
        "K log(1/δ) (FED-EXP-ROUNDWISE@long-root), though not over K log(1/δ)/ϵ (FED-EXP-ROUNDWISE@whole-root).",
    ),
    claim(
        "FED-EXP-ROUNDWISE@long-root",
        "Section 5, at each of its three β, the root over K log(1/δ)",
        "prose",
        f"{BECAUSE} [at β = 0.001, 0.01 and 0.1, with σ_DP = pβ√(K log(1/δ))/ϵ for the whole vector, as FED-L3@total reads it]",
        "As F.5 prints its root, and true then: at β = 0.1, where the noise is largest, B is 1.08 at p = 1 and 4.77 at p = 0.25 "
        "(Section 4's text; Theorem 1's own B is 4.57, F.2's 6.27). Section 4 prints ϵ^{−1} under its root as well, and so read it is "
        "false at β = 0.1 (FED-EXP-ROUNDWISE@whole-root). Where the root ends may have been lost in the text at hand.",
        proof=Proof(
            (PART, _SECTION_5),
            (
                *_AT_ONE,
                _QUOTED_F2,
                _BY_F2,
                _QUOTED_MAIN,
                _BY_MAIN,
                _QUOTED,
                _BY_TEXT,
                _LOG_BELOW,
                _CRITERIA,
                _AT_EACH_BETA,
            ),
        ),
        consequence="The end of one root decides what Theorem 1 says of β = 0.1 (FED-EXP-ROUNDWISE@every-beta).",
    ),
    claim(
        "FED-EXP-ROUNDWISE@whole-root",
        "Section 5, at each of its three β, the root over K log(1/δ)/ε",
        "prose",
        f"{BECAUSE} [at β = 0.001, 0.01 and 0.1, with σ_DP = pβ√(K log(1/δ)ϵ^{{−1}}) for the whole vector, as FED-L3@total reads it]",
        "As Section 4 prints its root, and false then at β = 0.1: B is 8.63 at p = 1 and 6.66 at p = 0.25 (Section 4's text; Theorem "
        "1's own B is 5.04, F.2's 8.16), so that the bound is the smaller one at p = 0.25.",
        witness=Witness(
            values(**NUMBERS, beta="1/10", d=1),
            "B(p = 1) ≤ B(p = 1/4), the largest of the three printed B, at β = 0.1",
            _whole_root,
            "β = 0.1, K = 300, ε = 8, δ = 10⁻⁵",
        ),
        consequence="True at β = 0.001 and 0.01, as wherever the root ends: FED-EXP-ROUNDWISE's repair has the limits on β.",
    ),
    claim(
        "FED-EXP-ROUNDWISE@per-coordinate",
        "Section 5, with the noise that privacy needs",
        "prose",
        f"{BECAUSE} [at β = 0.001, 0.01, 0.1, with σ_DP = pβ√K log(1/δ)/ϵ in each of the d = 269,722 coordinates of ResNet-20, "
        "wherever the root ends]",
        "False at each of the three β: B has dσ_DP² in the place of σ_DP² (FED-L3@per-coordinate), and already at β = 0.001 it is 335 "
        "at p = 1 and 88 at p = 0.25 (Section 4's text; F.2's B is 89.8 there): the bound is the smaller one at p = 0.25. With "
        "log(1/δ) under the root as well: 29.1 against 13.3 with F.2's B.",
        witness=Witness(
            values(**NUMBERS, beta="1/1000", d=RESNET20),
            "B(p = 1) ≤ B(p = 1/4), the largest of the three printed B, at β = 0.001, with the root that leaves least noise",
            _any_root,
            "β = 0.001, K = 300, ε = 8, δ = 10⁻⁵; a larger β makes the noise larger",
        ),
    ),
    claim(
        "FED-EXP-ROUNDWISE@section4",
        "Section 5 with the σ_DP of Section 4 or F.5, which has no β",
        "prose",
        f"{OUTPERFORMS} […] [with σ_DP = c p√((K+1)log(1/δ)/ϵ) or c p√((K+1)log(1/δ))/ϵ, c > 0, for the whole vector]",
        "Whether full participation wins hangs on c, which is not given, and not on β. At K + 1 = 300, ε = 8 and δ = 10⁻⁵ Theorem 1's "
        "bound, with the B of the text after it, is smaller at p = 1 for c ≤ 0.083 with Section 4's σ_DP and c ≤ 0.235 with "
        "F.5's, and larger above. The least "
        f"c for ε = 8 at p = 1 is 0.3165 with F.5's σ_DP in each coordinate ({tables.named(tables.FED_CONSTANT_ONE)}), and √d times "
        "that where σ_DP² is the whole vector's, 20 clients' sums alone being seen and a client added or removed, which is 0.112 with "
        "Section 4's: the same noise. At c = 1 B is 863.5 or 107.9 at p = 1, 220.4 or 31.5 at p = 0.25. (Where a root ends may have "
        "been lost in the text at hand, as in FED-C2-DP@noise.)",
        gap=Gap(
            "reading",
            "with a c that makes p = 1 private",
            Witness(
                values(**{**NUMBERS, "K": 299}, c="3165/10000"),
                "B(p = 1) ≤ B(p = 1/4), the largest of the three printed B",
                _section4,
                "K + 1 = 300, ε = 8, δ = 10⁻⁵, c = 0.3165 in F.5's σ_DP (0.112 in Section 4's): 10.8 against 8.7 with F.2's B, 7.2 "
                "with that of Section 4's text",
            ),
        ),
        repair=Repair(
            "B is smaller at p = 1 exactly where pσ(1)² < 1 − p, σ(1) being σ_DP at p = 1 and B that of Section 4's text; with F.2's "
            "B exactly where pσ(1)² < 1, with Theorem 1's own exactly where p(1+p)σ(1)² < 1 − p.",
            "pσ(1)² < 1 − p, B being that of Section 4's text",
            Proof((PART,), (_QUOTED_F2, _BY_F2, _QUOTED_MAIN, _BY_MAIN, _QUOTED, _BY_TEXT)),
            weakest="necessary and sufficient",
        ),
    ),
    claim(
        "FED-EXP-ROUNDWISE@variance",
        'Section 5, "variance of added noise" ∝ p read literally, σ_DP²/p in B as in Section 4\'s text and F.2',
        "prose",
        f"{VARIANCE} […] {OUTPERFORMS} […] [with σ_DP² ∝ p; this much of the sentence alone, without what it says of the noise]",
        "True of that noise: σ²/p does not depend on p, so that the sampling term decides. The noise term is not smaller for p = "
        "0.25, contrary to what the sentence goes on to say (FED-EXP-NOISE).",
        proof=Proof((PART,), (_QUOTED, _QUOTED_F2, _VARIANCE_READING)),
    ),
    claim(
        "FED-EXP-ROUNDWISE@variance,theorem1",
        'Section 5, "variance of added noise" ∝ p read literally, with Theorem 1\'s own B and the noise that privacy needs',
        "prose",
        f"{VARIANCE} […] {OUTPERFORMS} […] [at β = 0.001, 0.01, 0.1, with this σ_DP² in each of the d = 269,722 coordinates of "
        "ResNet-20, wherever the root ends; B = 2(p−1)²/p + 2σ_DP²]",
        "Theorem 1's own noise part is 2σ_DP², not 2σ_DP²/p, and falls with p: with dσ_DP² in the place of σ_DP² "
        "(FED-L3@per-coordinate) its B is already at β = 0.001 13,446 at p = 1 and 3,366 at p = 0.25; with log(1/δ) under the root "
        "3,963 and 995.",
        witness=Witness(
            values(**NUMBERS, beta="1/1000", d=RESNET20, s="1732/100", t="339/100"),
            "B(p = 1) ≤ B(p = 1/4) at β = 0.001, with the root that leaves least noise",
            _own_noise,
            "β = 0.001, K = 300, ε = 8, δ = 10⁻⁵, s in the place of √K and t in that of √log(1/δ); a larger β makes the noise larger",
        ),
        repair=Repair(
            "With Theorem 1's B and σ_DP² ∝ p B is smaller at p = 1 exactly where pσ(1)² < 1 − p.",
            "pσ(1)² < 1 − p",
            Proof((PART,), (_QUOTED_MAIN, _OWN_NOISE)),
            weakest="necessary and sufficient; with this variance for the whole vector it holds at the three β",
        ),
    ),
)
