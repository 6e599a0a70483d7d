"""Corollaries 1 and 2 with Appendices F and H, equation (12), and what the private bound is worth."""
