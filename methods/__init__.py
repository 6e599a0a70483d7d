"""The algorithms of the three papers as pure functions of arrays."""
