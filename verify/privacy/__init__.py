"""Privacy: is the ε that is printed the ε that is had?

Claims are decided by accounting. `bounds.privacy` finds the numbers and fills the tables; witnesses and
proofs rest on `rigorous`, interval arithmetic that shares nothing with it. `audit` attacks the mechanisms
of `methods` from below, and `cli` is the calculator `python -m verify epsilon`.
"""
