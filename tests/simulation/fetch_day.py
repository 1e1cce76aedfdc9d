"""A day at a node's Fetch handler in virtual time: honest fetchers, liars, replicas, a busy log.

The pipeline, the handler, the contexts and the cache are the node's own; the log is in memory and
each of its records says its offset, so that a wrong one is known at sight. One seed, one day.
"""

from __future__ import annotations

from collections.abc import Callable
from heapq import heappop, heappush
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import FETCH_SESSION_EVICTION_MS
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.fetch.session_cache import SessionCache, SessionEvent
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.runtime.loop.promise import Promise
from metaquorum.testing.fake_services import FakeServices, SetClock
from metaquorum.testing.pipeline_client import (
    PipelineClient,
    decoded_answer,
    joined,
    request_frame,
)
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
    ReplicaState,
)
from metaquorum.wire.generated.fetch_response import (
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)
from metaquorum.wire.slices import Parts, SliceChain

FETCH = 1
VERSIONS = (7, 9, 11, 12, 13, 15, 17, 18)
KEPT_BATCHES = 60
MUCH = 1 << 20
SESSION_ERRORS = (70, 71, 106)


def value_of(offset: int) -> bytes:
    """What the record at ``offset`` holds."""
    return b"record %d" % offset


class Wrong(AssertionError):
    """A consumer got what is not so."""


@define(eq=False)
class Day:
    """Everything that happens, in the order of time; fetchers pause ``pace`` times as long."""

    seed: int
    slots: int = 40
    pace: int = 1
    chance: Random = field(init=False)
    services: FakeServices = field(init=False)
    pipeline: PipelineClient = field(init=False)
    resting: bool = False
    events: dict[str, int] = field(factory=dict)
    heard_ids: list[int] = field(factory=list)
    requests: int = 0
    records_seen: int = 0
    _agenda: list[tuple[int, int, Callable[[], None]]] = field(factory=list)
    _ticket: int = 0

    def __attrs_post_init__(self) -> None:
        self.chance = Random(self.seed)
        self.services = FakeServices(
            clock=SetClock(),
            sessions=SessionCache(self.slots, SeededChance(self.seed), tell=self.told),
        )
        self.pipeline = PipelineClient(self.services)
        self.at(0, self.write)
        self.at(0, self.commit)

    @property
    def now(self) -> int:
        return self.services.clock.now_ms()

    def at(self, in_ms: int, what: Callable[[], None]) -> None:
        """``what`` is to happen in so many milliseconds."""
        self._ticket += 1
        heappush(self._agenda, (self.now + in_ms, self._ticket, what))

    def run(self, for_ms: int) -> None:
        """Live for so long."""
        ends = self.now + for_ms
        watermark = self.services.watermark
        while min(self._agenda[0][0], watermark.deadline) <= ends:
            when = min(self._agenda[0][0], watermark.deadline)
            self.services.clock.now = max(when, self.now)
            watermark.expire(self.now)
            while self._agenda and self._agenda[0][0] <= self.now:
                heappop(self._agenda)[2]()
        self.services.clock.now = ends

    def told(self, event: SessionEvent) -> None:
        """Count it; nobody may be evicted who has a right to stay."""
        self.events[event.name] = self.events.get(event.name, 0) + 1
        if event.name != "fetch-session-evicted":
            return
        told = event.details
        by_right = (
            told["idle_ms"] > FETCH_SESSION_EVICTION_MS
            or told["newcomer_privileged"] > told["privileged"]
            or (
                told["age_ms"] > FETCH_SESSION_EVICTION_MS
                and told["newcomer_privileged"] == told["privileged"]
                and told["newcomer_partitions"] > told["partitions"]
            )
        )
        if not by_right:
            raise Wrong(f"evicted without a right: {event}")

    def write(self) -> None:
        """A batch more, now and then; the oldest go. Sometimes the leader changes."""
        if self.resting:
            return
        log, chance = self.services.log, self.chance
        count = chance.choice([1, 1, 2, 5])
        log.append([(None, value_of(log.end_offset + one)) for one in range(count)])
        committed = [one for one in log.batches if _end_of(one) <= log.high_watermark]
        if len(committed) > KEPT_BATCHES and chance.random() < 0.1:
            dropped = len(committed) - KEPT_BATCHES // 2
            log.start_offset = _end_of(log.batches[dropped - 1])
            del log.batches[:dropped]
        if chance.random() < 0.02:
            self.services.leading = LeaderAndEpoch(chance.choice([1, 2, None]), 3)
        elif chance.random() < 0.2:
            self.services.leading = LeaderAndEpoch(1, 3)
        self.at(chance.choice([50, 500, 5_000, 60_000, 200_000]), self.write)

    def commit(self) -> None:
        """What is written is committed a little later, as a whole or in part."""
        log = self.services.log
        ends = [_end_of(one) for one in log.batches if _end_of(one) > log.high_watermark]
        if ends:
            self.services.commit(self.chance.choice(ends))
        self.at(self.chance.choice([20, 200, 3_000]), self.commit)

    def send(
        self, request: FetchRequest, version: int, heard: Callable[[FetchResponse], None]
    ) -> Promise[Any] | None:
        """One request through the pipeline; what to cancel if it waits."""
        self.requests += 1

        def deliver(parts: Parts, pause_ms=0) -> None:
            heard(decoded_answer(joined(parts), FETCH, version)[1])

        frame = request_frame(request, version)
        pipeline = self.pipeline
        promise = pipeline.pipeline.serve(frame, pipeline.origin, self.now, deliver)
        if request.session_epoch % 16 == 0:
            self.services.sessions.check()
        return promise


