"""Corollaries 1 to 6, and the sentences that compare their bounds with those of others."""
