"""The recorder as a process: the exporter's two readers, a prober for each node, one ring.

The readers block, so each has a thread, as with the exporter (decision 250). Whatever they see goes
through one lock into the ring. A disk that takes no more ends the process: it would say nothing.
"""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, Final

import attrs
from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId
from metaquorum.client.connection import Connection
from metaquorum.client.quorum_view import UNKNOWN, QuorumView, ReplicaRow
from metaquorum.client.security import Security
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import HostPort, parse_host_port
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.quorum_poller import QuorumPoller
from metaquorum.exporter.readers import monotonic_ms, wall_ms
from metaquorum.exporter.source import Source
from metaquorum.flight.evidence import (
    BROKER,
    CONTROLLER,
    BrokerRegistered,
    Described,
    Evidence,
    NotDescribed,
    ReplicaSeen,
)
from metaquorum.flight.evidence_json import KIND
from metaquorum.flight.limits import MAX_HEADER_BROKERS, MAX_PROBED_NODES, MAX_REPLICAS
from metaquorum.flight.prober import CALM_MS, CLIENT_ID, ProbedNode, Prober
from metaquorum.flight.recorded_log import RecordedLog, before_log
from metaquorum.flight.ring import Ring
from metaquorum.flight.ring_reading import Resumed, resumed
from metaquorum.observe.events import EventLog

LOOK_S: Final = 0.2
END_MS: Final = 2_000
"""How long threads have to end in; a Fetch that waits takes half a second."""
LATE_MS: Final = 1_000
"""A replica that asked, or was caught up, longer ago than that is worth a line of its own."""
STOP_SIGNALS: Final = (signal.SIGTERM, signal.SIGINT)


@frozen
class RecorderOptions:
    """What the command line says; ``security`` reads the client's properties anew."""

    directory: Path
    bootstrap: tuple[HostPort, ...]
    security: Callable[[], Security]
    interval_ms: int
    timeout_ms: int
    retention_bytes: int
    retention_ms: int
    with_brokers: bool


