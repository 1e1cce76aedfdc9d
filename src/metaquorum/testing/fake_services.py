"""A small node for tests of the server: a log in memory, a leader at will, endpoints by listener.

The log is made of real batches, so that a real client can read from it. ``FakeServices`` follows
``server.services.Services``; what replicas and controllers are asked is recorded in ``asked``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from attrs import Factory, define, field, frozen

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.epochs import EpochStarts
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import (
    NO_OFFSET,
    Epoch,
    LeaderAndEpoch,
    Offset,
    OffsetAndEpoch,
)
from metaquorum.config.listeners import HostPort, Listener
from metaquorum.config.node_config import NodeConfig
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.records.batch import read_header
from metaquorum.records.builder import KeyValue, build_batch
from metaquorum.runtime.driver.watermark import Watermark
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.access.client_quotas import ClientQuotas
from metaquorum.server.contract.services import GroupPort
from metaquorum.server.contract.shared_fetches import SharedFetches
from metaquorum.wire.enveloping import Asker

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"


@define
class SetClock:
    """A clock that a test moves."""

    now: Millis = 1_000
    wall: Millis = 1_700_000_000_000

    def now_ms(self) -> Millis:
        """As set."""
        return self.now

    def wall_ms(self) -> Millis:
        """As set."""
        return self.wall


@frozen
class FakePlan:
    """Batches in memory, as a plan."""

    slices: tuple[bytes, ...]
    next_offset: Offset

    @property
    def size_bytes(self) -> int:
        """The sum of their lengths."""
        return sum(map(len, self.slices))


@define(eq=False)
class FakeLog:
    """A log of batches in memory; the high watermark moves when a test says so."""

    start_offset: Offset = 0
    high_watermark: Offset = NO_OFFSET
    end_offset: Offset = 0
    batches: list[bytes] = field(factory=list)
    epochs: EpochStarts = field(factory=EpochStarts)

    def append(
        self,
        records: Sequence[KeyValue],
        *,
        epoch: Epoch = 3,
        timestamp_ms: Millis = 1_700_000_000_000,
        control: bool = False,
    ) -> bytes:
        """One more batch; the watermark stays."""
        batch = build_batch(
            records,
            timestamp_ms=timestamp_ms,
            base_offset=self.end_offset,
            leader_epoch=epoch,
            control=control,
        )
        self.epochs = self.epochs.assigned(epoch, self.end_offset)
        self.batches.append(batch)
        self.end_offset += len(records)
        return batch

    def epoch_at(self, offset: Offset) -> Epoch | None:
        """As ``LogReader.epoch_at``."""
        return self.epochs.epoch_at(offset)

    def end_of_epoch(self, epoch: Epoch) -> OffsetAndEpoch | None:
        """As ``LogReader.end_of_epoch``."""
        return self.epochs.end_of(epoch, self.end_offset)

    def read_plan(
        self, offset: Offset, max_bytes: int, below: Offset, whole_first: bool = True
    ) -> FakePlan:
        """As ``LogReader.read_plan``."""
        taken: list[bytes] = []
        size = 0
        next_offset = offset
        for batch in self.batches:
            header = read_header(batch)
            if header.next_offset <= offset or header.base_offset >= below:
                continue
            if size + len(batch) > max_bytes and not (whole_first and not taken):
                break
            taken.append(batch)
            size += len(batch)
            next_offset = header.next_offset
        return FakePlan(tuple(taken), next_offset)

    def offset_for_timestamp(
        self, timestamp_ms: int, below: Offset
    ) -> tuple[Offset, int, Epoch] | None:
        """As ``LogReader.offset_for_timestamp``; every record has its batch's timestamp."""
        for header in map(read_header, self.batches):
            if header.max_timestamp_ms >= timestamp_ms and header.base_offset < below:
                return header.base_offset, header.max_timestamp_ms, header.leader_epoch
        return None

    def max_timestamp(self, below: Offset) -> tuple[Offset, int, Epoch] | None:
        """As ``LogReader.max_timestamp``."""
        seen = [h for h in map(read_header, self.batches) if h.base_offset < below]
        if not seen:
            return None
        top = max(seen, key=lambda header: header.max_timestamp_ms)
        return top.base_offset, top.max_timestamp_ms, top.leader_epoch


@define
class FakeFeatures:
    """Feature levels as a test wants them."""

    supported: dict[str, tuple[int, int]] = field(
        factory=lambda: {"metadata.version": (7, 30), "kraft.version": (0, 1)}
    )
    finalized: dict[str, int] = field(
        factory=lambda: {"metadata.version": 30, "kraft.version": 1, "group.version": 0}
    )
    finalized_epoch: int = 11


def plain_config(listeners: str = "CONTROLLER://127.0.0.1:0", **more: str) -> NodeConfig:
    """The configuration of a controller with these listeners, and whatever else is given."""
    properties = {
        "node.id": "1",
        "process.roles": "controller",
        "listeners": listeners,
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "controller.quorum.bootstrap.servers": "127.0.0.1:9093",
        "log.dirs": "data",
        **{key.replace("_", "."): value for key, value in more.items()},
    }
    config, _ = NodeConfig.of(properties, "test", host_name=lambda: "localhost")
    return config


