"""Theorems 1 and 2 as printed: what falls, what holds of them, and the printed steps of their proofs (F.2, G.2)."""
