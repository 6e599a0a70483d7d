"""What we prove in the place of Theorems 4, 6 and 7. `sharper`, `harmonic` and `cut` hold our proof of one round."""
