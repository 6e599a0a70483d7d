"""DP-NormFedAvg's experiments with a linear model, Table 2: all runs of a sweep in one batch."""
