"""Privacy: is the ε that is printed the ε that is had?

Claims are decided by accounting. `bounds.privacy` finds the numbers and fills the tables; witnesses and
proofs rest on `rigorous`, interval arithmetic that shares nothing with it. `audit` attacks the mechanisms
of `methods` from below, and `cli` is the calculator `python -m verify epsilon`.
"""

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
    *normfed_experiments.CLAIMS,
    *audited.CLAIMS,
)
