"""JoinGroup: who may join a round, and what that does to the round.

Behaviour (KIP-345, KIP-389, KIP-394, KIP-814)
- From version 4 on a dynamic member first gets an id and joins again with it; before, it joins at
  once. Ids are the client's id, or the static member's name, with a uuid behind it.
- A static member that comes back takes the place of its former self, which is fenced. If nothing
  else changes, the others do not notice: no round, the same generation.
- A member that asks again in a generation gets the same answer again, unless it has changed or
  leads: then there is a round.
- At most ``group.max.size`` members.
"""

from __future__ import annotations

from typing import Final

from attrs import define

from metaquorum.base.errors import RequestError
from metaquorum.controller.events import CommandId
from metaquorum.groups import rounds
from metaquorum.groups.classic_group import ClassicGroup, GroupPhase, Member
from metaquorum.groups.commands import JoinGroup
from metaquorum.groups.context import Context
from metaquorum.groups.member_ids import new_member_id
from metaquorum.groups.step_output import StepOutput, Waiting
from metaquorum.wire.generated import error_codes

_ID_REQUIRED_FROM: Final = 4
_SKIPS_FROM: Final = 9


@define(eq=False)
class Joining:
    """One JoinGroup on its way through the rules."""

    context: Context
    output: StepOutput
    group: ClassicGroup
    id: CommandId
    command: JoinGroup

    def run(self) -> None:
        """Answer, or let it wait for the round; RequestError when it is refused."""
        group, request = self.group, self.command.request
        if not self._is_preallocated():
            self._refuse("", error_codes.GROUP_MAX_SIZE_REACHED)
        elif not group.accepts(request.protocol_type, self.command.protocols):
            self._refuse(request.member_id, error_codes.INCONSISTENT_GROUP_PROTOCOL)
        elif request.member_id:
            self._join_again(request.member_id, request.group_instance_id)
        elif request.group_instance_id is not None:
            self._join_static(request.group_instance_id)
        else:
            self._join_new()

    def _is_preallocated(self) -> bool:
        group, most = self.group, self.context.config.max_size
        member = group.members.get(self.command.request.member_id)
        if group.phase is GroupPhase.EMPTY:
            return True
        if group.phase is GroupPhase.PREPARING:
            is_waiting = member is not None and member.join is not None
            return is_waiting or len(group.joined) < most
        return member is not None or len(group.members) < most

    def _join_new(self) -> None:
        group, command = self.group, self.command
        member_id = new_member_id(self.context.draw, command.client_id)
        if command.version < _ID_REQUIRED_FROM:
            self._add(member_id)
            return
        if len(group.pending) >= self.context.config.max_size:
            self._refuse("", error_codes.GROUP_MAX_SIZE_REACHED)
            return
        group.pending[member_id] = None
        due = self.output.now + command.request.session_timeout_ms
        self.context.timers.set((rounds.SESSION, group.id, member_id), due)
        self._refuse(member_id, error_codes.MEMBER_ID_REQUIRED)

    def _join_static(self, instance_id: str) -> None:
        member_id = new_member_id(self.context.draw, instance_id)
        holder = self.group.statics.get(instance_id)
        if holder is None:
            self._add(member_id)
        else:
            self._replace(self.group.members[holder], member_id)

    def _join_again(self, member_id: str, instance_id: str | None) -> None:
        group = self.group
        if member_id in group.pending and instance_id is None:
            self._add(member_id)
            return
        member = group.checked_member(member_id, instance_id)
        is_same = member.protocols == self.command.protocols
        if group.phase is GroupPhase.PREPARING:
            self._wait(member)
        elif group.phase is GroupPhase.COMPLETING and is_same:
            is_leader = member_id == group.leader
            self._answer(member, tells_members=is_leader)
        elif group.phase is GroupPhase.STABLE and is_same and member_id != group.leader:
            self._answer(member, tells_members=False)
        else:
            self._wait(member)

    def _answer(self, member: Member, *, tells_members: bool) -> None:
        answer = rounds.joined(
            self.group, member, self.command.version, tells_members=tells_members
        )
        self.output.reply(self.id, answer)

    # --- into the round --------------------------------------------------------------------

    def _add(self, member_id: str) -> None:
        """A new member; the round begins, or has one more."""
        group, request, command = self.group, self.command.request, self.command
        if not group.members:
            group.protocol_type = request.protocol_type
        member = Member(
            member_id,
            request.group_instance_id,
            command.client_id,
            command.client_host,
            request.session_timeout_ms,
            command.rebalance_timeout_ms,
            command.protocols,
        )
        group.add(member)
        member.join = (self.id, command.version)
        if group.phase is GroupPhase.PREPARING and group.is_first_round:
            group.has_newcomers = True
        due = self.output.now + self.context.config.new_member_join_timeout_ms
        self.context.timers.set((rounds.SESSION, group.id, member_id), due)
        self._go_on()

    def _wait(self, member: Member) -> None:
        """A known member joins the round, perhaps with other words than before."""
        self._take_over(member)
        if member.join is not None:  # it has asked before and gave up on the answer
            id, version = member.join
            refused = rounds.join_refused(version, member.id, error_codes.REBALANCE_IN_PROGRESS)
            self.output.reply(id, refused)
        member.join = (self.id, self.command.version)
        self._go_on()

    def _take_over(self, member: Member) -> None:
        command = self.command
        member.client_id, member.client_host = command.client_id, command.client_host
        member.session_timeout_ms = command.request.session_timeout_ms
        member.rebalance_timeout_ms = command.rebalance_timeout_ms
        member.protocols = command.protocols

    def _go_on(self) -> None:
        if self.group.phase is GroupPhase.PREPARING:
            rounds.complete_if_all_joined(self.context, self.output, self.group)
        else:
            rounds.prepare(self.context, self.output, self.group)

    # --- static members --------------------------------------------------------------------

    def _replace(self, member: Member, new_id: str) -> None:
        """A static member is back; its former self is fenced."""
        group, output = self.group, self.output
        leader_before, old_id = group.leader, member.id
        before = (member.protocols, member.session_timeout_ms, member.rebalance_timeout_ms)
        self._fence(member)
        group.replace_static(member, new_id)
        self._take_over(member)
        if group.phase is not GroupPhase.STABLE or group.elected_protocol() != group.protocol:
            self._wait(member)
            return
        rounds.schedule_session(self.context, output, group, member)
        can_skip = self.command.version >= _SKIPS_FROM and member.id == group.leader
        answer = rounds.joined(
            group,
            member,
            self.command.version,
            tells_members=can_skip,
            leader=group.leader if can_skip else leader_before,
            skip_assignment=can_skip,
        )
        id, generation = self.id, group.generation

        def failed(output: StepOutput, error: RequestError) -> None:
            """The log knows the former self still: so does the group."""
            if group.generation == generation and member.id == new_id:
                self.context.timers.cancel((rounds.SESSION, group.id, new_id))
                group.replace_static(member, old_id)
                member.protocols, member.session_timeout_ms, member.rebalance_timeout_ms = before
                rounds.schedule_session(self.context, output, group, member)
            refused = rounds.join_refused(self.command.version, "", error.code)
            output.reply(id, refused)

        output.records.append(group.record(output.wall_ms))
        waiting = Waiting(lambda later: later.reply(id, answer), failed, id=id, group_id=group.id)
        output.waiting.append(waiting)

    def _fence(self, member: Member) -> None:
        self.context.timers.cancel((rounds.SESSION, self.group.id, member.id))
        if member.join is not None:
            id, version = member.join
            member.join = None
            code = error_codes.FENCED_INSTANCE_ID
            self.output.reply(id, rounds.join_refused(version, member.id, code))
        if member.sync is not None:
            id, member.sync = member.sync, None
            self.output.reply(id, RequestError(error_codes.FENCED_INSTANCE_ID))

    def _refuse(self, member_id: str, code: int) -> None:
        self.output.reply(self.id, rounds.join_refused(self.command.version, member_id, code))
