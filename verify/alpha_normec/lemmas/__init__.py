"""Lemmas 1 to 3 and Appendix C: the operator, the memories, and the steps of the printed proofs."""
