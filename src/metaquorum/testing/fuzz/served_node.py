"""One node for fuzzing its requests: the real pipeline, handlers, controller and coordinator.

The node is the only voter, over a log in memory that is durable at once. Nothing leaves it, no task
runs, and time passes when the test says so.
"""

from __future__ import annotations

from functools import cache, partial
from types import SimpleNamespace
from typing import Any, Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError
from metaquorum.config.node_config import NodeConfig
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.core import ControllerCore
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.node.services import NodeServices
from metaquorum.quorum import effects, events
from metaquorum.quorum.adapt import make_control_batch, stamp
from metaquorum.quorum.log_view import LogView
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import ElectionState
from metaquorum.records.batch import read_header
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.disk.metadata_log import MetadataLog
from metaquorum.runtime.disk.tail import Tail
from metaquorum.runtime.driver.batches import metadata_entry
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.access.authorise import authoriser_of
from metaquorum.server.contract.api import served_listener
from metaquorum.server.contract.request import Origin, ServedListener
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.fair_queue import FairQueue
from metaquorum.testing.fake_ports import ports_over
from metaquorum.testing.fake_services import CLUSTER_ID, FakeLog, SetClock, plain_config
from metaquorum.testing.fakes import (
    LeastChance,
    replica_config,
    voter_history,
    voters,
    zero_checkpoint,
)
from metaquorum.testing.fuzz.promise import promise
from metaquorum.testing.local_groups import LocalGroups
from metaquorum.testing.pipeline_client import decoded_answer, joined, request_frame
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.slices import Parts

HOUR_MS: Final = 3_600_000
_ROUTES: Final[dict[int, Any]] = {}  # what is known of APIs is the same in every node
_MOST_STEPS: Final = 10_000


@cache
def _config() -> NodeConfig:
    return plain_config(
        "CONTROLLER://127.0.0.1:9093,PLAINTEXT://127.0.0.1:9092",
        authorizer_class_name="org.apache.kafka.metadata.authorizer.StandardAuthorizer",
        super_users="User:ANONYMOUS",
    )


@cache
def listeners() -> tuple[ServedListener, ...]:
    """One for controllers and one for clients; both are the same in every node."""
    config = _config()
    keys = frozenset({52, 53, 54, 59, 82})
    return tuple(served_listener(one, config, keys) for one in config.listeners)


@define(eq=False)
class _Disk:
    """A lane whose batches are durable when a step is over, and the log that they are in."""

    driver: Driver = field(init=False)
    log: FakeLog = field(factory=FakeLog)
    tidy_at_ms: Millis = HOUR_MS << 10
    _ticket: int = 0

    def submit(self, effect: Any) -> None:
        self._ticket = effect.ticket
        if isinstance(effect, effects.AppendBatches):
            for batch in effect.batches:
                assert isinstance(batch.payload, bytes)
                self.log.batches.append(batch.payload)
                self.log.end_offset = batch.next_offset
        elif isinstance(effect, effects.TruncateLog):
            kept = [one for one in self.log.batches if read_header(one).next_offset <= effect.to]
            self.log.batches, self.log.end_offset = kept, effect.to

    def begin(self) -> None:
        ticket, self._ticket = self._ticket, 0
        if ticket:
            self.driver.became_durable(ticket)


@define(eq=False)
class Exchange:
    """One request: what came of it, and what to cancel while it waits."""

    key: int
    version: int
    parked: Promise[Any] | None = None
    parts: Parts | None = None
    closed: bool = False
    is_done: bool = False

    def deliver(self, parts: Parts | PeerError, pause_ms: Millis = 0) -> None:
        """As ``Deliver``."""
        promise(not self.is_done, "a request is answered once")
        self.closed, self.is_done = isinstance(parts, PeerError), True
        self.parts = None if isinstance(parts, PeerError) else parts

    @property
    def answer(self) -> Any:
        """The answer, decoded; None where there is none, or the connection ended."""
        data = joined(self.parts) if self.parts else b""
        return decoded_answer(data, self.key, self.version)[1] if data else None