def _end_of(batch: bytes) -> int:
    ((header, _),) = walk_batches(batch)
    return header.next_offset


@define(eq=False)
class Fetcher:
    """An honest client: it does as the protocol says, and notices whatever is not so."""

    day: Day
    version: int
    replica_id: int = -1
    position: int = 0
    session_id: int = 0
    epoch: int = 0
    watermark: int = -1
    told_position: int | None = None
    retired: bool = False
    parked: Promise[Any] | None = None
    answers: int = 0

    def fetch(self) -> None:
        """The next request; within a session only what changed is named."""
        if self.retired:
            return
        day, chance = self.day, self.day.chance
        within = self.epoch > 0
        named = not within or self.told_position != self.position
        self.told_position = self.position
        request = self.request(named)
        request.max_wait_ms = chance.choice([0, 500, 500, 30_000, 250_000])
        request.max_bytes = chance.choice([1, 200, MUCH])
        expected = (self.session_id, self.epoch)
        self.parked = None
        parked = day.send(request, self.version, lambda answer: self.hear(answer, *expected))
        if parked is not None and not parked.done:
            self.parked = parked
            if chance.random() < 0.03:
                day.at(chance.randrange(400), lambda: self.hang_up(parked))

    def request(self, named: bool) -> FetchRequest:
        by_id = self.version >= 13
        row = FetchPartition(0, 3 if self.version >= 9 else -1, self.position)
        row.partition_max_bytes = MUCH
        topic = FetchTopic(
            "" if by_id else METADATA_TOPIC, METADATA_TOPIC_ID if by_id else ZERO_UUID, [row]
        )
        request = FetchRequest(
            min_bytes=1,
            session_id=self.session_id,
            session_epoch=self.epoch,
            topics=[topic] if named else [],
        )
        if self.version >= 15:
            request.replica_state = ReplicaState(self.replica_id, -1)
        else:
            request.replica_id = self.replica_id
        return request

    def hang_up(self, parked: Promise[Any]) -> None:
        """The connection is gone; the client comes back and starts over."""
        if self.parked is parked and not parked.done:
            parked.cancel()
            self.start_over()
            self.day.at(self.day.chance.randrange(2_000), self.fetch)

    def start_over(self) -> None:
        self.epoch, self.told_position = 0, None

    def hear(self, answer: FetchResponse, session_id: int, epoch: int) -> None:
        """Check every word, and go on."""
        self.parked = None
        self.answers += 1
        if answer.error_code:
            if answer.error_code not in SESSION_ERRORS or not epoch or answer.responses:
                raise Wrong(f"{answer} to session {session_id}, epoch {epoch}")
            self.session_id = 0
            self.start_over()
        else:
            self.read(answer, within=epoch > 0)
            if epoch and answer.session_id not in (session_id, 0):
                raise Wrong(f"session {session_id} was answered as {answer.session_id}")
            self.session_id = answer.session_id
            self.epoch = epoch + 1 if answer.session_id else 0
            if answer.session_id:
                self.day.heard_ids.append(answer.session_id)
                del self.day.heard_ids[:-100]
        pause = self.day.chance.choice([1, 10, 300, 5_000, 40_000])
        self.day.at(pause * self.day.pace, self.fetch)

    def read(self, answer: FetchResponse, *, within: bool) -> None:
        rows = [row for topic in answer.responses for row in topic.partitions]
        if len(rows) > 1 or (not within and not rows):
            raise Wrong(f"{len(rows)} partitions where one was asked for")
        if not rows:
            if self.watermark > self.position and self.replica_id < 0:
                raise Wrong("there was something to read, and nobody said so")
            return
        (row,) = rows
        if row.error_code:
            self.watermark = -1
            if row.error_code == 1:
                self.position = self.day.services.log.start_offset
            return
        self.watermark = row.high_watermark
        self.take(bytes(row.records or b""), row.high_watermark)

    def take(self, records: bytes, watermark: int) -> None:
        """Records from the position on, none left out, none of them another's."""
        for header, batch in walk_batches(records):
            if not header.base_offset <= self.position < header.next_offset:
                raise Wrong(f"a batch at {header.base_offset} to a reader at {self.position}")
            if self.replica_id < 0 and header.next_offset > watermark:
                raise Wrong(f"{header.next_offset} is not committed at {watermark}")
            for record in walk_records(batch, header):
                if record.value != value_of(record.offset):
                    raise Wrong(f"offset {record.offset} holds {record.value!r}")
                self.day.records_seen += 1
            self.position = header.next_offset

    def leave(self) -> None:
        """Close the session as Java does, or simply go."""
        self.retired = True
        if self.parked is not None:
            self.parked.cancel()
        if self.day.chance.random() < 0.6 and self.session_id:
            request = FetchRequest(session_id=self.session_id, session_epoch=-1)
            self.day.send(request, max(self.version, 7), lambda answer: None)


