"""The configuration: properties text, known keys, and the frozen ``NodeConfig``."""
