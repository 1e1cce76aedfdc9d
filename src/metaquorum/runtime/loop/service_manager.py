"""Messages to the service manager that started this process, by the protocol of sd_notify(3).

systemd names a datagram socket in ``NOTIFY_SOCKET``, a path or an abstract name that begins with
``@``, and, for a service with a watchdog, an interval in ``WATCHDOG_USEC``. Other supervisors and
container runtimes speak the same protocol.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Mapping
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_SERVICE_STATUS_CHARS
from metaquorum.base.quoting import printable

SOCKET_VARIABLE: Final = "NOTIFY_SOCKET"
WATCHDOG_VARIABLE: Final = "WATCHDOG_USEC"
WATCHDOG_PID_VARIABLE: Final = "WATCHDOG_PID"


@define(eq=False)
class ServiceManager:
    """One that waits for messages at ``address``.

    ``watchdog_ms`` is the time after which it takes a silent process for hung, None without a
    watchdog. A message that cannot be delivered is never an error of the node: ``send`` tells, and
    ``why_not`` has the reason of the last one.
    """

    address: str
    watchdog_ms: Millis | None = None
    why_not: str | None = None
    _socket: socket.socket | None = field(default=None, init=False)

    @classmethod
    def of_environment(cls, environ: Mapping[str, str], pid: int) -> ServiceManager | None:
        """The one that the variables of this process name, None where they name nobody.

        A watchdog that is meant for another process, as ``WATCHDOG_PID`` says, is none.
        """
        address = environ.get(SOCKET_VARIABLE, "")
        if not address:
            return None
        watchdog_us = _whole(environ.get(WATCHDOG_VARIABLE, ""))
        if _whole(environ.get(WATCHDOG_PID_VARIABLE, "")) not in (None, pid):
            watchdog_us = None
        return cls(address, max(1, watchdog_us // 1_000) if watchdog_us else None)

    def send(self, *assignments: str) -> bool:
        """Send ``NAME=value`` lines as one message, without waiting; whether they left."""
        try:
            if self._socket is None:
                self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
                self._socket.setblocking(False)
            self._socket.sendto("\n".join(assignments).encode(), _socket_name(self.address))
        except (OSError, ValueError) as error:
            self.why_not = f"{SOCKET_VARIABLE} {self.address}: {_reason(error)}"
            return False
        return True

    def close(self) -> None:
        """Give the socket back."""
        if self._socket is not None:
            self._socket.close()
            self._socket = None


def status_line(text: str) -> str:
    """``STATUS=`` with one line of text, cut where it is too long for one."""
    line = printable(text)
    if len(line) > MAX_SERVICE_STATUS_CHARS:
        line = f"{line[:MAX_SERVICE_STATUS_CHARS]}..."
    return f"STATUS={line}"


def _socket_name(address: str) -> bytes:
    """As the kernel has it: an abstract name begins with a zero byte."""
    if address.startswith("@"):
        return b"\0" + os.fsencode(address[1:])
    if address.startswith("/"):
        return os.fsencode(address)
    raise ValueError("neither a path nor an abstract name, which begins with @")


def _reason(error: OSError | ValueError) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() else None
