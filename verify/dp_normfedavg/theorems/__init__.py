"""Theorems 4, 6 and 7: the printed proofs, step by step, and what becomes of the statements.

`theorem6_cut`, `theorem6_kept`: (14) to (32), the two cases of Theorem 6. `theorem7`: (40) to (47). `sampling`: (7) to (13), who takes
part. `rounds`: (33) to (39), from one client to K rounds. `choices`: what the printed choices guarantee.
"""
