"""Facts 1 and 2 and Lemmas 8 to 10 (Appendix E)."""
