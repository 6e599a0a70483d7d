"""The claims of DP-NormFedAvg (Das, Hashemi, Sanghavi, Dhillon): `claims` has them in the order of the catalogue, `letters` those
of one client in one round, `displays` what the paper prints, letter by letter, `case` a case of a proof as one node.

lemmas            Facts 1 and 2, Lemmas 8 to 10
theorems          Theorems 4, 6 and 7, and the printed proofs
asymptotics       Section 4.1: (4), (5) and α → ∞
ours              our proof of a round for clients drawn one by one, and what follows
open_region       where neither decides Theorem 6: a search
counterexamples   runs of Algorithm 1 in fractions, and drawn runs of many rounds
text              what the paper says outside its numbered statements
"""
