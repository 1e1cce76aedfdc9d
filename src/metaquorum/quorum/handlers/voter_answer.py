"""How a change of the voters comes to its end: answered, timed out, or lost (KIP-853)."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.handlers.election.lifecycle import successors
from metaquorum.quorum.messages import NONE, REQUEST_TIMED_OUT, VoterChangeResponse
from metaquorum.quorum.role_changes import become_resigned
from metaquorum.quorum.roles.leader import Leader
from metaquorum.quorum.state import ReplicaState


def settle_change(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """The watermark moved: a committed change is answered, and a leader that it removed goes.

    Until then that leader leads on without counting itself (KAFKA-17332): nobody else could
    commit its removal in this epoch.
    """
    role = replica.role
    if not isinstance(role, Leader):
        return
    committed = replica.shown_high_watermark
    change = role.change
    if change is not None and change.offset is not None and change.offset < committed:
        finish_change(replica, NONE, out)
    at = replica.voters.latest_offset
    if not replica.is_voter and at is not None and at < committed:
        why = f"it is no voter any more, by the record at offset {at}"
        become_resigned(replica, now, why, out, successors(replica, role))


def change_timed_out(replica: ReplicaState, now: Millis, out: list[Effect]) -> None:
    """The asker waits no longer; a record that was appended may still be committed."""
    role = replica.role
    if isinstance(role, Leader) and role.change is not None:
        asked, did = role.change.offset is None, "answer" if role.change.offset is None else "fetch"
        who = "the new voter" if asked else "a majority of the voters"
        finish_change(replica, REQUEST_TIMED_OUT, out, f"{who} did not {did} it in time")


def finish_change(replica: ReplicaState, error: int, out: list[Effect], text: str = "") -> None:
    """The change under way is over for its asker."""
    answer_change(replica, error, out, text)
    role = replica.role
    if isinstance(role, Leader):
        replica.role = evolve(role, change=None)


def answer_change(replica: ReplicaState, error: int, out: list[Effect], text: str = "") -> None:
    """Answer the asker of the change, once; the change itself may go on."""
    role = replica.role
    change = role.change if isinstance(role, Leader) else None
    if not isinstance(role, Leader) or change is None or change.request_id is None:
        return
    response = VoterChangeResponse(error, replica.hint, text)
    replica.answer(change.request_id, response, out)
    replica.role = evolve(role, change=evolve(change, request_id=None))