class ServedNode:
    """The node, leading, and connections to both of its listeners."""

    def __init__(self) -> None:
        self.clock = SetClock()
        self.disk = _Disk()
        self.driver = self.disk.driver = self._led()
        services = NodeServices(
            _config(),
            CLUSTER_ID,
            self.clock,
            self.driver,
            self._log(),
            SessionCache(1_000, SeededChance(7)),
        )
        self.groups = services.groups = LocalGroups(self.clock)
        self.fair_queue = FairQueue(self.clock)
        self.pipeline = Pipeline(
            services,
            authoriser_of(_config(), services.committed, services.is_caught_up),
            work=self.fair_queue.work,
            work_ns=lambda: 0,
            routes=_ROUTES,
        )
        self.services = services
        self.origins = [Origin(one, "127.0.0.1:5000", "127.0.0.1") for one in listeners()]
        self.open: list[Exchange] = []
        self.tell_time()
        promise(services.is_active, "the only voter leads")

    def _led(self) -> Driver:
        config = replica_config(
            1, stamp=stamp, make_control_batch=partial(make_control_batch, timestamp_ms=0)
        )
        history = voter_history(None, zero_checkpoint(voters(1)), ())
        now = self.clock.now_ms()
        replica = Replica(config, ElectionState(), LogView(), history, LeastChance(), now)
        first = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", 30))]
        core = ControllerCore(ControllerConfig(1), first)
        ports = ports_over(self.disk)
        driver = Driver(replica, core, self.clock, Tail(), metadata_entry, ports)
        self.disk.driver = driver
        driver.post(events.Started())
        return driver

    def _log(self) -> MetadataLog:
        file: Any = self.disk.log
        snapshots: Any = SimpleNamespace(plan=_no_snapshot)
        return MetadataLog(file, self.driver.tail, self.driver.replica, snapshots)

    # --- what happens to it ------------------------------------------------------------------

    def ask(self, frame: bytes, *, of_client: bool) -> Exchange:
        """Serve one request; whatever is raised would have ended the process."""
        key, version = int.from_bytes(frame[:2], "big"), int.from_bytes(frame[2:4], "big")
        exchange = Exchange(key, version)
        origin = self.origins[of_client]
        try:
            exchange.parked = self.pipeline.serve(
                frame, origin, self.clock.now_ms(), exchange.deliver
            )
        except PeerError:
            promise(not exchange.is_done, "who was answered is not closed as well")
            exchange.closed = exchange.is_done = True
        self._take_steps()
        if exchange.parked is not None and not exchange.is_done:
            self.open.append(exchange)
        return exchange

    def wait(self, milliseconds: Millis) -> None:
        """So much time passes."""
        self.clock.now += milliseconds
        self.tell_time()

    def tell_time(self) -> None:
        """Do what is due."""
        driver = self.driver
        for _ in range(_MOST_STEPS):
            if driver.active_from is not None and not driver.active:
                driver.activate(driver.replica.log.end)
            if driver.deadline > self.clock.now_ms():
                break
            driver._time_has_come()
        self.groups.pass_time()
        self._take_steps()
        self.open = [one for one in self.open if not one.is_done]

    def _take_steps(self) -> None:
        while self.fair_queue._jobs:
            self.fair_queue._take_step()

    # --- what it promises --------------------------------------------------------------------

    def check_lives(self) -> None:
        """It serves another client."""
        frame = request_frame(ApiVersionsRequest(), 0)
        reply = self.ask(frame, of_client=True)
        promise(reply.answer is not None, "a node that lives answers ApiVersions")
        promise(reply.answer.error_code == 0, "a node that lives answers ApiVersions")

    def check_nothing_is_left(self) -> None:
        """Clients that wait give up; then nothing of any request is kept."""
        self.wait(HOUR_MS)
        for one in self.open:
            if one.parked is not None:
                one.parked.cancel()
        self.wait(1)
        driver, groups = self.driver.statistics(), self.groups
        promise(driver["open_replies"] == 0, "no reply of the controller is left")
        promise(driver["open_answers"] == 0, "no answer of the quorum is left")
        promise(not self.fair_queue._jobs, "no answer in steps is left")
        promise(not self.fair_queue._waiting, "no answer in steps waits any more")
        waiting = self.services.watermark.statistics()["parked"]
        promise(waiting == 0, f"{waiting} fetches are left")
        open_replies = [one for one in groups._replies.values() if not one.cancelled]
        promise(not open_replies, "no reply of the coordinator is left")
        self.check_lives()


def _no_snapshot(*_: Any) -> None:
    raise KeyError("there are no snapshots here")
