"""What a snapshot says of the quorum itself: kraft.version and voters as of its end (KIP-853)."""

from __future__ import annotations

from typing import Any

from metaquorum.base.offsets import Offset
from metaquorum.quorum.adapt.batches import wire_voter
from metaquorum.quorum.voters import VoterHistory
from metaquorum.records.control import ControlType


def snapshot_controls(history: VoterHistory, end: Offset) -> list[tuple[ControlType, Any]]:
    """The control records that follow the header of a snapshot which ends at ``end``, exclusive.

    Those in force at its last offset, not the latest ones. None at kraft.version 0, where the
    voters stand in the configuration of every node.
    """
    from metaquorum.wire.generated import kraft_version_record, voters_record

    levels = [level for at, level in history.versions if at < end]
    if not levels or levels[-1] < 1:
        return []
    message: Any = kraft_version_record.KRaftVersionRecord(0, levels[-1])
    controls: list[tuple[ControlType, Any]] = [(ControlType.KRAFT_VERSION, message)]
    sets = [voters for at, voters in history.sets if at < end]
    if sets:
        rows = [wire_voter(voter, voters_record) for voter in sets[-1]]
        controls.append((ControlType.KRAFT_VOTERS, voters_record.VotersRecord(0, rows)))
    return controls
