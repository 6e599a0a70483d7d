"""Assumption 1, Example 1 and Algorithm 1."""

from __future__ import annotations

from fractions import Fraction

import sympy

from bounds.alpha_normec.theorem1 import theorem1
from verify.alpha_normec.letters import ALPHA, GAMMA, PAPER, SMOOTH, L, R, alpha, f_gap, gamma, tau
from verify.alpha_normec.theorems import descent
from verify.alpha_normec.theorems.theorem1 import STEP3
from verify.claim import Claim, Gap, Repair, Values, Witness
from verify.computation import Comparison, Computation
from verify.curves import Curve, Quadratic
from verify.exact import alpha_normec, sign
from verify.facts import definition, derived, equal, hypothesis
from verify.gram import Space, square, vectors
from verify.identity import Identity
from verify.induction import Induction
from verify.obligation import Obligation, obligation
from verify.proof import Proof

x = sympy.Symbol("x", real=True)
F1, F2 = Quadratic(Fraction(1), Fraction(3)), Quadratic(Fraction(1), Fraction(-3))


def _clients_rougher() -> Comparison:
    """f_1 = 3x²/2 and f_2 = −x²/2 + … average to a 1-smooth f: f_1 has L_1 = 3 and breaks the printed inequality with L."""
    first, second = Fraction(3), Fraction(-1)
    average = (first + second) / 2
    return Comparison(abs(first), ">", abs(average), (("f is L-smooth with L = 1", average == 1),))


_sum, _one = vectors("Σ_{i≤m}(∇f_i(x)−∇f_i(y)) ∇f_i(x)−∇f_i(y)")
_gradients = Space((_sum, _one))
_drift, _term = _gradients.norm(_sum, "drift"), _gradients.norm(_one, "term")
_grown = _gradients.norm(_sum + _one, "drift_next")
_count, _L_sum, _L_i, _apart, _L_max = sympy.symbols("m L_sum L_i apart L_max", real=True)
_SMOOTH_I = hypothesis("‖∇f_i(x) − ∇f_i(y)‖ ≤ L_i‖x − y‖", _term <= _L_i * _apart)
_MEMBER = hypothesis("L_i ≤ L_max", _L_i <= _L_max)
_SUMMED = derived("‖Σ_{i≤m}(∇f_i(x) − ∇f_i(y))‖ ≤ Σ_{i≤m}L_i ‖x − y‖ and Σ_{i≤m}L_i ≤ m L_max",
                  (_drift <= _L_sum * _apart) & (_L_sum <= _count * _L_max))  # fmt: skip
_START, _LATER = (
    ((_drift, 0), (_L_sum, 0), (_count, 0)),
    ((_drift, _grown), (_L_sum, _L_sum + _L_i), (_count, _count + 1)),
)
_MEAN = Induction(
    _SUMMED.name,
    _SUMMED,
    Obligation("no client", (), derived("start", _SUMMED.at(dict(_START)).relation)),
    Obligation("one client more", (_SUMMED, _SMOOTH_I, _MEMBER, *_gradients.facts()),
               derived("step", _SUMMED.at(dict(_LATER)).relation)),
    _START,
    _LATER,
)  # fmt: skip
_BELOW = obligation(
    "f is L-smooth with L = (1/n)ΣL_i ≤ L_max",
    (_SUMMED, definition("n ≥ 1", _count >= 1)),
    (_drift / _count <= _L_sum / _count * _apart) & (_L_sum / _count <= _L_max),
)


