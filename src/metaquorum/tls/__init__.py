"""TLS by the standard library: keys and certificates as Kafka's keys name them, and whose they are.

Blocking, without tasks: a server, a link between nodes and a command line all use it.
"""