@define(eq=False)
class Liar:
    """Takes part in other people's sessions, in those that are gone, and in none."""

    day: Day

    def lie(self) -> None:
        """One request that has no right to be believed."""
        day, chance = self.day, self.day.chance
        if day.resting:
            return
        known = [*day.heard_ids[-20:], *day.services.sessions._by_use] or [1]
        session_id = chance.choice([*known, 0, -1, chance.getrandbits(31)])
        session = day.services.sessions.find(session_id)
        epochs = [1, 2, 7, -2, (1 << 31) - 1, 0, -1]
        epoch = chance.choice([*epochs, session.epoch, session.epoch + 1] if session else epochs)
        version = chance.choice(VERSIONS)
        by_id = version >= 13
        rows = [
            FetchPartition(chance.choice([0, 0, 1]), fetch_offset=chance.randrange(2_000))
            for _ in range(chance.randrange(3))
        ]
        name, topic_id = ("", METADATA_TOPIC_ID) if by_id else (METADATA_TOPIC, ZERO_UUID)
        if chance.random() < 0.3:
            name, topic_id = ("", chance.randbytes(16)) if by_id else ("liar", ZERO_UUID)
        request = FetchRequest(
            session_id=session_id,
            session_epoch=epoch,
            max_wait_ms=chance.choice([0, 100_000]),
            topics=[FetchTopic(name, topic_id, rows)] if rows else [],
        )
        if chance.random() < 0.3:
            request.forgotten_topics_data = [ForgottenTopic(name, topic_id, [0])]
        day.send(request, version, lambda answer: None)
        day.at(chance.choice([100, 2_000, 30_000]), self.lie)


def answer_replicas(day: Day) -> None:
    """What the quorum would say: everything from the offset on, be it committed or not."""
    log = day.services.log
    for (_, _, message, _), promise in zip(day.services.asked, day.services.answers, strict=True):
        if promise.done:
            continue
        row = message.topics[0].partitions[0]
        plan = log.read_plan(row.fetch_offset, MUCH, log.end_offset)
        known = log.start_offset <= row.fetch_offset <= log.end_offset
        told = PartitionData(
            error_code=0 if known else 1,
            high_watermark=log.high_watermark,
            log_start_offset=log.start_offset,
            records=SliceChain(plan.slices) if known else b"",
        )
        topic = message.topics[0]
        rows = [FetchableTopicResponse(topic.topic, topic.topic_id, [told])]
        promise.complete(FetchResponse(responses=rows))
    day.services.asked.clear()
    day.services.answers.clear()
    day.at(200, lambda: answer_replicas(day))


@define(eq=False)
class ManyClients:
    """Fetchers that come and go, and a few who mean no good."""

    day: Day
    size: int
    fetchers: list[Fetcher] = field(factory=list)
    came: int = 0

    def begin(self, liars: int, replicas: int) -> None:
        """Everybody's first request."""
        for _ in range(self.size):
            self.one_more()
        for number in range(replicas):
            self.one_more(100 + number)
        for _ in range(liars):
            self.day.at(self.day.chance.randrange(30_000), Liar(self.day).lie)
        self.day.at(200, lambda: answer_replicas(self.day))
        self.day.at(10_000, self.turn_over)

    def one_more(self, replica_id: int = -1) -> None:
        chance = self.day.chance
        version = chance.choice(VERSIONS)
        fetcher = Fetcher(self.day, version, replica_id, self.day.services.log.start_offset)
        self.fetchers.append(fetcher)
        self.came += 1
        self.day.at(chance.randrange(20_000 * self.day.pace), fetcher.fetch)

    def turn_over(self) -> None:
        """One goes, another comes."""
        if self.day.resting:
            return
        chance = self.day.chance
        gone = self.fetchers.pop(chance.randrange(len(self.fetchers)))
        gone.leave()
        self.one_more(gone.replica_id)
        self.day.at(chance.choice([2_000, 20_000, 90_000]), self.turn_over)
