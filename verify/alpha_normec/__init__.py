"""The claims of α-NormEC, in the order of the paper."""
