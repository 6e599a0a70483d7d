"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec import (
    algorithm,
    appendix,
    corollary1,
    corollary2,
    experiments,
    noise,
    operator,
    theorem1,
)

CLAIMS = (
    *operator.CLAIMS,
    *algorithm.CLAIMS,
    *theorem1.CLAIMS,
    *corollary1.CLAIMS,
    *noise.CLAIMS,
    *corollary2.CLAIMS,
    *appendix.CLAIMS,
    *experiments.CLAIMS,
)
