"""Blocking clients: one Kafka connection, and a reader of the metadata log.

They know sockets and the clock, no tasks and no threads: a command line is their usual host.
"""