@define(eq=False)
class FakeServices:
    """One node that leads in epoch 3, with whatever a test changes about it."""

    config: NodeConfig = field(factory=plain_config)
    cluster_id: str = CLUSTER_ID
    node_id: int = 1
    features: FakeFeatures = field(factory=FakeFeatures)
    clock: Clock = field(factory=SetClock)
    users_of_format: Mapping[tuple[str, int], Any] = field(factory=dict)
    log: FakeLog = field(factory=FakeLog)
    watermark: Watermark = field(factory=Watermark)
    sessions: SessionCache = field(factory=lambda: SessionCache(1_000, SeededChance(7)))
    quorum_api_keys: frozenset[int] = frozenset({52, 53, 54, 59, 82})
    leading: LeaderAndEpoch = field(factory=lambda: LeaderAndEpoch(1, 3))
    places: dict[str, dict[int, HostPort]] = field(factory=dict)
    state: Any = None
    quotas: dict[Any, dict[str, float]] = field(factory=dict)
    client_quotas: ClientQuotas = field(
        init=False,
        default=Factory(lambda self: ClientQuotas(lambda: self.quotas.get), takes_self=True),
    )
    shared_fetches: SharedFetches = field(factory=SharedFetches)
    groups: GroupPort | None = None
    voters: tuple[int, ...] = (1,)
    asked: list[tuple[Any, ...]] = field(factory=list)
    answers: list[Promise[Any]] = field(factory=list)
    caught_up: bool = True
    _uuids: int = 1000

    def leader(self) -> LeaderAndEpoch:
        """As ``leading`` says."""
        return self.leading

    def endpoints(self, listener: str) -> Mapping[int, HostPort]:
        """As ``places`` says; this node alone at port 9093 if it says nothing."""
        return self.places.get(listener, {self.node_id: HostPort("127.0.0.1", 9093)})

    @property
    def is_active(self) -> bool:
        """Whether it leads."""
        return self.leading.leader_id == self.node_id

    def voter_ids(self) -> tuple[int, ...]:
        """As ``voters`` says."""
        return self.voters

    def upgrade_kraft_version(self, level: int, *, validate_only: bool) -> Promise[tuple[int, str]]:
        """Records the question; the test completes ``answers[-1]``."""
        self.asked.append(("kraft.version", level, validate_only))
        self.answers.append(Promise())
        return self.answers[-1]

    def forward(
        self,
        api_key: int,
        version: int,
        message: Any,
        *,
        client_id: str | None,
        deadline_ms: Millis,
        here: Callable[[], Any],
        client: Asker | None = None,
    ) -> Promise[Any]:
        """Records the request; the test completes ``answers[-1]``."""
        self.asked.append(("forward", api_key, version, message, client_id, deadline_ms, client))
        self.answers.append(Promise())
        return self.answers[-1]

    def ask_quorum(
        self, api_key: int, version: int, request: Any, *, deadline_ms: Millis, source: str
    ) -> Promise[Any]:
        """Records the question; the test completes ``answers[-1]``."""
        self.asked.append((api_key, version, request, deadline_ms))
        self.answers.append(Promise())
        return self.answers[-1]

    def follower(self, version: int, request: Any, source: str) -> None:
        """Every fetch of a replica is recorded by ``ask_quorum``."""

    def ask_controller(self, command: object, *, deadline_ms: Millis) -> Promise[Any]:
        """Records the command; the test completes ``answers[-1]``."""
        self.asked.append((command, deadline_ms))
        self.answers.append(Promise())
        return self.answers[-1]

    def begin_batch(self) -> None:
        """Nobody follows this node."""

    @property
    def expects_more(self) -> bool:
        """Nobody follows this node."""
        return False

    def flush_batch(self) -> bool:
        """Nobody follows this node."""
        return False

    def is_caught_up(self) -> bool:
        """As ``caught_up`` says."""
        return self.caught_up

    def new_uuid(self) -> Uuid:
        """The next of a row."""
        self._uuids += 1
        return self._uuids.to_bytes(16, "big")

    def committed(self) -> Any:
        """As ``state`` says."""
        return self.state

    @property
    def first_users(self) -> Mapping[tuple[str, int], Any]:
        """As ``users_of_format`` says."""
        return self.users_of_format

    def commit(self, up_to: Offset | None = None) -> None:
        """Move the high watermark, to the log end if nothing else is given."""
        self.log.high_watermark = self.log.end_offset if up_to is None else up_to
        self.watermark.advance(self.log.high_watermark, self.clock.now_ms())

    def listener(self, name: str) -> Listener:
        """The configured listener of that name."""
        return next(one for one in self.config.listeners if one.name == name)


def log_of_eight() -> FakeLog:
    """Control @0, data @1-3, control @4, data @5-6, control @7: offsets as a real quorum's."""
    log = FakeLog()
    leader_change = (b"\x00\x00\x00\x02", b"\x00\x00\x00\x00\x00\x01\x00\x00\x00")
    log.append([leader_change], epoch=1, control=True, timestamp_ms=1_000)
    log.append([(None, b"one"), (None, b"two"), (None, b"three")], epoch=1, timestamp_ms=2_000)
    log.append([leader_change], epoch=2, control=True, timestamp_ms=3_000)
    log.append([(None, b"five"), (None, b"six")], epoch=2, timestamp_ms=4_000)
    log.append([leader_change], epoch=3, control=True, timestamp_ms=5_000)
    return log


def services_with_eight_records(**changes: Any) -> FakeServices:
    """A leader whose log is ``log_of_eight``, all of it committed."""
    services = FakeServices(log=log_of_eight(), **changes)
    services.commit()
    return services