A1 = Claim(
    id="NEC-A1",
    paper=PAPER,
    place="Assumption 1, Section 3.2",
    kind="definition",
    printed="Let f_i : R^d → R be L_i-smooth, i.e. ‖∇f_i(x) − ∇f_i(y)‖ ≤ L‖x − y‖ for all x, y ∈ R^d.",
    reason="The words say L_i, the inequality says L, the constant of f: clients of a 1-smooth f can be 3-smooth, and then "
    "the two differ. (f_i, on its own, is nowhere assumed to be bounded below, and need not be.)",
    conflict=Proof(
        (), (Computation("f_1 = 3x²/2, f_2 = −x²/2: f is 1-smooth, f_1 is not", "enumeration", _clients_rougher),)
    ),
    repair=Repair(
        "‖∇f_i(x) − ∇f_i(y)‖ ≤ L_i‖x − y‖; then f is (1/n)ΣL_i-smooth, and (1/n)ΣL_i ≤ L_max.",
        "L_i in the inequality",
        Proof((_SMOOTH_I, _MEMBER), (_MEAN, _BELOW)),
    ),
    consequence="Read L_i; that is what L_max in the theorems needs.",
)  # fmt: skip

_ONE_L = hypothesis("‖∇f_i(x) − ∇f_i(y)‖ ≤ L‖x − y‖", _term <= L * _apart)
_ALL_L = derived("‖Σ_{i≤m}(∇f_i(x) − ∇f_i(y))‖ ≤ mL‖x − y‖", _drift <= _count * L * _apart)
_NONE, _MORE = (((_drift, 0), (_count, 0)), ((_drift, _grown), (_count, _count + 1)))
A1_POSTER = Claim(
    id="NEC-A1@poster",
    paper=PAPER,
    place="poster, Problem Formulation; against Assumption 1",
    kind="definition",
    printed="where each f_i is L-smooth (privately known to client i) and f is lower-bounded by f^inf > −∞. [which gives "
    "Assumption 1, with L_i = L]",
    reason="A mean of L-smooth functions is L-smooth, so that one L serves for f and for every f_i: Assumption 1 with L_max = L. "
    "(Conversely, where Assumption 1 holds, L_max is such an L.)",
    proof=Proof(
        (_ONE_L,),
        (
            _SAME_L := Induction(
                _ALL_L.name,
                _ALL_L,
                Obligation("no client", (), derived("start", _ALL_L.at(dict(_NONE)).relation)),
                Obligation("one client more", (_ALL_L, _ONE_L, *_gradients.facts()),
                           derived("step", _ALL_L.at(dict(_MORE)).relation)),
                _NONE,
                _MORE,
            ),
            obligation("f is L-smooth", (_SAME_L.conclusion, definition("n ≥ 1", _count >= 1)), _drift / _count <= L * _apart),
        ),
    ),
    consequence="On the poster L stands for L_max too: what NEC-T2-POSTER's repair says of L_max it says of the poster's L.",
)  # fmt: skip


def _stalls() -> Comparison:
    start = Fraction(2)
    first, second = F1.gradient(start), F2.gradient(start)
    return Comparison(sign(first) + sign(second), "==", Fraction(0), (("∇f(2) ≠ 0", first + second != 0),))


EX1 = Claim(
    id="NEC-EX1",
    paper=PAPER,
    place="Example 1, Section 3.4",
    kind="prose",
    printed="n = 2, d = 1, f_1(x) = ½(x − 3)² and f_2(x) = ½(x + 3)². Then f(x) = ½(f_1(x) + f_2(x)) satisfies Assumption 1 "
    "and is minimized at x⋆ = 0. The iterates {x^k} generated by (2) (for B = 2) with z^k = 0 and α = 0 do not progress when x⁰ = 2, "
    "as the gradient estimator Norm_α(∇f_1(x^k)) + Norm_α(∇f_2(x^k)) results in […] −1/1 + 5/5 = 0.",
    reason="f(x) = x²/2 + 9/2, and the two normalised gradients at 2 are −1 and 1.",
    proof=Proof(
        (),
        (
            Identity(
                "f(x) = x²/2 + 9/2",
                ((x - 3) ** 2 / 2 + (x + 3) ** 2 / 2) / 2,
                x**2 / 2 + sympy.Rational(9, 2),
            ),
            obligation(
                "minimised at 0",
                (),
                sympy.Ge(x**2 / 2 + sympy.Rational(9, 2), sympy.Rational(9, 2), evaluate=False),
            ),
            *(
                Identity(
                    f"{name} is 1-smooth: its second derivative is 1", sympy.diff(f, x, 2), sympy.Integer(1)
                )
                for name, f in (
                    ("f_1", (x - 3) ** 2 / 2),
                    ("f_2", (x + 3) ** 2 / 2),
                    ("f", ((x - 3) ** 2 / 2 + (x + 3) ** 2 / 2) / 2),
                )
            ),
            Computation("the estimator at x⁰ = 2 is zero", "enumeration", _stalls),
        ),
    ),
)


