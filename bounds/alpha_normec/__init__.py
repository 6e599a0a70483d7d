"""The bounds of α-NormEC, each printed version under its own name."""
