"""The protocol of KIP-848: members send heartbeats, the coordinator assigns.

Behaviour
- A member joins with epoch 0 and gets its share with the first answers; an answer has an
  assignment only when it has changed, or the member sent everything anew.
- An epoch that is not the member's is FENCED_MEMBER_EPOCH, but for the one before while the answer
  with the new one may be lost.
- Epoch -1 leaves for good, -2 (static members) for now: its share waits for it until its session
  is over. Another process with the name of a static member that is there: UNRELEASED_INSTANCE_ID.
- A group of the classic protocol becomes one of these when nobody is in it, and the other way
  round. While a member is, it does not, whatever ``group.consumer.migration.policy`` says: what
  Kafka answers where the policy forbids it, GROUP_ID_NOT_FOUND.
- Patterns are matched here; topics come and go with nobody, so they are matched once.
"""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.errors import RequestError
from metaquorum.base.ids import uuid_text
from metaquorum.controller.events import CommandId
from metaquorum.groups.assignors import ASSIGNORS
from metaquorum.groups.commands import ConsumerHeartbeat
from metaquorum.groups.consumer_group import LEFT_FOR_NOW, ConsumerGroup, by_topic, pairs
from metaquorum.groups.context import Context
from metaquorum.groups.heartbeat_rules import JOINS, LEAVES
from metaquorum.groups.patterns import Pattern
from metaquorum.groups.reconciling import Holding, Partitions, Progress, reconcile
from metaquorum.groups.rows import record_of
from metaquorum.groups.step_output import StepOutput
from metaquorum.records.group_record import CONSUMER_GROUP, CONSUMER_MEMBER, CONSUMER_REGEX
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from metaquorum.wire.generated.consumer_group_heartbeat_response import (
    Assignment,
    ConsumerGroupHeartbeatResponse,
    TopicPartitions,
)
from metaquorum.wire.message import evolve

SESSION: Final = "consumer-session"
REVOCATION: Final = "consumer-revocation"


