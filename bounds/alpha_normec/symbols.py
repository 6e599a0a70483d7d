"""The letters of α-NormEC (arXiv 2502.13482v1)."""

from bounds.symbols import CURVATURE, GRADIENT, LENGTH, ONE, VALUE, Symbol, table

SYMBOLS = table(
    Symbol("f_gap", "f(x⁰) − f^inf", "initial gap of the objective", VALUE, ">= 0"),
    Symbol("K", "K", "last iteration: K + 1 iterations are made", ONE, "integer >= 0"),
    Symbol("L", "L", "smoothness of f", CURVATURE, "> 0"),
    Symbol("L_max", "L_max", "largest smoothness of a client's function", CURVATURE, "> 0"),
    Symbol("alpha", "α", "smoothing of the normalisation", GRADIENT, "> 0"),
    Symbol("beta", "β", "step of the error feedback", GRADIENT, "> 0"),
    Symbol("gamma", "γ", "length of a normalised server step", LENGTH, "> 0"),
    Symbol("R", "R", "largest initial residual max_i ‖∇f_i(x⁰) − g_i⁰‖", GRADIENT, ">= 0"),
    Symbol("D", "D", "R √(K+1), the constant of Corollary 1", GRADIENT, "> 0"),
    Symbol("sigma", "σ_DP", "standard deviation of a client's noise, in the stated reading", ONE, ">= 0"),
    Symbol("n", "n", "number of clients", ONE, "integer >= 1"),
    Symbol("d", "d", "number of parameters of the model", ONE, "integer >= 1"),
    Symbol("epsilon", "ε", "privacy loss", ONE, "> 0"),
    Symbol("delta", "δ", "privacy failure probability", ONE, "(0, 1)"),
    Symbol("tau", "τ", "clipping threshold", GRADIENT, "> 0"),
    Symbol("C_1", "C₁", "largest initial gradient max_i ‖∇f_i(x⁰)‖", GRADIENT, ">= 0"),
    Symbol("beta_0", "β₀", "β (K+1), the constant of Corollary 2", GRADIENT, "> 0"),
)
