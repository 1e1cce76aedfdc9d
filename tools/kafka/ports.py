"""Free loopback ports, none of them one that the system hands out itself.

A node that is down for a moment has to find its port free again. Linux gives the ports of a range
to a process that asks for any, to listen or to connect, and a port of a node that is down is among
them.

Several processes run nodes beside each other, and a node binds its port seconds after it was
given. So the ports that a process gave are locked in a file that all of them share, one byte for
each port: the system lets go of the locks when the process ends.
"""

from __future__ import annotations

import fcntl
import os
import random
import socket
import tempfile
import time
from functools import cache
from pathlib import Path

LOOPBACK = "127.0.0.1"
POLL_S = 0.05
FIRST_PORT = 10_000  # below lie those of well-known services
USUAL_LAST_PORT = 32_767
TRIES = 10_000
_HANDED_OUT = Path("/proc/sys/net/ipv4/ip_local_port_range")

_chance = random.SystemRandom()  # a test that seeds the common one still gets other ports
_given: set[int] = set()


def free_ports(count: int) -> list[int]:
    """``count`` different ports that nobody listened on a moment ago, none of them given before.

    As long as this process lives, no other one of this user gets them.

    OSError when there are no more.
    """
    last = last_port()
    found: list[int] = []
    for _ in range(TRIES):
        if len(found) == count:
            return found
        port = _chance.randint(FIRST_PORT, last)
        if port not in _given and _lock(port) and _is_free(port):
            _given.add(port)
            found.append(port)
    raise OSError(f"no {count} free ports between {FIRST_PORT} and {last}")


def last_port() -> int:
    """The last port below those that the system gives to those who connect (Linux)."""
    if not _HANDED_OUT.exists():
        return USUAL_LAST_PORT
    first_handed_out = int(_HANDED_OUT.read_text().split()[0])
    # A system that hands out nearly all leaves no better choice than any.
    return USUAL_LAST_PORT if first_handed_out <= 2 * FIRST_PORT else first_handed_out - 1


def _lock(port: int) -> bool:
    """Lock the port against other processes until this one ends."""
    try:
        fcntl.lockf(_lock_file(os.getpid()), fcntl.LOCK_EX | fcntl.LOCK_NB, 1, port)
    except BlockingIOError:
        return False
    return True


@cache
def _lock_file(pid: int) -> int:
    """The open file of the locks. A child inherits none of them, so it opens its own."""
    path = Path(tempfile.gettempdir()) / f"metaquorum-ports-{os.getuid()}"
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _is_free(port: int) -> bool:
    with socket.socket() as one:
        try:
            one.bind((LOOPBACK, port))
        except OSError:
            return False
        return True


def wait_listening(port: int, timeout_s: float) -> None:
    """Wait until a process listens there. TimeoutError when none does in time."""
    ends = time.monotonic() + timeout_s
    while True:
        try:
            socket.create_connection((LOOPBACK, port)).close()
            return
        except ConnectionRefusedError:
            if time.monotonic() > ends:
                raise TimeoutError(f"nobody listens on port {port} after {timeout_s} s") from None
        time.sleep(POLL_S)
