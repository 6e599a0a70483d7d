"""Claims: whether the theorems speak of the runs that are said to corroborate them (Appendices F and H)."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.dp_normfedavg import choices as printed
from verify.claim import Claim, Values, Witness
from verify.dp_normfedavg.letters import letters
from verify.facts import hypothesis
from verify.obligation import obligation
from verify.proof import Comparison, Proof

PAPER = "dp-normfedavg"

# A quadratic with a direction of curvature λ > 0 is Lipschitz with no constant.
curvature, slope, place = letters("lambda G t")
STEEP = obligation(
    "for every G some gradient is longer: at distance t = (G + 1)/λ along the direction",
    (
        hypothesis("λ > 0, G > 0", (curvature > 0) & (slope > 0)),
        hypothesis("t = (G + 1)/λ", sympy.Eq(place, (slope + 1) / curvature)),
    ),
    curvature * place > slope,
)


def _replay_lipschitz(v: Values) -> Comparison:
    """‖∇f_i(w)‖ for f_i = ½(w − w_i*)ᵀQ_i(w − w_i*) with Q_i = aaᵀ, at w = w_i* + s a; C = GE of Theorem 4."""
    a, s = (v["a_1"], v["a_2"]), v["s"]
    square = sum((x * x for x in a), Fraction(0))
    gradient = tuple(x * square * s for x in a)
    G = v["C"] / v["E"]
    met = (("Q_i = aaᵀ is not 0", square > 0), ("G = C/E > 0", G > 0))
    return Comparison(sum((x * x for x in gradient), Fraction(0)), "<=", G**2, met)


def _thresholds() -> dict[str, tuple[dict[str, str], ...]]:
    """4E√(L max Δ_j*) of our draw of the problem against the C of the plots."""
    from toy_problems.appendix_f import Setting, start

    setting = Setting()
    drawn = start(setting)
    constants = drawn.problem.constants
    gaps = drawn.problem.values(drawn.optimum[None, :]) - constants.f_i_inf
    L = float(constants.L_max)
    needed = setting.E * float(printed.THRESHOLD.limit(L=L, Delta_max=float(gaps.max())))
    row = {
        "L": f"{L:.2f}",
        "largest Δ_j*": f"{gaps.max():.2f}",
        "mean Δ_j* (0 if over-parameterised)": f"{gaps.mean():.2f}",
        "C that Theorems 6 and 7 ask for": f"{needed:.0f}",
        "C of the captions": "40, 50, 100",
    }
    return {"our draw of Appendix F's problem (seed 0)": (row,)}


def _replay_rates(v: Values) -> Comparison:
    """β_k against η_k in Appendix H's schedule, at round k."""
    local = v["decay"] ** int(v["k"]) * v["eta_0"]
    met = (("η_0 > 0", v["eta_0"] > 0), ("K > k ≥ 0", v["k"] >= 0))
    return Comparison(v["half"] * local, "==", local, met)


CLAIMS = (
    Claim(
        "DAS-APPF-COND",
        PAPER,
        "Appendix F, last sentence, with Theorem 4 and Section 4.1",
        "prose",
        "f_i(w) = ½(w − w_i*)^T Q_i(w − w_i*), […] Q_i = A_iA_i^T […]. These plots corroborate our theoretical "
        "predictions and intuition. [each f_i is G-Lipschitz with GE = C, as Theorem 4 and (4), (5) assume]",
        "a quadratic is Lipschitz with no constant, so that neither Theorem 4 nor the comparison of 4.1 "
        "predicts anything of these runs; the clients do not share a minimiser either, and Theorems 6 and 7 ask "
        "for a C above all that the captions name (table)",
        witness=Witness(
            {
                "a_1": Fraction(1, 20),
                "a_2": Fraction(-1, 10),
                "s": Fraction(10**4),
                "C": Fraction(100),
                "E": Fraction(20),
            },
            "‖∇f_i‖² ≤ G² for G = C/E = 5",
            _replay_lipschitz,
            "Q_i = aaᵀ with a = (1/20, −1/10), 10⁴ a away from w_i*",
            Proof(
                (
                    hypothesis("λ > 0, G > 0", (curvature > 0) & (slope > 0)),
                    hypothesis("t = (G + 1)/λ", sympy.Eq(place, (slope + 1) / curvature)),
                ),
                (STEEP,),
            ),
        ),
        tables=_thresholds,
        consequence="the plots are evidence of their own, on a problem outside every theorem of the paper",
    ),
    Claim(
        "DAS-APPH-COND",
        PAPER,
        "Appendix H with Theorems 4, 6 and 7",
        "prose",
        "We use β_k = 0.5η_k for all k. […] i.e. η_k = (0.99)^k η_0. […] Server momentum = 0.8 is also applied. [runs of "
        "Algorithm 1 as the theorems bound it: β_k = η_k = η]",
        "the theorems take one constant rate for both steps and no momentum; none of the three holds in the "
        "experiments",
        witness=Witness(
            {"half": Fraction(1, 2), "decay": Fraction(99, 100), "eta_0": Fraction(1, 10), "k": Fraction(1)},
            "β_k = η_k",
            _replay_rates,
            "η_0 = 1/10, round 1: β_1 = 0.0495, η_1 = 0.099",
        ),
        consequence="no theorem of the paper speaks of the method behind Table 2",
    ),
)
