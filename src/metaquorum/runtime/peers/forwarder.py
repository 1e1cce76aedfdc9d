"""Requests that only the leader can answer, taken to it from any node.

A broker of Kafka forwards what its clients want of the controller; here every node does so for
clients of its client listeners. The request goes to the leader's controller listener as the same
request, in the version it came in, and the answer comes back. Where the leader is to ask for the
rights of the client, it goes in an Envelope that names the client (KIP-590).

What the leader surely did not act upon (it could not be reached; it said that it does not lead) is
tried again with the next leader, until the deadline. A connection that broke after the request
had left proves nothing: the answer is REQUEST_TIMED_OUT, because a change that is made twice is
not the same as one that is made once.

Nor does a leader that is frozen or cut off answer once it has been replaced. When this node learns
of a newer epoch that this leader does not lead, a request that has not left is routed anew at
once. One that has left gets ``REPLACED_LEADER_ANSWER_MS`` more, in which a leader that runs says
whether it wrote it; then its connection is closed and it is answered REQUEST_TIMED_OUT, or, if it
only reads, sent to the new leader. See docs/decisions/201.

Of a change of voters "it does not lead" proves nothing either: one of Kafka's leaders says so too
when it lost the leadership with the change in its log. So a node is asked first whether it leads,
which may be asked as often as one likes, and the change leaves once.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from typing import TYPE_CHECKING, Final

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import InvariantViolated, PeerError, RequestError, UnexpectedError
from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.base.limits import (
    MAX_FORWARD_CONNECTIONS,
    MAX_FORWARDS,
    REPLACED_LEADER_ANSWER_MS,
)
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.runtime.peers.controller_connection import ControllerConnection, NotSent, Place
from metaquorum.runtime.peers.dial import OpenStream
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import AnyMessage, Message

if TYPE_CHECKING:
    from metaquorum.wire.enveloping import Asker

RETRY_PAUSE_S: Final = 0.05
SENT_ONCE: Final = (80, 81)  # AddRaftVoter, RemoveRaftVoter
DESCRIBE_QUORUM: Final = 55
READS: Final = (DESCRIBE_QUORUM,)  # the only one that is forwarded: it may be sent twice
ELSEWHERE: Final = (error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER)


Here = Callable[[], Message | AnyPromise]
"""The answer of this node itself, or a promise of it."""


@define(eq=False)
class Forward:
    """One request on its way. ``here`` asks this node itself, for when it leads meanwhile."""

    api_key: int
    version: int
    message: Message
    client_id: str | None
    deadline_ms: Millis
    here: Here
    client: Asker | None = None
    answer: Promise[AnyMessage] = field(factory=Promise)
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    why: str = "nobody leads the quorum"


@define(eq=False)
class Attempt:
    """One request to one leader: ``scope`` ends it, ``is_sent`` once the request has left."""

    leader: LeaderAndEpoch
    scope: trio.CancelScope = field(factory=trio.CancelScope)
    is_sent: bool = False

    def may_be_repeated(self, api_key: int) -> bool:
        """Whether nothing can have come of it that a second attempt would do again."""
        return not self.is_sent or api_key in READS

    def leader_changed(self, leader: LeaderAndEpoch) -> None:
        """Another leader or epoch is known: end soon if the one that was asked leads no more."""
        if leader.epoch <= self.leader.epoch or leader.leader_id == self.leader.leader_id:
            self.scope.deadline = inf
        elif not self.is_sent:
            self.scope.cancel()
        else:
            ends = trio.current_time() + REPLACED_LEADER_ANSWER_MS / 1_000
            self.scope.deadline = min(self.scope.deadline, ends)


@define(eq=False)
class Forwarder:
    """Takes requests to the leader. ``run`` is the parent of their tasks.

    ``leader_place`` says where the leader's controller listener is: None while none is known,
    ``HERE`` if this node leads. Code that learns of another leader or epoch calls
    ``leader_changed``.
    """

    client_id: str
    clock: Clock
    leader_place: Callable[[], Place | None]
    open_stream: OpenStream = trio.open_tcp_stream
    forwarded: int = 0
    _leader: LeaderAndEpoch = field(default=LeaderAndEpoch(None, 0), init=False)
    _new: list[Forward] = field(factory=list)
    _news: trio.Event = field(factory=trio.Event)
    _leader_news: trio.Event = field(factory=trio.Event)
    _attempts: dict[Attempt, None] = field(factory=dict)  # ordered, as the simulation needs it
    _open: int = 0
    _idle: list[ControllerConnection] = field(factory=list)
    _to_close: list[ControllerConnection] = field(factory=list)
    _lanes: trio.CapacityLimiter | None = None

    def forward(
        self,
        api_key: int,
        version: int,
        message: Message,
        *,
        client_id: str | None,
        deadline_ms: Millis,
        here: Here,
        client: Asker | None = None,
    ) -> Promise[AnyMessage]:
        """A promise of the leader's answer, decoded in the same version.

        With ``client`` the leader is asked in an Envelope, for that one.

        Fails with RequestError: REQUEST_TIMED_OUT, THROTTLING_QUOTA_EXCEEDED when too many are on
        their way, UNSUPPORTED_VERSION when the leader does not serve this version.
        """
        one = Forward(api_key, version, message, client_id, deadline_ms, here, client)
        if self._open >= MAX_FORWARDS:
            one.answer.fail(
                RequestError(
                    error_codes.THROTTLING_QUOTA_EXCEEDED,
                    f"{MAX_FORWARDS} requests are on their way to the leader; try again later",
                )
            )
            return one.answer
        self._open += 1
        self.forwarded += 1
        one.answer.on_cancel(one.scope.cancel)
        self._new.append(one)
        self._news.set()
        return one.answer

    def leader_changed(self, leader: LeaderAndEpoch) -> None:
        """Another leader or epoch is known. Must be called on trio's thread, and does not wait."""
        self._leader = leader
        for attempt in self._attempts:
            attempt.leader_changed(leader)
        self._leader_news.set()
        self._leader_news = trio.Event()
        place = self.leader_place()
        if place is not None and self._idle:
            self._to_close += [one for one in self._idle if one.place != place]
            self._idle = [one for one in self._idle if one.place == place]
            self._news.set()

    async def run(self) -> None:
        """Carry requests for ever; ends by cancellation."""
        self._lanes = trio.CapacityLimiter(MAX_FORWARD_CONNECTIONS)
        try:
            async with trio.open_nursery() as nursery:
                while True:
                    while self._new:
                        nursery.start_soon(self._carry, self._new.pop(0))
                    self._news = trio.Event()
                    while self._to_close:
                        await self._to_close.pop().close()
                    await self._news.wait()
        finally:
            self._open -= len(self._new)  # they came too late to be begun
            self._new.clear()
            with trio.CancelScope(shield=True):
                for connection in (*self._idle, *self._to_close):
                    await connection.close()
            self._idle.clear()
            self._to_close.clear()

    def statistics(self) -> dict[str, int]:
        """Requests on their way now, and ever, and connections that wait for the next one."""
        return {"open": self._open, "forwarded": self.forwarded, "idle": len(self._idle)}

    async def _carry(self, one: Forward) -> None:
        """Try until there is an answer or the deadline has passed."""
        try:
            one.scope.deadline = one.deadline_ms / 1_000
            with one.scope:
                while True:
                    news = self._leader_news
                    if await self._settled(one):
                        break
                    with trio.move_on_after(RETRY_PAUSE_S):
                        await news.wait()
        except InvariantViolated:
            raise
        except Exception as error:  # of this request alone; the others are on their way
            if not one.answer.done:
                one.answer.fail(UnexpectedError(error))
        else:
            if not one.answer.done:
                one.answer.fail(RequestError(error_codes.REQUEST_TIMED_OUT, one.why))
        finally:
            self._open -= 1

    async def _settled(self, one: Forward) -> bool:
        """One attempt; whether it is the last."""
        place = self.leader_place()
        if place is None:
            return False
        attempt = Attempt(self._leader)
        try:
            if place == HERE:
                answer = await _waited(one.here())
            else:
                answer = await self._attempted(one, attempt, place)
        except NotSent as error:
            one.why = str(error)
            return False
        except RequestError as error:
            if error.code in ELSEWHERE:
                return False
            one.answer.fail(error)
            return True
        except (OSError, trio.BrokenResourceError, trio.ClosedResourceError, PeerError) as error:
            one.why = f"the leader was lost: {error}"
            if attempt.may_be_repeated(one.api_key):
                return False
            return _in_doubt(one, f"the leader was lost while it worked on this: {error}")
        if attempt.scope.cancelled_caught:
            one.why = "the leader was replaced before it answered"
            if attempt.may_be_repeated(one.api_key):
                return False
            return _in_doubt(
                one, "the leader was replaced while it worked on this, which may have been done"
            )
        if answer is not None and not any(says(answer, code) for code in ELSEWHERE):
            one.answer.complete(answer)
            return True
        one.why = "the node that is said to lead does not"
        if answer is None or place == HERE or one.api_key not in SENT_ONCE:
            return False
        return _in_doubt(
            one, "the leader leads no more; the change may have been made, or may still be"
        )

    async def _attempted(self, one: Forward, attempt: Attempt, place: Place) -> AnyMessage:
        """What ``_ask`` returns; None if the leader was replaced meanwhile."""
        assert self._lanes is not None
        self._attempts[attempt] = None
        try:
            with attempt.scope:
                async with self._lanes:
                    return await self._ask(one, attempt, place)
        finally:
            del self._attempts[attempt]
        return None

    async def _ask(self, one: Forward, attempt: Attempt, place: Place) -> AnyMessage:
        """The node's answer; None if it was not sent the request, as it does not lead."""
        connection = await self._connection(place)
        answer = None
        try:
            if one.api_key not in SENT_ONCE or await _leads(connection, one.client_id):
                attempt.is_sent = True
                asked = one.api_key, one.version, one.message, one.client_id
                if one.client is None:
                    answer = await connection.ask(*asked)
                else:
                    answer = await connection.ask_for(one.client, *asked)
        except NotSent as error:
            self._idle.append(connection)
            raise RequestError(error_codes.UNSUPPORTED_VERSION, str(error)) from None
        except BaseException:
            with trio.CancelScope(shield=True):
                await connection.close()
            raise
        self._idle.append(connection)
        return answer

    async def _connection(self, place: Place) -> ControllerConnection:
        """An idle connection to this leader, or a new one; those to others are closed."""
        while self._idle:
            connection = self._idle.pop()
            if connection.place == place and connection.is_idle:
                return connection
            await connection.close()
        return await ControllerConnection.open(place, self.client_id, self.open_stream)


