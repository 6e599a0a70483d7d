"""Problems with exact constants, the batched runner and the falsifier."""
