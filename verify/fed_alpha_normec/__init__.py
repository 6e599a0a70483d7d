"""Claims of Fed-α-NormEC, each with its evidence.

`lemma1`, `noise`, `descent`, `local_gradient`, `incremental`: the lemmas; `rounds`: the proof of the repaired theorems, node by
node; `theorem1`, `theorem_steps`: the theorems and their printed steps; `rates`, `utility`: the corollaries; `definitions`,
`prose`: what the text says besides. `runs`, `counterexamples` and `schedules` run the algorithm exactly.
"""

from verify.fed_alpha_normec import (
    definitions,
    descent,
    incremental,
    lemma1,
    local_gradient,
    noise,
    prose,
    rates,
    theorem1,
    theorem_steps,
    utility,
)

CLAIMS = (
    *theorem1.CLAIMS,
    *theorem_steps.CLAIMS,
    *definitions.CLAIMS,
    *rates.CLAIMS,
    *utility.CLAIMS,
    *lemma1.CLAIMS,
    *noise.CLAIMS,
    *descent.CLAIMS,
    *local_gradient.CLAIMS,
    *incremental.CLAIMS,
    *prose.CLAIMS,
)
