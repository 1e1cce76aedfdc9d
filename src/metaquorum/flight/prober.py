"""Asks one node again and again whether it answers, and notices at once when it hangs up.

ApiVersions needs no login and changes nothing. The connection is kept: a process that ends closes
it in the same moment, which is known to the millisecond then, and one that stands still keeps it
open and does not answer.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any, Final

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.ids import NodeId
from metaquorum.client.connection import (
    API_VERSIONS,
    Connection,
    ConnectionFailed,
    Failure,
    VersionsDoNotMeet,
)
from metaquorum.config.listeners import HostPort
from metaquorum.flight.evidence import BROKER, Outcome, Probed

CLIENT_ID: Final = "metaquorum-recorder"
LIST_OFFSETS: Final = 2
"""Kafka's controllers do not serve it to anybody, ours do on every listener."""
DOWN_PAUSE_MS: Final = 250
"""Between two attempts while nobody listens: when a node is back is worth knowing."""
CALM_MS: Final = 30_000
"""An answer that says nothing new is recorded so often; the last one before a failure always."""
_OUTCOMES: Final = {
    Failure.REFUSED: Outcome.REFUSED,
    Failure.UNREACHABLE: Outcome.UNREACHABLE,
    Failure.SILENT: Outcome.SILENT,
    Failure.CLOSED: Outcome.CLOSED,
    Failure.OTHER: Outcome.OTHER,
}


@frozen
class ProbedNode:
    """Whom to ask; ``by_tls`` is None for what the client's properties say."""

    node_id: NodeId
    role: str
    place: HostPort
    by_tls: bool | None = None


@define(eq=False)
class Prober:
    """Asks ``node`` every ``interval_ms``, and waits ``timeout_ms`` for each answer.

    ``open`` connects without a login; ``wait`` sleeps and is True once it is to stop.
    """

    node: ProbedNode
    interval_ms: int
    timeout_ms: int
    open: Callable[..., Connection]
    put: Callable[[Probed], None]
    now_ms: Callable[[], Millis]
    wait: Callable[[float], bool]
    gone: threading.Event = field(factory=threading.Event)
    """Set once this node is not to be asked any more: it is elsewhere, or was removed."""
    _connection: Connection | None = field(default=None, init=False)
    _held: Probed | None = field(default=None, init=False)
    _recorded: Probed | None = field(default=None, init=False)
    _recorded_ms: Millis = field(default=0, init=False)

    def run(self) -> None:
        """Until it is to stop."""
        while not self.gone.is_set():
            pause_ms = self.step()
            if self.wait(pause_ms / 1_000):
                break
        self._hang_up()
        self._record_held()

    def step(self) -> int:
        """Ask once, then watch the connection for an interval; how long to pause after that, in ms.

        A connection that ends is made anew at once: whether that is refused says more.
        """
        probed = self._asked()
        self._note(probed)
        if probed.outcome is Outcome.CLOSED or probed.outcome is Outcome.HANGS:
            return 0
        if probed.outcome is not Outcome.ANSWERED or self._connection is None:
            return min(DOWN_PAUSE_MS, self.interval_ms)
        if self._connection.closed_within(self.interval_ms / 1_000):
            self._hang_up()
            self._note(self._made(self.now_ms(), Outcome.CLOSED))
        return 0

    def _asked(self) -> Probed:
        began_ms, stood = self.now_ms(), self._connection is not None
        try:
            if self._connection is None:
                self._connection = self._opened()
            else:
                self._ask(self._connection)
        except ConnectionFailed as error:
            self._hang_up()
            outcome = _OUTCOMES[error.kind]
            if stood and outcome is Outcome.SILENT:
                outcome = Outcome.HANGS
            return self._made(began_ms, outcome)
        except (PeerError, OperatorError, VersionsDoNotMeet):
            self._hang_up()
            return self._made(began_ms, Outcome.OTHER)
        return self._made(began_ms, Outcome.ANSWERED)

    def _opened(self) -> Connection:
        place = self.node.place
        more: dict[str, Any] = {"connect_timeout_ms": self.timeout_ms}
        return self.open(
            place.host, place.port, client_id=CLIENT_ID, timeout_ms=self.timeout_ms, **more
        )

    def _ask(self, connection: Connection) -> None:
        from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest

        # Version 0 is answered by everybody, and needs nothing said of this software.
        connection.ask(API_VERSIONS, 0, ApiVersionsRequest())

    def _made(self, began_ms: Millis, outcome: Outcome) -> Probed:
        is_prompt = (
            self._connection is not None
            and self.node.role != BROKER
            and LIST_OFFSETS in self._connection.versions
        )
        took_ms = max(0, self.now_ms() - began_ms)
        node = self.node
        return Probed(began_ms, took_ms, node.node_id, node.role, outcome, is_prompt)

    def _note(self, probed: Probed) -> None:
        """Record what is new; the last one of those that were not goes before it."""
        before = self._recorded
        is_same = before is not None and before.outcome is probed.outcome
        if is_same and probed.time_ms - self._recorded_ms < CALM_MS:
            self._held = probed
            return
        if is_same:
            self._held = None
        self._record_held()
        self.put(probed)
        self._recorded, self._recorded_ms = probed, probed.time_ms

    def _record_held(self) -> None:
        held, self._held = self._held, None
        if held is not None:
            self.put(held)

    def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()
