"""Functions of one variable that need not be convex, and runs that repeat themselves: Fed-α-NormEC with local
work."""
