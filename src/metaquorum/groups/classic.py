"""The classic protocol: SyncGroup, Heartbeat, LeaveGroup, and the deadlines of its groups.

Behaviour
- SyncGroup of the leader brings the assignment; it goes to the log, and to everybody who waits for
  it once it is replicated. If that fails they get an error, and there is another round.
- Heartbeats are answered at once. REBALANCE_IN_PROGRESS tells a member of a round.
- After a change of coordinators the members of the last generation go on as they were; their
  session time-outs begin anew.

A group of which nothing is in the log but offsets is an empty one without a protocol.
"""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.errors import InvariantViolated, RequestError
from metaquorum.controller.events import CommandId
from metaquorum.groups import rounds
from metaquorum.groups.classic_group import ClassicGroup, GroupPhase
from metaquorum.groups.commands import Heartbeat, JoinGroup, LeaveGroup, SyncGroup
from metaquorum.groups.context import Context
from metaquorum.groups.joins import Joining
from metaquorum.groups.memory import GroupMemory
from metaquorum.groups.step_output import StepOutput, Waiting
from metaquorum.records.group_record import CONSUMER_GROUP, GROUP_METADATA
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.heartbeat_response import HeartbeatResponse
from metaquorum.wire.generated.join_group_request import JoinGroupRequest
from metaquorum.wire.generated.leave_group_response import LeaveGroupResponse, MemberResponse

_CODES_OF_MEMBERS_FROM: Final = 3


