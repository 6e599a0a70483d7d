"""The claims on privacy, in the order of the papers."""

from verify.privacy import (
    alpha_normec,
    audited,
    dp_normfedavg,
    experiments,
    fed_alpha_normec,
    forgetting,
    leaks,
    normec_constant,
    normfed_experiments,
    removed,
    tuned,
    utility,
)

CLAIMS = (
    *alpha_normec.CLAIMS,
    *normec_constant.CLAIMS,
    *utility.CLAIMS,
    *fed_alpha_normec.CLAIMS,
    *dp_normfedavg.CLAIMS,
    *forgetting.CLAIMS,
    *leaks.CLAIMS,
    *experiments.CLAIMS,
    *tuned.CLAIMS,
    *normfed_experiments.CLAIMS,
    *removed.CLAIMS,
    *audited.CLAIMS,
)
