"""The loop of a node: events in, one synchronous step, effects out.

The replica and its state machine are stepped in one synchronous call: the machine must know the
offsets of its records before it plans again. Decision 005 says why this is no task. What the
replica's effects mean for the machine is its next event, after all of those effects (218).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from time import perf_counter

import trio
from attrs import define, field

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.base.limits import TURN_MS, WAKES_PER_TURN
from metaquorum.base.offsets import LeaderAndEpoch, Offset
from metaquorum.controller import effects as controller_effects
from metaquorum.controller import events as controller_events
from metaquorum.controller.events import BatchCommitted, BatchEnded
from metaquorum.quorum import effects, events
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.handlers.replication.fetch import can_skip_step, look
from metaquorum.quorum.messages import FetchRequest, Request, Response
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.types import SnapshotId
from metaquorum.runtime.disk.log_lane import LogLane
from metaquorum.runtime.disk.tail import Tail, TailBatch
from metaquorum.runtime.driver.appends import Appends
from metaquorum.runtime.driver.machine import AnyCommand, AnyReply, EntryOf, StateMachine
from metaquorum.runtime.driver.measures import DriverStatistics, Measures
from metaquorum.runtime.driver.ports import Listeners, Ports
from metaquorum.runtime.driver.watermark import OVERDUE, Watermark
from metaquorum.runtime.loop.inbox import E, Inbox, Step, overloaded
from metaquorum.runtime.loop.poller import Poller, TaskPoller
from metaquorum.runtime.loop.promise import Promise, resolved
from metaquorum.runtime.loop.timer import Timer


@define(eq=False)
class Driver:
    """Steps the two cores and carries out what they ask for.

    The disk begins when a step is over, and a follower applies what is committed when the disk
    has nothing to do: the leader waits for both, and for the disk first.

    Everything here runs on the event loop's thread. ``make_ports`` is called once, by the
    constructor, with the driver that its parts are to report to.
    """

    replica: Replica
    controller: StateMachine
    clock: Clock
    tail: Tail
    entry_of: EntryOf
    make_ports: Callable[[Driver], Ports]
    listeners: Listeners = field(factory=Listeners)
    poller: Poller = field(factory=TaskPoller)
    watermark: Watermark = field(init=False)
    ports: Ports = field(init=False)
    lane: LogLane = field(init=False)
    gate: DurabilityGate = field(factory=DurabilityGate)
    inbox: Inbox = field(factory=Inbox)
    measures: Measures = field(factory=Measures)
    leader: LeaderAndEpoch = field(default=LeaderAndEpoch(None, 0))
    active_from: Offset | None = None
    active: bool = False
    next_to_apply: Offset = 0
    shutdown_done: trio.Event = field(factory=trio.Event)
    work_to_apply: trio.Event = field(factory=trio.Event)
    _stepping: bool = False
    _stepped_ms: Millis = 0
    _ids: int = 0
    _answers: dict[int, tuple[Promise[Response], bool]] = field(factory=dict)
    _deferred_replies: deque[tuple[Promise[Response], Response]] = field(factory=deque)
    _replies_this_step: int = 0
    _replies: dict[Hashable, Promise[AnyReply]] = field(factory=dict)
    _installs: list[tuple[int, SnapshotId]] = field(factory=list)
    _next: deque[tuple[Step, object]] = field(factory=deque)
    _apply_due: bool = False
    _timer: Timer = field(init=False)
    _appends: Appends = field(init=False)
    _wall_ms: Millis = 0
    _busy_s: float = 0.0
    _reply_gone: trio.Event = field(factory=trio.Event)

    def __attrs_post_init__(self) -> None:
        self._timer = Timer(lambda: self.deadline, self._time_has_come)
        self.watermark = Watermark(on_sooner=self._timer.reschedule)
        self._appends = Appends(self, self.entry_of)
        self.ports = self.make_ports(self)
        self.lane = self.ports.lane

    # --- what the rest of the node may ask -------------------------------------------------

    def post(self, event: events.Event) -> None:
        """Something happened that concerns the replica."""
        if self._stepping:
            self.inbox.put_fact(self.step_replica, event)
        else:
            self._run_to_completion(self.step_replica, event)

    def post_to_controller(self, event: controller_events.Event) -> None:
        """Something happened that concerns the controller."""
        if self._stepping:
            self.inbox.put_fact(self.step_controller, event)
        else:
            self._run_to_completion(self.step_controller, event)

    def ask_quorum(self, message: Request, source: str = "") -> Promise[Response]:
        """Put a request of the quorum to the replica; the promise is its core answer.

        ``source`` is the asker's address, for the log.
        """
        if type(message) is FetchRequest:
            seen = self.look(message, self.clock.now_ms())
            if seen is not None:
                return seen if isinstance(seen, Promise) else resolved(seen)
        return self.step_request(message, source)

    def step_request(self, message: Request, source: str) -> Promise[Response]:
        """The same of a question that ``look`` has no answer to."""
        self._ids += 1
        request_id = self._ids
        promise: Promise[Response] = Promise()
        event = events.RequestArrived(request_id, message, source, self._appends.in_batch)
        if self._stepping and not self.inbox.put_question(self.step_replica, event):
            promise.fail(overloaded())
            return promise
        self._answers[request_id] = (promise, self._is_of_observer(message))
        if not self._stepping:
            self._run_to_completion(self.step_replica, event)
        if not promise.done:
            promise.on_cancel(lambda: self._quorum_request_gone(request_id))
        return promise

    def look(self, message: FetchRequest, now: Millis) -> Response | Promise[Response] | None:
        """An observer's answer or a promise of it; None if a step or the disk has a part in it."""
        replica = self.replica
        if self._stepping or not can_skip_step(replica, message):
            return None
        if not self.gate.lets_pass(replica.election_ticket):
            return None
        self._ids += 1
        request_id = self._ids
        answer = look(replica, request_id, message, now)
        if answer is not None:
            return answer
        promise: Promise[Response] = Promise()
        self._answers[request_id] = (promise, True)
        promise.on_cancel(lambda: self._quorum_request_gone(request_id))
        self._timer.reschedule()
        return promise

    def ask_controller(self, command: AnyCommand, deadline_ms: Millis) -> Promise[AnyReply]:
        """Put a command to the controller; the promise is its reply, once committed."""
        self._ids += 1
        request_id = self._ids
        promise: Promise[AnyReply] = Promise()
        event = controller_events.CommandArrived(request_id, command, deadline_ms)
        step = self.measures.waiting(self.step_controller, self.clock, waits=self._stepping)
        if self._stepping and not self.inbox.put_question(step, event):
            promise.fail(overloaded())
            return promise
        self._replies[request_id] = promise
        if self._appends.clients_expected_back:
            self._appends.clients_expected_back -= 1
        if not self._stepping:
            self._run_to_completion(self.step_controller, event)
        if not promise.done:
            promise.on_cancel(lambda: self._forget_reply(request_id))
        return promise

    def begin_batch(self) -> None:
        """Several questions follow at once, and count as asked now: what they append goes into
        one batch and goes to the followers together.

        One round to the disks and back then carries all of them. ``flush_batch`` ends it.
        """
        self._appends.in_batch = True
        self._stepped_ms, self._wall_ms = self.clock.now_ms(), self.clock.wall_ms()

    @property
    def expects_more(self) -> bool:
        """Whether what was gathered can take along commands that are about to come: those of
        clients that were answered a moment ago.
        """
        return self._appends.clients_expected_back > 0 and self._appends.owes

    def flush_batch(self) -> bool:
        """Those questions were put; whether there was anything to tell."""
        appends = self._appends
        owed, appends.in_batch = appends.owes, False
        if owed:
            appends.more_follow, appends.clients_expected_back = False, 0
            if appends.open is not None:
                self._run_to_completion(appends.close, None)
            else:
                self.post(events.AppendsPaused())
        else:
            self.lane.begin()
            if self._busy_s:
                self._note_busy()
        return owed

    def became_durable(self, ticket: int) -> None:
        """The lane has written and synced everything up to ``ticket``."""
        self.tail.written(ticket)
        if self._stepping:
            self.inbox.put_fact(self._step_durable, ticket)
        else:
            self._run_to_completion(self._step_durable, ticket)

    def disk_failed(self, ticket: int, why: str) -> None:
        """The lane could not make an effect durable; the core will answer with Halt."""
        self.post(events.DiskFailed(ticket, why))

    # --- one step ------------------------------------------------------------------------

    def _run_to_completion(self, step: Callable[[E], None], event: E) -> None:
        """Take one event, then what follows from it, then whatever came in meanwhile."""
        self._stepping = True
        self._replies_this_step = 0
        following, waiting, began = self._next, self.inbox.waiting, perf_counter()
        try:
            step(event)
            while following or waiting:
                next_step, next_event = (following or waiting).popleft()
                next_step(next_event)
        except InvariantViolated:
            raise
        except Exception as error:  # not a fault of the request that was served
            raise InvariantViolated(f"a step of the node failed: {type(error).__name__}") from error
        finally:
            self._stepping = False
        self._busy_s += perf_counter() - began
        if not self._appends.in_batch:
            self.lane.begin()
            self._note_busy()
        if self._apply_due and self.replica.last_ticket == self.gate.durable_ticket:
            self._apply_due = False
            if not self.ports.apply_inline():
                self.work_to_apply.set()

    def _note_busy(self) -> None:
        """After a step, or all those of one batch."""
        self.measures.busy.record(self._busy_s * 1_000, self._stepped_ms)
        self._busy_s = 0.0
        self._timer.reschedule()

    def _step_durable(self, ticket: int) -> None:
        if self._appends.open is not None:
            self._appends.close()
        for effect in self.gate.durable(ticket):
            self._act(effect)
        self.step_replica(events.Durable(ticket))
        while self._installs and self._installs[0][0] <= ticket:
            self.ports.settle_install(self._installs.pop(0)[1])

    def step_replica(self, event: events.Event) -> None:
        if self._appends.open is not None:
            self._appends.close()
        now = self._stepped_ms = self.clock.now_ms()
        effects = self.replica.step(event, now)
        if effects:
            for effect in self.gate.hold(effects):
                self._act(effect)
        if (role := self.replica.role.name) != self.measures.role:
            self.measures.role_is(role, now)

    def step_controller(self, event: controller_events.Event) -> None:
        appends = self._appends
        if not appends.in_batch:
            self._stepped_ms, self._wall_ms = self.clock.now_ms(), self.clock.wall_ms()
        began_s = perf_counter()
        if type(event) is BatchCommitted or type(event) is BatchEnded:
            appends.replayed_since_s = began_s
        output = self.controller.step(event, self._stepped_ms, self._wall_ms, appends)
        self.measures.event_ms.record((perf_counter() - began_s) * 1_000)
        if appends.replayed_since_s:
            self.measures.replay_s += perf_counter() - appends.replayed_since_s
            appends.replayed_since_s = 0.0
            if appends.open is None:
                self.measures.replayed()
        for effect in output:
            if isinstance(effect, controller_effects.Reply):
                self._reply(effect)
            elif isinstance(effect, controller_effects.Failed):
                for tell in self.listeners.failed:
                    tell(effect.cause)
            elif isinstance(effect, controller_effects.Resign):
                self.inbox.put_fact(self.step_replica, events.ResignAsked(effect.epoch, effect.why))
            else:
                raise InvariantViolated(f"unhandled controller effect {type(effect).__name__}")

    # --- effects of the replica ------------------------------------------------------------

    def _act(self, effect: effects.Effect) -> None:
        match effect:  # the most frequent first
            case effects.Send():
                self.ports.send(effect)
            case effects.Answer():
                if effect.id in self._answers:
                    self._answer(*self._answers.pop(effect.id), effect.message)
            case effects.AppendBatches():
                self._accepted(effect)
            case effects.Committed():
                self._committed(effect.high_watermark)
            case effects.TruncateLog():
                # While the records that they name are there.
                self._send_deferred(len(self._deferred_replies))
                self.tail.truncate(effect.to)
                for tell in self.listeners.cut:
                    tell(effect.to)
                self.lane.submit(effect)
            case effects.SaveElection() | effects.WriteSnapshotPart() | effects.DropPrefix():
                self.lane.submit(effect)
            case effects.InstallSnapshot():
                self._send_deferred(len(self._deferred_replies))
                self.tail.truncate(0)
                self._installs.append((effect.ticket, effect.snapshot))
                self.lane.submit(effect)
            case effects.LeaderChanged():
                self._leader_changed(effect)
            case effects.Appended() | effects.AppendDropped():
                self._appends.result(effect)
            case effects.RoleChanged() | effects.Complaint():
                self.notice(effect)
            case effects.MeasureLog():
                self.post(events.LogMeasured(self.ports.measure_log()))
            case effects.ShutdownDone():
                self.shutdown_done.set()
            case effects.Halt():
                raise InvariantViolated(effect.why)
            case _:
                raise InvariantViolated(f"unhandled replica effect {type(effect).__name__}")

    def _is_of_observer(self, message: Request) -> bool:
        """Whether it is a fetch of a replica without a vote, of which there may be hundreds."""
        if not isinstance(message, FetchRequest):
            return False
        return not self.replica.voters.latest.is_voter(message.replica)

    def _answer(self, promise: Promise[Response], of_observer: bool, message: Response) -> None:
        """Complete a promise; but one step tells only so many observers, the others follow.

        Each of them costs an encoding and a send, and commands and votes would wait for
        all of them.
        """
        if not of_observer or self._replies_this_step < WAKES_PER_TURN:
            self._replies_this_step += of_observer
            promise.complete(message)
        else:
            self._deferred_replies.append((promise, message))

    def _send_deferred(self, most: int) -> None:
        for _ in range(min(most, len(self._deferred_replies))):
            promise, message = self._deferred_replies.popleft()
            promise.complete(message)

    def _accepted(self, append: effects.AppendBatches) -> None:
        leading, now = self.replica.leader_id == self.replica.config.node_id, self.clock.now_ms()
        for batch in append.batches:
            payload = batch.payload
            assert isinstance(payload, bytes)
            self.tail.add(TailBatch(append.ticket, batch.base_offset, batch.next_offset, payload))
            self.measures.appended(batch.next_offset, batch.record_count, leading=leading, now=now)
        self.lane.submit(append)

    def _committed(self, high_watermark: Offset) -> None:
        self.measures.committed(high_watermark, self.clock.now_ms())
        if self.active:
            self.next_to_apply = high_watermark
            self._next.append((self._commit_active, high_watermark))
        else:
            self._apply_due = True
            self._next.append((self._commit, high_watermark))

    def _commit_active(self, high_watermark: Offset) -> None:
        self.step_controller(controller_events.HighWatermark(high_watermark))
        self.state_moved()
        self.watermark.advance(high_watermark, self._stepped_ms)

    def _commit(self, high_watermark: Offset) -> None:
        self.watermark.advance(high_watermark, self._stepped_ms)

    def _leader_changed(self, change: effects.LeaderChanged) -> None:
        self.leader, self.active_from = change.leader, change.active_from
        if self.active:
            self.active = False
            event = controller_events.BecameInactive(change.leader.epoch, change.leader.leader_id)
            self._next.append((self._deactivate, event))
        self.work_to_apply.set()
        for tell in self.listeners.leader:
            tell(change.leader)

    def _deactivate(self, event: controller_events.BecameInactive) -> None:
        self.step_controller(event)
        # An append in several batches, or an open transaction, may be committed in part: the
        # controller then wants it again from its beginning.
        self.next_to_apply = min(self.next_to_apply, self.controller.next_offset)

    def state_moved(self) -> None:
        """The committed state is another: tell the listeners."""
        for tell in self.listeners.state_moved:
            tell()

    def notice(self, notice: effects.RoleChanged | effects.Complaint) -> None:
        """Something happened that people should read of: tell the listeners."""
        for tell in self.listeners.notice:
            tell(notice)

    # --- effects of the controller ---------------------------------------------------------

    def _reply(self, effect: controller_effects.Reply) -> None:
        promise = self._replies.pop(effect.id, None)
        if promise is None:
            return
        self._appends.clients_expected_back += 1
        if not self._replies:
            self._reply_gone.set()
        if isinstance(effect.response, RequestError):
            promise.fail(effect.response)
        else:
            promise.complete(effect.response)

    def _quorum_request_gone(self, request_id: int) -> None:
        if self._answers.pop(request_id, None) is not None:
            self.post(events.RequestGone(request_id))

    def _forget_reply(self, request_id: int) -> None:
        self._replies.pop(request_id, None)
        if not self._replies:
            self._reply_gone.set()

    # --- time ------------------------------------------------------------------------------

    @property
    def deadline(self) -> Millis:
        """When something here is to be done, if nothing happens sooner."""
        if self._deferred_replies:
            return OVERDUE
        due = self.replica.deadline
        if (other := self.controller.deadline) < due:
            due = other
        if (other := self.lane.tidy_at_ms) < due:
            due = other
        return other if (other := self.watermark.deadline) < due else due

    async def keep_time(self) -> None:
        """Tell the cores when their deadlines pass; the driver's only task."""
        self._timer.reschedule()
        await self.poller.watch_timer(self._timer)

    def _time_has_come(self) -> None:
        now = self.clock.now_ms()
        if self.replica.deadline <= now:
            self.post(events.TimePassed())
        if self.controller.deadline <= now:
            self.post_to_controller(controller_events.TimePassed())
        if self.lane.tidy_at_ms <= now:
            self.lane.tidy()
        self._wake_waiting(now)

    def _wake_waiting(self, now: Millis) -> None:
        """Tell those who wait what they wait for, a few at a time, for as long as a turn is: a
        fixed number would let them wait the longer the more others fetch meanwhile.
        """
        ends = now + TURN_MS
        while True:
            self.watermark.expire(now)
            self._send_deferred(WAKES_PER_TURN)
            waits = self._deferred_replies or self.watermark.deadline <= now
            if not waits or self.clock.now_ms() >= ends:
                return

    async def all_replied(self) -> None:
        """Return when no command waits for its reply."""
        while self._replies:
            self._reply_gone = trio.Event()
            await self._reply_gone.wait()

    def activate(self, log_end: Offset) -> None:
        """Everything up to our LeaderChange is applied: the controller may take over."""
        self.active = True
        self.post_to_controller(controller_events.BecameActive(self.leader.epoch, log_end))

    def statistics(self) -> DriverStatistics:
        """Queues and promises, for the metrics."""
        return {
            "inbox": self.inbox.statistics(),
            "gate": self.gate.statistics(),
            "open_answers": len(self._answers),
            "open_replies": len(self._replies),
            "tail_bytes": self.tail.size_bytes,
        }
