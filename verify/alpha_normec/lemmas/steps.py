"""The printed steps of the proofs of Lemma 1 (Appendix B) and Lemma 3 (Appendix G); Lemma 3's first display is in `lemma3`."""

from __future__ import annotations

from fractions import Fraction

import sympy

from verify.alpha_normec.lemmas.lemma3 import LETTER, errors
from verify.alpha_normec.lemmas.operator import DEFINED, SPACE, UNDEFINED, g
from verify.alpha_normec.letters import ALPHA0, BETA, CLIENTS, PAPER, SIGMA, K, alpha, beta, n, r, sigma
from verify.citation import Cite
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison
from verify.facts import definition, derived, equal, hypothesis, standard
from verify.gram import Space, inner, square, vectors
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

_NORM = (1 / (alpha + r)) * g
_EXPANDED = square(g) + beta**2 / (alpha + r) ** 2 * square(g) - 2 * beta * square(g) / (alpha + r)
_EXISTS = "the condition only says that Norm_α(g) exists"
L1_S1 = Claim(
    id="NEC-L1-S1",
    paper=PAPER,
    place="Appendix B, first sentence",
    kind="step",
    printed="We prove the first statement by taking the Euclidean norm.",
    reason="‖Norm_α(g)‖ = ‖g‖/(α + ‖g‖) ≤ 1 wherever Norm_α(g) is defined; α = 0 with g = 0 is not.",
    repair=Repair(
        "‖Norm_α(g)‖² = (‖g‖/(α + ‖g‖))² and ‖g‖/(α + ‖g‖) ≤ 1 where α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, DEFINED),
            (
                obligation("the norm", (ALPHA0, DEFINED, *SPACE.facts()), equal(square(_NORM), (r / (alpha + r)) ** 2)),
                obligation("is at most 1", (ALPHA0, DEFINED, *SPACE.facts()), r / (alpha + r) <= 1),
            ),
        ),
        weakest=_EXISTS,
    ),
    gap=UNDEFINED,
)  # fmt: skip
L1_S2 = Claim(
    id="NEC-L1-S2",
    paper=PAPER,
    place="Appendix B, display, first equality",
    kind="step",
    printed="‖g − βNorm_α(g)‖² (6)= ‖g‖² + β²/(α + ‖g‖)² ‖g‖² − 2β ‖g‖²/(α + ‖g‖)",
    reason="It is the square, expanded with (6), in every dimension and wherever (6) is defined; at α = 0, g = 0 it is not.",
    repair=Repair(
        "The equality where α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, BETA, DEFINED),
            (
                obligation("‖g − βNorm_α(g)‖² expanded", (ALPHA0, BETA, DEFINED, *SPACE.facts()),
                           equal(square(g - beta * _NORM), _EXPANDED)),
            ),
        ),
        weakest=_EXISTS,
    ),
    gap=UNDEFINED,
)  # fmt: skip
L1_S3 = Claim(
    id="NEC-L1-S3",
    paper=PAPER,
    place="Appendix B, display, second equality",
    kind="step",
    printed="[‖g‖² + β²/(α + ‖g‖)² ‖g‖² − 2β ‖g‖²/(α + ‖g‖)] = (1 − β/(α + ‖g‖))² ‖g‖²",
    reason="It is the square of 1 − β/(α + ‖g‖) wherever that is defined; α = 0 with g = 0 is not.",
    repair=Repair(
        "The equality where α + ‖g‖ > 0.",
        "α + ‖g‖ > 0",
        Proof(
            (ALPHA0, BETA, DEFINED),
            (
                obligation("the square", (ALPHA0, BETA, DEFINED, *SPACE.facts()),
                           equal(_EXPANDED, (1 - beta / (alpha + r)) ** 2 * square(g))),
            ),
        ),
        weakest=_EXISTS,
    ),
    gap=UNDEFINED,
)  # fmt: skip

