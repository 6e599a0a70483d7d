"""Theorems 1 and 2 in the text, in the appendix and on the poster, and the displays of their proofs."""
