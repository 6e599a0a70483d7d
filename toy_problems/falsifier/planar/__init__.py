"""Explicit functions of two variables whose clients differ in everything, against the bounds that `traces`
attacks."""
