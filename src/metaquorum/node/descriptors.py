"""File descriptors: as many as the system lets us have, in a table of that size."""

from __future__ import annotations

import fcntl
import os
import resource
from contextlib import suppress

from metaquorum.base.limits import DESCRIPTORS_AT_START, MAX_DESCRIPTORS


def make_room_for_descriptors() -> int:
    """Once, at the start of the process, before it has threads: a connection costs one each.

    Linux doubles the table when it is full, at the 64th, 256th, 512th and so on, and in a process
    with threads that takes 10 to 15 ms, in which the one who accepts waits, and with it everybody
    else. To have a high descriptor for a moment makes the table grow, and it stays.

    Returns how many descriptors the process may have.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MAX_DESCRIPTORS if hard == resource.RLIM_INFINITY else min(hard, MAX_DESCRIPTORS)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    most = wanted if soft == resource.RLIM_INFINITY else soft
    # Without that a node waits now and then, which is no reason not to start.
    with suppress(OSError), open(os.devnull, "rb") as low:
        high = fcntl.fcntl(low, fcntl.F_DUPFD_CLOEXEC, min(most, DESCRIPTORS_AT_START) - 1)
        os.close(high)
    return most
