"""What may be asked of the coordinator: Kafka's requests, with what their connection adds.

Rights were checked before, and what names no topic of this cluster was sorted out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.wire.generated.offset_commit_request import OffsetCommitRequest
    from metaquorum.wire.generated.offset_delete_request import OffsetDeleteRequest
    from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequestGroup


@value
class CommitOffsets:
    """OffsetCommit; the reply is an OffsetCommitResponse."""

    request: OffsetCommitRequest
    version: int


@value
class FetchOffsets:
    """OffsetFetch, in the form of version 8; the reply is a list of OffsetFetchResponseGroup."""

    groups: Sequence[OffsetFetchRequestGroup]


@value
class DeleteOffsets:
    """OffsetDelete; the reply is an OffsetDeleteResponse."""

    request: OffsetDeleteRequest


@value
class DeleteGroups:
    """DeleteGroups; the reply is a list of DeletableGroupResult."""

    group_ids: tuple[str, ...]


Command = CommitOffsets | FetchOffsets | DeleteOffsets | DeleteGroups
