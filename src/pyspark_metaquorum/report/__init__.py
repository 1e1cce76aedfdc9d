"""The report: one page with pictures, made of the tables that a pipeline has landed."""
