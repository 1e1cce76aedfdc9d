"""The configuration room: properties text, known keys, and the frozen ``NodeConfig``."""
