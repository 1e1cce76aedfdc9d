"""What must hold of voters and their changes, each with the clause it comes from (KIP-853)."""

from __future__ import annotations

from metaquorum.quorum.messages import NONE, Response, VoterChangeResponse
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.types import Batch, ControlValue, KRaftVersionControl, VotersControl
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.explorer.properties import Violation, counted_voters
from metaquorum.testing.explorer.world import History, Node


def check_voters(
    history: History, node: Node, static: VoterSet | None, zero: tuple[ControlValue, ...]
) -> None:
    """A node counts with the last voters of its log, committed or not; one change at a time."""
    replica = node.replica
    if replica is None:
        return
    expected, level = static if static is not None else VoterSet(), 0
    for value in (*zero, *_values(node.accepted)):
        if isinstance(value, VotersControl):
            expected = VoterSet(value.voters)
        elif isinstance(value, KRaftVersionControl):
            level = value.level
    if (counted_voters(node), replica.voters.kraft_version) != (expected, level):
        raise Violation(
            f"node {node.id} counts with voters {counted_voters(node)}, its log says {expected}: "
            "the voters are those of the log"
        )
    role = replica.role
    if isinstance(role, Leader):
        committed = history.committed_end
        begun = [
            batch.base_offset
            for batch in node.accepted
            if batch.base_offset >= max(committed, role.active_from)
            and any(isinstance(one.value, VotersControl) for one in batch.controls)
        ]
        if len(begun) > 1:
            raise Violation(
                f"node {node.id} leads with uncommitted voters at {begun}: one change at a time"
            )


def _values(log: tuple[Batch, ...]) -> list[ControlValue]:
    return [control.value for batch in log for control in batch.controls]


def check_change_answered(history: History, node: Node, message: Response) -> None:
    """A change that was answered without an error is committed (unless the asker waived it)."""
    assert node.replica is not None
    if not isinstance(message, VoterChangeResponse) or message.error != NONE:
        return
    at = node.replica.voters.latest_offset
    if at is not None and at >= history.committed_end:
        raise Violation(
            f"node {node.id} answered a change at offset {at}, committed below "
            f"{history.committed_end}: an answered change is committed"
        )
