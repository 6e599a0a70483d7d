"""What we prove in the place of the theorems and corollaries. `rounds` and `several` hold the proofs, node by node."""
