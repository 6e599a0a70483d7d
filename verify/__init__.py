"""Claims, provers and verdicts."""
