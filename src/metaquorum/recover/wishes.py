"""What an operator says beside the surveys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import field, frozen

from metaquorum.base.ids import NodeId
from metaquorum.quorum.types import Endpoint

A_MAJORITY_IS_THERE: Final = "a majority is there"
"""The words that take back the objection that the quorum could simply be started."""


@frozen
class NewVoter:
    """A voter as it was asked for; the endpoint is None for static voters."""

    node_id: NodeId
    endpoint: Endpoint | None


@frozen(kw_only=True)
class Wishes:
    """What the operator says beside the surveys.

    ``stale`` are the numbers of surveys whose disks may lack what they once had: restored from an
    older copy, or repaired. ``same_disks`` are nodes whose directory id is another one now, on the
    disk that they always had. With ``only_names`` nothing may be lost, and voters that were not
    surveyed keep their disks. ``although`` are the objections that were taken back in words.
    """

    voters: tuple[NewVoter, ...] | None = None
    stale: frozenset[int] = frozenset()
    same_disks: frozenset[NodeId] = frozenset()
    only_names: bool = False
    cluster_id: str | None = None
    although: frozenset[str] = field(factory=frozenset)


def ids_text(ids: Sequence[NodeId]) -> str:
    return ", ".join(map(str, ids))
