"""What a ConsumerGroupHeartbeat must and must not say, before anybody looks at the group."""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.groups.assignors import ASSIGNORS
from metaquorum.groups.patterns import BadPattern, Pattern
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)

JOINS: Final = 0
LEAVES: Final = -1
LEAVES_FOR_NOW: Final = -2
_OWN_ID_FROM: Final = 1


def checked(request: ConsumerGroupHeartbeatRequest, version: int) -> ConsumerGroupHeartbeatRequest:
    """The request; RequestError says what is wrong with it."""
    epoch = request.member_epoch
    _must(bool(request.group_id), "the group's id is empty")
    _must(request.instance_id != "", "the instance's id is empty")
    _must(request.rack_id != "", "the rack's id is empty")
    _must(epoch >= LEAVES_FOR_NOW, f"there is no epoch {epoch}")
    needs_id = version >= _OWN_ID_FROM or epoch != JOINS
    _must(bool(request.member_id) or not needs_id, "the member's id is empty")
    if epoch == LEAVES_FOR_NOW:
        _must(request.instance_id is not None, "only a static member leaves for now")
    if epoch == JOINS:
        _must(request.rebalance_timeout_ms != -1, "who joins has a rebalance time-out")
        is_empty = request.topic_partitions is not None and not request.topic_partitions
        _must(is_empty, "who joins has no partitions, and says so")
        names, regex = request.subscribed_topic_names, request.subscribed_topic_regex
        _must(names is not None or regex is not None, "who joins says which topics it reads")
    if request.server_assignor is not None and request.server_assignor not in ASSIGNORS:
        raise RequestError(
            error_codes.UNSUPPORTED_ASSIGNOR,
            f"the assignor {request.server_assignor} is none of {', '.join(ASSIGNORS)}",
        )
    if request.subscribed_topic_regex:
        try:
            Pattern.compile(request.subscribed_topic_regex)
        except BadPattern as error:
            raise RequestError(error_codes.INVALID_REGULAR_EXPRESSION, str(error)) from None
    return request


def _must(holds: bool, why: str) -> None:
    if not holds:
        raise RequestError(error_codes.INVALID_REQUEST, why)
