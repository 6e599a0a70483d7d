"""Problems with exact constants, the batched runner, and what is measured with them.

problem: what a problem is, n clients' functions and the constants that theorems read.
quadratics, separable, logistic, piecewise: the families, each with its constants proved; catalogue: by name.
certified: proved brackets of one-dimensional extremes, for constants without a closed form.
runner: many runs at once (instance × parameter × seed); chunks, parallel: how they are split and shared; observables: what
can be watched.
starts: x⁰ and the initial memories; schedules: the parameters that the corollaries prescribe.
example1: Example 1 of α-NormEC.
overlay: bounds over measured traces; memory_term: what the term of the initial memories costs.
rates: decay in K under the corollaries' schedules; comparison: methods at equal sensitivity.
appendix_f: the runs of DP-NormFedAvg's Appendix F; captions: its sentences, measured.
falsifier: the search for the instance closest to breaking a bound.

`jobs` says what each subcommand of `python -m toy_problems` computes, `tables` what it prints, `results` what
it writes.
"""
