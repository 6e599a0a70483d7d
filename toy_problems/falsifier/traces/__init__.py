"""Traces in one to three dimensions: no functions but what a run sees of them, points and gradients.

By the conditions of `interpolation` these are an L-smooth function's or are not, so that nothing is lost between
the points. `polish` follows gradients after evolution. Every trace that is reported is replayed exactly, broken
or not.
"""
