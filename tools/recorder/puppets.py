"""The other nodes of a recording, as far as our node asks them: they answer what they answered."""

from __future__ import annotations

import trio
from attrs import define, field

from metaquorum.base.errors import OperatorError
from metaquorum.testing.nodes.stream import SimStream
from tools.recorder.recording import Frame, Recording, Talk
from tools.recorder.relay import whole_frames

EARLY_US = 100_000
"""How much sooner than in the recording our node may open a connection and still get that one."""

_CORRELATION = slice(4, 8)


@define(eq=False)
class Puppets:
    """Opens connections in the place of the network; ``asked`` notes what our node sent.

    A request is given the recorded answer to the same request, or else to the next one of its API
    on that connection, when it came in the recording. A connection that the recording does not
    have ends at once, as one does at a relay whose node is down.
    """

    recording: Recording
    node: int
    began_us: int
    nursery: trio.Nursery
    asked: list[tuple[int, Frame]] = field(factory=list)
    _used: dict[int, bool] = field(factory=dict)

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
        talk = next((one for one in self.recording.talks if self._is_next(one, peers[0])), None)
        bell = _Bell()
        near = SimStream(bell.ring)
        if talk is None:
            near.end()
        else:
            self._used[talk.number] = True
            self.nursery.start_soon(self._serve, _Served(talk), near, bell)
        return near

    def _is_next(self, talk: Talk, peer: int) -> bool:
        return (
            talk.to == peer
            and talk.asker == self.node
            and talk.number not in self._used
            and talk.opened_us <= self.now_us + EARLY_US
        )

    async def _serve(self, served: _Served, near: SimStream, bell: _Bell) -> None:
        pending = bytearray()
        async with trio.open_nursery() as nursery:
            if served.talk.closed_us is not None:
                nursery.start_soon(self._end, served.talk.closed_us, near)
            while not near.closed:
                while near.sent:
                    pending += near.sent.popleft()
                for data in whole_frames(pending):
                    frame = Frame(self.now_us, served.talk.number, "request", data)
                    self.asked.append((served.talk.to, frame))
                    answer = served.answer_to(frame)
                    if answer is not None:
                        nursery.start_soon(self._answer, frame, answer, near)
                await bell.rung()
            nursery.cancel_scope.cancel()

    async def _answer(self, asked: Frame, answer: Frame, near: SimStream) -> None:
        await self.sleep_until(answer.us)
        data = asked.data[_CORRELATION] + answer.data[4:]
        near.deliver(len(data).to_bytes(4, "big") + data)

    async def _end(self, closed_us: int, near: SimStream) -> None:
        await self.sleep_until(closed_us)
        near.end()


@define(eq=False)
class _Served:
    """One recorded connection of our node, and which of its requests have been made again."""

    talk: Talk
    _made: dict[int, bool] = field(factory=dict)

    def answer_to(self, frame: Frame) -> Frame | None:
        """The recorded answer to the same request, or to the next one of its API."""
        left = [one for one in self.talk.requests if one.correlation_id not in self._made]
        alike = [one for one in left if one.data[:4] == frame.data[:4]]
        same = [one for one in alike if one.data[8:] == frame.data[8:]]
        chosen = next(iter(same or alike), None)
        if chosen is None:
            return None
        self._made[chosen.correlation_id] = True
        return self.talk.responses.get(chosen.correlation_id)


@define(eq=False)
class _Bell:
    """Somebody sent something, or hung up."""

    _event: trio.Event = field(factory=trio.Event)

    def ring(self) -> None:
        self._event.set()

    async def rung(self) -> None:
        await self._event.wait()
        self._event = trio.Event()
