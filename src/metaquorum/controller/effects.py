"""What a controller asks its host to do."""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.controller.events import CommandId

if TYPE_CHECKING:
    from metaquorum.records.metadata_record import MetadataRecord


@value
class AppendRecords:
    """Append these at once; the host answers in the same step, before any other event.

    ``atomic``: in one batch or not at all. Else the host may cut them into several batches, one
    after the other without a gap. The batches carry ``timestamp_ms``.
    """

    token: int
    records: tuple[MetadataRecord, ...]
    atomic: bool
    timestamp_ms: int


@value
class Reply:
    """The answer to a command: the wire response, or why there is none."""

    id: CommandId
    response: object | RequestError


@value
class Failed:
    """Work that nobody waits for failed on an unexpected exception, and changed nothing."""

    cause: Exception


@value
class Resign:
    """This node cannot do the active controller's work; another should lead."""

    epoch: Epoch
    why: str


Effect = AppendRecords | Reply | Failed | Resign
