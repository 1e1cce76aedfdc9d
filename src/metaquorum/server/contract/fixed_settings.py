"""Why no setting can be changed by a request: those of the log belong to it, a node's to its file.

Shared by AlterConfigs and IncrementalAlterConfigs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final, Protocol, TypeVar

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.metadata.acl_codes import Operation
from metaquorum.server.contract import topics
from metaquorum.server.contract.config_rights import check_config_right
from metaquorum.server.contract.request import Request
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message

TOPIC: Final = 2

Row = TypeVar("Row")
MakeRow = Callable[[int, str | None, int, str], Row]
"""Makes a row of the answer: code, words, and the resource's type and name."""


class Resource(Protocol):
    """What is asked to be changed; both requests have a class of their own for it."""

    @property
    def resource_type(self) -> int: ...

    @property
    def resource_name(self) -> str: ...


def refused_each(
    request: Request[Message], resources: Iterable[Resource], make: MakeRow[Row]
) -> list[Row]:
    """A row for each resource with its own refusal: of the right, or of the change."""
    rows = []
    for one in resources:
        kind, name = one.resource_type, one.resource_name
        try:
            check_config_right(request, Operation.ALTER_CONFIGS, kind, name)
        except RequestError as refused:
            rows.append(make(refused.code, refused.reason, kind, name))
        else:
            rows.append(make(*refusal_of(kind, name), kind, name))
    return rows


def refused_alike(
    resources: Iterable[Resource], code: int, reason: str | None, make: MakeRow[Row]
) -> list[Row]:
    """A row for each resource with the same code."""
    return [make(code, reason, one.resource_type, one.resource_name) for one in resources]


def refusal_of(kind: int, name: str) -> tuple[int, str]:
    """The code and the words for a resource of this type and name.

    The metadata topic is cleaned by snapshots and its settings can only be read (KIP-630, Public
    Interfaces); topics beside it there are none. Everything else is read from a node's file at
    its start.
    """
    if kind != TOPIC:
        told = "settings of nodes here are those of their files, and no request changes them"
        return error_codes.INVALID_REQUEST, told
    if name == METADATA_TOPIC:
        told = f"the settings of {METADATA_TOPIC}, cleanup.policy among them, can only be read"
        return error_codes.INVALID_CONFIG, told
    code = topics.unknown_topic(name)
    impossible = code == error_codes.INVALID_TOPIC_EXCEPTION
    return code, f"{name!r} cannot be a topic's name" if impossible else f"no topic {name!r}"
