"""Free loopback ports."""

from __future__ import annotations

import contextlib
import socket
import time

LOOPBACK = "127.0.0.1"
POLL_S = 0.05


def free_ports(count: int) -> list[int]:
    """``count`` different ports that nobody listened on a moment ago."""
    with contextlib.ExitStack() as held:
        sockets = [held.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind((LOOPBACK, 0))
        return [int(one.getsockname()[1]) for one in sockets]


def wait_listening(port: int, timeout_s: float) -> None:
    """Wait until somebody listens there. TimeoutError when nobody does in time."""
    ends = time.monotonic() + timeout_s
    while True:
        try:
            socket.create_connection((LOOPBACK, port)).close()
            return
        except ConnectionRefusedError:
            if time.monotonic() > ends:
                raise TimeoutError(f"nobody listens on port {port} after {timeout_s} s") from None
        time.sleep(POLL_S)
