"""Every theorem's bound and its conditions, once, as a formula."""
