"""What the quorum has to say of itself: a line for each change of role, and for peers' mistakes."""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.clock import Clock
from metaquorum.observe.events import EventLog
from metaquorum.observe.role_changes import RoleChange, RoleChanges
from metaquorum.quorum.effects import Complaint, RoleChanged
from metaquorum.server.note_gate import NoteGate


@define(eq=False)
class Notices:
    """Writes the lines, a few complaints a second at most, and keeps the changes of role."""

    node_id: int
    log: EventLog
    clock: Clock
    role_changes: RoleChanges = field(init=False)
    complaints: NoteGate = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.role_changes = RoleChanges(self.node_id)
        self.complaints = NoteGate(self._complained, self.clock)

    def __call__(self, notice: RoleChanged | Complaint) -> None:
        """Tell one."""
        if isinstance(notice, Complaint):
            self.complaints(notice.text)
            return
        self.role_changes.add(
            RoleChange(
                self.clock.wall_ms(),
                notice.before,
                notice.after,
                notice.epoch_before,
                notice.epoch,
                notice.leader_id,
                notice.log_end.offset,
                notice.log_end.epoch,
                notice.why,
            )
        )
        self.log.info(
            "role-changed",
            node=self.node_id,
            before=notice.before,
            after=notice.after,
            epoch=notice.epoch,
            leader=notice.leader_id,
            end=notice.log_end.offset,
            why=notice.why,
        )

    def _complained(self, text: str) -> None:
        self.log.warn("peer-mistake", node=self.node_id, why=text)