# Lemma 3. A coordinate of e and of the noises, then random vectors as vectors of L².
_e, _e0, _sum, _z = sympy.symbols("e e⁰ Σz^l z", real=True)
_RECURSION = derived("e^m = e⁰ + βΣ_{l<m} z^l", equal(_e, _e0 + beta * _sum))
_BEGIN, _LATER = ((_e, _e0), (_sum, 0)), ((_e, _e + beta * _z), (_sum, _sum + _z))
_start, _walk = vectors("e⁰ βΣz^l")
_both = Space((_start, _walk))
_norm_start, _norm_walk, _norm_both = (
    _both.norm(v, name) for v, name in ((_start, "‖e⁰‖"), (_walk, "‖βΣz^l‖"), (_start + _walk, "‖e^(k+1)‖"))
)
_ZERO = hypothesis("ĝ⁰ = (1/n)Σg_i⁰, so e⁰ = 0", equal(_norm_start, 0))


def _next_noise(values: Values) -> Comparison:
    b, e = values["beta"], errors(values["beta"])
    return Comparison(abs(e[1]), "<=", abs(b * values["z^1"]), (
        ("β > 0", b > 0),
        ("ĝ⁰ = (1/n)Σg_i⁰", e[0] == 0),
        ("z¹ = 0", values["z^1"] == 0),
    ))  # fmt: skip


L3_S2 = Claim(
    id="NEC-L3-S2",
    paper=PAPER,
    place="proof of Lemma 3, second to fourth display, Appendix G",
    kind="step",
    printed="By applying the equation recursively, e^{k+1} = e⁰ + β Σ_{l=1}^{k+1} z^l. Therefore, by the triangle inequality, "
    "‖e^{k+1}‖ ≤ ‖e⁰‖ + ‖β Σ_{l=1}^{k+1} z^l‖. If ĝ⁰ = (1/n) Σ_{i=1}^n g_i⁰, then e⁰ = 0 and therefore ‖e^{k+1}‖ ≤ ‖β "
    "Σ_{l=1}^{k+1} z^l‖.",
    reason="True where the noises are counted from 1, as the first display counts them; Algorithm 1 counts them from 0 (NEC-L3-S1). "
    "By induction, coordinate by coordinate, e^{k+1} is e⁰ and β times the k + 1 noises of the iterations so far.",
    repair=Repair(
        "The three displays with Σ_{l=0}^k z^l for Σ_{l=1}^{k+1} z^l: as many terms as printed.",
        "z⁰, …, z^k, as Algorithm 1 counts them, for z¹, …, z^{k+1}",
        Proof(
            (_ZERO,),
            (
                Induction(
                    _RECURSION.name,
                    _RECURSION,
                    Obligation("m = 0", (), derived("start", _RECURSION.at(dict(_BEGIN)).relation)),
                    Obligation("one iteration more", (_RECURSION,), derived("step", _RECURSION.at(dict(_LATER)).relation)),
                    _BEGIN,
                    _LATER,
                ),
                _triangle := obligation("‖e⁰ + βΣz^l‖ ≤ ‖e⁰‖ + ‖βΣz^l‖", _both.facts(), _norm_both <= _norm_start + _norm_walk),
                obligation("‖e^(k+1)‖ ≤ ‖βΣ_{l=0}^k z^l‖", (_ZERO, _triangle.conclusion), _norm_both <= _norm_walk),
            ),
        ),
    ),
    gap=Gap(
        "reading",
        "noises counted as Algorithm 1 counts them",
        Witness(LETTER.values, "‖e¹‖ ≤ ‖βz¹‖", _next_noise, LETTER.problem),
    ),
)  # fmt: skip
_size, _unit = vectors("‖βΣz^l‖ 1")
_sizes = Space((_size, _unit))
_expected, _expected_walk = sympy.symbols("E‖e^(k+1)‖ E‖βΣ_{l=0}^kz^l‖", real=True)
_PATHS = Cite(L3_S2, (_ZERO,), repaired=True)
_MONOTONE = standard(
    "expectation is monotone", sympy.Implies(_PATHS.conclusion.relation, _expected <= _expected_walk)
)