_u, _v = vectors("∇f_1 ∇f_2")
_TWO = Space((_u, _v))
_length_u, _length_v, _mean_length = (
    _TWO.norm(vector, name) for vector, name in ((_u, "‖∇f_1‖"), (_v, "‖∇f_2‖"), (_u + _v, "‖∇f_1+∇f_2‖"))
)
_together = sympy.Symbol("‖Σ‖", real=True)
_SUM = definition(
    "‖Σ‖ = ‖(α+‖∇f_2‖)∇f_1 + (α+‖∇f_1‖)∇f_2‖",
    (_together >= 0) & equal(_together**2, square((alpha + _length_v) * _u + (alpha + _length_u) * _v)),
)
_CANCEL = hypothesis("the two messages cancel: ‖Σ‖ = 0", equal(_together, 0))
_BETWEEN = hypothesis("0 < x < 3", (x > 0) & (x < 3))
_ESTIMATOR = (x - 3) / (alpha + 3 - x) + (x + 3) / (alpha + 3 + x)
_short, _long = sympy.symbols("g_1 g_3", real=True)
_GRADIENTS = definition("g_1 = g_2 = −α/3, g_3 = α", equal(3 * _short, -alpha) & equal(_long, alpha))
_THREE = obligation(
    "2 Norm_α(−α/3) + Norm_α(α) = 0 and the mean gradient is not zero",
    (ALPHA, _GRADIENTS),
    equal(2 * _short / (alpha + sympy.Abs(_short)) + _long / (alpha + sympy.Abs(_long)), 0)
    & sympy.Ne(2 * _short + _long, 0),
)
_SENTENCES = (
    "smoothed normalization (6) with α = 0 also cannot address this convergence issue, as demonstrated in the next example […] "
    "Naively applying normalization to the gradients in DP-SGD leads to the method that does not converge in the distributed "
    "setting without further assumptions."
)
EX1_SMOOTH = Claim(
    id="NEC-EX1-SMOOTH",
    paper=PAPER,
    place="Section 3.4, before and after Example 1",
    kind="prose",
    printed=_SENTENCES,
    reason="With α = 0 Example 1 stays at x⁰ = 2, where ∇f = 2. With α > 0 it does not show the same failure (NEC-OUR-EX1); "
    "three clients with the gradients −α/3, −α/3 and α do.",
    proof=Proof(
        (ALPHA,),
        (
            Computation("α = 0: the estimator at x⁰ = 2 is zero, and ∇f(2) is not", "enumeration", _stalls),
            _THREE,
        ),
    ),
)
OUR_EX1 = Claim(
    id="NEC-OUR-EX1",
    paper=PAPER,
    place="ours: Example 1 with α > 0",
    kind="ours",
    printed="For every α > 0 on (0, 3) the step against the estimator of Example 1 goes towards the minimiser, and two clients "
    "stall nowhere but where ∇f = 0: 0 = Norm_α(u) + Norm_α(v) forces u + v = 0. Three clients can: gradients −α/3, −α/3 and α sum "
    "to zero after Norm_α while their mean is α/9.",
    reason="At 2 the estimator is 4α/((α+1)(α+5)). Example 1 is about α = 0 alone, as the paper says (NEC-EX1-SMOOTH).",
    proof=Proof(
        (ALPHA, _BETWEEN, _CANCEL),
        (
            obligation(
                "on Example 1 the estimator has the sign of x on (0, 3)",
                (ALPHA, _BETWEEN),
                _ESTIMATOR > 0,
            ),
            obligation(
                "two clients are not enough: 0 = Norm_α(u) + Norm_α(v) forces u + v = 0, in every dimension",
                (ALPHA, _CANCEL, _SUM, *_TWO.facts()),
                equal(_mean_length, 0),
            ),
            _THREE,
        ),
    ),
)


