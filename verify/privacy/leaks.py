"""What the algorithms tell beside the noisy messages: initial memories and step sizes that depend on the
data.

An event that has probability 1 on one data set and 0 on its neighbour leaves δ ≥ 1 − e^ε · 0 = 1 for every
ε: no noise on the messages changes that. Each witness here is such an event, or one whose two probabilities
are Gaussian tails.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from verify.claim import Claim, Repair, Values, Witness
from verify.computation import Comparison
from verify.curves import Curve, mean
from verify.fractions_check import exact_root
from verify.privacy.alpha_normec import small_beta_0
from verify.privacy.arguments import CLOSED, CLOSED_FORM, PRIVATE, enough
from verify.privacy.half_messages import beta_hat
from verify.privacy.mechanisms import log_inverse
from verify.privacy.rigorous import below, iv, number, tail

F = Fraction
LEVEL = {"epsilon": F(8), "delta": F(1, 10**5)}


def _revealed(one: Fraction, other: Fraction) -> Fraction:
    """δ of releasing a number that is `one` on a data set and `other` on its neighbour: total variation 1
    or 0."""
    return F(1) if one != other else F(0)


def _corollary2(
    v: Values, gradients: Mapping[str, Sequence[Fraction]], R: Fraction
) -> tuple[tuple[str, bool], ...]:
    """What Corollary 2 and Theorem 2's setting ask, on both data sets: f_i = ½(x + g_i)² with the gradients g_i at x⁰ = 0, so that
    L_max = 1 and 2(f(x⁰) − f^inf) is the square of the mean gradient."""
    met = [("K + 1 ≥ 1 rounds", v["releases"] >= 1 and v["releases"].denominator == 1)]
    met += [("β/(α + R) < 1, R > 0", R > 0 and v["beta_0"] / v["releases"] < v["alpha"] + R)]
    for name, of in gradients.items():
        gap = (sum(of, F(0)) / len(of)) ** 2 / 2
        square = (v["alpha"] + R) * gap / R
        met += [
            (f"{text} ({name})", true)
            for text, true in small_beta_0({**v, "n": F(len(of)), "d": F(1)}, square)
        ]
    return tuple(met)


def _initial_memory(v: Values) -> Comparison:
    """ĝ⁰ = (1/n) Σ g_i⁰, two clients, g_i⁰ = ∇f_i(x⁰) − R e_1; client 1's gradient is a or b."""
    first, second = ((gradient - v["R"] + 0 - v["R"]) / 2 for gradient in (v["a"], v["b"]))
    residuals = {gradient - (gradient - v["R"]) for gradient in (v["a"], v["b"], F(0))}
    return Comparison(
        _revealed(first, second),
        "<=",
        v["delta"],
        (
            ("ε > 0 and 0 < δ < 1", v["epsilon"] > 0 and 0 < v["delta"] < 1),
            ("R is the same on both data sets", residuals == {v["R"]}),
            ("R > 0", v["R"] > 0),
        ),
    )


def _initial_memory_of_corollary2(v: Values) -> Comparison:
    """The same, where every printed condition on α, β₀ and Δ holds on both data sets."""
    found = _initial_memory(v)
    asked = _corollary2(v, {name: (v[name], F(0)) for name in ("a", "b")}, v["R"])
    return Comparison(found.lhs, found.comparison, found.rhs, (*found.presupposed, *asked))


def _initial_memory_of_fed_corollary2(v: Values) -> Comparison:
    """The same, where what Fed-α-NormEC's Corollary 2 prints holds on both data sets, T = 1, α = R and the constant in its O(…) being
    free: two clients ½(x + g_i)², f_i^inf = 0, so that 2f^inf is the variance of g_1 and g_2."""
    found, of_data = _initial_memory(v), [(v[name], F(0)) for name in ("a", "b")]
    L, gamma, R, J = (v[name] for name in ("L", "gamma", "R", "releases"))
    alpha, gaps = R, [(sum(of, F(0)) / 2) ** 2 / 2 for of in of_data]
    spread = min(sum((g**2 for g in of), F(0)) / 4 - gap for of, gap in zip(of_data, gaps, strict=True))
    hat = beta_hat(v, gaps[0])
    beta, eta = hat / J, gamma / 2 * hat * R / (alpha + R) / J
    asked = (
        ("K + 1 ≥ 1 rounds, c > 0", J >= 1 and J.denominator == 1 and v["c"] > 0),
        ("M = 2 clients, and p = B̂/M with B̂ ∈ [1, M]", v["M"] == 2 and v["p"] in (F(1, 2), F(1))),
        ("every f_i is L-smooth", L >= 1),
        ("f(x⁰) − f^inf > 0 is the same on both data sets", gaps[0] == gaps[1] > 0),
        ("Δ^inf > 0", spread > 0),
        ("β/(α + R) < 1", beta < alpha + R),
        ("γ < Δ^inf(α+R)/(√(2L)β̂R)", 2 * L * (gamma * hat * R) ** 2 < (spread * (alpha + R)) ** 2),
        ("ηγ ≤ Δ^inf/(4L√(2L)(K+1))", 2 * L * (4 * L * eta * gamma * J) ** 2 <= spread**2),
        ("0 < η ≤ (γ/2)βR/(α+R) (Theorem 1 in Section 4)", 0 < eta <= gamma / 2 * beta * R / (alpha + R)),
        ("0 < γ ≤ 1/(2L)", 0 < gamma <= 1 / (2 * L)),
        ("η < 1", eta < 1),
    )
    return Comparison(found.lhs, found.comparison, found.rhs, (*found.presupposed, *asked))