def _given_a_sign(values: Values) -> Comparison:
    """E|e²| against E|z¹ + z²|, both squared and in units of 2σ²/π: with independent u, v ~ N(0, 1) and a fair sign s, z⁰ = σu,
    z¹ = σv and z² = sσv. Given s a sum of them is N(0, v²), and E|N(0, v²)| = v√(2/π)."""
    b, sd, last, rounds, clients = (values[name] for name in ("beta", "sigma", "k", "K", "n"))
    signs = Fraction(1), Fraction(-1)
    drawn = [((Fraction(1), Fraction(0)), (Fraction(0), Fraction(1)), (Fraction(0), s)) for s in signs]
    products = [
        sum(x * y for noises in drawn for x, y in zip(noises[i], noises[j], strict=True)) / len(signs)
        for i, j in ((0, 1), (0, 2), (1, 2))
    ]
    printed = sum((abs(later[1] + latest[1]) for _, later, latest in drawn), Fraction(0)) / len(signs)
    return Comparison(Fraction(2), "<=", printed * printed, (
        ("d = n = β = σ_DP = 1, and k = 1", b == sd == last == clients == 1),
        ("z^{k+1} is drawn: k + 1 ≤ K", last + 1 <= rounds),
        ("z⁰, z¹ and z² are N(0, σ_DP²), whatever s is", all(x**2 + y**2 == 1 for noises in drawn for x, y in noises)),
        ("E⟨z^j, z^i⟩ = 0 for i ≠ j", products == [0, 0, 0]),
        ("e⁰ = 0, so that e² = z⁰ + z¹ = u + v, of variance 2", all(x[0] == y[1] == 1 for x, y, _ in drawn)),
        ("z¹ + z² is 2v or 0", [later[1] + latest[1] for _, later, latest in drawn] == [2, 0]),
    ))  # fmt: skip


