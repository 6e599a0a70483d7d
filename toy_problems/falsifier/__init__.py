"""The falsifier: a search, for every theorem-level bound, for the instance that comes closest to breaking it.

Function class. A server that takes normalised steps of length γ in one dimension visits x⁰ + γℤ alone, so
what it sees of n clients' functions is their gradients at those points. Any gradients whose neighbours
differ by at most γL_i come from L_i-smooth functions (interpolate them linearly), and no others do. `grid`
holds such functions: every one-dimensional instance of the assumptions is one of them, up to what f does
between two visited points. In d dimensions the same functions act on the first coordinate, which is where
the noise of the private methods shows its dimension. `traces` holds no functions but what a run in one to
three dimensions sees of them, points and gradients; by the conditions of `interpolation` these are an L-smooth
function or are not, so that nothing is lost between the points. `planar` holds explicit functions of two
variables whose clients differ in everything.

Units. Every statement searched is homogeneous, so γ = 1 and L_max = 1 without loss of generality.

Parts: `grid` (functions and their exact constants), `genome` (what a candidate is), `targets` (one per
bound: how the printed conditions make parameters of genes), `evolution` (thousands of candidates at a time
through `methods.advance`), `witness` (a candidate rounded to rationals), `replay` (the rationals run again
in exact arithmetic, by code that shares nothing with the search), `expectation` and `confidence` (bounds
that hold on average), `convex` and its `convex_targets`, `convex_search`, `convex_witness`, `convex_replay`
(DP-NormFedAvg: convex functions, drawn clients, every draw summed), `trace_search`, `polish` (gradients after
evolution), `trace_witness` and `trace_replay` (with `intervals`: every trace that is reported is replayed
exactly, broken or not), `planar_search` and `planar_replay`, `local` and its `local_targets`,
`local_search`, `local_witness`, `local_replay` (Fed-α-NormEC with local work: functions that need not be
convex, runs that repeat themselves), `attack`, `families` and `study` (all of it as plain data), `coverage`
(which bounds are left out, and why), `cli`.
"""
