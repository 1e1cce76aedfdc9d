"""A recording played to our node again: its disk, its seed, its requests, in virtual time.

The node is the whole production assembly in the simulator of whole nodes (decision 077): real
listeners and handlers, the real cores, a disk in a scratch directory, a clock that jumps. It is
asked what it was asked, when it was asked; what it asks is answered by what was answered then.

A recording tells when a frame was on its way, not when a busy node came to it. So where an answer
differs, the run is played again with that request a little earlier or later than what else came in
those milliseconds, and only what differs in every such order is a difference.
"""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TypeVar, TypeVarTuple

import trio
import trio.testing
from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.config.listeners import Listener
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.environment import Environment
from metaquorum.node.lifecycle import node_started
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.nodes.listener import SimListener
from metaquorum.testing.nodes.trio_seed import seeded_scheduler
from metaquorum.testing.proxy import CHUNK_BYTES, whole_frames
from tools.recorder.answers import Answers, Difference
from tools.recorder.puppets import Puppets
from tools.recorder.recording import Frame, Life, Recording, Talk

DISK_S = 0.001
AFTER_S = 0.5  # of virtual time, for answers that come later than they did
EARLIER_US = LATER_US = (2_000, 10_000, 40_000)
_FETCH, _BEGIN_QUORUM_EPOCH = 1, 53
LATER_US_OF: Mapping[int, tuple[int, ...]] = {
    _FETCH: (*LATER_US, 160_000, 640_000),  # news that the node asked for may come as late
    _BEGIN_QUORUM_EPOCH: (),  # it is the news, and its answer says whether it was followed
}
"""By API key, where it is not ``LATER_US``."""
MOST_MOVED = 16  # an asker without a leader asks each millisecond
Args = TypeVarTuple("Args")
R = TypeVar("R")
_GONE = (OSError, trio.BrokenResourceError, trio.ClosedResourceError)


Place = tuple[int, int]
"""A request by its connection and correlation id."""


@frozen
class Replayed:
    """How it went: what differs, how many answers were compared, the node's own log lines."""

    differences: tuple[Difference, ...]
    compared: int
    lines: tuple[str, ...]


@define(eq=False)
class _Clock:
    """Virtual time for deadlines; dates are those of the recorded life."""

    began_ms: Millis

    def now_ms(self) -> Millis:
        return int(trio.current_time() * 1_000)

    def wall_ms(self) -> Millis:
        return self.began_ms + self.now_ms()


@define(eq=False)
class _Stage:
    recording: Recording
    life: Life
    scratch: Path
    alter: Callable[[Node], None]
    answers: Answers
    moved: Mapping[Place, int]
    lines: list[str] = field(factory=list)
    _listener: SimListener | None = None

    @property
    def began_us(self) -> int:
        """When the node began, in the time of the recording."""
        return self.life.began_ms * 1_000 - self.recording.began_us

    async def play(self) -> None:
        ends_us = max((one.us for one in self.recording.frames), default=self.began_us)
        async with trio.open_nursery() as root:
            puppets = Puppets(self.recording, self.life.node, self.began_us, root)
            config = self._config()
            directory = DataDirectory.open(config, PosixDisk())
            try:
                await self._node(config, directory, puppets, root)
                for talk in self.recording.talks:
                    if talk.to == self.life.node:
                        root.start_soon(self._ask, talk, puppets)
                await puppets.sleep_until(ends_us)
                await trio.sleep(AFTER_S)
                root.cancel_scope.cancel()
            finally:
                directory.release()
        for segment in sorted((self.scratch / METADATA_DIRECTORY).glob("*.log")):
            self.answers.wrote(segment.read_bytes())

    def _config(self) -> NodeConfig:
        for name, data in self.life.files.items():
            path = self.scratch / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        config, _ = NodeConfig.of(
            {**self.life.properties, "log.dirs": str(self.scratch)}, "the recording"
        )
        return config

    async def _node(
        self,
        config: NodeConfig,
        directory: DataDirectory,
        puppets: Puppets,
        root: trio.Nursery,
    ) -> None:
        seed = self.life.seed or 0
        clock = _Clock(self.life.began_ms)
        node = assemble(
            config,
            directory,
            EventLog(self.lines.append, clock.wall_ms),
            seed=seed,
            clock=clock,
            env=Environment(
                open_stream=puppets.open_stream,
                run_in_thread=_with_delay,
                listen=self._listen_on,  # type: ignore[arg-type]
                unguessable=SeededChance(seed),
                directory_check_ms=None,
            ),
        )
        self.alter(node)
        await node_started(node, root)

    def _listen_on(self, listener: Listener, backlog: int) -> SimListener:
        self._listener = SimListener((listener.host, listener.port), lambda closed: None)
        return self._listener

    async def _ask(self, talk: Talk, puppets: Puppets) -> None:
        await puppets.sleep_until(talk.opened_us)
        assert self._listener is not None
        sock = self._listener.knock(("127.0.0.1", talk.number))
        sock.setblocking(False)
        stream = trio.SocketStream(trio.socket.from_stdlib_socket(sock))
        async with stream, trio.open_nursery() as nursery:
            nursery.start_soon(self._listen, talk, stream, puppets)
            for frame in talk.requests:
                await puppets.sleep_until(self.moved.get(_place(frame), frame.us))
                await stream.send_all(len(frame.data).to_bytes(4, "big") + frame.data)
            if talk.closed_us is not None:
                await puppets.sleep_until(talk.closed_us)
                nursery.cancel_scope.cancel()

    async def _listen(self, talk: Talk, stream: trio.SocketStream, puppets: Puppets) -> None:
        pending = bytearray()
        try:
            while piece := await stream.receive_some(CHUNK_BYTES):
                pending += piece
                for data in whole_frames(pending):
                    self.answers.came(Frame(puppets.now_us, talk.number, "response", data))
        except _GONE:
            pass


