"""Loads that others wrote, on three brokers of Kafka's with three controllers of ours under them.

Kafka's own load programs and Trogdor, and the test suites of other projects' clients. Each has a
judge that can fail. The same runs on Kafka's controllers, for the record.
"""
