"""The bounds of DP-NormFedAvg, each printed version under its own name."""
