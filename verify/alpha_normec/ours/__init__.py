"""What we prove beyond the printed theorems."""