class ClassicGroups:
    """All groups that are not of KIP-848."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._groups: dict[str, ClassicGroup] = {}
        self.memory = GroupMemory()

    def __len__(self) -> int:
        return len(self._groups)

    def open(self, output: StepOutput) -> None:
        """Go on with what is in the log; everybody's session begins anew."""
        state = self._context.state
        for group_id in state.group_ids():
            kept = state.value(group_id, GROUP_METADATA)
            if kept is not None and kept.members:
                self._take_up(group_id, kept, output)

    def _take_up(self, group_id: str, kept: Any, output: StepOutput) -> None:
        group = self._groups[group_id] = ClassicGroup.of_row(group_id, kept)
        for member in group.members.values():
            rounds.schedule_session(self._context, output, group, member)
        self.memory.weigh(group)

    def close(self, output: StepOutput, error: RequestError) -> None:
        """Members that wait are answered; who was in which round is not known here any more."""
        for group in self._groups.values():
            self._refuse_waiting(group, output, error)
        self._groups.clear()
        self.memory.clear()

    def _refuse_waiting(self, group: ClassicGroup, output: StepOutput, error: RequestError) -> None:
        for member in group.members.values():
            if member.join is not None:
                id, version = member.join
                output.reply(id, rounds.join_refused(version, member.id, error.code))
        rounds.refuse_syncs(output, group, error)

    # --- groups ----------------------------------------------------------------------------

    def find(self, group_id: str) -> ClassicGroup | None:
        """The group of that name; None if there is none, or one of KIP-848."""
        found = self._groups.get(group_id)
        state = self._context.state
        if found is not None or group_id not in state:
            return found
        if state.value(group_id, CONSUMER_GROUP) is not None:
            return None
        return ClassicGroup.of_row(group_id, state.value(group_id, GROUP_METADATA))

    def known_names(self) -> list[str]:
        """Of groups of both kinds, those that are not in the log yet too, sorted."""
        return sorted(dict.fromkeys((*self._context.state.group_ids(), *self._groups)))

    def names(self) -> list[str]:
        """Those that are not in the log yet, too."""
        return [name for name in self.known_names() if self.find(name) is not None]

    def forget(self, group_id: str) -> None:
        """It was deleted."""
        self._groups.pop(group_id, None)
        self.memory.forget(group_id)

    def reset(self, group_id: str, output: StepOutput, error: RequestError) -> None:
        """A change of a group failed half-way: go on with what the log has of it.

        As after a change of coordinators: requests that wait are answered with ``error``, members
        of the last generation go on, and their sessions begin anew.
        """
        group = self._groups.pop(group_id, None)
        if group is None:
            return
        self.memory.forget(group_id)
        self._refuse_waiting(group, output, error)
        for kind in (rounds.JOIN, rounds.SYNC):
            self._context.timers.cancel((kind, group_id))
        for member_id in (*group.members, *group.pending):
            self._context.timers.cancel((rounds.SESSION, group_id, member_id))
        group.end()
        kept = self._context.state.value(group_id, GROUP_METADATA)
        if kept is not None and kept.members:
            try:
                self._take_up(group_id, kept, output)
            except InvariantViolated:
                raise
            except Exception as cause:  # what failed before may fail again
                output.failures.append(cause)

    def is_known(self, group_id: str) -> bool:
        """Whether a member has joined it since this node leads."""
        return group_id in self._groups

    def _must_find(self, group_id: str) -> ClassicGroup:
        if not group_id:
            raise RequestError(error_codes.INVALID_GROUP_ID)
        group = self.find(group_id)
        if group is None:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        return group

    # --- requests --------------------------------------------------------------------------

    def check(self, request: JoinGroupRequest) -> None:
        """RequestError for what no group could let join."""
        config = self._context.config
        if not request.group_id:
            raise RequestError(error_codes.INVALID_GROUP_ID)
        least, most = config.min_session_timeout_ms, config.max_session_timeout_ms
        if not least <= request.session_timeout_ms <= most:
            raise RequestError(error_codes.INVALID_SESSION_TIMEOUT)

    def join(self, id: CommandId, command: JoinGroup, output: StepOutput) -> None:
        """JoinGroup, checked; the answer may take as long as the round does."""
        request = command.request
        self.memory.check_join(command)
        group = self.find(request.group_id)
        if group is None:
            if request.member_id:
                raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
            group = ClassicGroup(request.group_id)
        self._groups[group.id] = group
        try:
            Joining(self._context, output, group, id, command).run()
        finally:
            self._changed(group)

    def sync(self, id: CommandId, command: SyncGroup, output: StepOutput) -> None:
        """SyncGroup; the answer comes with the leader's."""
        request = command.request
        group = self._must_find(request.group_id)
        member = group.checked_member(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            raise RequestError(error_codes.ILLEGAL_GENERATION)
        for asked, held in (
            (request.protocol_type, group.protocol_type),
            (request.protocol_name, group.protocol),
        ):
            if asked is not None and asked != held:
                raise RequestError(error_codes.INCONSISTENT_GROUP_PROTOCOL)
        if group.phase is GroupPhase.PREPARING:
            raise RequestError(error_codes.REBALANCE_IN_PROGRESS)
        if member.id == group.leader and group.phase is GroupPhase.COMPLETING:
            self.memory.check(sum(len(one.assignment) for one in request.assignments))
        rounds.synced(self._context, group, member.id)
        if group.phase is GroupPhase.STABLE:
            rounds.schedule_session(self._context, output, group, member)
            output.reply(id, rounds.assignment_of(group, member))
            return
        if member.sync is not None:  # it has asked before and gave up on the answer
            output.reply(member.sync, RequestError(error_codes.REBALANCE_IN_PROGRESS))
        member.sync = id
        if member.id == group.leader:
            given = {
                one.member_id: bytes(one.assignment)
                for one in request.assignments
                if one.member_id in group.members
            }
            self._assign(group, given, output)

    def _assign(self, group: ClassicGroup, given: dict[str, bytes], output: StepOutput) -> None:
        """Write down what the leader decided, and tell it once that is replicated."""
        generation = group.generation

        def is_current() -> bool:
            return group.phase is GroupPhase.COMPLETING and group.generation == generation

        def committed(output: StepOutput) -> None:
            if is_current():
                for member in group.members.values():
                    member.assignment = given.get(member.id, b"")
                self.memory.weigh(group)
                group.phase = GroupPhase.STABLE
                rounds.assigned(self._context, output, group)

        def failed(output: StepOutput, error: RequestError) -> None:
            if is_current():
                rounds.refuse_syncs(output, group, error)
                rounds.prepare(self._context, output, group)

        output.records.append(group.record(output.wall_ms, given))
        output.waiting.append(Waiting(committed, failed, group_id=group.id))

    def heartbeat(self, id: CommandId, command: Heartbeat, output: StepOutput) -> None:
        """Heartbeat."""
        request = command.request
        group = self._must_find(request.group_id)
        member = group.checked_member(request.member_id, request.group_instance_id)
        if request.generation_id != group.generation:
            raise RequestError(error_codes.ILLEGAL_GENERATION)
        rounds.schedule_session(self._context, output, group, member)
        preparing = group.phase is GroupPhase.PREPARING
        code = error_codes.REBALANCE_IN_PROGRESS if preparing else error_codes.NONE
        output.reply(id, HeartbeatResponse(error_code=code))

    def leave(self, id: CommandId, command: LeaveGroup, output: StepOutput) -> None:
        """LeaveGroup, of one member or of several."""
        if not command.group_id:
            raise RequestError(error_codes.INVALID_GROUP_ID)
        group = self.find(command.group_id)
        rows: list[MemberResponse] = []
        has_left = False
        for one in command.members:
            code = error_codes.UNKNOWN_MEMBER_ID
            if group is not None:
                try:
                    has_left |= self._leave(group, one.member_id, one.group_instance_id, output)
                    code = error_codes.NONE
                except RequestError as error:
                    code = error.code
            rows.append(MemberResponse(one.member_id, one.group_instance_id, code))
        if group is not None:
            if has_left:
                rounds.after_leaving(self._context, output, group)
            self._changed(group)
        if command.version < _CODES_OF_MEMBERS_FROM:
            output.reply(id, LeaveGroupResponse(error_code=rows[0].error_code))
        else:
            output.reply(id, LeaveGroupResponse(members=rows))

    def _leave(
        self, group: ClassicGroup, member_id: str, instance_id: str | None, output: StepOutput
    ) -> bool:
        """One goes; whether the others have to know."""
        if member_id in group.pending:
            del group.pending[member_id]
            self._context.timers.cancel((rounds.SESSION, group.id, member_id))
            return True
        if not member_id and instance_id is not None:
            member_id = group.statics.get(instance_id, "")
        member = group.checked_member(member_id, instance_id)
        gone = RequestError(error_codes.UNKNOWN_MEMBER_ID)
        rounds.drop(self._context, output, group, member, gone)
        return True

    def check_commit(
        self,
        group: ClassicGroup,
        member_id: str,
        instance_id: str | None,
        generation: int,
        output: StepOutput,
    ) -> None:
        """RequestError unless that member, or an administrator, may commit to the group now."""
        if generation < 0 and group.phase is GroupPhase.EMPTY:
            return
        if generation < 0 and not member_id and instance_id is None:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        member = group.checked_member(member_id, instance_id)
        if generation != group.generation:
            raise RequestError(error_codes.ILLEGAL_GENERATION)
        if group.phase is GroupPhase.COMPLETING:
            raise RequestError(error_codes.REBALANCE_IN_PROGRESS)
        rounds.schedule_session(self._context, output, group, member)

    # --- deadlines -------------------------------------------------------------------------

    def time_came(self, due: Any, output: StepOutput) -> None:
        """A session, a round or the syncs of one are over."""
        kind, group_id, *rest = due
        group = self._groups.get(group_id)
        if group is None:
            return
        if kind == rounds.JOIN:
            rounds.join_time_over(self._context, output, group)
        elif kind == rounds.SYNC:
            rounds.sync_time_over(self._context, output, group)
        else:
            self._session_over(group, rest[0], output)
        self._changed(group)

    def _session_over(self, group: ClassicGroup, member_id: str, output: StepOutput) -> None:
        member = group.members.get(member_id)
        if member is not None:
            rounds.session_over(self._context, output, group, member)
        elif member_id in group.pending:
            del group.pending[member_id]
            rounds.complete_if_all_joined(self._context, output, group)

    def _changed(self, group: ClassicGroup) -> None:
        """Members came or went."""
        self.memory.weigh(group)
        self._drop_if_idle(group)

    def _drop_if_idle(self, group: ClassicGroup) -> None:
        """What nobody is in and what is not in the log was never there."""
        is_idle = group.phase is GroupPhase.EMPTY and not group.members and not group.pending
        if is_idle and group.generation == 0 and group.id not in self._context.state:
            self._groups.pop(group.id, None)
