"""The bounds of DP-NormFedAvg, each printed version under its own name, and what to use instead.

- `choices`: ρ, η and the printed K's (Theorem 4, Section 4.1, Theorem 6) with the printed conditions;
- `theorem4`, `theorem6`, `theorem7`: the printed bounds;
- `repaired`: the bounds that we prove instead;
- `recipe`: safe parameters from (L, G, n, d, E, ε, δ, ‖w₀ − w*‖).
"""