def _initial_memory_seen_in_model(v: Values) -> Comparison:
    """One client in one dimension: x¹ = x⁰ − γ sign(ĝ¹) with ĝ¹ = ±G + β(Δ + z), |Δ| < 1, β = β₀/(K+1), and the printed σ_DP."""
    beta = v["beta_0"] / v["releases"]
    sigma = iv.sqrt(number(v["c"] ** 2 * v["releases"] / v["epsilon"] ** 2) * log_inverse(v["delta"]))
    right_sign = number(v["G"] - beta) / (number(beta) * sigma)
    had = below(tail(-right_sign) - iv.exp(number(v["epsilon"])) * tail(right_sign))
    return Comparison(
        had,
        "<=",
        v["delta"],
        (
            ("ε > 0 and 0 < δ < 1", v["epsilon"] > 0 and 0 < v["delta"] < 1),
            ("0 < β < G", 0 < beta < v["G"]),
            ("R = ‖∇f(x⁰) − g⁰‖ > 0, on both data sets", v["R"] > 0),
            ("c > 0", v["c"] > 0),
            *_corollary2(
                v, {sign: (g,) for sign, g in (("+", v["G"] + v["R"]), ("−", -v["G"] - v["R"]))}, v["R"]
            ),
        ),
    )


def _step_size(v: Values) -> Comparison:
    """γ = βR/((α+R) L_max), β = β₀/(K+1), L_max = 1, with R the largest initial residual, g_i⁰ = 0; ‖x¹ − x⁰‖ = γ is seen."""
    beta, both = v["beta_0"] / v["releases"], (v["R"], v["R_neighbour"])
    first, second = (beta * R / (v["alpha"] + R) for R in both)
    return Comparison(
        _revealed(first, second),
        "<=",
        v["delta"],
        (
            ("ε > 0 and 0 < δ < 1", v["epsilon"] > 0 and 0 < v["delta"] < 1),
            *(met for R in both for met in _corollary2(v, {f"R = {R}": (R, F(0))}, R)),
        ),
    )


