"""Judges histories of quota writes and reads that were taken from outside a quorum."""
