"""Lemmas 1 to 9 and the steps of their proofs. `noise`: Lemmas 2 and 3; `descent`: 4; `recursion`: 5; `local_gradient`: 6 and 7;
`incremental`: 8 and 9. A module `…_claims` holds the claims whose proofs stand in the module that it is named after, `…_steps` the
remaining steps of the printed proofs, `…_displays` what the paper prints, letter by letter.
"""
