"""What a request keeps in memory while it waits for its answer; the rest of it is dropped here.

A Fetch may wait for minutes, and what most of its bytes say was taken in before: topics to forget,
a rack, tags that nobody knows. JoinGroup and SyncGroup wait for the other members; what they say
is the group's by then, and their handlers keep no more of them than names.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from metaquorum.base.limits import FETCH_PARTITION_BYTES, FETCH_SESSION_BYTES
from metaquorum.server.contract.request import Request
from metaquorum.wire.message import AnyMessage, Message

if TYPE_CHECKING:  # decoding a request imports its codec
    from metaquorum.wire.generated.fetch_request import FetchRequest
    from metaquorum.wire.generated.join_group_request import JoinGroupRequest


def kept_bytes(request: Request[Message]) -> int | None:
    """Bytes that it keeps, about; None where nothing is dropped."""
    shrink = _SHRINKING.get(request.header.api_key)
    if shrink is None:
        return None
    return shrink(request.message) + len(request.header.client_id or "")


def _of_fetch(asked: FetchRequest) -> int:
    asked.forgotten_topics_data, asked.rack_id, asked.unknown_tags = [], "", ()
    asked.replica_state.unknown_tags = ()
    kept = FETCH_SESSION_BYTES
    for topic in asked.topics:
        topic.unknown_tags = ()
        kept += len(topic.topic) + FETCH_PARTITION_BYTES * len(topic.partitions)
        for one in topic.partitions:
            one.unknown_tags = ()
    return kept + len(asked.cluster_id or "")


def _of_join(asked: JoinGroupRequest) -> int:
    return len(asked.member_id)


def _of_sync(asked: Message) -> int:
    return 0


_SHRINKING: Final[dict[int, Callable[[AnyMessage], int]]] = {
    1: _of_fetch,
    11: _of_join,
    14: _of_sync,
}
