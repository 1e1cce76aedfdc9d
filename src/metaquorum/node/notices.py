"""What the quorum has to say of itself: a line for each change of role, and for each request or
answer of a peer that was refused.
"""

from __future__ import annotations

import trio
from attrs import define, field

from metaquorum.base.clock import Clock
from metaquorum.observe.events import EventLog
from metaquorum.observe.role_changes import RoleChange, RoleChanges
from metaquorum.quorum.effects import Complaint, RoleChanged
from metaquorum.server.access.note_gate import WINDOW_MS, NoteGate
from metaquorum.server.pipeline.failures import place_of


@define(eq=False)
class Notices:
    """Writes the lines and keeps the changes of role.

    Of mistakes and of ordinary refusals a few a second are written, and the number of the rest.
    """

    node_id: int
    log: EventLog
    clock: Clock
    role_changes: RoleChanges = field(init=False)
    mistakes: NoteGate = field(init=False)
    refusals: NoteGate = field(init=False)
    failures: NoteGate = field(init=False)
    _left_out: trio.Event = field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self.role_changes = RoleChanges(self.node_id)
        self.mistakes = NoteGate(self._mistaken, self.clock)
        self.refusals = NoteGate(self._refused, self.clock)
        self.failures = NoteGate(self._failed, self.clock)

    def __call__(self, notice: RoleChanged | Complaint) -> None:
        """Tell one."""
        if isinstance(notice, Complaint):
            self._gated(self.mistakes if notice.mistake else self.refusals, notice.text)
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

    def failed(self, cause: Exception) -> None:
        """Work that nobody waits for, a session that was over say, raised this."""
        self._gated(self.failures, f"{type(cause).__name__} at {place_of(cause)}")

    def _gated(self, gate: NoteGate, text: str) -> None:
        gate(text)
        if gate.left_out:
            self._left_out.set()

    async def run(self) -> None:
        """Say after every second in which lines were left out how many; ends by cancellation."""
        while True:
            await self._left_out.wait()
            await trio.sleep(WINDOW_MS / 1_000)
            gates = self.mistakes, self.refusals, self.failures
            for gate in gates:
                gate.log_suppressed()
            if not any(gate.left_out for gate in gates):
                self._left_out = trio.Event()

    def _failed(self, text: str) -> None:
        self.log.error("work-failed", node=self.node_id, why=text)

    def _mistaken(self, text: str) -> None:
        self.log.warn("peer-mistake", node=self.node_id, why=text)

    def _refused(self, text: str) -> None:
        self.log.info("peer-refused", node=self.node_id, why=text)
