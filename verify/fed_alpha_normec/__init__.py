"""Claims of Fed-α-NormEC, each with its evidence.

`lemma1`, `noise`, `descent`, `local_gradient`, `incremental`: the lemmas. `rounds`: the proof of the repaired theorems,
node by node; `ours`, `averaged`: these theorems. `theorem1`, `one_step`, `theorem_steps`: the theorems as printed, with several local
steps and with one, and their printed steps. `rates`, `same_rate`, `faster`, `utility`, `compared`, `utility_steps`: the corollaries.
`definitions`, `algorithm`, `prose`, `limits`, `remarks`, `introduction`, `experiments`: what the text says besides. A module
`…_claims` holds the claims whose proofs stand in the module that it is named after. `missed`, `swamped`, `runs`,
`counterexamples`, `schedules` and `scheduled`: the runs behind the witnesses.
"""

from verify.fed_alpha_normec import (
    algorithm,
    averaged,
    compared,
    definitions,
    descent,
    experiments,
    faster,
    incremental_claims,
    introduction,
    lemma1,
    limits,
    local_gradient_claims,
    noise_claims,
    one_step,
    ours,
    prose,
    rate_claims,
    remarks,
    same_rate,
    scheduled,
    theorem1,
    theorem_steps,
    utility_claims,
    utility_steps,
)

CLAIMS = (
    *theorem1.CLAIMS,
    *one_step.CLAIMS,
    *ours.CLAIMS,
    *averaged.CLAIMS,
    *theorem_steps.CLAIMS,
    *definitions.CLAIMS,
    *algorithm.CLAIMS,
    *rate_claims.CLAIMS,
    *scheduled.CLAIMS,
    *faster.CLAIMS,
    *utility_claims.CLAIMS,
    *compared.CLAIMS,
    *utility_steps.CLAIMS,
    *lemma1.CLAIMS,
    *noise_claims.CLAIMS,
    *descent.CLAIMS,
    *local_gradient_claims.CLAIMS,
    *incremental_claims.CLAIMS,
    *prose.CLAIMS,
    *same_rate.CLAIMS,
    *limits.CLAIMS,
    *remarks.CLAIMS,
    *introduction.CLAIMS,
    *experiments.CLAIMS,
)