class ConsumerGroups:
    """All groups of KIP-848; what they are is in the log, only deadlines are not."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def open(self, output: StepOutput) -> None:
        """Everybody's deadlines begin anew."""
        for name in self.names():
            group = ConsumerGroup(self._context, name)
            for member_id in group.members():
                self._alive(output, name, member_id)
                self._watch_revocation(output, group, member_id, group.holding(member_id))

    def names(self) -> list[str]:
        """The groups that there are."""
        state = self._context.state
        return [name for name in state.group_ids() if self.find(name) is not None]

    def find(self, group_id: str) -> ConsumerGroup | None:
        """The group of that name; None if there is none, or a classic one."""
        if self._context.state.value(group_id, CONSUMER_GROUP) is None:
            return None
        return ConsumerGroup(self._context, group_id)

    # --- heartbeats ------------------------------------------------------------------------

    def heartbeat(self, id: CommandId, command: ConsumerHeartbeat, output: StepOutput) -> None:
        """ConsumerGroupHeartbeat; the request was checked, and the group is not classic."""
        request = command.request
        group = ConsumerGroup(self._context, request.group_id)
        if request.member_epoch <= LEAVES:
            self._leave(id, group, request, output)
            return
        is_joining = request.member_epoch == JOINS
        if not is_joining and self.find(group.id) is None:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND)
        member_id = request.member_id or uuid_text(self._context.draw())
        known = group.member(member_id)
        if known is None and group.count() >= self._context.config.consumer_max_size:
            raise RequestError(error_codes.GROUP_MAX_SIZE_REACHED)
        former = self._former(group, member_id, request)
        if known is None and not is_joining:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        owned = None if request.topic_partitions is None else pairs(request.topic_partitions)
        holding = group.holding(former or member_id)
        if former is not None:
            holding = Holding(0, 0, Progress.STABLE, holding.assigned | holding.revoking)
        elif known is not None:
            _check_epoch(request.member_epoch, holding, owned)
        self._update(id, command, group, member_id, former, holding, owned, output)

    def _former(
        self, group: ConsumerGroup, member_id: str, request: ConsumerGroupHeartbeatRequest
    ) -> str | None:
        """The static member that this one takes the place of, if it does."""
        if request.instance_id is None:
            return None
        holder = group.static_member(request.instance_id)
        if holder is None:
            if request.member_epoch != JOINS:
                raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
            return None
        if holder == member_id:
            return None
        if request.member_epoch != JOINS:
            raise RequestError(error_codes.FENCED_INSTANCE_ID)
        if group.holding(holder).epoch != LEFT_FOR_NOW:
            raise RequestError(error_codes.UNRELEASED_INSTANCE_ID)
        return holder

    def _update(
        self,
        id: CommandId,
        command: ConsumerHeartbeat,
        group: ConsumerGroup,
        member_id: str,
        former: str | None,
        holding: Holding,
        owned: Partitions | None,
        output: StepOutput,
    ) -> None:
        """Whatever the heartbeat changes, and its answer."""
        request = command.request
        before = group.member(former or member_id)
        sent = self._sent(command, before)
        if former is not None:
            output.records += group.removal(former)
            self._context.timers.cancel((SESSION, group.id, former))
        if sent != before or former is not None:
            output.records.append(group.member_record(member_id, sent))
        members = {one: row for one, row in group.members().items() if one != former}
        members[member_id] = sent
        epoch = group.epoch
        if self._reads_otherwise(group, command, member_id, sent, before, output):
            epoch += 1
            output.records.append(group.epoch_record(epoch))
        target = group.target(former or member_id)
        target_epoch = group.assignment_epoch
        if epoch > target_epoch:
            target_epoch = epoch
            target = self._assign(group, members, member_id, command, former, epoch, output)
        elif former is not None:
            output.records.append(group.target_record(member_id, target))
        before_holding = holding
        taken = group.taken(but_for=former or member_id)
        holding = reconcile(holding, target, target_epoch, owned, lambda one: one in taken)
        if holding != before_holding or before is None or former is not None:
            output.records.append(group.holding_record(member_id, holding))
        self._alive(output, group.id, member_id)
        self._watch_revocation(output, group, member_id, holding, sent)
        is_full = request.member_epoch == JOINS or (
            request.rebalance_timeout_ms != -1
            and request.topic_partitions is not None
            and (request.subscribed_topic_names is not None or bool(request.subscribed_topic_regex))
        )
        shown = is_full or holding.assigned != before_holding.assigned
        output.reply_once_committed(id, self._answer(member_id, holding, shown=shown))

    def _sent(self, command: ConsumerHeartbeat, before: Any) -> Any:
        """What the member says of itself, and said before where it says nothing now."""
        request = command.request
        fields: dict[str, Any] = {
            "client_id": command.client_id,
            "client_host": command.client_host,
        }
        for name in ("instance_id", "rack_id", "server_assignor", "subscribed_topic_names"):
            if (said := getattr(request, name)) is not None:
                fields[name] = said
        if "subscribed_topic_names" in fields:
            fields["subscribed_topic_names"] = sorted(set(fields["subscribed_topic_names"]))
        if request.subscribed_topic_regex is not None:
            fields["subscribed_topic_regex"] = request.subscribed_topic_regex
        if request.rebalance_timeout_ms != -1:
            fields["rebalance_timeout_ms"] = request.rebalance_timeout_ms
        if before is not None:
            return evolve(before, **fields)
        blank = record_of(
            CONSUMER_MEMBER,
            *("", ""),
            instance_id=None,
            rack_id=None,
            subscribed_topic_regex=None,
            server_assignor=None,
            classic_member_metadata=None,
        )
        return evolve(blank.value, **fields)

    def _reads_otherwise(
        self,
        group: ConsumerGroup,
        command: ConsumerHeartbeat,
        member_id: str,
        sent: Any,
        before: Any,
        output: StepOutput,
    ) -> bool:
        """Whether the member is new or reads something else; its pattern is matched if so."""
        regex, old = sent.subscribed_topic_regex, before and before.subscribed_topic_regex
        is_new_regex = regex != old
        if is_new_regex and old:
            output.records += group.regex_removal(member_id, old)
        if is_new_regex and regex:
            output.records.append(
                group.regex_record(regex, self._matched(command, regex), output.wall_ms)
            )
        if before is None:
            return True
        return bool(is_new_regex or sent.subscribed_topic_names != before.subscribed_topic_names)

    def _matched(self, command: ConsumerHeartbeat, regex: str) -> list[str]:
        pattern = Pattern.compile(regex)
        known = (name for name in command.visible_topics if name in self._context.config.topics)
        return sorted(name for name in known if pattern.matches(name))

    def _assign(
        self,
        group: ConsumerGroup,
        members: dict[str, Any],
        member_id: str,
        command: ConsumerHeartbeat,
        former: str | None,
        epoch: int,
        output: StepOutput,
    ) -> Partitions:
        """New targets for everybody; the one of ``member_id``."""
        known = self._context.config.topics
        fresh = {
            record.key.regular_expression: record.value.topics
            for record in output.records
            if record.type == CONSUMER_REGEX and record.value is not None
        }
        readers = []
        for one, sent in members.items():
            names = group.topics_of(sent)
            if sent.subscribed_topic_regex in fresh:
                names = [*names, *fresh[sent.subscribed_topic_regex]]
            reader = group.reader(one, sent, names)
            if one == member_id and former is not None:
                reader = group.reader(former, sent, names)
            readers.append(reader)
        share = ASSIGNORS[group.assignor(members.values())]
        counts = {info.id: info.partitions for info in known.values()}
        shares = share(readers, counts)
        mine = former or member_id
        for one, target in shares.items():
            owner = member_id if one == mine else one
            if target != group.target(one) or group.member(one) is None or one == former:
                output.records.append(group.target_record(owner, target))
        output.records.append(group.assigned_record(epoch, output.wall_ms))
        return shares[mine]

    def _answer(
        self, member_id: str, holding: Holding, *, shown: bool
    ) -> ConsumerGroupHeartbeatResponse:
        response = ConsumerGroupHeartbeatResponse(
            member_id=member_id,
            member_epoch=holding.epoch,
            heartbeat_interval_ms=self._context.config.consumer_heartbeat_interval_ms,
        )
        if shown:
            shares = [TopicPartitions(*one) for one in by_topic(holding.assigned)]
            response.assignment = Assignment(shares)
        return response

    # --- leaving ---------------------------------------------------------------------------

    def _leave(
        self,
        id: CommandId,
        group: ConsumerGroup,
        request: ConsumerGroupHeartbeatRequest,
        output: StepOutput,
    ) -> None:
        if self.find(group.id) is None:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND)
        if request.instance_id is not None:
            holder = group.static_member(request.instance_id)
            if holder is None:
                raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
            if holder != request.member_id:
                raise RequestError(error_codes.FENCED_INSTANCE_ID)
        elif group.member(request.member_id) is None:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        if request.member_epoch == LEFT_FOR_NOW:
            holding = group.holding(request.member_id)
            away = Holding(LEFT_FOR_NOW, holding.epoch, Progress.STABLE, holding.assigned)
            output.records.append(group.holding_record(request.member_id, away))
            self._context.timers.cancel((REVOCATION, group.id, request.member_id))
        else:
            self._fence(group, request.member_id, output)
        response = ConsumerGroupHeartbeatResponse(
            member_id=request.member_id, member_epoch=request.member_epoch
        )
        output.reply_once_committed(id, response)

    def _fence(self, group: ConsumerGroup, member_id: str, output: StepOutput) -> None:
        """Take a member out; the others share anew with their next heartbeats."""
        output.records += group.removal(member_id)
        output.records.append(group.epoch_record(group.epoch + 1))
        self._context.timers.cancel((SESSION, group.id, member_id))
        self._context.timers.cancel((REVOCATION, group.id, member_id))

    # --- deadlines -------------------------------------------------------------------------

    def _alive(self, output: StepOutput, group_id: str, member_id: str) -> None:
        due = output.now + self._context.config.consumer_session_timeout_ms
        self._context.timers.set((SESSION, group_id, member_id), due)

    def _watch_revocation(
        self,
        output: StepOutput,
        group: ConsumerGroup,
        member_id: str,
        holding: Holding,
        sent: Any = None,
    ) -> None:
        """Who does not give up what is not its own any more within its time is fenced."""
        name = (REVOCATION, group.id, member_id)
        if holding.progress is not Progress.UNREVOKED:
            self._context.timers.cancel(name)
        elif not self._context.timers.is_set(name):
            sent = group.member(member_id) if sent is None else sent
            self._context.timers.set(name, output.now + max(sent.rebalance_timeout_ms, 0))

    def time_came(self, due: Any, output: StepOutput) -> None:
        """A session is over, or a revocation takes too long."""
        _, group_id, member_id = due
        group = self.find(group_id)
        if group is not None and group.member(member_id) is not None:
            self._fence(group, member_id, output)

    # --- offsets ---------------------------------------------------------------------------

    def check_offsets(
        self, group: ConsumerGroup, member_id: str | None, epoch: int, *, is_commit: bool
    ) -> None:
        """RequestError unless that member, or an administrator, may commit or fetch now."""
        if epoch < 0 and (not is_commit or group.count() == 0) and not member_id:
            return
        if group.member(member_id or "") is None:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        if epoch != group.holding(member_id or "").epoch:
            raise RequestError(error_codes.STALE_MEMBER_EPOCH)


def _check_epoch(sent: int, holding: Holding, owned: Partitions | None) -> None:
    """RequestError unless a member that is there is in step; epoch 0 begins anew."""
    if sent in (JOINS, holding.epoch):
        return
    is_lost = sent == holding.previous_epoch and owned is not None and owned <= holding.assigned
    if not is_lost:
        raise RequestError(
            error_codes.FENCED_MEMBER_EPOCH, f"the member is at epoch {holding.epoch}, not {sent}"
        )
