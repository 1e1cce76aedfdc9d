"""The way to one peer of the quorum: connect, learn versions, one request at a time.

The core decides what is sent, when, how long an answer is waited for and when to try again; a
link only carries it. A request that takes the place of one without an answer ends the old
connection: its answer could only come late (KAFKA-14208). A connection that the peer closed is
made anew at once and the request sent again, as all of them may be: what comes of that tells a
process that is gone from one that is only busy (``leader_watch.py``).

Over a plain socket that is open and at rest, ``send`` says a request at once, and the link's task,
which waits for what the peer says, is woken once for each answer (decision 168). Everything else
is carried by the task.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from ipaddress import ip_address
from typing import Any

import trio
from attrs import define, field

from metaquorum.base.errors import HouseError, PeerError
from metaquorum.quorum import adapt
from metaquorum.quorum.adapt.log_names import METADATA_LOG, LogName, renamed
from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import Event, LeaderLost, RequestFailed, ResponseArrived
from metaquorum.quorum.types import Endpoint
from metaquorum.runtime.loop.lookout import Lookout, WaitingTasks
from metaquorum.runtime.peers.dial import Dial, OpenStream
from metaquorum.runtime.peers.leader_watch import LeaderWatch
from metaquorum.runtime.peers.peer_connection import PeerClosed, PeerConnection
from metaquorum.wire.errors import UnsupportedField

CONNECT_TIMEOUT_S = 2.0
RECONNECT_LEAST_S, RECONNECT_MOST_S = 0.05, 0.5
"""How long an address rests after it could not be reached, doubling: Kafka's figures for the
channel between controllers, which have no keys there either."""

_NO_ANSWER = (UnsupportedField, OSError, trio.ClosedResourceError, PeerError)
"""How a request ends without one."""


@define(eq=False)
class PeerLink:
    """Carries requests ``about`` one log to one peer; ``tell`` gets what came of each."""

    peer_id: int
    client_id: str
    cluster_id: str
    listener: str
    tell: Callable[[Event], None]
    open_stream: OpenStream = field(factory=Dial)
    watch: LeaderWatch = field(factory=LeaderWatch)
    about: LogName = METADATA_LOG
    lookout: Lookout = field(factory=WaitingTasks)
    connects: int = 0
    _next: Send | None = None
    _to_prepare: Endpoint | None = None
    _preparing: Endpoint | None = None
    _news: trio.Event = field(factory=trio.Event)
    _scope: trio.CancelScope | None = None
    _connection: PeerConnection | None = None
    _place: tuple[str, int] | None = None
    _listening: bool = False
    _said: tuple[Send, int, int] | None = None
    _failed: tuple[Send, Exception] | None = None
    _rest_s: float = 0.0
    _ready_at: float = 0.0

    def send(self, request: Send) -> None:
        """Send this at once, or next; whatever is still unanswered is given up."""
        if self._is_at_rest and self._say(request):
            return
        self._next = request
        self._news.set()
        prepared_for = self._preparing is not None and self._preparing == request.peer.endpoint
        if self._scope is not None and not prepared_for:
            self._scope.cancel()

    def prepare(self, endpoint: Endpoint) -> None:
        """Connect while there is nothing to say: an election has no time for it."""
        if self._scope is None and self._connection is None and self._next is None:
            self._to_prepare = endpoint
            self._news.set()

    @property
    def _is_at_rest(self) -> bool:
        """Whether the connection is open, plain and without a question, and the task listens."""
        return self._listening and self._said is None and self._next is None

    def _say(self, request: Send) -> bool:
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
        # A request that left in part is given up, and the connection with it.
        self._said = request, api_key, version
        return sent_bytes == len(data)

    async def run(self) -> None:
        """Carry requests for ever; ends by cancellation."""
        try:
            while True:
                if self._next is None and self._to_prepare is None:
                    self._news = trio.Event()
                    await self._news.wait()
                    continue
                request, self._next = self._next, None
                endpoint, self._to_prepare = self._to_prepare, None
                idle = False
                with trio.CancelScope() as self._scope:
                    if request is not None:
                        await self._carry(request)
                    elif endpoint is not None:
                        self._preparing = endpoint
                        await self._connect_quietly(endpoint)
                    self._preparing = None
                    idle = True
                    await self._listen()
                self._preparing = None
                cancelled, self._scope = self._scope.cancelled_caught, None
                unanswered, self._said = self._said is not None, None
                if unanswered or (cancelled and not idle):
                    self.watch.unclear()
                    await self._hang_up()
        finally:
            with trio.CancelScope(shield=True):
                await self._hang_up()

    async def _connect_quietly(self, endpoint: Endpoint) -> None:
        try:
            await self._connected(endpoint)
        except (OSError, trio.ClosedResourceError, PeerError):
            self.watch.unclear()
            await self._hang_up()

    async def _carry(self, request: Send) -> None:
        """One request and its answer, or why there is none."""
        again = True
        while again:
            try:
                answer = await self._exchange(request)
            except _NO_ANSWER as error:
                again = await self._unanswered(request, error)
            else:
                again = False
                self.watch.answered()
                self.tell(ResponseArrived(self.peer_id, request.correlation, answer))
                await self._leave_a_name_for_many()

    async def _listen(self) -> None:
        """Take the answers to what ``send`` says, until something else is to be done.

        What comes unasked, as a peer's hanging up, ends it as well: the next request meets it.
        """
        connection = self._connection
        if connection is None or connection.descriptor is None or self.peer_id < 0:
            return
        self._listening = True
        try:
            if self._next is None:
                await self.lookout.heed(connection.descriptor, partial(self._hear, connection))
        finally:
            self._listening = False
        failed, self._failed = self._failed, None
        if failed is not None and await self._unanswered(*failed) and self._next is None:
            self._next = failed[0]

    def _hear(self, connection: PeerConnection) -> bool:
        """Take what the peer says; False when that is no answer.

        Nothing is said here any more from the moment it is no answer, though the task will only
        hear of that later: what was said would be given up with the connection.
        """
        if self._said is None or self._next is not None:
            self._listening = False
            return False
        request, api_key, version = self._said
        try:
            answer = self._heard(connection, api_key, version)
        except _NO_ANSWER as error:
            self._failed = request, error
            self._said, self._listening = None, False
            return False
        if answer is not None:
            self._said = None
            self.watch.answered()
            self.tell(ResponseArrived(self.peer_id, request.correlation, answer))
        self._listening = self._next is None
        return self._listening

    async def _unanswered(self, request: Send, error: Exception) -> bool:
        """Tell why there is no answer, unless the request is to be carried once more: then True."""
        if isinstance(error, UnsupportedField):
            self._fail(request, str(error), unsupported=True)
        elif isinstance(error, PeerClosed):
            await self._hang_up()
            if self.watch.closed():
                return True
            self._fail(request, str(error))
        elif isinstance(error, ConnectionRefusedError):
            self._refused(request, str(error))
        else:
            self.watch.unclear()
            await self._hang_up()
            mistake = isinstance(error, PeerError)
            self._fail(request, f"{type(error).__name__}: {error}", mistake=mistake)
        return False

    def _refused(self, request: Send, why: str) -> None:
        if self.watch.refused():
            self.tell(LeaderLost(self.peer_id, f"its connection was closed, and {why}"))
        self._fail(request, why)

    def _fail(
        self, request: Send, why: str, *, unsupported: bool = False, mistake: bool = False
    ) -> None:
        failed = RequestFailed(self.peer_id, request.correlation, why, unsupported, mistake)
        self.tell(failed)

    async def _exchange(self, request: Send) -> Any:
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

    def _heard(self, connection: PeerConnection, api_key: int, version: int) -> Any:
        response = connection.heard(api_key, version)
        return None if response is None else self._read(api_key, version, response)

    def _to_wire(self, api_key: int, version: int, message: Any) -> Any:
        wire = adapt.write_request(version, message, self.cluster_id)
        if self.about is not METADATA_LOG:
            wire = renamed(api_key, wire, METADATA_LOG, self.about)
        return wire

    def _read(self, api_key: int, version: int, response: Any) -> Any:
        try:
            if self.about is not METADATA_LOG:
                response = renamed(api_key, response, self.about, METADATA_LOG)
            return adapt.read_response(api_key, version, response, self.listener)
        except (PeerError, HouseError):
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