def _server_step(v: Values) -> Comparison:
    """‖x¹ − x⁰‖ = η = γβ̂/(4(K+1)) at α = R, β̂ = √(3(f(x⁰)−f^inf)/γ)√(M/B₂), is seen; f is the mean of M clients on the line.

    The first client has f_1' = 1 at x⁰ = 0 and for `far` or `farther` to the left of it, before f_1' falls to 0 over a length of
    1/L. The others come in pairs that cancel in f: f_i' = ±1 for `wide` to the right of x⁰, falling to 0 on both sides. v_i⁰ = 0,
    so that R = 1 on both data sets; f^inf and f_i^inf are the infima.
    """
    L, M, K, gamma, R = (v[k] for k in ("L", "M", "K", "gamma", "R"))
    edges = (-1 / L, F(0), v["wide"], v["wide"] + 1 / L)
    pair = [Curve(edges, (F(0), sign, sign, F(0))) for sign in (F(1), F(-1))]
    gaps, spreads, met = [], [], []
    for far in (v["far"], v["farther"]):
        own = Curve((-far - 1 / L, -far, F(1)), (F(0), F(1), F(1)))
        clients = [own, *pair * int((M - 1) / 2)]
        f = mean(clients)
        gaps.append(f.value(F(0)) - f.infimum)
        spreads.append(f.infimum - sum((g.infimum for g in clients), F(0)) / M)
        met += [
            ("M clients, of which the first alone is not the same on both data sets", len(clients) == M),
            ("every f_i is L-smooth", max(g.smoothness for g in clients) == L),
            ("R = max_i ‖∇f_i(x⁰) − v_i⁰‖, v_i⁰ = 0", max(abs(g.gradient(F(0))) for g in clients) == R),
        ]
    steps = []
    for gap, spread in zip(gaps, spreads, strict=True):
        for ratio in (exact_root(M / v["B_2"], 2), exact_root(exact_root(M / v["B_2"], 2), 2)):
            hat = exact_root(3 * gap / gamma, 2) * ratio
            steps.append(gamma / 2 * hat / 2 / (K + 1))
            met += [
                ("β/(α + R) < 1", hat / (K + 1) < 2 * R),
                ("γ < Δ^inf(α+R)/(√(2L)β̂R)", gamma * exact_root(2 * L, 2) * hat < 2 * spread),
                (
                    "ηγ ≤ Δ^inf/(4L√(2L)(K+1))",
                    steps[-1] * gamma * 4 * L * exact_root(2 * L, 2) * (K + 1) <= spread,
                ),
                ("0 < γ ≤ 1/(2L)", 0 < gamma <= 1 / (2 * L)),
                ("η ∈ (0, 1)", 0 < steps[-1] < 1),
            ]
    met += [
        ("ε > 0 and 0 < δ < 1", v["epsilon"] > 0 and 0 < v["delta"] < 1),
        ("with a fourth root over M/B₂ the steps differ too", steps[1] != steps[3]),
    ]
    return Comparison(_revealed(steps[0], steps[2]), "<=", v["delta"], tuple(met))


PUBLIC = Repair(
    PRIVATE,
    "a noise level; parameters and memories without the data (R enters the bounds, not the algorithm: choose γ from an R that is "
    "large enough for all data sets considered)",
    enough(CLOSED_FORM),
)
FED_PUBLIC = Repair(
    f"Algorithm 1 is (ε, δ)-DP towards an adversary who sees every message and who sends, if {CLOSED} and x⁰, v_i⁰, η, α, β and γ "
    "do not depend on the data",
    "a noise level; v_i⁰ without the data (0, for example), β̂, α and η from bounds on f(x⁰) − f^inf and R that hold for all data "
    "sets considered",
    enough(CLOSED_FORM),
)
_COROLLARY2 = (
    "If σ_DP = O(√((K+1) log(1/δ)) ϵ⁻¹), β = β₀/(K+1) with β₀ ≤ ∆ ⁴√(nϵ²/(d log(1/δ))), and α > β₀, then Algorithm 1 satisfies "
    "(ϵ, δ)-DP"
)
MEMORY_PRINTED = (
    f"[As R is sufficiently small (R → 0), R = max_i ∥∇f_i(x⁰) − g_i⁰∥, ĝ⁰ = (1/n) Σ g_i⁰:] {_COROLLARY2}"
)
STEP_PRINTED = f"[With γ = β R/(α+R) · 1/L_max, R = max_i ∥∇f_i(x⁰) − g_i⁰∥, as the utility bound needs it:] {_COROLLARY2}"
STEP_WITNESS = Witness(
    {"alpha": F(1), "beta_0": F(1, 10), "releases": F(301), "R": F(1), "R_neighbour": F(3), **LEVEL},
    "the true δ is at most δ",
    _step_size,
    "two clients ½(x + g_i)², x⁰ = 0, g_1 = 1 or 3 on the neighbours, g_2 = 0; K = 300; the first step has length γ whatever the "
    "noise",
)

