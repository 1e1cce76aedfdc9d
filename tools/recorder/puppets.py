"""The other nodes of a recording, as far as our node asks them: they answer what they answered."""

from __future__ import annotations

import trio
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.testing.nodes.stream import SimStream
from metaquorum.testing.proxy import whole_frames
from tools.recorder.recording import REQUEST, Frame, Recording, Talk

EARLY_US = 100_000
"""How much sooner than in the recording our node may find a peer that comes up then."""

API_VERSIONS, VOTE = 18, 52
_API = slice(0, 4)
_CORRELATION = slice(4, 8)
_CLIENT_AND_BODY = slice(8, None)


@define(eq=False)
class Puppets:
    """Opens connections in the place of the network.

    A request is given the recorded answer to the same request of our node to that peer, or else to
    the next one of its API, when it came in the recording. A vote is given no other's answer: what
    was granted in one epoch, or to a pre-vote, says nothing of another. A peer that nobody could
    talk to then hangs up at once, as a relay does whose node is down; what was hung up on ends when
    it did.
    """

    recording: Recording
    node: int
    began_us: int
    nursery: trio.Nursery
    _pools: dict[tuple[int, str], _Pool] = field(factory=dict)

    @property
    def now_us(self) -> int:
        """The present, in the time of the recording."""
        return self.began_us + int(trio.current_time() * 1_000_000)

    async def sleep_until(self, us: int) -> None:
        """Wait for a moment of the recording."""
        await trio.sleep(max(0.0, (us - self.now_us) / 1_000_000))

    async def open_stream(self, host: str, port: int) -> trio.abc.Stream:
        """What connects, as ``trio.open_tcp_stream`` does."""
        await trio.lowlevel.checkpoint()
        peers = [one for one, at in self.recording.addresses.items() if at == f"{host}:{port}"]
        if not peers:
            raise OperatorError(f"the recording knows nobody at {host}:{port}")
        bell = _Bell()
        near = SimStream(bell.ring)
        self.nursery.start_soon(self._serve, peers[0], near, bell)
        return near

    async def _serve(self, peer: int, near: SimStream, bell: _Bell) -> None:
        pending = bytearray()
        pool: _Pool | None = None
        async with trio.open_nursery() as nursery:
            while not near.closed:
                while near.sent:
                    pending += near.sent.popleft()
                for data in whole_frames(pending):
                    frame = Frame(self.now_us, -1, REQUEST, data)
                    if pool is None:
                        pool = self._pool(peer, frame)
                        nursery.start_soon(self._end, pool, near)
                    answer = pool.answer_to(frame)
                    if answer is not None:
                        nursery.start_soon(self._answer, frame, answer, near)
                await bell.rung()
            nursery.cancel_scope.cancel()

    def _pool(self, peer: int, frame: Frame) -> _Pool:
        header = frame.header
        client_id = "" if header is None else header.client_id or ""
        if (peer, client_id) not in self._pools:
            talks = [
                one for one in self.recording.talks if one.to == peer and one.client_id == client_id
            ]
            self._pools[peer, client_id] = _Pool(talks)
        return self._pools[peer, client_id]

    async def _answer(self, asked: Frame, answer: Frame, near: SimStream) -> None:
        await self.sleep_until(answer.us)
        data = asked.data[_CORRELATION] + answer.data[4:]
        near.deliver(len(data).to_bytes(4, "big") + data)

    async def _end(self, pool: _Pool, near: SimStream) -> None:
        ends_us = pool.end_of(self.now_us)
        if ends_us is None:
            near.end()
        elif ends_us >= 0:
            await self.sleep_until(ends_us)
            near.end()


@define(eq=False)
class _Pool:
    """All that our node asked one peer under one name, and which of it has been asked again."""

    talks: list[Talk]
    _asked: dict[tuple[int, int], bool] = field(factory=dict)

    def answer_to(self, frame: Frame) -> Frame | None:
        """The recorded answer to the same request, or to the next one of its API but for votes.

        Versions are answered as often as they are asked for.
        """
        api_key = int.from_bytes(frame.data[:2], "big")
        alike = [
            (talk, one)
            for talk in self.talks
            for one in talk.requests
            if one.data[_API] == frame.data[_API]
            and (talk.number, one.correlation_id) not in self._asked
        ]
        same = [
            (talk, one)
            for talk, one in alike
            if one.data[_CLIENT_AND_BODY] == frame.data[_CLIENT_AND_BODY]
        ]
        for talk, one in same if api_key == VOTE else same or alike:
            if api_key != API_VERSIONS:
                self._asked[talk.number, one.correlation_id] = True
            return talk.responses.get(one.correlation_id)
        return None

    def end_of(self, now_us: int) -> int | None:
        """When the connections of this moment end: -1 for never, None if there are none."""
        ends = [
            -1 if talk.closed_us is None else talk.closed_us
            for talk in self.talks
            if talk.opened_us <= now_us + EARLY_US
            and (talk.closed_us is None or talk.closed_us > now_us)
        ]
        if not ends:
            return None
        return -1 if -1 in ends else max(ends)


@define(eq=False)
class _Bell:
    """A peer sent something, or hung up."""

    _event: trio.Event = field(factory=trio.Event)

    def ring(self) -> None:
        """Wake the tasks that wait."""
        self._event.set()

    async def rung(self) -> None:
        """Wait for the next ring, or for one that was not taken yet."""
        await self._event.wait()
        self._event = trio.Event()
