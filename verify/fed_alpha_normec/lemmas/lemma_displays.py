"""Lemmas 1 to 9 and their proofs as the paper prints them, letter by letter, by claim (see `displays`)."""

from __future__ import annotations

LEMMAS = {
    "FED-L1-i": (
        "Let v_i^k ∈ ℝ^d be governed by v_i^{k+1} = v_i^k + βNorm_α((x^k − T_i(x^k))/γ − v_i^k), […] and "
        "let the fixed-point operator T_i(·) satisfy ‖T_i(x) − T_i(y)‖ ≤ ρ‖x − y‖, for ρ > 0 and x, y ∈ "
        "ℝ^d. If ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ C for some C > 0, ‖x^{k+1} − x^k‖ ≤ η, β/(α+C) < 1, and η ≤ "
        "γβC/((1+ρ)(α+C)), then ‖(x^{k+1} − T_i(x^{k+1}))/γ − v_i^{k+1}‖ ≤ C […]"
    ),
    "FED-L1-ii": (
        "Let v_i^k ∈ ℝ^d be governed by v_i^{k+1} = v_i^k + βNorm_α((x^k − T_i(x^k))/γ − v_i^k), […] and "
        "let the fixed-point operator T_i(·) satisfy ‖T_i(x) − T_i(y)‖ ≤ ρ‖x − y‖, for ρ > 0 and x, y ∈ "
        "ℝ^d. If ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ C for some C > 0, ‖x^{k+1} − x^k‖ ≤ η, β/(α+C) < 1, and η ≤ "
        "γβC/((1+ρ)(α+C)), then […] ‖(x^k − T_i(x^k))/γ − v_i^{k+1}‖ ≤ C."
    ),
    "FED-L1-S1": (
        "‖P_i(x^{k+1}) − v_i^{k+1}‖ = ‖P_i(x^{k+1}) − v_i^k − βN_α(P_i(x^k) − v_i^k)‖ ≤ ‖P_i(x^{k+1}) − "
        "P_i(x^k)‖ + ‖P_i(x^k) − v_i^k − Norm_α(P_i(x^k) − v_i^k)‖"
    ),
    "FED-L1-S2": (
        "‖P_i(x^{k+1}) − P_i(x^k)‖ = ‖(x^{k+1} − T_i(x^{k+1}))/γ − (x^k − T_i(x^k))/γ‖ ≤ (1/γ)(‖x^{k+1} − "
        "x^k‖ + ‖T_i(x^k) − T_i(x^{k+1})‖) ≤ (1/γ)(1 + ρ)‖x^{k+1} − x^k‖."
    ),
    "FED-L1-S7": (
        "Therefore, ‖P_i(x^{k+1}) − v_i^{k+1}‖ ≤ (1/γ)(1 + ρ)‖x^{k+1} − x^k‖ + ‖P_i(x^k) − v_i^k − Norm_α(P_i(x^k) − v_i^k)‖."
    ),
    "FED-L1-S8": (
        "Next, from Lemma 1 of [60], we can bound the second term: ‖P_i(x^k) − v_i^k − Norm_α(P_i(x^k) − v_i^k)‖ ≤ |1 − β/(α + "
        "‖(x^k − T_i(x^k))/γ − v_i^k‖)| ‖(x^k − T_i(x^k))/γ − v_i^k‖."
    ),
    "FED-L1-S3": (
        "If ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ C for some C > 0, and β/(α+C) < 1, then ‖P_i(x^k) − v_i^k − "
        "Norm_α(P_i(x^k) − v_i^k)‖ ≤ |1 − β/(α+C)| C ≤ (1 − β/(α+C)) C."
    ),
    "FED-L1-S4": (
        "Furthermore, we can show that ‖P_i(x^k) − v_i^{k+1}‖ = ‖P_i(x^k) − v_i^k − βNorm_α(P_i(x^k) − v_i^k)‖ ≤ |1 − β/(α + "
        "‖(x^k − T_i(x^k))/γ − v_i^k‖)| ‖(x^k − T_i(x^k))/γ − v_i^k‖ ≤ (1 − β/(α+C)) C ≤ C."
    ),
    "FED-L2": (
        "Let e^k ∈ ℝ^d be governed by e^{k+1} = e^k + βz^k, for 0 ≤ k ≤ K, where z^k = (1/M) Σ_{i=1}^M "
        "z_i^k and each z_i^k ∈ ℝ^d is an independent random vector satisfying E[z_i^k] = 0, and "
        "E[‖z_i^k‖²] ≤ σ². Then, E[‖e^{k+1}‖] ≤ E[‖e⁰‖] + √(β²(K+1)σ²/M)."
    ),
    "FED-L2-S1": (
        "Since z_i^k is independent of one another, we obtain E[⟨z^i, z^j⟩] = 0 for i ≠ j, and E[‖z^k‖²] = "
        "(1/M) Σ_{i=1}^M E[‖z_i^k‖²] ≤ σ²/n."
    ),
    "FED-L3": (
        "Consider Fed-α-NormEC with any local updating operator T_i(·) for solving Problem (1), where "
        "Assumption 1 holds. Then, E[‖(1/M) Σ_{i=1}^M v_i^{k+1} − v̂^{k+1}‖] ≤ √((β²B/M)(K+1)), where B = "
        "2p(1 − 1/p)² + 2(1 − p) + 2σ_DP²/p."
    ),
    "FED-L3@B-main": (
        "E[‖(1/M) Σ_{i=1}^M v_i^{k+1} − v̂^{k+1}‖] ≤ √((β²B/M)(K+1)) (Lemma 3) […] B = 2(p−1)²/p + 2σ_DP² (Theorem 1)"
    ),
    "FED-L3@B-text": (
        "E[‖(1/M) Σ_{i=1}^M v_i^{k+1} − v̂^{k+1}‖] ≤ √((β²B/M)(K+1)) (Lemma 3) […] B = 2(p−1)²/p + 2σ_DP²/p "
        "(after Theorem 1)"
    ),
    "FED-L3-S1": (
        "Next, as q_i^k and z_i^k are independent random vectors, n_i^k is also independent of one another, "
        "and satisfies E[n_i^k] = 0 […]"
    ),
    "FED-L3-S2": (
        "E[‖n_i^k‖²] = E[‖(1 − q_i^k)Norm_α((x^k − T_i(x^k))/γ − v_i^k) − q_i^{k}z_i^k‖²] ≤ 2E[(1 − "
        "q_i^k)²‖Norm_α((x^k − T_i(x^k))/γ − v_i^k)‖²] + 2E[(q_i^k)²‖z_i^k‖²] ≤ 2E[(1 − q_i^k)²] + "
        "2E[(q_i^k)²‖z_i^k‖²] = 2E[(1 − q_i^k)²] + 2E[(q_i^k)²]E[‖z_i^k‖²] ≤ 2p(1 − 1/p)² + 2(1 − p) + (2p/p²)·σ_DP²."
    ),
    "FED-B": (
        "B = 2(p−1)²/p + 2σ_DP² (Theorem 1) […] B = 2(p−1)²/p + 2σ_DP²/p (after it) […] B = 2p(1 − 1/p)² + "
        "2(1 − p) + 2σ_DP²/p (Lemma 3)"
    ),
    "FED-L4": (
        "Let f : ℝ^d → ℝ be lower-bounded by f^inf > −∞ and L-smooth, and let x^k ∈ ℝ^d be governed by "
        "x^{k+1} = x^k − γG^k/‖G^k‖, where γ > 0. Then, f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + "
        "2γ‖∇f(x^k) − G^k‖ + Lγ²/2."
    ),
    "FED-L4-S1": (
        "f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − (γ/‖G^k‖)⟨∇f(x^k), G^k⟩ + Lγ²/2 ≤ f(x^k) − f^inf − "
        "(γ/‖G^k‖)⟨G^k, G^k⟩ + (γ/‖G^k‖)⟨G^k − ∇f(x^k), G^k⟩ + Lγ²/2 = f(x^k) − f^inf − γ‖G^k‖ + "
        "(γ/‖G^k‖)⟨G^k − ∇f(x^k), G^k⟩ + Lγ²/2."
    ),
    "FED-L4-S2": (
        "By Cauchy-Schwartz inequality, […] f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − γ‖G^k‖ + γ‖∇f(x^k) − G^k‖ + Lγ²/2."
    ),
    "FED-L4-S3": (
        "Finally, by the triangle inequality, f(x^{k+1}) − f^inf ≤ f(x^k) − f^inf − γ‖∇f(x^k)‖ + 2γ‖∇f(x^k) "
        "− G^k‖ + Lγ²/2."
    ),
    "FED-L5": (
        "Let {V^k}, {W^k} be non-negative sequences satisfying V^{k+1} ≤ (1 + b₁γ²)V^k − b₂γW^k + b₃γ. "
        "Then, min_{k∈[0,K]} W^k ≤ (exp(b₁γ²(K+1))/(K+1))(V⁰/(b₂γ)) + b₃/b₂."
    ),
    "FED-L5-S1": (
        "Define w^k := w^{k+1}/(1 + b₁γ²) for all k ≥ 0. Then, w^{k}W^k ≤ w^k(1 + b₁γ²)V^k/(b₂γ) − "
        "w^{k}V^{k+1}/(b₂γ) + b₃/b₂ = (w^{k−1}V^k − w^{k}V^{k+1})/(b₂γ) + b₃/b₂."
    ),
    "FED-L5-S2": (
        "By summing the inequality over k = 0, 1, …, K, Σ_{k=0}^K w^{k}W^k ≤ (w^{−1}V⁰ − "
        "w^{K}V^{K+1})/(b₂γ(K+1)) + (b₃/b₂) Σ_{k=0}^K w^k"
    ),
    "FED-L5-S3": (
        "Σ_{k=0}^K w^k ≥ (K+1) min_{k∈[0,K]} w^k = (K+1)w^{K+1} = (K+1)w^{−1}/(1 + b₁γ²)^{K+1}"
    ),
    "FED-L5-S4": "Finally, since 1 + x ≤ exp(x), we have (1 + b₁γ²)^{K+1} ≤ exp(b₁γ²(K+1)).",
    "FED-L6": (
        "Let f be bounded from below by f^inf > −∞, and each f_i be bounded from below by f_i^inf > −∞ and "
        "L-smooth. Then, (1/M) Σ_{i=1}^M ‖∇f_i(x)‖ ≤ √(2L/Δ^inf)[f(x) − f^inf] + √(2LΔ^inf), where Δ^inf = "
        "f^inf − (1/M) Σ_{i=1}^M f_i^inf > 0."
    ),
    "FED-L6-S1": (
        "(1/M) Σ_{i=1}^M ‖∇f_i(x)‖² ≤ A[f(x) − f^inf] + B, where A = 2L, B = 2LΔ^inf, and Δ^inf = f^inf − "
        "(1/M) Σ_{i=1}^M f_i^inf > 0."
    ),
    "FED-L6-S2": (
        "(1/M) Σ_{i=1}^M ‖∇f_i(x)‖ ≤ √((1/M) Σ_{i=1}^M ‖∇f_i(x)‖²) ≤ √(A[f(x) − f^inf] + B) = (A[f(x) − "
        "f^inf] + B)/√(A[f(x) − f^inf] + B) ≤ (A/√B)[f(x) − f^inf] + √B."
    ),
    "FED-L7-1": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/T) Σ_{j=0}^{T−1} ∇f_i(x_i^{k,j}) […]. If γ ≤ "
        "1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then x_i^{k,l} = x^k − (γ/T) Σ_{j=0}^{l−1} "
        "∇f_i(x_i^{k,j})."
    ),
    "FED-L7-2": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/T) Σ_{j=0}^{T−1} ∇f_i(x_i^{k,j}) […]. If γ ≤ "
        "1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then (1/T) Σ_{j=0}^{T−1} ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ 2η."
    ),
    "FED-L7-3": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/T) Σ_{j=0}^{T−1} ∇f_i(x_i^{k,j}) […]. If γ ≤ "
        "1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then (1/T) Σ_{j=0}^{T−1} ‖x^k − x_i^{k,j}‖ ≤ 2γ‖∇f_i(x^k)‖."
    ),
    "FED-L7-4": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/T) Σ_{j=0}^{T−1} ∇f_i(x_i^{k,j}) […]. If γ ≤ "
        "1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then ‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η."
    ),
    "FED-L7-5": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/T) Σ_{j=0}^{T−1} ∇f_i(x_i^{k,j}) […]. If γ ≤ "
        "1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then ‖(x^k − γ∇f_i(x^k)) − T_i(x^k)‖ ≤ "
        "2Lγ²‖∇f_i(x^k)‖."
    ),
    "FED-L7-4-S1": (
        "‖T_i(x^{k+1}) − T_i(x^k)‖ = ‖x^{k+1} − x^k − (γ/T) Σ_{j=0}^{l−1} [∇f_i(x_i^{k,l+1}) − "
        "∇f_i(x_i^{k,l})]‖."
    ),
    "FED-L7-5-S1": "the fact that Σ_{j=0}^T ‖x^k − x_i^{k,j}‖ ≤ 2γT‖∇f_i(x^k)‖",
    "FED-L8": (
        "Consider the local IG method updates in (2). Let f be bounded from below by f^inf > −∞, let each "
        "f_i be bounded from below by f_i^inf > −∞, and let each f_{i,j} be bounded from below by "
        "f_{i,j}^inf and L-smooth. Then, (1/M) Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖ ≤ 2√2 "
        "Lγ(f(x^k) − f^inf)/√(LΔ^inf) + √2 γ√(LΔ^inf) + 2γ√(L(1/M) Σ_{i=1}^M Δ_i^inf), where Δ^inf = f^inf "
        "− (1/M) Σ_{i=1}^M f_i^inf and Δ_i^inf = f_i^inf − (1/N) Σ_{j=1}^N f_{i,j}^inf"
    ),
    "FED-L8-S1": (
        "Applying Lemma 6 from [43] for the local IG method updates in (2), we have (1/M) Σ_{i=1}^M (1/N) "
        "Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖² ≤ 4Lγ²(f(x^k) − f^inf) + 2γ²LΔ^inf + 2γ²L(1/M) Σ_{i=1}^M Δ_i^inf."
    ),
    "FED-L8-S2": (
        "Next, by Jensen's inequality, (1/M) Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖ ≤ √((1/M) "
        "Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖²) ≤ √(4Lγ²(f(x^k) − f^inf) + 2γ²LΔ^inf + 2γ²L(1/M) "
        "Σ_{i=1}^M Δ_i^inf) ≤ √(4Lγ²(f(x^k) − f^inf) + 2γ²LΔ^inf) + √(2γ²L(1/M) Σ_{i=1}^M Δ_i^inf). "
        "Therefore, (1/M) Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖ ≤ (4Lγ²(f(x^k) − f^inf) + "
        "2γ²LΔ^inf)/√(4Lγ²(f(x^k) − f^inf) + 2γ²LΔ^inf) + 2γ√(L(1/M) Σ_{i=1}^M Δ_i^inf) ≤ (4Lγ²(f(x^k) − "
        "f^inf) + 2γ²LΔ^inf)/√(2γ²LΔ^inf) + 2γ√(L(1/M) Σ_{i=1}^M Δ_i^inf) ≤ 2√2 Lγ(f(x^k) − "
        "f^inf)/√(LΔ^inf) + √2 γ√(LΔ^inf) + 2γ√(L(1/M) Σ_{i=1}^M Δ_i^inf)."
    ),
    "FED-L9-1": (
        "Let each f_i be L-smooth, and let T_i(x^k) = x^k − (γ/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}), where "
        "the sequence {x_i^{k,l}} is generated by x_i^{k,l+1} = x_i^{k,l} − (γ/N)∇f_{i,j}(x_i^{k,l}), for l "
        "= 0, 1, …, N−1, given that x_i^{k,0} = x^k. If γ ≤ 1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, "
        "then x_i^{k,l} = x^k − (γ/N) Σ_{j=0}^{l−1} ∇f_{i,j}(x_i^{k,l})."
    ),
    "FED-L9-2": (
        "Let each f_i be L-smooth […]. If γ ≤ 1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then (1/N) "
        "Σ_{j=0}^{N−1} ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ 2η."
    ),
    "FED-L9-3": (
        "Let each f_i be L-smooth […]. If γ ≤ 1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then "
        "‖T_i(x^{k+1}) − T_i(x^k)‖ ≤ 2η."
    ),
    "FED-L9-4": (
        "Let each f_i be L-smooth […]. If γ ≤ 1/(2L), and ‖x^{k+1} − x^k‖ ≤ η with η > 0, then (1/M) "
        "Σ_{i=1}^M ‖T_i(x^k) − (x^k − γ∇f_i(x^k))‖ ≤ γL (1/M) Σ_{i=1}^M (1/N) Σ_{j=0}^{N−1} ‖x_i^{k,j} − x^k‖"
    ),
    "FED-L9-2-S1": (
        "(1/N) Σ_{j=0}^{N−1} ‖x_i^{k+1,j} − x_i^{k,j}‖ ≤ (1/N) Σ_{j=0}^{N−1} (‖x^{k+1} − x^k‖ + γ(1/N) "
        "Σ_{j=0}^{N−1} ‖x_i^{k+1,j} − x_i^{k,j}‖)"
    ),
    "FED-L9-4-S1": (
        "‖γ((1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x_i^{k,j}) − (1/N) Σ_{j=0}^{N−1} ∇f_{i,j}(x^k))‖ = γ(1/N) "
        "Σ_{j=0}^{N−1} ‖∇f_{i,j}(x_i^{k,j}) − ∇f_{i,j}(x^k)‖"
    ),
}  # fmt: skip
