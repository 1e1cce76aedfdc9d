"""Looks at the certificates of all controllers, and at our own, before they expire.

It runs in a thread of its own, since a controller that hangs may take the whole time of a look.
Nothing is sent over its connections, and whether a certificate is good is not asked: what each
controller shows, and until when that is good, is all that it tells.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_REPLICAS_SHOWN
from metaquorum.client.certificates import Tls, shown_by
from metaquorum.client.security import Security
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.figures import QuorumFigures
from metaquorum.observe.events import EventLog
from metaquorum.tls.certificate import Certificate

OURS: Final = "ours"
"""Whose certificate is told apart from those at ``host:port``."""
INTERVALS: Final = 6
"""One look for so many questions to the leader: certificates are good for months."""


@define(eq=False)
class CertificateWatch:
    """Looks every ``every_ms``; ``wait`` sleeps, and returns True once it is to stop.

    ``quorum`` gives what the leader said last: controllers that are not among ``bootstrap``.
    ``look`` asks a server for what it shows (tests pass their own).
    """

    bootstrap: Sequence[HostPort]
    security: Callable[[], Security]
    every_ms: int
    quorum: Callable[[], QuorumFigures | None]
    lines: EventLog
    wall_ms: Callable[[], Millis]
    wait: Callable[[float], bool]
    look: Callable[[str, int, Tls], Certificate | None] = shown_by
    found: Mapping[str, Certificate] = field(factory=dict, init=False)
    """The last known of each, by ``host:port`` or ``OURS``; the mapping is replaced as a whole."""
    _told: set[tuple[str, Certificate]] = field(factory=set, init=False)

    def run(self) -> None:
        """Until ``wait`` says that it is to stop; without TLS it has nothing to do."""
        while True:
            self.look_once()
            if self.wait(self.every_ms / 1_000):
                return

    def look_once(self) -> None:
        """At all of them. What cannot be reached stays as it was last known."""
        try:
            tls = self.security().tls
        except OperatorError:  # the sources say what is wrong with the properties
            return
        if tls is None:
            self.found = {}
            return
        places = self._places()
        shown = {OURS: tls.own, **{str(one): self.look(one.host, one.port, tls) for one in places}}
        self.found = {
            name: one
            for name in shown
            if (one := shown[name] or (self.found.get(name) if name != OURS else None)) is not None
        }
        self._tell()

    def _places(self) -> Sequence[HostPort]:
        quorum = self.quorum()
        voters = [] if quorum is None else [rows[0] for rows in quorum.endpoints.values() if rows]
        named = [HostPort(host, port) for _, host, port in voters]
        return list(dict.fromkeys((*self.bootstrap, *named)))[:MAX_REPLICAS_SHOWN]

    def _tell(self) -> None:
        """A line for each that has expired, once."""
        now_ms = self.wall_ms()
        expired = {one for one in self.found.items() if one[1].has_expired(now_ms)}
        for name, one in sorted(expired - self._told, key=lambda row: row[0]):
            self.lines.warn(
                "certificate-expired",
                whose=name,
                subject=one.subject,
                why=f"certificate has expired: {one.until}",
            )
        self._told = expired
