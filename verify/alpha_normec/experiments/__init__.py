"""What Section 6, Appendix I and the poster say of the experiments, by the numbers that they print and by our runs."""
