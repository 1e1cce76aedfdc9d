"""One consumer's fetches, each as the one before but for its place: the short way for many readers.

When something is committed, hundreds stand at one place and ask for the same. What the first of
them is sent has been planned and put into rows (``shared_fetches``); the others need no more than
their session moved on and those rows. Whatever is not as it was with the first goes the long way.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from metaquorum.base.clock import Millis
from metaquorum.base.limits import NEAR_END_OFFSETS
from metaquorum.base.offsets import Offset
from metaquorum.fetch.context import FetchContext, moved_on
from metaquorum.server.contract.last_request import FetchAnswer
from metaquorum.server.contract.request import Request
from metaquorum.server.contract.services import Services
from metaquorum.server.contract.shared_fetches import SharedFetch, moment_of, question
from metaquorum.server.contract.topics import leadership
from metaquorum.wire.generated.fetch_request import FetchRequest

NO_WATERMARK_GIVEN: Final = (1 << 63) - 1  # KIP-1166: the sender knows nothing of it

LongWay = Callable[[Request[FetchRequest], Services, FetchContext], FetchAnswer]


class Tailing:
    """What stays the same from one fetch to the next; called with each of them, it answers.

    No client quota applies to such a fetch. None is returned, and nothing done, for a fetch that
    may not be a consumer's, or that its session does not expect.
    """

    __slots__ = ("_is_late", "_key", "_limits", "_long_way", "_services")

    def __init__(
        self,
        request: Request[FetchRequest],
        services: Services,
        limits: tuple[int, int, bool],
        long_way: LongWay,
    ) -> None:
        asked = request.message
        (topic,) = asked.topics
        (row,) = topic.partitions
        self._services = services
        self._key = (topic.topic, bytes(topic.topic_id), row.partition)
        self._limits = (row.current_leader_epoch, row.partition_max_bytes, *limits)
        self._is_late = asked.max_wait_ms <= 0
        self._long_way = long_way

    def __call__(self, request: Request[FetchRequest]) -> FetchAnswer | None:
        asked, services, now = request.message, self._services, request.received_at_ms
        row = asked.topics[0].partitions[0]
        if row.high_watermark != NO_WATERMARK_GIVEN:
            return None
        context = moved_on(asked, request.version, services.sessions, now)
        if context is None:
            return None
        partitions = context.partitions
        shared = self._shared(row.fetch_offset, now) if len(partitions) == 1 else None
        if shared is None:
            return self._long_way(request, services, context)
        answered_row = partitions[0], shared.topics[0].partitions[0]
        return context.answer([answered_row], now, shared.topics)

    def _shared(self, offset: Offset, now: Millis) -> SharedFetch | None:
        """The answer to another fetch that asked so now, if this one need not wait for its turn."""
        services = self._services
        log = services.log
        shared = services.shared_fetches.known(
            moment_of(log, leadership(services)), question(self._key, offset, *self._limits)
        )
        if shared is None or not shared.topics or shared.plan.wait_for is not None:
            return None
        if not self._is_late and 0 < log.high_watermark - offset <= NEAR_END_OFFSETS:
            return shared if services.watermark.has_turn(now) else None
        return shared
