"""The way to one peer of the quorum: connect, learn versions, one request at a time.

The core decides what is sent, when, how long an answer is waited for and when to try again; a
link only carries it. A request that takes the place of one without an answer ends the old
connection: its answer could only come late (KAFKA-14208). A connection that the peer closed is
made anew at once and the request sent again, as all of them may be: what comes of that tells a
process that is gone from one that is only busy (``leader_watch.py``).

Over a plain socket that is open and at rest, ``send`` writes a request at once, and its answer is
taken without waking the link's task (decision 217). The task carries everything else. In which
state a link is, and what may follow, ``TRANSITIONS`` says.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from typing import Final

import trio
from attrs import define, field

from metaquorum.base.errors import InvariantViolated, PeerError
from metaquorum.base.value import value
from metaquorum.quorum import adapt
from metaquorum.quorum.adapt.log_names import METADATA_LOG, LogName, renamed
from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import Event, LeaderLost, RequestFailed, ResponseArrived
from metaquorum.quorum.messages import Request, Response
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.loop.poller import Poller, TaskPoller
from metaquorum.runtime.peers.dial import Dial, OpenStream
from metaquorum.runtime.peers.leader_watch import LeaderWatch
from metaquorum.runtime.peers.peer_connection import PeerClosed, PeerConnection
from metaquorum.wire.errors import UnsupportedField
from metaquorum.wire.message import Message

CONNECT_TIMEOUT_S = 2.0
RECONNECT_LEAST_S, RECONNECT_MOST_S = 0.05, 0.5
"""How long an address rests after it could not be reached, doubling: Kafka's figures for the
channel between controllers, which have no keys there either."""

_NO_ANSWER = (UnsupportedField, OSError, trio.ClosedResourceError, PeerError)
"""How a request ends without one."""

Asked = tuple[Send, int, int]
"""A request that was written, its API key and its version."""


IDLE, CONNECTING, EXCHANGING, SETTLED = "idle", "connecting", "exchanging", "settled"
AT_REST, AWAITING, FAILED, GIVEN_UP = "at rest", "awaiting", "failed", "given up"


@value
class Transition:
    """One legal change of a link's state."""

    before: str
    after: str
    why: str


TRANSITIONS: Final = (
    Transition(IDLE, CONNECTING, "a connection is prepared"),
    Transition(IDLE, EXCHANGING, "the task carries a request"),
    Transition(CONNECTING, SETTLED, "the connection is open, or nobody answered"),
    Transition(CONNECTING, GIVEN_UP, "a request to another address came"),
    Transition(EXCHANGING, SETTLED, "there is an answer, or the reason why there is none"),
    Transition(EXCHANGING, GIVEN_UP, "another request came"),
    Transition(SETTLED, EXCHANGING, "the next request was there already"),
    Transition(SETTLED, AT_REST, "the connection is a plain socket, and nothing is to be sent"),
    Transition(SETTLED, IDLE, "the connection is of another kind, or closed"),
    Transition(AT_REST, AWAITING, "a request was written at once, or a part of it"),
    Transition(AT_REST, SETTLED, "the peer closed the connection, or the task has to write"),
    Transition(AWAITING, AT_REST, "the answer is there"),
    Transition(AWAITING, FAILED, "what is there is no answer"),
    Transition(AWAITING, GIVEN_UP, "another request came"),
    Transition(FAILED, SETTLED, "the core has it, or it is to be sent once more"),
    Transition(GIVEN_UP, SETTLED, "the connection is closed, or all was over before that"),
)
"""The table of legal transitions.

In ``CONNECTING`` and ``EXCHANGING`` the link's task is at work, in ``IDLE`` it waits for work. In
``AT_REST`` and ``AWAITING`` it waits for the socket, and nobody needs it to write or to read. The
other three are passed through: the task has been woken and decides what comes next.
"""

_AFTER: Final = {
    one.before: frozenset(other.after for other in TRANSITIONS if other.before == one.before)
    for one in TRANSITIONS
}


