"""The letters of DP-NormFedAvg (Das, Hashemi, Sanghavi, Dhillon).

ρ gathers the privacy: a round's averaged noise has E‖ζ_k‖² = K C² ρ² (Theorem 3 with Definition 2).
"""

from bounds.symbols import CURVATURE, GRADIENT, LENGTH, ONE, VALUE, Symbol, Unit, table

STEP: Unit = (-1, 2)
"""A learning rate: x²/f."""

SYMBOLS = table(
    Symbol("n", "n", "number of clients", ONE, "integer >= 1"),
    Symbol("r", "r", "expected number of clients in a round", ONE, "> 0"),
    Symbol("d", "d", "number of parameters of the model", ONE, "integer >= 1"),
    Symbol("E", "E", "local gradient steps in a round", ONE, "integer >= 1"),
    Symbol("K", "K", "number of rounds", ONE, "integer >= 1"),
    Symbol("L", "L", "smoothness of every f_i", CURVATURE, "> 0"),
    Symbol("G", "G", "Lipschitz constant of every f_i", GRADIENT, "> 0"),
    Symbol("C", "C", "clipping threshold or scaling factor", GRADIENT, "> 0"),
    Symbol("C_hat", "Ĉ", "C/E", GRADIENT, "> 0"),
    Symbol("gamma", "γ", "constant of our choice that sets K", GRADIENT, "> 0"),
    Symbol("alpha", "α", "constant of our choice that sets K", ONE, "> 0"),
    Symbol("rho", "ρ", "√(q d log(1/δ))/(nε): size of the noise (Definition 2)", ONE, "> 0"),
    Symbol("eta", "η", "learning rate, local and global", STEP, "> 0"),
    Symbol("distance", "‖w₀ − w*‖", "distance of the start from a minimiser of f", LENGTH, ">= 0"),
    Symbol("Delta", "Δ̄*", "mean over clients of Δ_i* = f_i(w*) − min f_i", VALUE, ">= 0"),
    Symbol("Delta_max", "max_j Δ_j*", "largest Δ_j*", VALUE, ">= 0"),
    Symbol(
        "Delta_kept", "E mean 1(‖u_i‖ ≤ ĈE) Δ_i*", "Δ_i* of clients whose update is not cut", VALUE, ">= 0"
    ),
    Symbol("share_kept", "E mean 1(‖u_i‖ ≤ ĈE)", "share of clients whose update is not cut", ONE, ">= 0"),
    Symbol("z_Delta", "E mean z_i Δ_i*", "Δ_i* weighted by z_i = GE/‖u_i‖ (or ĈE/‖u_i‖)", VALUE, ">= 0"),
    Symbol(
        "excess",
        "c",
        "variance that sampling adds: 1/r − 1/n where clients are drawn one by one",
        ONE,
        ">= 0",
    ),
    Symbol("epsilon", "ε", "privacy loss", ONE, "> 0"),
    Symbol("delta", "δ", "privacy failure probability", ONE, "(0, 1)"),
    Symbol("q", "q", "absolute constant of Theorem 3", ONE, "> 0"),
)
