"""One step of the coordinator: what it writes, answers at once, and answers once committed.

All records of a step become one batch: they are committed together or not at all.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.value import value
from metaquorum.controller.events import CommandId
from metaquorum.records.group_record import GroupRecord

Response = object


@value
class Waiting:
    """Who waits for the records of a step, until when; one of the two is called, once."""

    committed: Callable[[StepOutput], None]
    failed: Callable[[StepOutput, RequestError], None]
    deadline_ms: Millis = NEVER
    id: CommandId | None = None
    """The command that both answer; None where they answer all who wait in a group."""
    group_id: str | None = None
    """The classic group that they change; None where they only answer."""


@value
class Mark:
    """How far a step had come before a part of it."""

    records: int
    replies: int
    waiting: int


@define(eq=False)
class StepOutput:
    """``now`` is on the clock of deadlines, ``wall_ms`` what records are stamped with."""

    now: Millis
    wall_ms: Millis
    records: list[GroupRecord] = field(factory=list)
    replies: list[tuple[CommandId, Response | RequestError]] = field(factory=list)
    waiting: list[Waiting] = field(factory=list)
    failures: list[Exception] = field(factory=list)

    def mark(self) -> Mark:
        """Where the step is."""
        return Mark(len(self.records), len(self.replies), len(self.waiting))

    def take_back(self, mark: Mark, error: RequestError) -> None:
        """What came since ``mark`` is not done: nothing is written, and who was answered gets
        ``error`` instead.
        """
        del self.records[mark.records :], self.waiting[mark.waiting :]
        replies_since = self.replies[mark.replies :]
        self.replies[mark.replies :] = [(id, error) for id, _ in replies_since]

    def reply_instead(self, id: CommandId, error: RequestError) -> None:
        """Answer a command so, whatever it was answered in this step."""
        self.replies[:] = [reply for reply in self.replies if reply[0] != id]
        self.replies.append((id, error))

    def reply(self, id: CommandId, response: Response | RequestError) -> None:
        """Answer at once: nothing in the answer depends on what is not committed."""
        self.replies.append((id, response))

    def reply_once_committed(
        self, id: CommandId, response: Response, deadline_ms: Millis = NEVER
    ) -> None:
        """Answer when all that was ever written, this step's records too, is committed."""
        self.waiting.append(
            Waiting(
                lambda output: output.reply(id, response),
                lambda output, error: output.reply(id, error),
                deadline_ms,
                id,
            )
        )
