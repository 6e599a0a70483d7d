"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec import corollary1, noise, operator, theorem1

CLAIMS = (*operator.CLAIMS, *theorem1.CLAIMS, *corollary1.CLAIMS, *noise.CLAIMS)
