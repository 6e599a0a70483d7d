"""The claims of DP-NormFedAvg (Das, Hashemi, Sanghavi, Dhillon), and what became of them.

letters, case      letters of one client in one round; a case of a proof as one node
convexity          Facts 1, 2 and Lemmas 8 to 10
sampling           (7) to (13): who takes part, and the exact second moment
clipped, kept      (14) to (32): the two cases of Theorem 6
rounds             (33) to (39): from one client to K rounds
normalised         (40) to (47): Theorem 7
sharper, harmonic, cut, ours   our proof of a round for clients drawn one by one, and our two theorems
senders            how many clients that proof needs
choices, theorem4  what the printed choices guarantee; Theorem 4
exact, runs, rare  runs of Algorithm 1 in fractions, and the witnesses they give
free, asymptotic   (3) without Δ_i*, and its limit (5)
finite, vacuous    (2) against (3) at every α; where (4) and (5) say nothing new
heterogeneity, undefined       Definition 1; operators at 0, rounds that are not whole
guarantees, dies_down          what Theorems 6 and 7 guarantee of f; B₁ and B₂ as α grows
stochastic, drowning           footnote 2; noise against short updates
lemmas, steps, notation, theorems, prose, remarks, homogeneous, algorithm, slips, table2, figures, experiments    the other claims
"""
