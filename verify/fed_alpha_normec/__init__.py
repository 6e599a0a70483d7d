"""The claims of Fed-α-NormEC: `claims` has them in the order of the catalogue, `letters` the letters, domains and textbook facts
that they share, `displays` what the paper prints, letter by letter.

lemmas            Lemmas 1 to 9
theorems          Theorems 1 and 2 as printed, and the steps of their proofs
corollaries       Corollaries 1 to 6
ours              what we prove in their place
counterexamples   the runs behind the witnesses
text              what the paper says outside its numbered statements
"""
