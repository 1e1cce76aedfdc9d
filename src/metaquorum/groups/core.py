"""The group coordinator: commands in, records and replies out.

It is stepped as the controller is, by the same events, over a log of its own. What must survive is
in that log (``groups.state``); who is waiting for whom, and until when, is known only to the node
that leads it, and begins anew with the next one.

A command is planned on the live state; its records are replayed as soon as they have a place in
the log, and it is answered once they are committed. Losing the leadership takes back whatever is
not committed, and tells all who wait to look for the coordinator again.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, RequestError, UnexpectedError
from metaquorum.base.ids import Uuid
from metaquorum.controller.effects import Effect, Failed, Reply
from metaquorum.controller.events import (
    BatchCommitted,
    BatchEnded,
    BecameActive,
    BecameInactive,
    CommandArrived,
    CommandId,
    Event,
    HighWatermark,
    SnapshotLoaded,
    TimePassed,
)
from metaquorum.controller.log import Log
from metaquorum.controller.pending import PendingReply
from metaquorum.controller.replicated import Replicated, Term
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.context import Context
from metaquorum.groups.dispatcher import GroupDispatcher
from metaquorum.groups.state import GroupState
from metaquorum.groups.step_output import Mark, StepOutput, Waiting
from metaquorum.wire.generated import error_codes

_BEGIN: Final = Mark(0, 0, 0)


class GroupCore(Replicated[GroupState, Term]):
    """One coordinator. ``draw`` gives new uuids, for the ids of members."""

    _name = "coordinator"

    def __init__(self, config: GroupConfig, draw: Callable[[], Uuid]) -> None:
        self._context = Context(config, draw)
        super().__init__(self._context.state, config.pending_replies_max)
        self.config = config
        self._dispatcher = GroupDispatcher(self._context)

    @property
    def is_active(self) -> bool:
        """Whether this node is the coordinator."""
        return self._term is not None

    @property
    def deadline(self) -> Millis:
        """When ``TimePassed`` is due, should nothing happen sooner."""
        return min(self._pending.deadline, self._context.timers.deadline)

    def statistics(self) -> dict[str, int]:
        """How much is kept, and how much waits."""
        waiting = {f"pending_{name}": value for name, value in self._pending.statistics().items()}
        return {**waiting, **self.state.statistics(), "timers": len(self._context.timers)}

    def step(self, event: Event, now: Millis, wall_ms: int, log: Log) -> list[Effect]:
        """What ``event`` leads to; ``log`` takes the records.

        InvariantViolated: the log or the host breaks the rules.
        """
        handler = _HANDLERS.get(type(event))
        if handler is None or self._is_appending:
            raise self._refused(event)
        output = StepOutput(now, wall_ms)
        handler(self, event, output)
        effects: list[Effect] = []
        while True:
            effects += [Reply(id, response) for id, response in output.replies]
            effects += [Failed(cause) for cause in output.failures]
            if not output.records and not output.waiting:
                return effects
            output = self._written(output, log)

    def _written(self, output: StepOutput, log: Log) -> StepOutput:
        """Append what was written; what follows from that for those who wait for it."""
        later = StepOutput(output.now, output.wall_ms)
        error: RequestError | None = None
        if output.records:
            records = tuple(output.records)
            refused = self._append(log, records, atomic=True, timestamp_ms=output.wall_ms)
            if refused is not None:
                cause = refused.cause
                error = _not_written(refused.code) if cause is None else UnexpectedError(cause)
        if error is None:
            self._file(output.waiting, later)
        else:
            for waiting in output.waiting:
                self._tell(waiting, later, error)
        return later

    # Replaying what is committed elsewhere.

    def _snapshot_loaded(self, event: SnapshotLoaded, output: StepOutput) -> None:
        self._must_be_standby(event)
        state: Any = event.state
        self.state = self._context.state = state

    # Leading, and leading no more.

    def _became_active(self, event: BecameActive, output: StepOutput) -> None:
        self._must_begin_at_end(event)
        self._term = Term(event.epoch, event.log_end)
        self._dispatcher.open(output)

    def _became_inactive(self, event: BecameInactive, output: StepOutput) -> None:
        if self._term is None:
            return
        self._term = None
        error = _not_coordinator(event.leader_id)
        for pending in self._pending.drained():
            self._tell(_waiting(pending), output, error)
        self._dispatcher.close(output, error)
        self.state.revert_to_stable()
        output.records.clear()  # nobody leads here who could write them
        output.waiting.clear()

    # Commands.

    def _command_arrived(self, event: CommandArrived, output: StepOutput) -> None:
        try:
            if self._term is None:
                raise _not_coordinator(None)
            if not self._pending.has_room():
                raise RequestError(
                    error_codes.COORDINATOR_NOT_AVAILABLE,
                    f"{self.config.pending_replies_max} changes wait to be committed",
                )
            command: Any = event.command
            self._dispatcher.serve(event.id, command, output)
        except RequestError as error:
            output.reply(event.id, error)
        except InvariantViolated:
            raise
        except Exception as cause:
            group_id = self._dispatcher.changed_by(command)
            self._take_back(output, _BEGIN, cause, group_id, event.id)

    def _take_back(
        self,
        output: StepOutput,
        mark: Mark,
        cause: Exception,
        group_id: str | None,
        id: CommandId | None = None,
    ) -> None:
        """A part of this step, which began at ``mark``, raised ``cause``: it is not done.

        Nothing of it was written. What it changed in memory alone is thrown away with its group.
        ``id`` is the command that is to be answered; None if there is none.
        """
        refused = RequestError(error_codes.UNKNOWN_SERVER_ERROR)
        output.take_back(mark, refused)
        if group_id is not None:
            self._dispatcher.reset(group_id, output, refused)
        if id is None:
            output.failures.append(cause)
        else:
            output.reply_instead(id, UnexpectedError(cause))

    # Replies that wait for the log.

    def _file(self, all_waiting: Sequence[Waiting], output: StepOutput) -> None:
        """Let them wait for what is not committed yet, if there is anything."""
        for waiting in all_waiting:
            if not self.state.has_uncommitted:
                self._tell(waiting, output)
            elif not self._pending.has_room():
                self._tell(waiting, output, _not_written(error_codes.REQUEST_TIMED_OUT))
            else:
                deadline = min(
                    waiting.deadline_ms, output.now + self.config.offsets_commit_timeout_ms
                )
                self._pending.file(PendingReply(self.state.end_offset, 0, waiting), deadline)

    def _tell(
        self, waiting: Waiting, output: StepOutput, error: RequestError | None = None
    ) -> None:
        """Tell one who waited that it is committed, or that it is not."""
        mark = output.mark()
        try:
            if error is None:
                waiting.committed(output)
            else:
                waiting.failed(output, error)
        except InvariantViolated:
            raise
        except Exception as cause:
            self._take_back(output, mark, cause, waiting.group_id, waiting.id)

    # Time and commits.

    def _high_watermark(self, event: HighWatermark, output: StepOutput) -> None:
        if self._term is None:
            return
        self.state.commit(event.offset)
        for pending in self._pending.reached(self.state.stable_offset):
            self._tell(_waiting(pending), output)

    def _time_passed(self, event: TimePassed, output: StepOutput) -> None:
        error = _not_written(error_codes.REQUEST_TIMED_OUT)
        for pending in self._pending.expired(output.now):
            self._tell(_waiting(pending), output, error)
        # What one deadline writes, the next must build on: it comes with the next step.
        while self._term is not None and not output.records:
            due: Any = self._context.timers.pop_due(output.now)
            if due is None:
                return
            mark = output.mark()
            try:
                self._dispatcher.time_came(due, output)
            except InvariantViolated:
                raise
            except Exception as cause:
                self._take_back(output, mark, cause, self._dispatcher.changed_at(due))
                self._dispatcher.try_again(due, output)


def _waiting(pending: PendingReply) -> Waiting:
    waiting = pending.reply
    assert isinstance(waiting, Waiting)
    return waiting


def _not_coordinator(leader_id: int | None) -> RequestError:
    hint = "" if leader_id is None else f"; node {leader_id} is"
    return RequestError(error_codes.NOT_COORDINATOR, f"this node does not coordinate groups{hint}")


def _not_written(code: int) -> RequestError:
    """The answer where the quorum did not take the records, or not in time: ask again."""
    if code == error_codes.NOT_LEADER_OR_FOLLOWER:
        return _not_coordinator(None)
    if code == error_codes.RECORD_LIST_TOO_LARGE:
        return RequestError(error_codes.UNKNOWN_SERVER_ERROR, "this does not fit one batch")
    return RequestError(
        error_codes.COORDINATOR_NOT_AVAILABLE, "the change was not committed in time"
    )


Handler = Callable[[GroupCore, Any, StepOutput], None]

_HANDLERS: Final[dict[type, Handler]] = {
    BatchCommitted: GroupCore._batch_committed,
    SnapshotLoaded: GroupCore._snapshot_loaded,
    BecameActive: GroupCore._became_active,
    BecameInactive: GroupCore._became_inactive,
    CommandArrived: GroupCore._command_arrived,
    BatchEnded: GroupCore._batch_ended,
    HighWatermark: GroupCore._high_watermark,
    TimePassed: GroupCore._time_passed,
}
