"""Where neither a proof nor a witness decides Theorem 6: a search for an instance that breaks it."""
