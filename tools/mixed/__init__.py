"""Quorums in which our nodes and the real Kafka's controllers vote together, under load."""
