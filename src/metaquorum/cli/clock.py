"""The wall clock, for commands; what they call gets the time as an argument."""

import time


def wall_ms() -> int:
    """Milliseconds since 1970."""
    return time.time_ns() // 1_000_000
