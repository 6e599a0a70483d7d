"""Convex functions of one variable and clients that are drawn, every draw summed: DP-NormFedAvg."""
