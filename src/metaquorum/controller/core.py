"""The controller: commands in, records and replies out.

``step`` takes one event, the time and the log, and says what to do. On the node that leads, a
command is planned on the live state, uncommitted effects included; its records are appended and
replayed in the same step; its reply waits until they are committed. On every other node committed
batches are replayed as they come. Losing the leadership takes back whatever is not committed.

No clock, chance, disk or task in here, and no table is written but by replaying records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import define

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated, RequestError, UnexpectedError
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH
from metaquorum.controller.activation import plan_activation
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.effects import Effect, Failed, Reply, Resign
from metaquorum.controller.events import (
    BatchCommitted,
    BatchEnded,
    BecameActive,
    BecameInactive,
    CommandArrived,
    Event,
    HighWatermark,
    SnapshotLoaded,
    TimePassed,
)
from metaquorum.controller.log import Log, Refused
from metaquorum.controller.outcome import Outcome
from metaquorum.controller.pending import PendingReply
from metaquorum.controller.plans import PLANS
from metaquorum.controller.replicated import Replicated, Term
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.versions import NO_OP_FROM
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes

_NO_OP_TYPE: Final = 20


@define
class ActiveTerm(Term):
    """One epoch as the active controller. Commands wait outside until ``is_ready``."""

    is_ready: bool = False
    next_no_op_ms: Millis = NEVER


class ControllerCore(Replicated[MetadataState, ActiveTerm]):
    """One controller. ``bootstrap_records`` are what format put into the zero checkpoint."""

    _name = "controller"
    _wall_ms: int
    _log: Log  # both of the step that is being taken

    def __init__(
        self, config: ControllerConfig, bootstrap_records: Sequence[MetadataRecord]
    ) -> None:
        super().__init__(
            MetadataState(count_changes=config.count_changes), config.pending_replies_max
        )
        self.config = config
        self._bootstrap_records = tuple(bootstrap_records)

    @property
    def is_active(self) -> bool:
        """Whether this node leads and has written what an active controller writes first."""
        return self._term is not None and self._term.is_ready

    @property
    def deadline(self) -> Millis:
        """When ``TimePassed`` is due, should nothing happen sooner."""
        term, due = self._term, self._pending.deadline
        return due if term is None or due < term.next_no_op_ms else term.next_no_op_ms

    def committed(self) -> StateView:
        """What may be shown; good until the next step."""
        return self.state.committed()

    def statistics(self) -> dict[str, int]:
        """How much waits, and how much of the past is kept."""
        waiting = {f"pending_{name}": value for name, value in self._pending.statistics().items()}
        return {**waiting, **self.state.statistics()}

    def step(self, event: Event, now: Millis, wall_ms: int, log: Log) -> list[Effect]:
        """What ``event`` leads to; ``log`` takes the records.

        InvariantViolated: the log or the host breaks the rules.
        """
        handler = _HANDLERS.get(type(event))
        if handler is None or self._is_appending:
            raise self._refused(event)
        self._wall_ms, self._log = wall_ms, log
        effects: list[Effect] = []
        handler(self, event, now, effects)
        return effects

    # Replaying what is committed elsewhere.

    def _snapshot_loaded(self, event: SnapshotLoaded, now: Millis, out: list[Effect]) -> None:
        self._must_be_standby(event)
        self.state = event.state

    # Leading, and leading no more.

    def _became_active(self, event: BecameActive, now: Millis, out: list[Effect]) -> None:
        self._must_begin_at_end(event)
        self._term = ActiveTerm(event.epoch, event.log_end)
        outcome = plan_activation(self.state, self._bootstrap_records, self.config)
        if outcome.records:
            refused = self._write(outcome)
            if refused is not None:
                self._activation_refused(refused, len(outcome.records), self._term, out)
                return
        self._ready(self._term, now)

    def _became_inactive(self, event: BecameInactive, now: Millis, out: list[Effect]) -> None:
        if self._term is None:
            return
        self._term = None
        for pending in self._pending.drained():
            out.append(Reply(pending.id, _in_doubt(event.leader_id)))
        self.state.revert_to_stable()

    def _ready(self, term: ActiveTerm, now: Millis) -> None:
        term.is_ready = True
        if self.config.max_idle_interval_ms > 0:
            term.next_no_op_ms = now + self.config.max_idle_interval_ms

    # Commands.

    def _command_arrived(self, event: CommandArrived, now: Millis, out: list[Effect]) -> None:
        refusal = self._refusal(event, now)
        if refusal is not None:
            out.append(Reply(event.id, refusal))
            return
        try:
            outcome = PLANS[type(event.command)](self.state.live(), event.command)
            _check_size(outcome)
        except RequestError as error:
            out.append(Reply(event.id, error))
            return
        except InvariantViolated:
            raise
        except Exception as error:  # a plan only reads: nothing was changed
            out.append(Reply(event.id, UnexpectedError(error)))
            return
        if outcome.records:
            refused = self._write(outcome)
            if refused is not None:
                cause = refused.cause
                told = _not_written(refused.code) if cause is None else UnexpectedError(cause)
                out.append(Reply(event.id, told))
                return
        elif not self.state.has_uncommitted:
            out.append(Reply(event.id, outcome.reply))
            return
        # It waits for its own records, or for what is not committed yet that it may rest on.
        waiting = PendingReply(self.state.end_offset, event.id, outcome.reply)
        self._pending.file(waiting, event.deadline_ms)

    def _refusal(self, event: CommandArrived, now: Millis) -> RequestError | None:
        if not self.is_active:
            return _not_controller(None)
        if event.deadline_ms <= now:
            return RequestError(error_codes.REQUEST_TIMED_OUT, "the deadline had passed on arrival")
        if self._pending.is_full:
            return RequestError(
                error_codes.THROTTLING_QUOTA_EXCEEDED,
                f"{self.config.pending_replies_max} changes wait to be committed; try again later",
            )
        return None

    # Appending.

    def _write(self, outcome: Outcome) -> Refused | None:
        return self._append(
            self._log, outcome.records, atomic=outcome.atomic, timestamp_ms=self._wall_ms
        )

    def _activation_refused(
        self, refused: Refused, count: int, term: ActiveTerm, out: list[Effect]
    ) -> None:
        """The first records of the term were not written: another should lead, if this one does."""
        if refused.code == error_codes.NOT_LEADER_OR_FOLLOWER:
            if refused.cause is not None:
                out.append(Failed(refused.cause))
        elif refused.code == error_codes.RECORD_LIST_TOO_LARGE:
            raise InvariantViolated(f"the {count} first records of the log do not fit one batch")
        elif refused.cause is not None:
            raise InvariantViolated(
                "the first records of the log cannot be encoded"
            ) from refused.cause
        else:
            name = error_codes.NAMES.get(refused.code, str(refused.code))
            out.append(Resign(term.epoch, f"the first records were not written: {name}"))

    # Time and commits.

    def _high_watermark(self, event: HighWatermark, now: Millis, out: list[Effect]) -> None:
        if self._term is None:
            return
        self.state.commit(event.offset)
        for pending in self._pending.reached(self.state.stable_offset):
            out.append(Reply(pending.id, pending.reply))

    def _time_passed(self, event: TimePassed, now: Millis, out: list[Effect]) -> None:
        for pending in self._pending.expired(now):
            error = RequestError(
                error_codes.REQUEST_TIMED_OUT,
                "the change is in the log, but was not committed in time; it may still be",
            )
            out.append(Reply(pending.id, error))
        term = self._term
        if term is not None and term.next_no_op_ms <= now:
            term.next_no_op_ms = now + self.config.max_idle_interval_ms
            if self.state.live().features.metadata_version >= NO_OP_FROM:
                refused = self._write(Outcome((_no_op(),)))
                if refused is not None and refused.cause is not None:
                    out.append(Failed(refused.cause))


def _check_size(outcome: Outcome) -> None:
    """A change of a user must fit one batch (KAFKA-14996)."""
    if len(outcome.records) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"this needs {len(outcome.records)} records, "
            f"one request may write at most {MAX_RECORDS_PER_BATCH}",
        )


def _not_written(code: int) -> RequestError:
    """What the asker is told of an append that the quorum did not take."""
    if code == error_codes.NOT_LEADER_OR_FOLLOWER:
        return _not_controller(None)
    if code == error_codes.RECORD_LIST_TOO_LARGE:
        return RequestError(code, "the change needs more than one batch; ask for it in parts")
    return RequestError(code, "the change was not written")


def _not_controller(leader_id: int | None) -> RequestError:
    hint = "" if leader_id is None else f"; node {leader_id} is"
    return RequestError(error_codes.NOT_CONTROLLER, f"this node is not the active controller{hint}")


def _in_doubt(leader_id: int | None) -> RequestError:
    """Of a change that is in the log, and whose fate the next leader decides.

    Not NOT_CONTROLLER, which says that nothing was done and that it may be asked for elsewhere.
    """
    hint = "" if leader_id is None else f"; node {leader_id} leads now"
    return RequestError(
        error_codes.REQUEST_TIMED_OUT,
        f"leadership ended before the change was committed; it may still be{hint}",
    )


def _no_op() -> MetadataRecord:
    from metaquorum.wire.generated.records.no_op_record import NoOpRecord

    return MetadataRecord(_NO_OP_TYPE, 0, NoOpRecord())


Handler = Callable[[ControllerCore, Any, Millis, list[Effect]], None]

_HANDLERS: Final[dict[type, Handler]] = {
    BatchCommitted: ControllerCore._batch_committed,
    SnapshotLoaded: ControllerCore._snapshot_loaded,
    BecameActive: ControllerCore._became_active,
    BecameInactive: ControllerCore._became_inactive,
    CommandArrived: ControllerCore._command_arrived,
    BatchEnded: ControllerCore._batch_ended,
    HighWatermark: ControllerCore._high_watermark,
    TimePassed: ControllerCore._time_passed,
}
