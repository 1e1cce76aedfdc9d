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
from metaquorum.base.errors import HouseError, RequestError, UnexpectedError
from metaquorum.base.ids import Uuid
from metaquorum.base.value import value
from metaquorum.controller.effects import AppendRecords, Effect, Failed, Reply
from metaquorum.controller.events import (
    AppendPlaced,
    AppendRefused,
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
from metaquorum.controller.pending import PendingReply
from metaquorum.controller.replicated import WHILE_APPENDING, InFlight, Replicated, Term
from metaquorum.groups.breath import Breath, Mark, Waiting
from metaquorum.groups.config import GroupConfig
from metaquorum.groups.context import Context
from metaquorum.groups.desk import Desk
from metaquorum.groups.state import GroupState
from metaquorum.wire.generated import error_codes

_BEGIN: Final = Mark(0, 0, 0)


@value
class Asked(InFlight):
    """Records in flight, and who waits until they are committed."""

    waiting: Sequence[Waiting]


class GroupCore(Replicated[GroupState, Term, Asked]):
    """One coordinator. ``draw`` gives new uuids, for the ids of members."""

    _name = "coordinator"

    def __init__(self, config: GroupConfig, draw: Callable[[], Uuid]) -> None:
        self._context = Context(config, draw)
        super().__init__(self._context.state, config.pending_replies_max)
        self.config = config
        self._desk = Desk(self._context)

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

    def step(self, event: Event, now: Millis, wall_ms: int) -> list[Effect]:
        """What ``event`` leads to. HouseError: the log or the host breaks the rules."""
        handler = _HANDLERS.get(type(event))
        if handler is None or (
            self._in_flight is not None and not isinstance(event, WHILE_APPENDING)
        ):
            raise self._refused(event)
        breath = Breath(now, wall_ms)
        handler(self, event, breath)
        return self._effects(breath)

    def _effects(self, breath: Breath) -> list[Effect]:
        effects: list[Effect] = [Reply(id, response) for id, response in breath.replies]
        if breath.records:
            token, self._next_token = self._next_token, self._next_token + 1
            records: Any = tuple(breath.records)
            self._in_flight = Asked(token, records, breath.wall_ms, breath.waiting)
            effects.append(AppendRecords(token, records, True, breath.wall_ms))
        elif breath.waiting:
            later = Breath(breath.now, breath.wall_ms)
            self._file(breath.waiting, later)
            effects += self._effects(later)
        effects += [Failed(cause) for cause in breath.failures]
        return effects

    # Replaying what is committed elsewhere.

    def _snapshot_loaded(self, event: SnapshotLoaded, breath: Breath) -> None:
        self._must_be_standby(event)
        state: Any = event.state
        self.state = self._context.state = state

    # Leading, and leading no more.

    def _became_active(self, event: BecameActive, breath: Breath) -> None:
        self._must_begin_at_end(event)
        self._term = Term(event.epoch, event.log_end)
        self._desk.open(breath)

    def _became_inactive(self, event: BecameInactive, breath: Breath) -> None:
        if self._term is None:
            return
        self._term = None
        error = _not_coordinator(event.leader_id)
        for pending in self._pending.drained():
            self._tell(_waiting(pending), breath, error)
        self._desk.close(breath, error)
        self.state.revert_to_stable()
        breath.records.clear()  # nobody leads here who could write them
        breath.waiting.clear()

    # Commands.

    def _command_arrived(self, event: CommandArrived, breath: Breath) -> None:
        try:
            if self._term is None:
                raise _not_coordinator(None)
            if self._pending.is_full:
                raise RequestError(
                    error_codes.COORDINATOR_NOT_AVAILABLE,
                    f"{self.config.pending_replies_max} changes wait to be committed",
                )
            command: Any = event.command
            self._desk.serve(event.id, command, breath)
        except RequestError as error:
            breath.reply(event.id, error)
        except HouseError:
            raise
        except Exception as cause:
            group_id = self._desk.changed_by(command)
            self._take_back(breath, _BEGIN, cause, group_id, event.id)

    def _take_back(
        self,
        breath: Breath,
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
        breath.take_back(mark, refused)
        if group_id is not None:
            self._desk.reset(group_id, breath, refused)
        if id is None:
            breath.failures.append(cause)
        else:
            breath.reply_instead(id, UnexpectedError(cause))

    # Appending.

    def _append_placed(self, event: AppendPlaced, breath: Breath) -> None:
        placed, _ = self._placed(event)
        self._file(placed.waiting, breath)

    def _append_refused(self, event: AppendRefused, breath: Breath) -> None:
        refused, _ = self._answered(event.token)
        cause = event.cause
        error = _not_written(event.code) if cause is None else UnexpectedError(cause)
        for waiting in refused.waiting:
            self._tell(waiting, breath, error)

    def _file(self, all_waiting: Sequence[Waiting], breath: Breath) -> None:
        """Let them wait for what is not committed yet, if there is anything."""
        for waiting in all_waiting:
            if not self.state.has_uncommitted:
                self._tell(waiting, breath)
            elif self._pending.is_full:
                self._tell(waiting, breath, _not_written(error_codes.REQUEST_TIMED_OUT))
            else:
                deadline = min(
                    waiting.deadline_ms, breath.now + self.config.offsets_commit_timeout_ms
                )
                self._pending.file(PendingReply(self.state.end_offset, 0, waiting), deadline)

    def _tell(self, waiting: Waiting, breath: Breath, error: RequestError | None = None) -> None:
        """Tell one who waited that it is committed, or that it is not."""
        mark = breath.mark()
        try:
            if error is None:
                waiting.committed(breath)
            else:
                waiting.failed(breath, error)
        except HouseError:
            raise
        except Exception as cause:
            self._take_back(breath, mark, cause, waiting.group_id, waiting.id)

    # Time and commits.

    def _high_watermark(self, event: HighWatermark, breath: Breath) -> None:
        if self._term is None:
            return
        self.state.commit(event.offset)
        for pending in self._pending.reached(self.state.stable_offset):
            self._tell(_waiting(pending), breath)

    def _time_passed(self, event: TimePassed, breath: Breath) -> None:
        error = _not_written(error_codes.REQUEST_TIMED_OUT)
        for pending in self._pending.expired(breath.now):
            self._tell(_waiting(pending), breath, error)
        # What one deadline writes, the next must build on: it comes with the next step.
        while self._term is not None and not breath.records:
            due: Any = self._context.timers.pop_due(breath.now)
            if due is None:
                return
            mark = breath.mark()
            try:
                self._desk.time_came(due, breath)
            except HouseError:
                raise
            except Exception as cause:
                self._take_back(breath, mark, cause, self._desk.changed_at(due))
                self._desk.try_again(due, breath)


def _waiting(pending: PendingReply) -> Waiting:
    waiting = pending.reply
    assert isinstance(waiting, Waiting)
    return waiting


def _not_coordinator(leader_id: int | None) -> RequestError:
    hint = "" if leader_id is None else f"; node {leader_id} is"
    return RequestError(error_codes.NOT_COORDINATOR, f"this node does not coordinate groups{hint}")


def _not_written(code: int) -> RequestError:
    """What is told of records that the quorum did not take, or not in time: ask again."""
    if code == error_codes.NOT_LEADER_OR_FOLLOWER:
        return _not_coordinator(None)
    if code == error_codes.RECORD_LIST_TOO_LARGE:
        return RequestError(error_codes.UNKNOWN_SERVER_ERROR, "this does not fit one batch")
    return RequestError(
        error_codes.COORDINATOR_NOT_AVAILABLE, "the change was not committed in time"
    )


Handler = Callable[[GroupCore, Any, Breath], None]

_HANDLERS: Final[dict[type, Handler]] = {
    BatchCommitted: GroupCore._batch_committed,
    SnapshotLoaded: GroupCore._snapshot_loaded,
    BecameActive: GroupCore._became_active,
    BecameInactive: GroupCore._became_inactive,
    CommandArrived: GroupCore._command_arrived,
    AppendPlaced: GroupCore._append_placed,
    BatchEnded: GroupCore._batch_ended,
    AppendRefused: GroupCore._append_refused,
    HighWatermark: GroupCore._high_watermark,
    TimePassed: GroupCore._time_passed,
}
