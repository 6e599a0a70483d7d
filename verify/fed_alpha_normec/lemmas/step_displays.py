"""The remaining displays in the proofs of Lemmas 1, 2, 3, 5, 6, 7 and 9, letter by letter, by claim (see `lemma_displays`)."""

from __future__ import annotations

_SUM = "Σ_{j=0}^{T−1} ‖x_i^{k+1,j} − x_i^{k,j}‖"
_PASS = "Σ_{j=0}^{N−1} ‖x_i^{k+1,j} − x_i^{k,j}‖"
_FAR = "Σ_{j=0}^{T−1} ‖x_i^{k,j} − x^k‖"

STEPS = {
    "FED-L1-S5": (
        "Hence, we obtain ‖P_i(x^{k+1}) − v_i^{k+1}‖ ≤ (1/γ)(1 + ρ)‖x^{k+1} − x^k‖ + (1 − β/(α+C)) C. If ‖x^{k+1} − x^k‖ ≤ η, "
        "then ‖P_i(x^{k+1}) − v_i^{k+1}‖ ≤ (1/γ)(1 + ρ)η + (1 − β/(α+C)) C."
    ),
    "FED-L1-S6": (
        "‖P_i(x^{k+1}) − v_i^{k+1}‖ ≤ (1/γ)(1 + ρ)η + (1 − β/(α+C)) C. If η ≤ (γ/(1+ρ))(βC/(α+C)), then ‖P_i(x^{k+1}) − "
        "v_i^{k+1}‖ ≤ C."
    ),
    "FED-L2-S2": "By applying the recursion of e^{k+1} recursively, e^{k+1} = e⁰ + β Σ_{l=0}^k z^l.",
    "FED-L2-S3": (
        "From the definition of the Euclidean norm, and next by the triangle inequality and by taking the expectation, E[‖e^{k+1}‖] "
        "≤ E[‖e⁰‖] + E[‖β Σ_{l=0}^k z^l‖]."
    ),
    "FED-L2-S4": (
        "By Jensen's inequality, E[‖e^{k+1}‖] ≤ E[‖e⁰‖] + √(E[‖β Σ_{l=0}^k z^l‖²]) = E[‖e⁰‖] + √(β² Σ_{l=0}^k E[‖z^l‖²] + β² "
        "Σ_{i≠j} E[⟨z^i, z^j⟩])."
    ),
    "FED-L2-S5": "Therefore, E[‖e^{k+1}‖] ≤ E[‖e⁰‖] + √(β²((K+1)σ²/M)).",
    "FED-L3-S3": (
        "Define e^k := (1/M) Σ_{i=1}^M v_i^k − v̂^k. Then, e^{k+1} = (1/M) Σ_{i=1}^M v_i^{k+1} − v̂^{k+1} = (1/M) Σ_{i=1}^M v_i^k − "
        "v̂^k + βn^k = e^k + βn^k, where n^k = (1/M) Σ_{i=1}^M n_i^k and n_i^k = (1 − q_i^k)Norm_α((x^k − T_i(x^k))/γ − v_i^k) − "
        "q_i^{k}z_i^k."
    ),
    "FED-L3-S4": (
        "Therefore, from Lemma 2 with z^k = n^k and z_i^k = n_i^k, we obtain E[‖e^{k+1}‖] ≤ E[‖e⁰‖] + √(β²(K+1)·B/M), where B = 2p(1 "
        "− 1/p)² + 2(1 − p) + 2σ_DP²/p. Finally, since v̂⁰ = (1/n) Σ_{i=1}^n v_i⁰, we obtain ‖e⁰‖ = 0, and complete the proof."
    ),
    "FED-L5-S5": (
        "(w^{−1}V⁰ − w^{K}V^{K+1})/(b₂γ(K+1)) + (b₃/b₂) Σ_{k=0}^K w^k ≤ w^{−1}V⁰/(b₂γ(K+1)) + (b₃/b₂) Σ_{k=0}^K w^k [by w^k, V^k ≥ 0]"
    ),
    "FED-L5-S6": (
        "Therefore, min_{k∈[0,K]} W^k ≤ (1/Σ_{k=0}^K w^k) Σ_{k=0}^K w^{k}W^k ≤ w^{−1}V⁰/(b₂γ(K+1) Σ_{k=0}^K w^k) + b₃/b₂."
    ),
    "FED-L5-S7": "we get min_{k∈[0,K]} W^k ≤ (1 + b₁γ²)^{K+1}V⁰/(b₂γ(K+1)) + b₃/b₂.",
    "FED-L6-S3": "‖∇f_i(x)‖² ≤ 2L[f_i(x) − f_i^inf].",
    "FED-L7-2-S1": (
        "‖x_i^{k+1,l} − x_i^{k,l}‖ = ‖x^{k+1} − x^k − (γ/T) Σ_{j=0}^{l−1} (∇f_i(x_i^{k+1,j}) − ∇f_i(x_i^{k,j}))‖ ≤ ‖x^{k+1} − x^k‖ + "
        "(γ/T) Σ_{j=0}^{l−1} ‖∇f_i(x_i^{k+1,j}) − ∇f_i(x_i^{k,j})‖ ≤ ‖x^{k+1} − x^k‖ + (Lγ/T) Σ_{j=0}^{l−1} ‖x_i^{k+1,j} − "
        "x_i^{k,j}‖."
    ),
    "FED-L7-2-S2": (
        "If ‖x^{k+1} − x^k‖ ≤ η with η > 0, then ‖x_i^{k+1,l} − x_i^{k,l}‖ ≤ η + (Lγ/T) Σ_{j=0}^{l−1} ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ η + "
        f"(Lγ/T) {_SUM} [the last step by l ≤ T]"
    ),
    "FED-L7-2-S3": f"Therefore, {_SUM} ≤ ηT + Lγ {_SUM}.",
    "FED-L7-2-S4": f"If γ ≤ 1/(2L), then Lγ ≤ 1/2, and (1/T) {_SUM} ≤ 2η.",
    "FED-L7-3-S1": (
        "‖x^k − x_i^{k,j}‖ = ‖(γ/T) Σ_{j=0}^{l−1} ∇f_i(x_i^{k,j})‖ = ‖(γ/T) Σ_{j=0}^{l−1} [∇f_i(x_i^{k,j}) − ∇f_i(x^k) + ∇f_i(x^k)]‖."
    ),
    "FED-L7-3-S2": (
        "By the triangle inequality, and by the L-smoothness of f_i(·), ‖x^k − x_i^{k,j}‖ ≤ (γ/T) Σ_{j=0}^{l−1} ‖∇f_i(x_i^{k,j}) − "
        "∇f_i(x^k)‖ + (γ/T) Σ_{j=0}^{l−1} ‖∇f_i(x^k)‖ ≤ (Lγ/T) Σ_{j=0}^{l−1} ‖x_i^{k,j} − x^k‖ + (γ/T) Σ_{j=0}^{l−1} ‖∇f_i(x^k)‖."
    ),
    "FED-L7-3-S3": (
        "By the fact that l ≤ T and that ‖x‖ ≥ 0 for x ∈ ℝ^d, ‖x^k − x_i^{k,j}‖ ≤ (Lγ/T) " + _FAR + " + γ‖∇f_i(x^k)‖."
    ),
    "FED-L7-3-S4": f"Therefore, Σ_{{j=0}}^{{T−1}} ‖x^k − x_i^{{k,j}}‖ ≤ Lγ {_FAR} + γT‖∇f_i(x^k)‖.",
    "FED-L7-3-S5": "If γ ≤ 1/(2L), then Lγ ≤ 1/2, and Σ_{j=0}^{T−1} ‖x^k − x_i^{k,j}‖ ≤ 2γT‖∇f_i(x^k)‖.",
    "FED-L7-4-S2": (
        "‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ ‖x^{k+1} − x^k‖ + (γ/T) Σ_{j=0}^{l−1} ‖∇f_i(x_i^{k,l+1}) − ∇f_i(x_i^{k,l})‖ ≤ ‖x^{k+1} − x^k‖ + "
        "(Lγ/T) Σ_{j=0}^{l−1} ‖x_i^{k,l+1} − x_i^{k,l}‖."
    ),
    "FED-L7-4-S3": (
        f"By the fact that ‖x^{{k+1}} − x^k‖ ≤ η, that l ≤ T, and that {_SUM} ≤ 2ηT, ‖T_i(x^{{k+1}}) − T_i(x^k)‖ ≤ η + Lγ·2η ≤ 2η "
        "[the last step by Lγ ≤ 1/2]"
    ),
    "FED-L7-5-S2": (
        "‖(x^k − γ∇f_i(x^k)) − T_i(x^k)‖ = ‖(x^k − (γ/T) Σ_{l=0}^{T−1} ∇f_i(x^k)) − (x^k − (γ/T) Σ_{l=0}^{T−1} ∇f_i(x_i^{k,l}))‖."
    ),
    "FED-L7-5-S3": (
        "we obtain ‖(x^k − γ∇f_i(x^k)) − T_i(x^k)‖ ≤ (γ/T) Σ_{l=0}^{T−1} ‖∇f_i(x^k) − ∇f_i(x_i^{k,l})‖ ≤ (Lγ/T) Σ_{l=0}^{T−1} ‖x^k − "
        "x_i^{k,l}‖ ≤ 2Lγ²‖∇f_i(x^k)‖."
    ),
    "FED-L9-2-S2": (
        "‖x_i^{k+1,j} − x_i^{k,j}‖ = ‖x^{k+1} − γ(1/N) Σ_{l=0}^{j−1} ∇f_{i,l}(x_i^{k+1,l}) − (x^k − γ(1/N) Σ_{l=0}^{j−1} "
        "∇f_{i,l}(x_i^{k,l}))‖ ≤ ‖x^{k+1} − x^k‖ + γL(1/N) Σ_{l=0}^{j−1} ‖x_i^{k+1,l} − x_i^{k,l}‖ ≤ ‖x^{k+1} − x^k‖ + γL(1/N) "
        f"{_PASS}."
    ),
    "FED-L9-2-S3": (
        f"(1/N) Σ_{{j=0}}^{{N−1}} (‖x^{{k+1}} − x^k‖ + γ(1/N) {_PASS}) ≤ ‖x^{{k+1}} − x^k‖ + γL(1/N) {_PASS}."
    ),
    "FED-L9-2-S4": (
        "If γ ≤ 1/(2L), then (1/N) Σ_{j=0}^{N−1} ‖x_{i,j}^{k+1} − x_{i,j}^k‖ ≤ (1/(1 − γL))‖x^{k+1} − x^k‖ ≤ 2‖x^{k+1} − x^k‖ = 2η."
    ),
    "FED-L9-3-S1": (
        "‖T_i(x^{k+1}) − T_i(x^k)‖ = ‖x^{k+1} − γ(1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k+1,j}) − (x^k − γ(1/N) Σ_{j=0}^{N−1} "
        "∇f_{i,j}(x_i^{k,j}))‖ ≤ ‖x^{k+1} − x^k‖ + γ(1/N) Σ_{j=0}^{N−1} ‖∇f_{i,j}(x_i^{k+1,j}) − ∇f_{i,j}(x_i^{k,j})‖ ≤ ‖x^{k+1} − "
        f"x^k‖ + γL(1/N) {_PASS}."
    ),
    "FED-L9-3-S2": (
        "By the fact that ‖x^{k+1} − x^k‖ ≤ η and that γ ≤ 1/(2L), and by the second statement, ‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η."
    ),
    "FED-L9-4-S2": (
        "‖T_i(x^k) − (x^k − γ∇f_i(x^k))‖ = ‖x^k − γ(1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}) − (x^k − γ∇f_i(x^k))‖ = ‖γ((1/N) "
        "Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}) − ∇f_i(x^k))‖ = ‖γ((1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}) − (1/N) Σ_{j=0}^{N−1} "
        "∇f_{i,j}(x^k))‖"
    ),
    "FED-L9-4-S3": (
        "γ(1/N) Σ_{j=0}^{N−1} ‖∇f_{i,j}(x_i^{k,j}) − ∇f_{i,j}(x^k)‖ ≤ γL(1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖."
    ),
    "FED-L9-4-S4": (
        "Therefore, (1/M) Σ_{i=1}^M ‖T_i(x^k) − (x^k − γ∇f_i(x^k))‖ ≤ (1/M) Σ_{i=1}^M γL(1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖ ≤ "
        "γL(1/M) Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖."
    ),
}  # fmt: skip
