"""The claims of DP-NormFedAvg."""

CLAIMS = ()
