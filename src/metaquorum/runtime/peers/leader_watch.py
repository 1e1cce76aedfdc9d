"""When a lost connection means that a process is gone: a decision without sockets or clocks.

A process that dies takes its connections and its listener along, so its peers see two things
shortly after each other: a connection that served them is closed, and the address refuses the
next one. Either alone proves nothing. A closed connection may be an idle limit, a proxy or a
restart; a refused one may be a node that was never there; silence may be a cut cable, a frozen
process or a full accept queue, and says nothing about the process. See docs/decisions/065.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from attrs import define

AT_ONCE: Final = 3
"""How often a closed connection is made again at once. A dying process may still accept into a
queue that it then drops; a process that keeps closing what it accepts is not gone."""


class Standing(Enum):
    """What is known of the peer's process."""

    UNKNOWN = "nothing was received over the present connection"
    SERVES = "it answered over the present connection"
    CUT = "it answered, then its connection was closed"


@define
class LeaderWatch:
    """Watches one peer at one address; ``refused`` says whether its process is gone.

    With ``enabled`` off nothing is ever concluded; connections are still made again.
    """

    enabled: bool = True
    standing: Standing = Standing.UNKNOWN
    _closed: int = 0

    def greeted(self) -> None:
        """The peer answered ApiVersions over a new connection: its process runs."""
        self.standing = Standing.SERVES

    def answered(self) -> None:
        """The peer answered a request over the present connection."""
        self.standing, self._closed = Standing.SERVES, 0

    def closed(self) -> bool:
        """The peer reset or closed the connection; whether to connect again at once."""
        if self.standing is Standing.UNKNOWN:
            return False
        self.standing = Standing.CUT
        self._closed += 1
        if self._closed > AT_ONCE:
            self.unclear()
            return False
        return True

    def refused(self) -> bool:
        """Every address of the peer refused a connection; whether its process is gone.

        It is said once: only an answer over a later connection arms the watch again.
        """
        gone = self.enabled and self.standing is Standing.CUT
        self.unclear()
        return gone

    def unclear(self) -> None:
        """Silence, another address, or an end of our own making: what was known counts no more."""
        self.standing, self._closed = Standing.UNKNOWN, 0