CLAIMS = (
    Claim(
        "NEC-C2-DP@initial-memory",
        "alpha-normec",
        "Corollary 2 and the remark after it; Algorithm 1, line 1",
        "privacy",
        MEMORY_PRINTED,
        "A small R needs g_i⁰ close to ∇f_i(x⁰), and the server starts from their mean without any noise: δ = 1.",
        witness=Witness(
            {
                "a": F(1),
                "b": F(-1),
                "R": F(1, 10),
                "alpha": F(1),
                "beta_0": F(1, 10),
                "releases": F(301),
                **LEVEL,
            },
            "the true δ is at most δ",
            _initial_memory_of_corollary2,
            "two clients ½(x + g_i)², x⁰ = 0: ∇f_1(x⁰) = ±1 on the neighbours, ∇f_2(x⁰) = 0, g_i⁰ = ∇f_i(x⁰) − R; "
            "ĝ⁰ = (±1 − 2R)/2; K = 300, whatever the noise",
        ),
        repair=PUBLIC,
        consequence=(
            "R → 0 and privacy cannot be had together, and need not be: from g_i⁰ = 0 NEC-OUR-C2-FORGETS pays for "
            "R = max ‖∇f_i(x⁰)‖ once and not in every round"
        ),
    ),
    Claim(
        "NEC-C2-DP@initial-memory-model",
        "alpha-normec",
        "Corollary 2; Algorithm 1, lines 1, 10, 11",
        "privacy",
        MEMORY_PRINTED + " [Only the models x^k are seen.]",
        "The first model moves against the sign of ĝ⁰ + β(Δ + z): a large gradient in ĝ⁰ drowns the noise.",
        witness=Witness(
            {
                "G": F(1000),
                "R": F(1, 10),
                "alpha": F(31),
                "beta_0": F(301, 10),
                "c": F(1),
                "releases": F(301),
                **LEVEL,
            },
            "the true δ is at most δ",
            _initial_memory_seen_in_model,
            "one client ½(x + g)² in one dimension, x⁰ = 0, with g⁰ = ±1000 and ∇f(x⁰) = g = ±(1000 + R) on the neighbours, "
            "α = 31, β₀ = 30.1, K = 300, so that β = 1/10, and σ_DP = √(301 log(1/δ))/ε",
        ),
        repair=PUBLIC,
    ),
    Claim(
        "NEC-C2-DP@step-size",
        "alpha-normec",
        "Corollary 2; Appendix H",
        "privacy",
        STEP_PRINTED,
        "The normalised step has length γ exactly, so that γ, and with it R, is read off two models: δ = 1.",
        witness=STEP_WITNESS,
        repair=PUBLIC,
        consequence="∆, and with it β₀, is made of f(x⁰) − f_inf and R as well: parameters tuned to them are releases too",
    ),
    Claim(
        "FED-C2-DP@initial-memory",
        "fed-alpha-normec",
        "Corollaries 1 to 6; Algorithm 1, line 1",
        "privacy",
        "v_i⁰ ∈ ℝ^d is chosen such that […] max_{i∈[1,M]} ‖(x⁰ − T_i(x⁰))/γ − v_i⁰‖ = D₁/(K+1)^{1/6} with D₁ > 0 […] "
        "v̂⁰ = (1/M) Σ_{i=1}^M v_i⁰ (Algorithm 1) […] Fed-α-NormEC satisfies (ϵ, δ)-DP (Section 4)",
        "v_i⁰ close to the client's first update is data, and the server starts from its mean without any noise: δ = 1.",
        witness=Witness(
            {
                "a": F(1),
                "b": F(-1),
                "R": F(1, 10),
                "M": F(2),
                "p": F(1),
                "L": F(1),
                "gamma": F(1, 10),
                "c": F(335, 100),
                "releases": F(301),
                **LEVEL,
            },
            "the true δ is at most δ",
            _initial_memory_of_fed_corollary2,
            "two clients ½(x + g_i)², x⁰ = 0, with first updates g_1 = ±1 (on the neighbours) and g_2 = 0, v_i⁰ = g_i − R; α = R = "
            "γ = 1/10, c = 3.35, K = 300, inside what Corollary 2 prints (Theorem 1 as in Section 4; a shorter η changes nothing); "
            "for every other c the same with a γ that is small enough and a K that is large enough",
        ),
        repair=FED_PUBLIC,
    ),
    Claim(
        "FED-C2-DP@step-size",
        "fed-alpha-normec",
        "Corollary 2",
        "privacy",
        "If β = β̂/(K+1) with β̂ = √(3(f(x⁰) − f^inf)/γ) √(M/B₂), […] and η = (1/(K+1))(γ/2)(β̂R/(α+R)) […] Fed-α-NormEC satisfies "
        "(ϵ, δ)-DP",
        "The server's step has length η exactly, and f(x⁰) − f^inf, which β̂ contains, is read off it: δ = 1. (With α = R the factor "
        "R/(α+R) is 1/2 whatever R is.)",
        witness=Witness(
            {
                "L": F(1, 2),
                "M": F(15),
                "B_2": F(15, 256),
                "K": F(99),
                "gamma": F(3, 4),
                "R": F(1),
                "far": F(14),
                "farther": F(59),
                "wide": F(54),
                **LEVEL,
            },
            "the true δ is at most δ",
            _server_step,
            "15 clients, f(x⁰) − f^inf = 1 on one data set and 4 on its neighbour, where the first client's loss falls 45 further; "
            "the others cancel in pairs, f^inf and f_i^inf are the infima; α = R = 1, K = 99; η doubles, whatever the noise",
        ),
        repair=FED_PUBLIC,
    ),
)