L3_S3 = Claim(
    id="NEC-L3-S3",
    paper=PAPER,
    place="proof of Lemma 3, fifth display, Appendix G",
    kind="step",
    printed="E‖e^{k+1}‖ ≤ E‖β Σ_{l=1}^{k+1} z^l‖ = E√(‖β Σ_{l=1}^{k+1} z^l‖²) ≤ √(E‖β Σ_{l=1}^{k+1} z^l‖²), where we "
    "reach the last inequality by Jensen’s inequality. [Algorithm 1: z_i^k ∈ R^d are sampled from Gaussian distribution with zero "
    "mean and σ_DP²-variance.]",
    reason="e^{k+1} is β times z⁰, …, z^k as Algorithm 1 counts them (NEC-L3-S2), and the display has z¹, …, z^{k+1}. Both sums have "
    "the same E‖·‖ where the noises of different iterations are independent and of one distribution; Algorithm 1 says N(0, σ_DP²) of "
    "each alone, Appendix G that they are uncorrelated, and then the two may differ. The last inequality is that of Cauchy and "
    "Schwarz in L²: E‖·‖ is the inner product of ‖·‖ and 1.",
    repair=Repair(
        "The display with Σ_{l=0}^k z^l for Σ_{l=1}^{k+1} z^l: as many terms as printed.",
        "z⁰, …, z^k, as Algorithm 1 counts them, for z¹, …, z^{k+1}",
        Proof(
            (_ZERO,),
            (
                _PATHS,
                _MEAN := obligation("E‖e^(k+1)‖ ≤ E‖βΣ_{l=0}^k z^l‖", (_PATHS.conclusion, _MONOTONE), _expected <= _expected_walk),
                _JENSEN := obligation("E‖v‖ ≤ √E‖v‖²", (definition("E1 = 1", equal(square(_unit), 1)), *_sizes.facts()),
                                      inner(_size, _unit) <= sympy.sqrt(square(_size))),
                obligation("E‖e^(k+1)‖ ≤ √E‖βΣ_{l=0}^k z^l‖²",
                           (_MEAN.conclusion, _JENSEN.conclusion,
                            definition("E‖βΣz^l‖ = ⟨‖βΣz^l‖, 1⟩", equal(_expected_walk, inner(_size, _unit)))),
                           _expected <= sympy.sqrt(square(_size))),
            ),
        ),
    ),
    gap=Gap(
        "reading",
        "Gaussian and uncorrelated noises, as Algorithm 1 and Appendix G have them, not independent ones",
        Witness(
            {name: Fraction(value) for name, value in (("n", 1), ("beta", 1), ("sigma", 1), ("k", 1), ("K", 2))},
            "(E|e²|)² ≤ (E|z¹ + z²|)², in units of 2σ_DP²/π",
            _given_a_sign,
            "d = n = β = 1: z⁰ and z¹ are independent, and z² = s z¹ with a fair sign s: E|e²| = 2σ/√π, E|z¹ + z²| = σ√(2/π)",
        ),
    ),
)  # fmt: skip
_total, _next = vectors("Σ_{l≤m}z^l z^(m+1)")
_noises = Space((_total, _next))
_second, _seconds, _cross = sympy.symbols("E‖Σ_{l≤m}z^l‖² Σ_{l≤m}E‖z^l‖² Σ_{j≠i}E⟨z^i·z^j⟩", real=True)
_MEANT = definition("E‖Σz^l‖² is that square", equal(_second, square(_total)))
_APART = hypothesis(
    "noises of different iterations are uncorrelated: E⟨z^j, z^i⟩ = 0 for i ≠ j",
    equal(inner(_total, _next), 0),
)
_EXPANDED_SUM = derived(
    "E‖Σ_{l≤m} z^l‖² = Σ_{l≤m} E‖z^l‖² + Σ_{j≠i} E⟨z^i, z^j⟩", equal(_second, _seconds + _cross)
)
_NONE, _MORE = (
    ((_second, 0), (_seconds, 0), (_cross, 0)),
    (
        (_second, square(_total + _next)),
        (_seconds, _seconds + square(_next)),
        (_cross, _cross + 2 * inner(_total, _next)),
    ),
)
_NO_CROSS = derived("Σ_{j≠i} E⟨z^i, z^j⟩ = 0", equal(_cross, 0))
_MIDDLE = sympy.sqrt(beta**2 * _seconds + beta**2 * _cross)
L3_S4 = Claim(
    id="NEC-L3-S4",
    paper=PAPER,
    place="proof of Lemma 3, sixth display and (∗), Appendix G",
    kind="step",
    printed="by expanding the terms, [E‖e^{k+1}‖ ≤: NEC-L3-S3; √(E‖β Σ_{l=1}^{k+1} z^l‖²) =] √(β² Σ_{l=1}^{k+1} E‖z^l‖² + β² Σ_{j≠i} "
    "E⟨z_i, z_j⟩) (∗)= √(β² Σ_{l=1}^{k+1} E‖z^l‖²), […] where we reach (∗) by the fact that E⟨z^j, z^i⟩ = 0 for i ≠ j",
    reason="Expanded, E‖Σz^l‖² is the sum of the E‖z^l‖² and of the cross terms, which vanish for noises of different iterations "
    "(which is what i and j count here, although z_i is a client's noise elsewhere), whichever k + 1 iterations these are. How "
    "E‖e^{k+1}‖ comes to be at most the root is NEC-L3-S3.",
    proof=Proof(
        (BETA, _APART),
        (
            Induction(
                _EXPANDED_SUM.name,
                _EXPANDED_SUM,
                Obligation("no noise", (), derived("start", _EXPANDED_SUM.at(dict(_NONE)).relation)),
                Obligation("one iteration more", (_EXPANDED_SUM, _MEANT, *_noises.facts()),
                           derived("step", _EXPANDED_SUM.at(dict(_MORE)).relation)),
                _NONE,
                _MORE,
            ),
            obligation("√E‖βΣz^l‖² = √(β²ΣE‖z^l‖² + β²Σ_{j≠i}E⟨z^i, z^j⟩)", (BETA, _EXPANDED_SUM, _MEANT, *_noises.facts()),
                       equal(sympy.sqrt(square(beta * _total)), _MIDDLE)),
            Induction(
                _NO_CROSS.name,
                _NO_CROSS,
                Obligation("no pair", (), derived("start", _NO_CROSS.at({_cross: sympy.Integer(0)}).relation)),
                Obligation("one iteration more", (_NO_CROSS, _APART),
                           derived("step", _NO_CROSS.at({_cross: _MORE[-1][1]}).relation)),
                _NONE[-1:],
                _MORE[-1:],
            ),
            obligation("(∗): = √(β²ΣE‖z^l‖²)", (BETA, _EXPANDED_SUM, _NO_CROSS, _MEANT, *_noises.facts()),
                       equal(_MIDDLE, sympy.sqrt(beta**2 * _seconds))),
        ),
    ),
)  # fmt: skip

