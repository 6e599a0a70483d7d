"""Runs of Algorithm 1 in fractions, and the witnesses that they give."""