HERE: Final[Place] = ("", 0)
"""The place of a leader that is this node itself."""


def _in_doubt(one: Forward, why: str) -> bool:
    """Answer that nobody knows whether it was done; True: this is settled."""
    one.why = why
    one.answer.fail(RequestError(error_codes.REQUEST_TIMED_OUT, why))
    return True


async def _leads(connection: ControllerConnection, client_id: str | None) -> bool:
    """Whether the node says that it leads."""
    from metaquorum.wire.generated import describe_quorum_request as asked

    row = asked.PartitionData(METADATA_PARTITION)
    question = asked.DescribeQuorumRequest([asked.TopicData(METADATA_TOPIC, [row])])
    answer = await connection.ask(DESCRIBE_QUORUM, 0, question, client_id)
    return not any(says(answer, code) for code in ELSEWHERE)


def says(answer: Message, code: int) -> bool:
    """Whether an answer carries an error code, in whatever row of it."""
    for name in answer.__slots__:
        value = getattr(answer, name)
        if name == "error_code":
            if value == code:
                return True
        elif isinstance(value, list | tuple):
            if any(isinstance(row, Message) and says(row, code) for row in value):
                return True
        elif isinstance(value, Message) and says(value, code):
            return True
    return False


async def _waited(answer: Message | AnyPromise) -> AnyMessage:
    """The value of an answer that may be promised only; raises its error."""
    return await result_of(answer) if isinstance(answer, Promise) else answer
