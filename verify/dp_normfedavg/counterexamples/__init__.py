"""Runs of Algorithm 1 in fractions, or drawn at random, and the witnesses that they give."""
