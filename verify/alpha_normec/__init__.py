"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec import (
    additive,
    algorithm,
    appendix,
    appendix_h,
    corollary1,
    corollary2,
    equation12,
    experiments,
    figures,
    noise,
    operator,
    outline,
    preliminaries,
    private_steps,
    rates,
    theorem1,
)

CLAIMS = (
    *preliminaries.CLAIMS,
    *operator.CLAIMS,
    *algorithm.CLAIMS,
    *outline.CLAIMS,
    *theorem1.CLAIMS,
    *additive.CLAIMS,
    *corollary1.CLAIMS,
    *equation12.CLAIMS,
    *rates.CLAIMS,
    *noise.CLAIMS,
    *private_steps.CLAIMS,
    *corollary2.CLAIMS,
    *appendix_h.CLAIMS,
    *appendix.CLAIMS,
    *experiments.CLAIMS,
    *figures.CLAIMS,
)
