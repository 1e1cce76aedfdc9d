"""Fake brokers of a large state: they leave and come back, and their leaders let them in again.

Nobody follows the log for it: what a controller does with a partition whose replicas are all in
sync but one follows from KIP-631, and a guess that was wrong is refused in the next AlterPartition.
"""

from __future__ import annotations

import threading
import time
from array import array
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from itertools import cycle, islice
from typing import Any

from attrs import define, field

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.wire.generated import alter_partition_request, error_codes
from tools.bench.scale_systems import open_connection
from tools.bench.topics_systems import Controller
from tools.fake_broker import FakeBroker
from tools.large_state import CLUSTER_ID, FIRST_BROKER_EPOCH, LargeState

ALTER_PARTITION, WITH_EPOCHS = 56, 3
ROWS_PER_REQUEST = 1_000
GIVE_UP_S = 120.0
BEAT_S = 3.0
REGISTER_PAUSE_S = 0.5


@define
class Partitions:
    """What the leaders know of the partitions of a state, by their number in it."""

    state: LargeState
    topic_ids: list[Uuid] = field(factory=list)
    replicas: list[tuple[NodeId, ...]] = field(factory=list)
    leaders: array[int] = field(factory=lambda: array("i"))
    leader_epochs: array[int] = field(factory=lambda: array("i"))
    partition_epochs: array[int] = field(factory=lambda: array("i"))
    held: dict[NodeId, array[int]] = field(factory=lambda: defaultdict(lambda: array("i")))

    def __attrs_post_init__(self) -> None:
        shared: dict[tuple[NodeId, ...], tuple[NodeId, ...]] = {}
        for _, topic_id, placed in self.state.placed_topics():
            self.topic_ids.append(topic_id)
            for replicas in map(tuple, placed):
                number = len(self.replicas)
                self.replicas.append(shared.setdefault(replicas, replicas))
                self.leaders.append(replicas[0])
                for one in replicas:
                    self.held[one].append(number)
        nothing = bytes(self.leaders.itemsize * len(self.leaders))
        self.leader_epochs.frombytes(nothing)
        self.partition_epochs.frombytes(nothing)

    def left(self, broker_id: NodeId) -> None:
        """The broker, which was in sync everywhere, is in no ISR any more and leads nothing."""
        for number in self.held[broker_id]:
            self.partition_epochs[number] += 1
            if self.leaders[number] == broker_id:
                self.leaders[number] = next(
                    one for one in self.replicas[number] if one != broker_id
                )
                self.leader_epochs[number] += 1

    def by_leader(self, broker_id: NodeId) -> dict[NodeId, list[int]]:
        """The partitions that the broker has a replica of, by who leads them now."""
        found: dict[NodeId, list[int]] = defaultdict(list)
        for number in self.held[broker_id]:
            found[self.leaders[number]].append(number)
        return found