async def _with_delay(
    call: Callable[[*Args], R], /, *arguments: *Args, limiter: trio.CapacityLimiter
) -> R:
    await trio.sleep(DISK_S)
    return call(*arguments)


def _unaltered(node: Node) -> None:
    """The node as it is."""


def replay(recording: Recording, node: int, alter: Callable[[Node], None] = _unaltered) -> Replayed:
    """Play the first life of one of our nodes; ``alter`` may change the node before it starts.

    OperatorError where the recording has no such life.
    """
    moved: dict[Place, int] = {}
    hopeless: dict[Place, None] = {}
    outcome = _played(recording, node, alter, moved)
    for _ in range(MOST_MOVED):
        for place, us in _other_times(recording, outcome.differences, moved, hopeless):
            other = _played(recording, node, alter, {**moved, place: us})
            if len(other.differences) < len(outcome.differences):
                moved[place], outcome = us, other
                hopeless.pop(place, None)
                break
            hopeless[place] = None
        else:
            break
    return outcome


def _played(
    recording: Recording,
    node: int,
    alter: Callable[[Node], None],
    moved: Mapping[Place, int],
) -> Replayed:
    """The run with these requests at other times than theirs."""
    life = recording.life(node)
    scratch = Path(tempfile.mkdtemp(prefix="metaquorum-replay-"))
    stage = _Stage(recording, life, scratch, alter, Answers(recording, node), moved)
    try:
        with seeded_scheduler(life.seed or 0):
            trio.run(stage.play, clock=trio.testing.MockClock(autojump_threshold=0))
    finally:
        shutil.rmtree(scratch)
    differences = tuple(stage.answers.differences())
    return Replayed(differences, stage.answers.compared, tuple(stage.lines))


def _place(frame: Frame) -> Place:
    return frame.connection, frame.correlation_id


def _other_times(
    recording: Recording,
    differences: tuple[Difference, ...],
    moved: Mapping[Place, int],
    hopeless: Mapping[Place, None],
) -> Iterator[tuple[Place, int]]:
    """When else a request that was answered otherwise may have been handled, one after the other.

    Earlier it stays behind the one before it on its connection; later, those behind it wait for it:
    what the node writes by itself may stand in its log some milliseconds after it did, and what it
    heard by asking around, who leads for one, it may hear only when it asks again. A peer that
    tells it who leads is never moved behind that: a node that does not listen would seem to have
    listened.
    """
    for one in differences:
        if one.correlation_id is None:
            continue
        talk = next(talk for talk in recording.talks if talk.number == one.connection)
        place = (one.connection, one.correlation_id)
        at = next(number for number, asked in enumerate(talk.requests) if _place(asked) == place)
        if place in moved or place in hopeless:
            continue
        before = talk.requests[at - 1] if at else None
        least = talk.opened_us if before is None else moved.get(_place(before), before.us) + 1
        us, header = talk.requests[at].us, talk.requests[at].header
        later = LATER_US if header is None else LATER_US_OF.get(header.api_key, LATER_US)
        earlier_us = (us - sooner for sooner in EARLIER_US)
        later_us = (us + more for more in later)
        for other_us in (*earlier_us, one.us - 1, *later_us):
            yield place, max(other_us, least)
