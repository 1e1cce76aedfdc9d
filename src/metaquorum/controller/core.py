"""The controller: commands in, records and replies out.

``step`` takes one event, the time and the log, and says what to do. On the node that leads, a
command is planned on the live state, uncommitted effects included; its records are appended and
replayed in the same step; its reply waits until they are committed. A change of many records is
made in turns, and other events are handled between two of them. On every other node committed
batches are replayed as they come. Losing the leadership takes back whatever is not committed.

No clock, chance, disk or task in here, and no table is written but by replaying records.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Final

from attrs import define, field, frozen

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.errors import InvariantViolated, RequestError, UnexpectedError
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import MAX_RECORDS_PER_BATCH, UNCOMMITTED_TURN_RECORDS_MAX
from metaquorum.base.offsets import Offset
from metaquorum.controller.activation import plan_activation
from metaquorum.controller.agenda import Agenda, Work
from metaquorum.controller.commands import REPEATED, BrokerHeartbeat
from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.contacts import BrokerContacts
from metaquorum.controller.context import PlanContext
from metaquorum.controller.effects import Effect, Failed, Reply, Resign
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
from metaquorum.controller.log import Log, Refused
from metaquorum.controller.operations import Operations
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.controller.pending import PendingReply
from metaquorum.controller.periodic import ROUNDS, intervals_ms, round_of
from metaquorum.controller.plans import PLANS
from metaquorum.controller.refusals import error_of, in_doubt, not_controller
from metaquorum.controller.replicated import Replicated, Term
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.versions import NO_OP_FROM
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:
    from metaquorum.metadata.token_keys import TokenHmacs

_NO_OP_TYPE: Final = 20


@frozen
class ChangeInTurns:
    """A change that is being written. ``id`` is None where nobody waits for it.

    ``work`` is the kind that is planned anew when the change is over. ``is_repeated`` as in
    ``PendingReply``.
    """

    id: CommandId | None
    deadline_ms: Millis
    turns: Turns
    leaving: frozenset[NodeId]
    work: Work | None = None
    is_repeated: bool = False


@define
class ActiveTerm(Term):
    """One epoch as the active controller. Commands wait outside until ``is_ready``.

    ``changes`` take one turn each in the order in which they stand, then go to the end. The next
    turn waits while UNCOMMITTED_TURN_RECORDS_MAX of what turns wrote, up to ``turn_end``, are not
    committed: others' commands rest on them, and would wait for the disk to catch up.
    """

    contacts: BrokerContacts
    is_ready: bool = False
    agenda: Agenda = field(factory=Agenda)
    changes: deque[ChangeInTurns] = field(factory=deque)
    turn_end: Offset = 0

    @property
    def deadline(self) -> Millis:
        """When there is something to do, should nobody ask for anything."""
        return min(self.agenda.next_ms, self.contacts.next_check_ms) if self.is_ready else NEVER


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
        self.operations = Operations()
        self._bootstrap_records = tuple(bootstrap_records)
        self._token_hmacs = _hmacs_under(config.token_secret)

    @property
    def is_active(self) -> bool:
        """Whether this node leads and has written what an active controller writes first."""
        return self._term is not None and self._term.is_ready

    @property
    def deadline(self) -> Millis:
        """When ``TimePassed`` is due, should nothing happen sooner."""
        term, due = self._term, self._pending.deadline
        return due if term is None else min(due, term.deadline)

    def silences_ms(self, now: Millis) -> dict[NodeId, Millis]:
        """How long ago each broker in service was in contact; of nobody on a standby."""
        if self._term is None:
            return {}
        brokers = self.state.live().brokers
        return {
            one: silence_ms
            for one, silence_ms in self._term.contacts.silences_ms(now).items()
            if (broker := brokers.get(one)) is not None and not broker.fenced
        }

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
        contacts = BrokerContacts(self.config.broker_session_timeout_ms)
        self._term = ActiveTerm(event.epoch, event.log_end, contacts)
        outcome = plan_activation(self.state, self._bootstrap_records, self.config)
        if outcome.records:
            refused = self._write(outcome)
            if refused is not None:
                self._activation_refused(refused, len(outcome.records), self._term, out)
                return
        self._ready(self._term, now)

    def _became_inactive(self, event: BecameInactive, now: Millis, out: list[Effect]) -> None:
        term, self._term = self._term, None
        if term is None:
            return
        for change in term.changes:
            change.turns.close()
            if change.id is not None:
                out.append(Reply(change.id, in_doubt(change.is_repeated, event.leader_id)))
        for pending in self._pending.drained():
            out.append(Reply(pending.id, in_doubt(pending.is_repeated, event.leader_id)))
        self.state.revert_to_stable()

    def _ready(self, term: ActiveTerm, now: Millis) -> None:
        term.is_ready = True
        if self.config.max_idle_interval_ms > 0:
            term.agenda.plan(Work.NO_OP, now + self.config.max_idle_interval_ms)
        for work, interval_ms in intervals_ms(self.config).items():
            term.agenda.plan(work, now + interval_ms)
        if self.state.live().partition_counts.offline:
            # A change in turns of the controller before may have come to an end in the middle.
            term.agenda.plan(Work.OFFLINE_ELECTIONS, now)
        for broker_id, broker in self.state.live().brokers.items():
            if not broker.fenced:  # it had no chance yet to be heard by this controller
                term.contacts.heard_from(broker_id, broker.epoch, now)

    # Commands.

    def _command_arrived(self, event: CommandArrived, now: Millis, out: list[Effect]) -> None:
        term = self._term
        if term is not None and isinstance(event.command, BrokerHeartbeat):
            self._heard_from(event.command, term, now)
        self.operations.started += 1
        refusal = self._refusal(event, term, now)
        if refusal is not None or term is None:
            out.append(Reply(event.id, refusal or not_controller(None)))
            return
        try:
            outcome = PLANS[type(event.command)](self._context(term, now), event.command)
            if isinstance(outcome, InTurns):
                self._begin_turns(
                    *(event.id, event.deadline_ms, outcome, term, now, out),
                    is_repeated=type(event.command) in REPEATED,
                )
                return
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
                out.append(Reply(event.id, error_of(refused)))
                return
        elif not self.state.has_uncommitted or (
            outcome.rests_on is not None and outcome.rests_on <= self.state.stable_offset
        ):
            out.append(Reply(event.id, outcome.reply))
            return
        # It waits for its own records, or for what is not committed yet that it may rest on.
        is_repeated = type(event.command) in REPEATED
        waiting = PendingReply(self.state.end_offset, event.id, outcome.reply, is_repeated)
        self._pending.file(waiting, event.deadline_ms)

    def _context(self, term: ActiveTerm, now: Millis) -> PlanContext:
        return PlanContext(
            *(self.state.live(), self._log.next_offset, now, self.config, term.contacts),
            *(self._wall_ms, self._token_hmacs),
        )

    def _refusal(
        self, event: CommandArrived, term: ActiveTerm | None, now: Millis
    ) -> RequestError | None:
        if term is None or not term.is_ready:
            return not_controller(None)
        if event.deadline_ms <= now:
            self.operations.timed_out += 1
            self.operations.heartbeats_timed_out += isinstance(event.command, BrokerHeartbeat)
            return RequestError(error_codes.REQUEST_TIMED_OUT, "the deadline had passed on arrival")
        if not self._pending.has_room(len(term.changes) + 1):
            return RequestError(
                error_codes.THROTTLING_QUOTA_EXCEEDED,
                f"{self.config.pending_replies_max} changes wait to be committed; try again later",
            )
        return None

    # Sessions of brokers.

    def _heard_from(self, command: BrokerHeartbeat, term: ActiveTerm, now: Millis) -> None:
        """A heartbeat counts as contact even if it is too late to be answered (KAFKA-15019)."""
        request = command.request
        broker = self.state.live().brokers.get(request.broker_id)
        if broker is not None and broker.epoch == request.broker_epoch:
            term.contacts.heard_from(
                *(broker.broker_id, broker.epoch, now, request.current_metadata_offset),
                map(bytes, request.offline_log_dirs),
            )

    def _check_session(self, term: ActiveTerm, now: Millis, out: list[Effect]) -> None:
        """Fence the broker that was silent for longest, if that was too long.

        One in a step: the next one is fenced on the state that this leaves (KAFKA-13173).
        """
        found = term.contacts.first_to_check(now)
        if found is None:
            return
        broker_id, session = found
        broker = self.state.live().brokers.get(broker_id)
        if broker is None or broker.epoch != session.epoch or broker.fenced:
            term.contacts.forget(broker_id)
        elif not term.contacts.is_leaving(broker_id):
            from metaquorum.controller.managers.heartbeats import fence_in_turns

            fencing = fence_in_turns(self._context(term, now), broker)
            self._begin_turns(None, NEVER, fencing, term, now, out)

    def _begin_rounds(self, term: ActiveTerm, now: Millis, out: list[Effect]) -> None:
        for work in ROUNDS:
            if term.agenda.is_due(work, now):
                term.agenda.plan(work, NEVER)  # until this round is over
                begun = round_of(work, self._context(term, now))
                self._begin_turns(None, NEVER, begun, term, now, out, work)

    # Changes in turns.

    def _begin_turns(
        self,
        asker: CommandId | None,
        deadline_ms: Millis,
        outcome: InTurns,
        term: ActiveTerm,
        now: Millis,
        out: list[Effect],
        work: Work | None = None,
        *,
        is_repeated: bool = False,
    ) -> None:
        """Take the first turn of a change now; the others follow as time passes."""
        for broker_id in outcome.leaving:
            term.contacts.began_to_leave(broker_id)
        change = ChangeInTurns(
            asker, deadline_ms, outcome.turns, outcome.leaving, work, is_repeated
        )
        self._take_turn(change, term, now, out)

    def _take_turn(
        self, change: ChangeInTurns, term: ActiveTerm, now: Millis, out: list[Effect]
    ) -> None:
        self.operations.started += 1
        reply: object | RequestError
        try:
            records = next(change.turns)
        except StopIteration as end:
            reply = end.value
        except RequestError as error:
            reply = error
        except InvariantViolated:
            raise
        except Exception as error:  # a turn only reads; earlier ones are written and stay
            reply = UnexpectedError(error)
        else:
            refused = self._write(Outcome(tuple(records))) if records else None
            if refused is None:
                term.changes.append(change)
                if records:
                    term.turn_end = self.state.end_offset
                self._plan_turn(term, now)
                return
            change.turns.close()
            reply = error_of(refused)
        self._turns_are_over(change, reply, term, now, out)

    def _plan_turn(self, term: ActiveTerm, now: Millis) -> None:
        """The next turn is due now, unless it has to wait for a commit, or there is none."""
        uncommitted = term.turn_end - self.state.stable_offset
        may_go_on = term.changes and uncommitted < UNCOMMITTED_TURN_RECORDS_MAX
        term.agenda.plan(Work.TURN, now if may_go_on else NEVER)

    def _turns_are_over(
        self,
        change: ChangeInTurns,
        reply: object | RequestError,
        term: ActiveTerm,
        now: Millis,
        out: list[Effect],
    ) -> None:
        interval_ms = None if change.work is None else intervals_ms(self.config).get(change.work)
        if change.work is not None and interval_ms is not None:
            term.agenda.plan(change.work, now + interval_ms)
        self._plan_turn(term, now)
        is_whole = not isinstance(reply, RequestError)
        for broker_id in change.leaving:
            term.contacts.has_left(broker_id, self.state.end_offset - 1, is_whole=is_whole)
        if change.id is None:
            if isinstance(reply, UnexpectedError):
                out.append(Failed(reply))
        elif self.state.has_uncommitted:
            waiting = PendingReply(self.state.end_offset, change.id, reply, change.is_repeated)
            self._pending.file(waiting, change.deadline_ms)
        else:
            out.append(Reply(change.id, reply))

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
        if self._term.changes:
            self._plan_turn(self._term, now)

    def _time_passed(self, event: TimePassed, now: Millis, out: list[Effect]) -> None:
        for pending in self._pending.expired(now):
            error = RequestError(
                error_codes.REQUEST_TIMED_OUT,
                "the change is in the log, but was not committed in time; it may still be",
            )
            out.append(Reply(pending.id, error))
        term = self._term
        if term is None or not term.is_ready:
            return
        if term.changes and term.agenda.is_due(Work.TURN, now):
            self._take_turn(term.changes.popleft(), term, now, out)
        self._check_session(term, now, out)
        self._begin_rounds(term, now, out)
        if term.agenda.is_due(Work.NO_OP, now):
            term.agenda.plan(Work.NO_OP, now + self.config.max_idle_interval_ms)
            if self.state.live().features.metadata_version >= NO_OP_FROM:
                refused = self._write(Outcome((_no_op(),)))
                if refused is not None and refused.cause is not None:
                    out.append(Failed(refused.cause))


def _hmacs_under(secret: bytes | None) -> TokenHmacs | None:
    if secret is None:
        return None
    from metaquorum.metadata.token_keys import TokenHmacs

    return TokenHmacs(secret)


def _check_size(outcome: Outcome) -> None:
    """A change of a user must fit one batch (KAFKA-14996)."""
    if len(outcome.records) > MAX_RECORDS_PER_BATCH:
        raise RequestError(
            error_codes.POLICY_VIOLATION,
            f"this needs {len(outcome.records)} records, "
            f"one request may write at most {MAX_RECORDS_PER_BATCH}",
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