@define
class Fleet:
    """All brokers of the state, each on a connection of its own, in service.

    A thread with a connection of its own beats for those in service, so that no session expires.
    """

    controller: Controller
    state: LargeState
    partitions: Partitions
    brokers: dict[NodeId, FakeBroker] = field(init=False)
    _away: set[NodeId] = field(factory=set, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)
    _closed: threading.Event = field(factory=threading.Event, init=False)
    _beater: threading.Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.brokers = {
            one: FakeBroker(
                *(self.controller.port, one, CLUSTER_ID, one + FIRST_BROKER_EPOCH),
                directory=directory,
            )
            for one, directory in self.state.directories().items()
        }
        for broker in self.brokers.values():
            broker.beat()  # a broker goes when all others have said what they have applied
        self._beater = threading.Thread(target=self._beat, daemon=True)
        self._beater.start()

    def _beat(self) -> None:
        with open_connection(self.controller) as connection:
            pause_s = BEAT_S / len(self.brokers)
            for broker in cycle(self.brokers.values()):
                if self._closed.wait(pause_s):
                    return
                with self._lock:
                    if broker.broker_id not in self._away:
                        broker.beat_on(connection)

    def stop_beating(self) -> None:
        """From now on nobody beats by itself."""
        self._closed.set()
        self._beater.join()

    def close(self) -> None:
        """Hang up."""
        self.stop_beating()
        for broker in self.brokers.values():
            broker.connection.close()

    def fence(self, broker_id: NodeId) -> None:
        """The broker asks to be fenced, and is."""
        self._leaves(broker_id)
        _until(lambda: _is_fenced(self.brokers[broker_id].beat(want_fence=True)))
        self.partitions.left(broker_id)

    def unfence(self, broker_id: NodeId) -> None:
        """The broker beats until it is in service, and once more.

        Kafka forgets what it had applied, and lets no other broker go before it says so anew.
        """
        _until(lambda: not self.brokers[broker_id].beat().is_fenced)
        self.brokers[broker_id].beat()
        with self._lock:
            self._away.discard(broker_id)

    def _leaves(self, broker_id: NodeId) -> None:
        with self._lock:
            self._away.add(broker_id)

    def stop(self, broker_id: NodeId) -> None:
        """The broker shuts down in order."""
        self._leaves(broker_id)
        _until(lambda: self.brokers[broker_id].beat(want_shut_down=True).should_shut_down)
        self.partitions.left(broker_id)

    def start(self, broker_id: NodeId) -> float:
        """Its next process registers and comes into service; how many seconds that took.

        Kafka refuses a broker that comes back before the session of its last process has expired,
        however that ended. The wait for this does not count.
        """
        broker, ends = self.brokers[broker_id], time.monotonic() + GIVE_UP_S
        while True:
            began = time.perf_counter()
            code = broker.try_to_register(is_clean=True)
            if code == error_codes.NONE:
                self.unfence(broker_id)
                return time.perf_counter() - began
            if code != error_codes.DUPLICATE_BROKER_REGISTRATION or time.monotonic() > ends:
                raise SystemExit(f"broker {broker_id} was not registered: {code}")
            time.sleep(REGISTER_PAUSE_S)

    def rejoin(self, broker_id: NodeId) -> float:
        """The leaders let the broker into every ISR again; how many seconds that took.

        What it takes to make the requests does not count.
        """
        took_s = 0.0
        for leader, numbers in self.partitions.by_leader(broker_id).items():
            broker, rest = self.brokers[leader], iter(numbers)
            while some := list(islice(rest, ROWS_PER_REQUEST)):
                request = self._alter(broker, some)
                began = time.perf_counter()
                body = broker.connection.ask(ALTER_PARTITION, WITH_EPOCHS, request)
                took_s += time.perf_counter() - began
                _check(body, len(some))
                for number in some:
                    self.partitions.partition_epochs[number] += 1
        return took_s

    def _alter(self, leader: FakeBroker, numbers: Iterable[int]) -> Any:
        wire, known = alter_partition_request, self.partitions
        topics: dict[Uuid, Any] = {}
        for number in numbers:
            topic, partition = divmod(number, self.state.partitions)
            topic_id = known.topic_ids[topic]
            rows = topics.setdefault(topic_id, wire.TopicData(topic_id=topic_id, partitions=[]))
            isr = [wire.BrokerState(one, self.brokers[one].epoch) for one in known.replicas[number]]
            rows.partitions.append(
                wire.PartitionData(
                    partition,
                    known.leader_epochs[number],
                    new_isr_with_epochs=isr,
                    partition_epoch=known.partition_epochs[number],
                )
            )
        return wire.AlterPartitionRequest(leader.broker_id, leader.epoch, list(topics.values()))


def _is_fenced(answer: Any) -> bool:
    """Whether it says so; an answer with an error, as REQUEST_TIMED_OUT, has the default there."""
    return bool(answer.error_code == error_codes.NONE and answer.is_fenced)


def _until(is_so: Callable[[], bool]) -> None:
    """Ask without a pause; SystemExit when it is not so for long."""
    ends = time.monotonic() + GIVE_UP_S
    while not is_so():
        if time.monotonic() > ends:
            raise SystemExit(f"a broker did not come or go for {GIVE_UP_S:.0f} s")


def _check(answer: Any, rows: int) -> None:
    codes = [answer.error_code, *_row_codes(answer)]
    wrong = [error_codes.NAMES.get(one, str(one)) for one in codes if one != error_codes.NONE]
    if wrong or len(codes) != rows + 1:
        raise SystemExit(f"an ISR was not changed: {wrong[0] if wrong else 'rows are missing'}")


def _row_codes(answer: Any) -> Iterator[int]:
    for topic in answer.topics:
        for one in topic.partitions:
            yield one.error_code
