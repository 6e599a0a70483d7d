"""The claims of α-NormEC, in the order of the paper."""

from verify.alpha_normec import operator

CLAIMS = (*operator.CLAIMS,)
