"""Section 3.1 of a whole round: if no update shorter than C points against the sum of the clipped ones, normalisation's SNR is no
lower.

With g_i = clip(u_i, C) and s = Σ_{i∈S} g_i each normalised message is λ_i g_i, λ_i = 1 where ‖u_i‖ ≥ C and λ_i > 1 elsewhere, so that
⟨Σ λ_i g_i, s⟩ = ‖s‖² + Σ (λ_i − 1)⟨g_i, s⟩ ≥ ‖s‖², and by Cauchy–Schwarz ‖Σ λ_i g_i‖ ≥ ‖s‖.
"""

from __future__ import annotations

import sympy

from verify.case import closed
from verify.dp_normfedavg.letters import C, U, summed
from verify.facts import definition, equal, hypothesis, letters
from verify.gram import Space, inner, vectors
from verify.obligation import obligation

clip_factor, norm_factor, longer = letters("clip_factor norm_factor lambda_i")
us, gs, further = letters("<u_i,s> <g_i,s> <Σλg−Σg,s>")
noise, snr_clip, snr_norm = letters("noise SNR_clip SNR_norm")

FACTORS = definition(
    "clip(u, C) = min(1, C/‖u‖) u, norm(u, C) = (C/‖u‖) u, λ_i is their ratio, g_i = clip(u_i, C)",
    equal(clip_factor, sympy.Min(1, C / U))
    & equal(norm_factor, C / U)
    & equal(longer * clip_factor, norm_factor)
    & equal(gs, clip_factor * us),
)
MOVED = hypothesis("u_i ≠ 0 for every sender", U > 0)
WITH_THE_SUM = hypothesis(
    "⟨u_i, s⟩ ≥ 0 for every sender i with ‖u_i‖ < C, s = Σ_{j∈S} clip(u_j, C)", (us >= 0) | (U >= C)
)
LONGER = obligation(
    "norm(u_i, C) = λ_i g_i with (λ_i − 1)⟨g_i, s⟩ ≥ 0",
    (FACTORS, MOVED, WITH_THE_SUM),
    (longer - 1) * gs >= 0,
)
ALONG = summed(
    "⟨Σ norm(u_i, C), s⟩ ≥ ⟨Σ clip(u_i, C), s⟩",
    further >= 0,
    {further: 0},
    {further: further + (longer - 1) * gs},
    (LONGER.conclusion,),
)
s, m = vectors("s m")
_space = Space((s, m))
length_s, length_m = _space.norm(s, "‖s‖"), _space.norm(m, "‖m‖")
SUMS = ALONG.conclusion.at(
    {further: inner(m - s, s)}, "over all senders: s = Σ clip(u_i, C), m = Σ norm(u_i, C)"
)
NOT_SHORTER = obligation("‖Σ norm(u_i, C)‖ ≥ ‖Σ clip(u_i, C)‖", (SUMS, *_space.facts()), length_m >= length_s)
RATIOS = definition(
    "SNR := ‖Σ_{i∈S} g_i‖/‖Σ_{i∈S} ζ_i‖, the noise not 0",
    equal(snr_clip * noise, length_s) & equal(snr_norm * noise, length_m) & (noise > 0),
)
NEVER_LOWER = obligation(
    "the SNR of a round is no lower with normalisation",
    (NOT_SHORTER.conclusion, RATIOS),
    snr_norm >= snr_clip,
)
PROOF = closed((LONGER, ALONG, NOT_SHORTER, NEVER_LOWER))
