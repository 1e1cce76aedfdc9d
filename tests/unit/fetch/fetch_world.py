"""Several partitions and a cache of sessions: Fetch requests go in, responses come out."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from attrs import define, field

from metaquorum.fetch.context import AnsweredPartition, FetchContext, context_of
from metaquorum.fetch.plan import Leadership, Portion, Wish, plan_fetch
from metaquorum.fetch.session import CachedPartition
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.testing.fake_services import FakeLog
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
)
from metaquorum.wire.generated.fetch_response import FetchResponse, PartitionData
from metaquorum.wire.slices import SliceChain

MUCH = 1 << 20
LEADER = Leadership(epoch=3, is_leader=True)
NAMES, IDS = 12, 17
Place = tuple[str, int]
Row = tuple[int, int, int, bytes]


def topic_id_of(topic: str) -> bytes:
    return topic.encode().ljust(16, b"\x01")


def topic_fields(topic: str, version: int) -> tuple[str, bytes]:
    """How a topic is named in a request of that version."""
    return ("", topic_id_of(topic)) if version >= 13 else (topic, bytes(16))


def fetch_request(
    session_id: int = 0,
    epoch: int = -1,
    wanted: dict[Place, int] | Iterable[tuple[Place, int]] = (),
    forgotten: Sequence[Place] = (),
    *,
    version: int = IDS,
    max_bytes: int = MUCH,
    partition_max_bytes: int = MUCH,
) -> FetchRequest:
    """A request for offsets by place."""
    items = wanted.items() if isinstance(wanted, dict) else wanted
    return FetchRequest(
        session_id=session_id,
        session_epoch=epoch,
        max_bytes=max_bytes,
        topics=[
            FetchTopic(
                *topic_fields(topic, version),
                [
                    FetchPartition(
                        index, fetch_offset=offset, partition_max_bytes=partition_max_bytes
                    )
                ],
            )
            for (topic, index), offset in items
        ],
        forgotten_topics_data=[
            ForgottenTopic(*topic_fields(topic, version), [index]) for topic, index in forgotten
        ],
    )


def rows_of(response: FetchResponse) -> list[tuple[Place, Row]]:
    """The rows of an answer, in order: place, error, watermark, log start, records."""
    return [
        (
            (topic.topic or bytes(topic.topic_id).rstrip(b"\x01").decode(), row.partition_index),
            row_of(row),
        )
        for topic in response.responses
        for row in topic.partitions
    ]


def row_of(row: PartitionData) -> Row:
    """What a fetcher looks at."""
    chain = row.records
    records = b"".join(map(bytes, chain.parts)) if isinstance(chain, SliceChain) else b""
    return row.error_code, row.high_watermark, row.log_start_offset, records


@define(eq=False)
class FetchWorld:
    """Logs by topic and index; a place without a log is unknown."""

    logs: dict[Place, FakeLog] = field(factory=dict)
    slots: int = 1_000
    now: int = 1_000
    cache: SessionCache = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.cache = SessionCache(self.slots, SeededChance(11))

    def append(self, place: Place, *values: bytes, commit: bool = True) -> None:
        """One batch more in a log, which is made if need be."""
        log = self.logs.setdefault(place, FakeLog(high_watermark=0))
        if values:
            log.append([(None, value) for value in values])
        if commit:
            log.high_watermark = log.end_offset

    def begin(
        self, request: FetchRequest, version: int = IDS, *, is_replica: bool = False
    ) -> FetchContext:
        """What the request is about."""
        return context_of(request, version, self.cache, is_privileged=is_replica, now_ms=self.now)

    def end(self, context: FetchContext, max_bytes: int = MUCH) -> FetchResponse:
        """Read what it is about, and answer."""
        return context.answer(self.read(context.partitions, max_bytes), self.now)

    def fetch(
        self, request: FetchRequest, version: int = IDS, *, is_replica: bool = False
    ) -> FetchResponse:
        """Both in one."""
        context = self.begin(request, version, is_replica=is_replica)
        response = self.end(context, request.max_bytes)
        self.cache.check()
        return response

    def read(
        self, partitions: Sequence[CachedPartition], max_bytes: int
    ) -> list[AnsweredPartition]:
        """The rows of these partitions as they are now, in this order."""
        wishes = [
            Wish(
                self.logs.get(self._place(one)),
                one.wanted.fetch_offset,
                one.wanted.partition_max_bytes,
            )
            for one in partitions
        ]
        plan = plan_fetch(wishes, LEADER, min_bytes=0, max_bytes=max_bytes)
        return [
            (one, _row(one, portion))
            for one, portion in zip(partitions, plan.portions, strict=True)
        ]

    def _place(self, one: CachedPartition) -> Place:
        name = one.topic or one.topic_id.rstrip(b"\x01").decode()
        return name, one.wanted.partition


def _row(one: CachedPartition, portion: Portion) -> PartitionData:
    records = portion.records
    return PartitionData(
        partition_index=one.wanted.partition,
        error_code=portion.code,
        high_watermark=portion.high_watermark,
        log_start_offset=portion.log_start_offset,
        records=SliceChain(tuple(records.slices)) if records is not None else b"",
    )
