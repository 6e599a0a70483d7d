"""The letters of Fed-α-NormEC. γ is a local step here (unit x²/f) and η the length of a server step."""

from bounds.symbols import CURVATURE, GRADIENT, LENGTH, ONE, VALUE, Symbol, Unit, table

STEP: Unit = (-1, 2)
"""Unit x²/f of a step that multiplies a gradient."""

SYMBOLS = table(
    Symbol("f_gap", "f(x⁰) − f^inf", "initial gap of the objective", VALUE, ">= 0"),
    Symbol("K", "K", "last round: K + 1 rounds are made", ONE, "integer >= 0"),
    Symbol("L", "L", "smoothness of every f_{i,j}", CURVATURE, "> 0"),
    Symbol("alpha", "α", "smoothing of the normalisation", GRADIENT, "> 0"),
    Symbol("beta", "β", "step of the error feedback", GRADIENT, "> 0"),
    Symbol("gamma", "γ", "local step", STEP, "> 0"),
    Symbol("eta", "η", "length of a server step", LENGTH, "> 0"),
    Symbol("R", "R", "largest initial residual max_i ‖v_i⁰ − (x⁰ − T_i(x⁰))/γ‖", GRADIENT, ">= 0"),
    Symbol("p", "p", "probability that a client sends", ONE, "(0, 1]"),
    Symbol("sigma", "σ_DP", "standard deviation of a client's noise, in the stated reading", ONE, ">= 0"),
    Symbol("V", "V", "total variance E‖z‖² of a client's noise: d σ² for covariance σ² I", ONE, ">= 0"),
    Symbol("M", "M", "number of clients", ONE, "integer >= 1"),
    Symbol("T", "T", "number of local steps", ONE, "integer >= 1"),
    Symbol("N", "N", "number of functions f_{i,j} of a client", ONE, "integer >= 1"),
    Symbol("d", "d", "number of parameters of the model", ONE, "integer >= 1"),
    Symbol("Delta", "Δ^inf", "f^inf − (1/M) Σ_i f_i^inf", VALUE, "real"),
    Symbol(
        "Delta_local",
        "(1/M) Σ Δ_i^inf",
        "mean over clients of Δ_i^inf, in the stated definition",
        VALUE,
        "real",
    ),
    Symbol("s", "s", "free scale of the gradient in the repaired bound for local steps", GRADIENT, "> 0"),
    Symbol("D_1", "D₁", "constant of R in Corollaries 1, 3 and 5", GRADIENT, "> 0"),
    Symbol("D_2", "D₂", "constant of β in Corollaries 1, 3 and 5", GRADIENT, "> 0"),
    Symbol("B_hat", "B̂", "expected number of clients that send", ONE, "> 0"),
    Symbol("c", "c", "constant of the noise in Corollaries 2, 4 and 6", ONE, "> 0"),
    Symbol("C", "C", "constant hidden in α = R = O(·) of Corollaries 2, 4 and 6", ONE, "> 0"),
    Symbol("epsilon", "ε", "privacy loss", ONE, "> 0"),
    Symbol("delta", "δ", "privacy failure probability", ONE, "(0, 1)"),
)
