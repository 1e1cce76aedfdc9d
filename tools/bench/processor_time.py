"""What a process has used of the processors, to the nanosecond (Linux).

The figures of ``/proc`` are ticks of a few milliseconds, each charged to the process that runs when
it comes. Nodes that wake by a timer and rest again meet it too often or not at all, so that of a
hundredth of a core in use it makes anything between none and four.
"""

from __future__ import annotations

import time

_SCHEDULED = 2  # which of a process's clocks: what the scheduler gave it (clock_getcpuclockid(3))


def processor_seconds(pid: int) -> float:
    """User and system time together, that of threads which have ended included.

    Raises OSError when there is no such process.
    """
    return time.clock_gettime((~pid << 3) | _SCHEDULED)
