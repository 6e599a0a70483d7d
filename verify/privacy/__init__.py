"""Claims."""

CLAIMS = ()