def _clipped(values: Values) -> Comparison:
    bound, start = values["Phi"], values["x0"]
    total = sum(min(Fraction(1), bound / abs(f.gradient(start))) * f.gradient(start) for f in (F1, F2))
    return Comparison(Fraction(total), "==", Fraction(0), (("Φ > 0", bound > 0), ("x⁰ = 2", start == 2)))


_THRESHOLD, _SMALL = hypothesis("Φ > 0", tau > 0), hypothesis("Φ ≤ 1", tau <= 1)
_CLIPPED = -sympy.Min(1, tau) + sympy.Min(5, tau)
EX1_POSTER = Claim(
    id="NEC-EX1-POSTER",
    paper=PAPER,
    place="poster, Example: DP-SGD Fails to Converge",
    kind="prose",
    printed="DP-SGD performs clipping Ψ(g) = min(1, Φ/‖g‖)g […] At x⁰ = 2, the algorithm stalls (even without noise z^k = 0). The "
    "reason: The normalized gradients cancel each other out, resulting in a zero update",
    reason="Example and reason are right for Φ ≤ 1 and wrong for Φ > 1, and which Φ is not said. For Φ ≤ 1 the gradients −1 and 5 "
    "are at least as long as Φ, clipping is Φ times normalisation, and they cancel, where both clients take part. Φ = 2 gives "
    "−1 + 2 = 1, not 0.",
    repair=Repair(
        "With both clients in each round and Φ ≤ 1 clipping sends Φ∇f_i/‖∇f_i‖ of both, and DP-SGD stalls at x⁰ = 2; for Φ > 1 it "
        "does not, and a client that takes part alone moves x for every Φ.",
        "Φ ≤ 1; both clients in each round, S^k = {1, 2}",
        Proof(
            (_THRESHOLD, _SMALL),
            (
                obligation(
                    "Φ ≤ 1: Clip_Φ(−1) = −Φ and Clip_Φ(5) = Φ",
                    (_THRESHOLD, _SMALL),
                    equal(sympy.Min(1, tau) * -1, -tau) & equal(sympy.Min(1, tau / 5) * 5, tau),
                ),
                obligation(
                    "−min(1, Φ) + min(5, Φ) = 0 iff Φ ≤ 1",
                    (_THRESHOLD,),
                    sympy.Equivalent(equal(_CLIPPED, 0), tau <= 1).to_nnf(),
                ),
                obligation(
                    "one client alone moves x: Clip_Φ(−1) and Clip_Φ(5) are not 0",
                    (_THRESHOLD,),
                    sympy.Ne(sympy.Min(1, tau) * -1, 0) & sympy.Ne(sympy.Min(1, tau / 5) * 5, 0),
                ),
            ),
        ),
        weakest="both conditions together are necessary and sufficient",
    ),
    gap=Gap(
        "reading",
        "for Φ > 1",
        Witness({"Phi": Fraction(2), "x0": Fraction(2)}, "Σ Clip_Φ(∇f_i(2)) = 0", _clipped),
    ),
)
_DOWN = descent.normalised_descent()
ALG1_ZERO = Claim(
    id="NEC-ALG1-ZERO",
    paper=PAPER,
    place="Section 4, before Algorithm 1",
    kind="definition",
    printed="we rather use server normalization x^{k+1} = x^k − γg^{k+1}/‖g^{k+1}‖ and adopt notation 0/0 = 0",
    reason="Where ĝ = 0 the step is 0: it is no longer than γ, and the descent inequality of Step 3 still holds.",
    proof=Proof((GAMMA, SMOOTH), (descent.steps_are_short(), _DOWN)),
)