_clients, _one, _mean = vectors("Σ_{i≤m}z_i z_i (1/n)Σz_i")
_own = Space((_clients, _one))
_spread, _m, _k = sympy.symbols("E‖Σ_{i≤m}z_i‖² m k", real=True)
_EACH = hypothesis(
    "E‖z_i‖² = σ_DP² (σ_DP² is the variance of the whole vector)", equal(square(_one), sigma**2)
)
_INDEPENDENT = hypothesis("clients' noises are independent with zero mean", equal(inner(_clients, _one), 0))
_IS = definition("E‖Σ_{i≤m}z_i‖² is that square", equal(_spread, square(_clients)))
_GROWS = derived("E‖Σ_{i≤m} z_i‖² = mσ_DP²", equal(_spread, _m * sigma**2))
_EMPTY, _PLUS = ((_spread, 0), (_m, 0)), ((_spread, square(_clients + _one)), (_m, _m + 1))
_AVERAGE = obligation(
    "E‖z^k‖² = σ_DP²/n",
    (CLIENTS, _GROWS, definition("all n clients", equal(_m, n)),
     definition("z = (1/n)Σz_i", equal(square(_mean) * n**2, _spread))),
    equal(square(_mean), sigma**2 / n),
)  # fmt: skip
_COUNT = definition("K ≥ 0, k ≥ 0", (K >= 0) & (_k >= 0))
_LATEST = hypothesis("k ≤ K", _k <= K)


def _per_coordinate(values: Values) -> Comparison:
    """E‖z^k‖² = dσ²/n where each of d coordinates of each client's noise has the variance σ²."""
    variance, clients, dimension = values["sigma"] ** 2, values["n"], values["d"]
    return Comparison(dimension * variance / clients, "<=", variance / clients, (
        ("σ_DP > 0", values["sigma"] > 0), ("n ≥ 1, d ≥ 1 are whole", all(
            number >= 1 and number.denominator == 1 for number in (clients, dimension))),
    ))  # fmt: skip


L3_S5 = Claim(
    id="NEC-L3-S5",
    paper=PAPER,
    place="proof of Lemma 3, sixth display, (‡), and the last display, Appendix G",
    kind="step",
    printed="√(β² Σ_{l=1}^{k+1} E‖z^l‖²) (‡)≤ √(β²/n Σ_{l=1}^{k+1} σ_DP²), where we reach […] (‡) by the fact that "
    "E‖z^k‖² = σ_DP²/n (as z_i^k is independent of z_j^k for i ≠ j). Therefore, E‖e^{k+1}‖ ≤ √(β²(k+1)σ_DP²/n) (k≤K)≤ "
    "√(β²(K+1)σ_DP²/n).",
    reason="Independence gives E‖z^k‖² = E‖z_i‖²/n; that this is σ_DP²/n takes σ_DP² for the variance of the whole "
    "vector, which Algorithm 1 does not say. Here the factor √d is lost if it is that of a coordinate.",
    repair=Repair(
        "The step with σ_DP² := E‖z_i‖².",
        "σ_DP² is the variance of the whole vector; independent noises, as the proof of Lemma 3 has them",
        Proof(
            (BETA, SIGMA, CLIENTS, _EACH, _INDEPENDENT, _LATEST),
            (
                Induction(
                    _GROWS.name,
                    _GROWS,
                    Obligation("no client", (), derived("start", _GROWS.at(dict(_EMPTY)).relation)),
                    Obligation("one client more", (_GROWS, _IS, _EACH, _INDEPENDENT, *_own.facts()),
                               derived("step", _GROWS.at(dict(_PLUS)).relation)),
                    _EMPTY,
                    _PLUS,
                ),
                _AVERAGE,
                obligation("√(β²(k+1)E‖z‖²) ≤ √(β²(K+1)σ_DP²/n)", (BETA, SIGMA, CLIENTS, _COUNT, _LATEST, _AVERAGE.conclusion),
                           sympy.sqrt(beta**2 * (_k + 1) * square(_mean)) <= sympy.sqrt(beta**2 * (K + 1) * sigma**2 / n)),
            ),
        ),
        weakest="with N(0, σ²I) E‖z^k‖² is dσ²/n (NEC-L3@coordinate)",
    ),
    gap=Gap(
        "reading",
        "σ_DP² is the variance of a coordinate",
        Witness({"sigma": Fraction(1), "n": Fraction(1), "d": Fraction(2)}, "E‖z^k‖² ≤ σ_DP²/n", _per_coordinate),
    ),
)  # fmt: skip
CLAIMS = (L1_S1, L1_S2, L1_S3, L3_S2, L3_S3, L3_S4, L3_S5)
