"""The bounds of Fed-α-NormEC, each printed version under its own name."""