def _output(values: Values) -> Comparison:
    """A flat stretch, then a cliff: the last iterate is on the cliff, the best one is not."""
    a, b, g, radius = (values[name] for name in ("alpha", "beta", "gamma", "R"))
    rounds, on_cliff = 16, 4
    edge = -(rounds - on_cliff) * g
    f = Curve((edge - 2 * on_cliff * g, edge - on_cliff * g, edge), (Fraction(0), on_cliff * g, Fraction(0)))
    start = Fraction(0)
    run = alpha_normec([f.gradient], start, [f.gradient(start) + radius], a, b, g, rounds)
    bound = theorem1(f.value(start) - f.infimum, g, rounds - 1, radius, f.smoothness)
    return Comparison(abs(f.gradient(run.x[-1])), "<=", bound, (
        ("L = L_max = 1", f.smoothness == 1),
        ("R = |∇f(x⁰) − g⁰|", abs(f.gradient(start) - run.memories[0][0]) == radius),
        ("β/(α+R) < 1", b / (a + radius) < 1),
        ("γ ≤ βR/(α+R) · 1/L_max", g <= b * radius / (a + radius)),
        ("the best iterate obeys Theorem 1", min(abs(f.gradient(y)) for y in run.x[:-1]) <= bound),
    ))  # fmt: skip


_TELESCOPED = descent.summed(R, (STEP3,))[0]
ALG1_OUT = Claim(
    id="NEC-ALG1-OUT",
    paper=PAPER,
    place="Algorithm 1, line 13, against Theorem 1 and the sentence after it",
    kind="definition",
    printed="Output: x^{K+1} [Theorem 1:] min_{k∈[0,K]} ‖∇f(x^k)‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ. […] α-NormEC converges "
    "sublinearly up to the additive constant of 2R + (L/2)γ.",
    reason="The theorems bound the least gradient norm among x⁰, …, x^K and say nothing of x^{K+1}, which is what comes out: on a "
    "cliff after a flat stretch its gradient exceeds the bound, 40/11 against 37/11. Of which iterate “converges” is said is open.",
    gap=Gap(
        "reading",
        "that the output, x^{K+1}, converges so",
        Witness(
            {"alpha": Fraction(21), "beta": Fraction(20), "gamma": Fraction(10, 11), "R": Fraction(1)},
            "‖∇f(x^{K+1})‖ ≤ (f(x⁰) − f^inf)/(γ(K+1)) + 2R + (L/2)γ",
            _output,
            "n = 1, x⁰ = 0, g⁰ = R, K + 1 = 16: f' is 0 for twelve steps of γ, then rises with slope 1 for four; run exactly",
        ),
    ),
    repair=Repair(
        "By Step 3's inequality (NEC-T1-S3) the iterate with the least gradient norm among x⁰, …, x^K has Theorem 1's bound, and so "
        "has, in the mean, one of them that is drawn at random: output either.",
        "another output than x^{K+1}",
        Proof(
            (GAMMA, SMOOTH, STEP3, descent.BOUNDED),
            (
                _TELESCOPED,
                obligation(
                    "the mean of the K + 1 norms obeys the bound, hence a random or the best iterate does",
                    (
                        GAMMA,
                        _TELESCOPED.conclusion,
                        descent.BOUNDED,
                        definition("m ≥ 1", descent.count >= 1),
                        definition("gap", equal(f_gap, descent.f_start - descent.f_inf)),
                    ),
                    descent.done / (gamma * descent.count)
                    <= f_gap / (gamma * descent.count) + 2 * R + L * gamma / 2,
                ),
            ),
        ),
    ),
    consequence="With noise take the random one: choosing the best iterate looks at the data again.",
)  # fmt: skip
CLAIMS = (A1, A1_POSTER, EX1, EX1_SMOOTH, OUR_EX1, EX1_POSTER, ALG1_ZERO, ALG1_OUT)
