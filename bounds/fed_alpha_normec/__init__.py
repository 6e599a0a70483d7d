"""The bounds of Fed-α-NormEC, each printed version under its own name, and what a user should take instead.

`theorem1`, `theorem2` and `corollaries` hold what the paper prints; `choices` what its corollaries ask of their parameters, as
conditions, and `schedules` values that meet it;
`repaired` the bounds that `verify.fed_alpha_normec` proves; `recipe` turns those into parameters.
"""
