"""How soon a thread that wants to go on gets its turn in Python, which runs one of them at a time.

The loop works in slices while a snapshot is written, and lets go of Python only for a moment in
each. By default a thread has to wait for 5 ms before it may ask for a turn, and a write and sync of
the log needs some six turns: its commit took 30 to 45 ms, and takes 5 to 10. See decision 247.
"""

from __future__ import annotations

import sys

from metaquorum.base.limits import SWITCH_INTERVAL_S


def set_switch_interval() -> None:
    """Once, at the start of a process whose threads take turns with something large."""
    sys.setswitchinterval(SWITCH_INTERVAL_S)
