"""Functions of one variable on the grid of visited points, against α-NormEC's bounds without noise.

A server that takes normalised steps of length γ in one dimension visits x⁰ + γℤ alone, so what it sees of n
clients' functions is their gradients at those points. Any gradients whose neighbours differ by at most γL_i
come from L_i-smooth functions (interpolate them linearly), and no others do. Every one-dimensional instance of
the assumptions is one of `functions`, up to what f does between two visited points.
"""
