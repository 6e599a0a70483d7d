"""The claims on privacy, in the order of the papers."""

from verify.privacy import (
    alpha_normec,
    audited,
    dp_normfedavg,
    experiments,
    fed_alpha_normec,
    fed_hidden,
    fed_readings,
    fed_said,
    forgetting,
    leaks,
    normec_and_clip21,
    normec_constant,
    normfed_experiments,
    removed,
    tuned,
    utility,
)

CLAIMS = (
    *alpha_normec.CLAIMS,
    *normec_constant.CLAIMS,
    *normec_and_clip21.CLAIMS,
    *utility.CLAIMS,
    *fed_alpha_normec.CLAIMS,
    *fed_hidden.CLAIMS,
    *fed_said.CLAIMS,
    *dp_normfedavg.CLAIMS,
    *forgetting.CLAIMS,
    *leaks.CLAIMS,
    *experiments.CLAIMS,
    *tuned.CLAIMS,
    *fed_readings.CLAIMS,
    *normfed_experiments.CLAIMS,
    *removed.CLAIMS,
    *audited.CLAIMS,
)
