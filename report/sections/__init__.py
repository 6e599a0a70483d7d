"""The chapters of the report; each module turns results into one `Section` and computes nothing itself."""
