"""The falsifier: a search, for every theorem-level bound, for the instance that comes closest to breaking it.

A family of instances is a folder:

    grid/           α-NormEC without noise: functions of one variable, any on the grid of visited points
    traces/         the same bounds in one to three dimensions: points and gradients that interpolate
    planar/         the same bounds: explicit functions of two variables
    convex/         DP-NormFedAvg: convex functions, drawn clients, every draw summed
    local/          Fed-α-NormEC with local work: any pieces, runs that repeat themselves
    expectation/    bounds on an expectation: d dimensions with noise, decided by confidence sequences

and has, each in a file of that name, what it needs of: `candidates` (or `functions`: what genes decode to),
`targets` (one for each bound: how the printed conditions make parameters of genes), `search` (thousands of
candidates at a time through `methods.advance`), `witness` (a candidate rounded to rationals), `replay` (the
rationals run again in exact arithmetic, by code that shares nothing with the search) and `attack` (all of it,
as plain data).

Shared by the families: `genome` and `targets` (α-NormEC's candidates and bounds), `evolution`, `rounding`,
`exact` and `intervals` (all that a replay stands on), `attack` (what a result is). Over them: `study` (a plan
carried out), `coverage` (which bounds are left out, and why) and `cli`.

Units. Every statement searched is homogeneous, so γ = 1 and L_max = 1 without loss of generality.
"""
