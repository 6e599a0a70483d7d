"""Claims of Fed-α-NormEC, each with its evidence.

`lemma1`, `noise`, `descent`, `local_gradient`, `incremental`: the lemmas. `rounds`: the proof of the repaired theorems, node by
node; `ours`, `averaged`: these theorems. `theorem1`, `theorem_repairs`, `one_step`, `theorem_steps`, `theorem_cases`,
`theorem_expectation`, `deviation`: the theorems as printed, with several local steps and with one, what holds of them, and their
printed steps. `small_spread`: as printed, for a small Δ^inf. `rates`, `same_rate`, `falling`, `faster`, `utility`, `compared`,
`utility_steps`, `vacuous`, `corollary_steps`: the corollaries. `definitions`, `algorithm`, `update`, `prose`, `limits`, `remarks`,
`introduction`, `experiments`, `robust`: what the text says besides. A module `…_claims` holds the claims whose proofs stand in the
module that it is named after, `…_steps` the remaining steps of the printed proofs. `missed`, `swamped`, `lattice`, `runs`,
`counterexamples`, `schedules` and `scheduled`: the runs behind the witnesses.
"""