@define(eq=False)
class Recorder:
    """All that runs. ``begin`` starts it, ``failure`` is why it cannot go on."""

    options: RecorderOptions
    lines: EventLog
    now_ms: Callable[[], Millis] = wall_ms
    ring: Ring = field(init=False)
    log: RecordedLog = field(init=False)
    follower: LogFollower = field(init=False)
    poller: QuorumPoller = field(init=False)
    stopping: threading.Event = field(factory=threading.Event)
    failure: str | None = field(default=None, init=False)
    probers: dict[tuple[str, NodeId], Prober] = field(factory=dict, init=False)
    _cluster_id: str = field(default="", init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _asked_ms: Millis = field(default=0, init=False)
    _held: Described | None = field(default=None, init=False)
    _recorded: Described | NotDescribed | None = field(default=None, init=False)
    _controllers: dict[NodeId, HostPort] = field(factory=dict, init=False)
    _threads: list[threading.Thread] = field(factory=list, init=False)

    def __attrs_post_init__(self) -> None:
        options = self.options
        # The lock of the directory is taken before it is read: who records there goes on writing.
        self.ring = Ring.open(
            options.directory,
            options.retention_bytes,
            options.retention_ms,
            self.now_ms,
            self._known,
        )
        try:
            found = resumed(options.directory, self._say)
        except BaseException:
            self.ring.close()
            raise
        self.log = self._log_from(found)
        self.follower = LogFollower(
            [(place.host, place.port) for place in options.bootstrap],
            options.security,
            self.log,
            Source("log", self.lines, monotonic_ms),
            self.lines,
            monotonic_ms,
            self.stopping.wait,
        )
        self.poller = QuorumPoller(
            options.bootstrap,
            options.security,
            options.interval_ms,
            self.follower,
            Source("quorum", self.lines, monotonic_ms),
            self.lines,
            monotonic_ms,
            self._wait_to_ask,
            client_id=CLIENT_ID,
            described=self._described,
            not_described=self._not_described,
        )

    def _log_from(self, found: Resumed | None) -> RecordedLog:
        if found is None:
            return RecordedLog(self.put)
        self._cluster_id = found.cluster_id
        brokers = {one.node_id: one for one in found.brokers}
        return RecordedLog(self.put, found.position, found.epoch, brokers)

    def begin(self) -> None:
        """Start the threads of the readers; probers follow once it is known who there is."""
        self._asked_ms = self.now_ms()
        for work in (self.poller.run, self.follower.run):
            self._start(work)

    def run(self) -> None:
        """Until it is told to stop, or cannot go on: OperatorError says why."""
        self.begin()
        while not self.stopping.wait(LOOK_S):
            self.look_for_nodes()
        self.end()
        if self.failure is not None:
            raise OperatorError(self.failure)

    def end(self) -> None:
        """Stop, and record what is held. Threads that wait for the network are left to end."""
        self.stopping.set()
        self.follower.stop()
        deadline_ms = monotonic_ms() + END_MS
        for thread in self._threads:
            thread.join(max(0, deadline_ms - monotonic_ms()) / 1_000)
        with self._lock:
            held, self._held = self._held, None
        if held is not None:
            self.put(held)
        self.log.flush()
        with self._lock:
            self.ring.close()

    def put(self, *items: Evidence) -> None:
        """Record these; of any thread. After a failure nothing is recorded any more."""
        with self._lock:
            if self.failure is not None or self.ring.is_closed:
                return
            try:
                self.ring.put(*items)
            except OSError as error:
                self._fail(f"{self.options.directory}: {error.strerror or error}")

    def _fail(self, why: str) -> None:
        self.failure = why
        self.stopping.set()

    def _start(self, work: Callable[[], None]) -> None:
        thread = threading.Thread(target=partial(self._guarded, work), daemon=True)
        self._threads.append(thread)
        thread.start()

    def _guarded(self, work: Callable[[], None]) -> None:
        """A fault of ours in one thread ends the process, as one that says nothing helps nobody."""
        try:
            work()
        except Exception as error:
            self._fail(f"the recorder broke: {type(error).__name__}: {error}")
            raise

    def _known(self) -> dict[str, Any]:
        """What the header of a segment says."""
        brokers = sorted(self.log.brokers.values(), key=lambda one: one.node_id)
        rows = [_row(before_log(one)) for one in brokers[:MAX_HEADER_BROKERS]]
        return {
            "cluster_id": self._cluster_id,
            "position": self.log.position,
            "epoch": self.log.epoch,
            "brokers": rows,
        }

    def _say(self, text: str) -> None:
        self.lines.warn("recording", says=text)

    # ------------------------------------------------------------ the leader's answers

    def _wait_to_ask(self, seconds: float) -> bool:
        stop = self.stopping.wait(seconds)
        self._asked_ms = self.now_ms()
        return stop

    def _described(self, view: QuorumView) -> None:
        if self._cluster_id and view.cluster_id != self._cluster_id:
            self._fail(
                f"{self.options.directory}: it has a recording of cluster {self._cluster_id}, and "
                f"this is {view.cluster_id}; record into another directory"
            )
            return
        self._cluster_id = view.cluster_id
        self._controllers = controllers_of(view) or self._controllers
        seen = described(view, self._asked_ms, self.now_ms())
        before = self._recorded
        if (
            before is not None
            and _is_calm(before, seen)
            and seen.time_ms - before.time_ms < CALM_MS
        ):
            self._held = seen
            return
        self._record(seen)

    def _not_described(self, reason: str) -> None:
        seen = NotDescribed(self._asked_ms, reason)
        before = self._recorded
        if (
            isinstance(before, NotDescribed)
            and before.reason == reason
            and seen.time_ms - before.time_ms < CALM_MS
        ):
            return
        self._record(seen)

    def _record(self, seen: Described | NotDescribed) -> None:
        """Record what is new, and the last answer of those that were not before it."""
        held, self._held = self._held, None
        is_new = isinstance(seen, NotDescribed) or not _is_calm(self._recorded, seen)
        if held is not None and is_new:
            self.put(held)
        self.put(seen)
        self._recorded = seen

    # ------------------------------------------------------------ the nodes

    def look_for_nodes(self) -> None:
        """Ask the nodes that are there now, and no others."""
        wanted = self._nodes()
        for key, prober in list(self.probers.items()):
            if wanted.get(key) != prober.node:
                prober.gone.set()
                del self.probers[key]
        for key, node in wanted.items():
            if key not in self.probers:
                self.probers[key] = made = self._prober(node)
                self._start(made.run)

    def _nodes(self) -> dict[tuple[str, NodeId], ProbedNode]:
        found: dict[tuple[str, NodeId], ProbedNode] = {}
        for node_id, place in sorted(self._controllers.items()):
            found[CONTROLLER, node_id] = ProbedNode(node_id, CONTROLLER, place)
        if self.options.with_brokers:
            for node_id, broker in sorted(self.log.brokers.copy().items()):
                where = _place_of(broker)
                if where is not None:
                    found[BROKER, node_id] = ProbedNode(node_id, BROKER, where, broker.by_tls)
        return dict(list(found.items())[:MAX_PROBED_NODES])

    def _prober(self, node: ProbedNode) -> Prober:
        return Prober(
            node,
            self.options.interval_ms,
            self.options.timeout_ms,
            partial(self._opened, node.by_tls),
            self.put,
            self.now_ms,
            self.stopping.wait,
        )

    def _opened(self, by_tls: bool | None, host: str, port: int, **more: Any) -> Connection:
        """Connect without a login: ApiVersions is answered to everybody."""
        tls = None if by_tls is False else self.options.security().tls
        return Security(tls).open(host, port, **more)


def controllers_of(view: QuorumView) -> dict[NodeId, HostPort]:
    """Where the nodes of the quorum are, of those that the leader says it of."""
    return {
        node_id: HostPort(listeners[0][1], listeners[0][2])
        for node_id, listeners in view.endpoints.items()
        if listeners
    }


def described(view: QuorumView, asked_ms: Millis, now_ms: Millis) -> Described:
    """An answer as it is recorded."""
    leader = view.leader
    voters = [_replica(row, leader, is_voter=True) for row in view.voters]
    observers = [_replica(row, leader, is_voter=False) for row in view.observers]
    return Described(
        asked_ms,
        max(0, now_ms - asked_ms),
        view.leader_id,
        view.leader_epoch,
        view.high_watermark,
        leader.last_caught_up_timestamp_ms,
        tuple([*voters, *observers][:MAX_REPLICAS]),
    )


def _replica(row: ReplicaRow, leader: ReplicaRow, *, is_voter: bool) -> ReplicaSeen:
    def since(then_ms: Millis) -> Millis:
        now_ms = leader.last_caught_up_timestamp_ms
        return UNKNOWN if UNKNOWN in (then_ms, now_ms) else max(0, now_ms - then_ms)

    lag = UNKNOWN
    if row.log_end_offset != UNKNOWN:
        lag = max(0, leader.log_end_offset - row.log_end_offset)
    return ReplicaSeen(
        row.id,
        is_voter,
        lag,
        since(row.last_fetch_timestamp_ms),
        since(row.last_caught_up_timestamp_ms),
    )


def _is_calm(before: Described | NotDescribed | None, now: Described) -> bool:
    """Whether an answer says what the one before said: all are there and nobody is late."""
    if not isinstance(before, Described):
        return False
    same = (before.leader_id, before.epoch) == (now.leader_id, now.epoch)
    ids = [one.node_id for one in before.replicas] == [one.node_id for one in now.replicas]
    late = any(
        max(one.since_fetch_ms, one.behind_ms) > LATE_MS
        for seen in (before, now)
        for one in seen.replicas
    )
    return same and ids and not late and now.took_ms < LATE_MS


def _row(broker: BrokerRegistered) -> dict[str, Any]:
    return {KIND: "broker-registered", **attrs.asdict(broker)}


def _place_of(broker: BrokerRegistered) -> HostPort | None:
    try:
        return parse_host_port(broker.address)
    except BadValue:
        return None


def run(options: RecorderOptions, lines: EventLog, started: Callable[[], None]) -> None:
    """Record until SIGTERM or SIGINT. OperatorError says why it cannot, or cannot any more."""
    recorder = Recorder(options, lines)

    def stop(number: int, frame: FrameType | None) -> None:
        recorder.stopping.set()

    before = {one: signal.signal(one, stop) for one in STOP_SIGNALS}
    try:
        started()
        recorder.run()
    finally:
        for one, handler in before.items():
            signal.signal(one, handler)
