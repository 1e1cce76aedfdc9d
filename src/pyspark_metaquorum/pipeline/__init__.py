"""The pipeline: the metadata log landed as it is, its history, and the tables of a report."""
