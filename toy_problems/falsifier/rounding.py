"""Candidates rounded to rationals, from the coarsest to the finest."""

from __future__ import annotations

DENOMINATORS = (1, 2, 4, 10, 100, 10**4, 10**6, 10**9, 10**12)


class NoWitness(Exception):
    """No rounding of the candidate breaks the bound exactly; the message says how close it came."""
