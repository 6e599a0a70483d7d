"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec import (
    additive,
    algorithm,
    appendix,
    corollary1,
    corollary2,
    equation12,
    experiments,
    noise,
    operator,
    theorem1,
)

CLAIMS = (
    *operator.CLAIMS,
    *algorithm.CLAIMS,
    *theorem1.CLAIMS,
    *additive.CLAIMS,
    *corollary1.CLAIMS,
    *equation12.CLAIMS,
    *noise.CLAIMS,
    *corollary2.CLAIMS,
    *appendix.CLAIMS,
    *experiments.CLAIMS,
)
