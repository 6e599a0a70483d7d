"""Section 4.1 and what it rests on: (4), (5) and α → ∞, and (2) against (3) at every α."""