@define(eq=False)
class PeerLink:
    """Carries requests ``about`` one log to one peer; ``tell`` gets what came of each.

    ``_next`` is the request that is to be sent, ``_target`` where a connection is prepared.
    ``_asked`` is the request that was written at once, ``_error`` why it ``FAILED``.
    """

    peer_id: int
    client_id: str
    cluster_id: str
    listener: str
    tell: Callable[[Event], None]
    open_stream: OpenStream = field(factory=Dial)
    watch: LeaderWatch = field(factory=LeaderWatch)
    about: LogName = METADATA_LOG
    poller: Poller = field(factory=TaskPoller)
    connects: int = 0
    state: str = IDLE
    _next: Send | None = None
    _target: Endpoint | None = None
    _news: trio.Event = field(factory=trio.Event)
    _scope: trio.CancelScope = field(factory=trio.CancelScope)
    _connection: PeerConnection | None = None
    _place: tuple[str, int] | None = None
    _asked: Asked | None = None
    _error: Exception | None = None
    _rest_s: float = 0.0
    _ready_at: float = 0.0

    def send(self, request: Send) -> None:
        """Send this at once, or next; whatever is still unanswered is given up."""
        if self.state is AT_REST and self._write(request):
            return
        self._next = request
        if self.state is IDLE:
            self._news.set()
        elif self.state is not CONNECTING or self._target != request.peer.endpoint:
            self.interrupt()

    def prepare(self, endpoint: Endpoint) -> None:
        """Connect while there is nothing to send: an election has no time for it."""
        if self.state is IDLE and self._connection is None and self._next is None:
            self._target = endpoint
            self._news.set()

    def _move(self, after: str) -> None:
        """Change the state; InvariantViolated unless the table allows it."""
        if after not in _AFTER[self.state]:
            raise InvariantViolated(f"a peer link cannot go from {self.state} to {after}")
        self.state = after

    def interrupt(self) -> None:
        """Have the task leave what it waits for, if that may be long. What is under way is given
        up, and the connection with it; one at rest is kept.
        """
        if self.state is AT_REST:
            self._move(SETTLED)
        elif self.state in (CONNECTING, EXCHANGING, AWAITING):
            self._move(GIVEN_UP)
        else:
            return
        self._scope.cancel()

    def _write(self, request: Send) -> bool:
        """Write the request to the open connection; False where that is work for the task.

        The task meets with whatever is wrong with the request, and tells.
        """
        connection, endpoint = self._connection, request.peer.endpoint
        if connection is None or endpoint is None:
            return False
        if (endpoint.host, endpoint.port) != self._place:
            return False
        api_key = adapt.api_key_of(request.message)
        try:
            version = connection.version(api_key)
            to_wire = partial(self._to_wire, api_key, version)
            data = connection.encoded(api_key, version, request.message, to_wire)
        except (UnsupportedField, PeerError):
            return False
        sent_bytes = connection.write(data)
        if sent_bytes == 0:
            return False
        self._asked = request, api_key, version
        self._move(AWAITING)
        return sent_bytes == len(data)  # one that left in part is given up by ``send``

    async def run(self) -> None:
        """Carry requests for ever; ends by cancellation."""
        try:
            while True:
                if self._next is None and self._target is None:
                    if self.state is SETTLED:
                        self._move(IDLE)
                    self._news = trio.Event()
                    await self._news.wait()
                    continue
                with trio.CancelScope() as self._scope:
                    await self._work()
                self._target = None
                if self.state is GIVEN_UP:
                    self.watch.unclear()
                    await self._hang_up()
                    self._move(SETTLED)
        finally:
            with trio.CancelScope(shield=True):
                await self._hang_up()

    async def _work(self) -> None:
        """What there is to do now, then whatever ``send`` writes at once."""
        request, self._next = self._next, None
        if request is not None:
            self._move(EXCHANGING)
            await self._carry(request)
        elif self._target is not None:
            self._move(CONNECTING)
            await self._connect_quietly(self._target)
        connection = self._connection
        # A bootstrap server, with an id below 0, is asked over a connection that may not stay.
        if self._next is None and connection is not None and self.peer_id >= 0:
            await self._listen(connection)

    async def _connect_quietly(self, endpoint: Endpoint) -> None:
        try:
            await self._connected(endpoint)
        except (OSError, trio.ClosedResourceError, PeerError):
            self.watch.unclear()
            await self._hang_up()
        self._move(SETTLED)

    async def _carry(self, request: Send) -> None:
        """One request and its answer, or why there is none."""
        while True:
            try:
                answer = await self._exchange(request)
            except _NO_ANSWER as error:
                if not await self._unanswered(request, error):
                    return
            else:
                self._move(SETTLED)
                self._answered(request, answer)
                await self._leave_a_name_for_many()
                return

    async def _listen(self, connection: PeerConnection) -> None:
        """Take the answers to what ``send`` writes, until something else is to be done.

        What comes unasked, as a peer's hanging up, ends it as well: the next request meets it.
        """
        if connection.descriptor is None:
            return
        self._move(AT_REST)
        await self.poller.watch_fd(connection.descriptor, partial(self._hear, connection))
        if self.state is FAILED:
            assert self._asked is not None and self._error is not None
            request = self._asked[0]
            if await self._unanswered(request, self._error):
                self._move(SETTLED)
                self._next = self._next or request

    def _hear(self, connection: PeerConnection) -> bool:
        """Take what the peer says; False when that is no answer.

        Nothing is written at once any more from the moment it is no answer, though the task will
        only learn of that later: what was written would be given up with the connection.
        """
        if self.state is not AWAITING:
            if self.state is AT_REST:
                self._move(SETTLED)
            return False
        assert self._asked is not None
        request, api_key, version = self._asked
        try:
            response = connection.heard(api_key, version)
            answer = None if response is None else self._read(api_key, version, response)
        except _NO_ANSWER as error:
            self._error = error
            self._move(FAILED)
            return False
        if answer is not None:
            self._move(AT_REST)
            self._answered(request, answer)
        return self.state is AT_REST or self.state is AWAITING

    def _answered(self, request: Send, answer: Response) -> None:
        self.watch.answered()
        self.tell(ResponseArrived(self.peer_id, request.correlation, answer))

    async def _unanswered(self, request: Send, error: Exception) -> bool:
        """Tell why there is no answer, unless the request is to be carried once more: then True."""
        refused, closed = isinstance(error, ConnectionRefusedError), isinstance(error, PeerClosed)
        unsupported = isinstance(error, UnsupportedField)
        if not refused and not unsupported:
            if not closed:
                self.watch.unclear()
            await self._hang_up()
        if closed and self.watch.closed():
            return True
        self._move(SETTLED)
        if refused and self.watch.refused():
            self.tell(LeaderLost(self.peer_id, f"its connection was closed, and {error}"))
        plain = refused or closed or unsupported
        why = str(error) if plain else f"{type(error).__name__}: {error}"
        mistake = isinstance(error, PeerError) and not plain
        self.tell(RequestFailed(self.peer_id, request.correlation, why, unsupported, mistake))
        return False

    async def _exchange(self, request: Send) -> Response:
        endpoint = request.peer.endpoint
        if endpoint is None:
            raise OSError(f"nobody has said where node {self.peer_id} listens")
        connection = await self._connected(endpoint)
        api_key = adapt.api_key_of(request.message)
        version = connection.version(api_key)
        response = await connection.ask(
            api_key, version, self._to_wire(api_key, version, request.message)
        )
        return self._read(api_key, version, response)

    def _to_wire(self, api_key: int, version: int, message: Request) -> Message:
        wire: Message = adapt.write_request(version, message, self.cluster_id)
        if self.about is not METADATA_LOG:
            wire = renamed(api_key, wire, METADATA_LOG, self.about)
        return wire

    def _read(self, api_key: int, version: int, response: Message) -> Response:
        try:
            if self.about is not METADATA_LOG:
                response = renamed(api_key, response, self.about, METADATA_LOG)
            return adapt.read_response(api_key, version, response, self.listener)
        except (PeerError, InvariantViolated):
            raise
        except Exception as error:  # nothing that a peer answers may end this node
            why = f"an answer that could not be read: {type(error).__name__}"
            raise PeerError(why) from error

    async def _connected(self, endpoint: Endpoint) -> PeerConnection:
        """The open connection, or a new one where there is none or the peer has moved."""
        place = (endpoint.host, endpoint.port)
        if place != self._place:
            await self._hang_up()
            self.watch.unclear()
            self._place, self._rest_s = place, 0.0
        if self._connection is None:
            await self._rest()
            try:
                stream = await self._opened(*place)
            except OSError:
                self._rest_s = min(max(self._rest_s * 2, RECONNECT_LEAST_S), RECONNECT_MOST_S)
                self._ready_at = trio.current_time() + self._rest_s
                raise
            self._rest_s = 0.0
            self.connects += 1
            self._connection = PeerConnection(stream, self.client_id)
            await self._connection.handshake()
            self.watch.greeted()
        return self._connection

    async def _opened(self, host: str, port: int) -> trio.abc.Stream:
        with trio.move_on_after(CONNECT_TIMEOUT_S):
            return await self.open_stream(host, port)
        raise OSError(f"{host}:{port} does not answer")

    async def _rest(self) -> None:
        """Leave an address alone for a while that could not be reached the last time."""
        if self._rest_s:
            await trio.sleep_until(self._ready_at)

    async def _leave_a_name_for_many(self) -> None:
        """Connect anew next time to a bootstrap server's name: another node may have it too."""
        if self.peer_id < 0 and self._place is not None and not _is_address(self._place[0]):
            self.watch.unclear()
            await self._hang_up()

    async def _hang_up(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            await connection.close()


def _is_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True
