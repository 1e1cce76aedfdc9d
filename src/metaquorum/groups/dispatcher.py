"""Who serves which command, and whose deadline has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.limits import FAILED_DEADLINE_RETRY_MS, MAX_EXPIRED_OFFSETS_AT_ONCE
from metaquorum.controller.events import CommandId
from metaquorum.groups import admin, consumer_admin, offsets
from metaquorum.groups.classic import ClassicGroups
from metaquorum.groups.classic_group import CONSUMER_PROTOCOL, ClassicGroup, GroupPhase
from metaquorum.groups.commands import (
    Command,
    CommitOffsets,
    ConsumerHeartbeat,
    DeleteGroups,
    DeleteOffsets,
    DescribeConsumerGroups,
    DescribeGroups,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    ListGroupNames,
    ListGroups,
    SyncGroup,
)
from metaquorum.groups.consumer import REVOCATION, SESSION, ConsumerGroups
from metaquorum.groups.consumer_group import ConsumerGroup
from metaquorum.groups.context import Context
from metaquorum.groups.heartbeat_rules import checked
from metaquorum.groups.rows import tombstone_of
from metaquorum.groups.step_output import StepOutput
from metaquorum.records.group_record import GROUP_METADATA, OFFSET_COMMIT, GroupRecord
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_groups_response import DeletableGroupResult
from metaquorum.wire.generated.offset_fetch_request import OffsetFetchRequestGroup
from metaquorum.wire.generated.offset_fetch_response import OffsetFetchResponseGroup

RETENTION: Final = "retention"
_AT_ONCE_MS: Final = 1
_MEMBER_EPOCH_FROM: Final = 9


class GroupDispatcher:
    """Open while this node leads."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._classic = ClassicGroups(context)
        self._consumer = ConsumerGroups(context)

    def open(self, output: StepOutput) -> None:
        """This node leads from now on."""
        self._context.timers.clear()
        self._classic.open(output)
        self._consumer.open(output)
        self._check_retention_after(self._context.config.offsets_retention_check_ms, output)

    def close(self, output: StepOutput, error: RequestError) -> None:
        """It leads no more: what waits is answered with ``error``, deadlines mean nothing."""
        self._classic.close(output, error)
        self._context.timers.clear()

    def serve(self, id: CommandId, command: Command, output: StepOutput) -> None:
        """Answer, or let wait; RequestError when it is refused as a whole."""
        _SERVED[type(command)](self, id, command, output)

    def time_came(self, due: Any, output: StepOutput) -> None:
        """A deadline that was set here."""
        if due[0] == RETENTION:
            self._expire_offsets(output)
        elif due[0] in (SESSION, REVOCATION):
            self._consumer.time_came(due, output)
        else:
            self._classic.time_came(due, output)

    def changed_by(self, command: Command) -> str | None:
        """The classic group that a command may leave half-changed if it fails in its midst."""
        if isinstance(command, LeaveGroup):
            return command.group_id
        return command.request.group_id if isinstance(command, JoinGroup | SyncGroup) else None

    def changed_at(self, due: Any) -> str | None:
        """The same of a deadline."""
        return None if due[0] in (RETENTION, SESSION, REVOCATION) else str(due[1])

    def reset(self, group_id: str, output: StepOutput, error: RequestError) -> None:
        """A change of that classic group failed half-way; see ``ClassicGroups.reset``."""
        self._classic.reset(group_id, output, error)

    def try_again(self, due: Any, output: StepOutput) -> None:
        """What a deadline was for failed: it comes again."""
        self._context.timers.set(due, output.now + FAILED_DEADLINE_RETRY_MS)

    # --- members ---------------------------------------------------------------------------

    def _join(self, id: CommandId, command: JoinGroup, output: StepOutput) -> None:
        group_id = command.request.group_id
        self._classic.check(command.request)
        self._must_have_room(group_id)
        group = self._consumer.find(group_id)
        if group is not None:
            if group.count():
                raise RequestError(error_codes.INCONSISTENT_GROUP_PROTOCOL)
            if command.request.member_id:
                raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
            self._let_become_classic(group_id, output)
        self._classic.join(id, command, output)

    def _let_become_classic(self, group_id: str, output: StepOutput) -> None:
        """Nobody is in it: all that is left of it are its offsets."""
        rows = sorted(self._context.state.rows(group_id).items())
        gone = [record for key, record in rows if key[0] != OFFSET_COMMIT]
        output.records += [GroupRecord(record.key, None) for record in gone]

    def _consumer_heartbeat(
        self, id: CommandId, command: ConsumerHeartbeat, output: StepOutput
    ) -> None:
        request = checked(command.request, command.version)
        group = self._classic.find(request.group_id)
        if group is not None:
            is_free = group.phase is GroupPhase.EMPTY and not group.pending
            if request.member_epoch != 0 or not is_free:
                raise RequestError(
                    error_codes.GROUP_ID_NOT_FOUND,
                    f"group {request.group_id} is one of the classic protocol",
                )
        self._must_have_room(request.group_id)
        self._consumer.heartbeat(id, command, output)
        if group is not None:
            self._classic.forget(group.id)
            if self._context.state.value(group.id, GROUP_METADATA) is not None:
                output.records.insert(0, tombstone_of(GROUP_METADATA, group.id))

    def _sync(self, id: CommandId, command: SyncGroup, output: StepOutput) -> None:
        self._classic.sync(id, command, output)

    def _heartbeat(self, id: CommandId, command: Heartbeat, output: StepOutput) -> None:
        self._classic.heartbeat(id, command, output)

    def _leave(self, id: CommandId, command: LeaveGroup, output: StepOutput) -> None:
        self._classic.leave(id, command, output)

    # --- offsets ---------------------------------------------------------------------------

    def _commit(self, id: CommandId, command: CommitOffsets, output: StepOutput) -> None:
        request = command.request
        generation = request.generation_id_or_member_epoch
        group = self._classic.find(request.group_id)
        consumer = self._consumer.find(request.group_id)
        if consumer is not None:
            member_id = request.member_id
            self._consumer.check_offsets(consumer, member_id, generation, is_commit=True)
            if generation >= 0 and command.version < _MEMBER_EPOCH_FROM:
                raise RequestError(error_codes.UNSUPPORTED_VERSION)
        elif group is not None:
            self._classic.check_commit(
                group, request.member_id, request.group_instance_id, generation, output
            )
        elif generation >= 0:
            has_code = command.version >= _MEMBER_EPOCH_FROM
            raise RequestError(
                error_codes.GROUP_ID_NOT_FOUND if has_code else error_codes.ILLEGAL_GENERATION
            )
        else:
            self._must_have_room(request.group_id)
        records, response = offsets.commit(self._context, request, output.wall_ms)
        output.records += records
        output.reply_once_committed(id, response)

    def _fetch(self, id: CommandId, command: FetchOffsets, output: StepOutput) -> None:
        answered = [self._fetched(group) for group in command.groups]
        output.reply_once_committed(id, answered)

    def _fetched(self, asked: OffsetFetchRequestGroup) -> OffsetFetchResponseGroup:
        group = self._consumer.find(asked.group_id)
        if group is not None:
            try:
                member_id, epoch = asked.member_id, asked.member_epoch
                self._consumer.check_offsets(group, member_id, epoch, is_commit=False)
            except RequestError as error:
                return OffsetFetchResponseGroup(asked.group_id, error_code=error.code)
        return offsets.fetch(self._context, asked)

    def _delete_offsets(self, id: CommandId, command: DeleteOffsets, output: StepOutput) -> None:
        group = self._classic.find(command.request.group_id)
        consumer = self._consumer.find(command.request.group_id)
        if group is not None:
            if group.phase is not GroupPhase.EMPTY and group.protocol_type != CONSUMER_PROTOCOL:
                raise RequestError(error_codes.NON_EMPTY_GROUP)
            is_subscribed = group.is_subscribed
        elif consumer is not None:
            is_subscribed = consumer.is_subscribed
        else:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND)
        records, response = offsets.delete(self._context, command.request, is_subscribed)
        output.records += records
        output.reply_once_committed(id, response)

    # --- whole groups ----------------------------------------------------------------------

    def _list_names(self, id: CommandId, command: ListGroupNames, output: StepOutput) -> None:
        output.reply_once_committed(id, self._classic.known_names())

    def _list(self, id: CommandId, command: ListGroups, output: StepOutput) -> None:
        rows = []
        for name in command.names:
            classic = self._classic.find(name)
            if classic is not None:
                rows.append(admin.row_of(classic))
            elif (consumer := self._consumer.find(name)) is not None:
                rows.append(consumer_admin.row_of(consumer))
        output.reply_once_committed(id, admin.listed(rows, command.states, command.types))

    def _describe(self, id: CommandId, command: DescribeGroups, output: StepOutput) -> None:
        answered = []
        for name in command.group_ids:
            group = self._classic.find(name)
            absent = admin.absent(name, command.version)
            answered.append(absent if group is None else admin.described(group))
        output.reply_once_committed(id, answered)

    def _describe_consumer_groups(
        self, id: CommandId, command: DescribeConsumerGroups, output: StepOutput
    ) -> None:
        answered = []
        for name in command.group_ids:
            group = self._consumer.find(name)
            absent = consumer_admin.absent(name)
            answered.append(absent if group is None else consumer_admin.described(group))
        output.reply_once_committed(id, answered)

    def _delete_groups(self, id: CommandId, command: DeleteGroups, output: StepOutput) -> None:
        results: list[DeletableGroupResult] = []
        for group_id in dict.fromkeys(command.group_ids):
            try:
                self._must_be_deletable(group_id)
                output.records += offsets.delete_all(self._context, group_id)
                self._classic.forget(group_id)
                results.append(DeletableGroupResult(group_id, error_codes.NONE))
            except RequestError as error:
                results.append(DeletableGroupResult(group_id, error.code, error.reason))
        output.reply_once_committed(id, results)

    def _must_be_deletable(self, group_id: str) -> None:
        group, consumer = self._classic.find(group_id), self._consumer.find(group_id)
        if group is None and consumer is None:
            why = f"group {group_id} does not exist"
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND, why)
        is_empty = group is None or group.phase is GroupPhase.EMPTY
        if not is_empty or (consumer is not None and consumer.count()):
            raise RequestError(error_codes.NON_EMPTY_GROUP)

    def _must_have_room(self, group_id: str) -> None:
        """A group that is new must be one of ``MAX_GROUPS``: names are chosen by clients."""
        most = self._context.config.groups_max
        if group_id in self._context.state or self._classic.is_known(group_id):
            return
        if max(self._context.state.statistics()["groups"], len(self._classic)) >= most:
            raise RequestError(
                error_codes.COORDINATOR_NOT_AVAILABLE, f"there are {most} groups already"
            )

    # --- retention -------------------------------------------------------------------------

    def _check_retention_after(self, delay_ms: Millis, output: StepOutput) -> None:
        self._context.timers.set((RETENTION,), output.now + delay_ms)

    def _expire_offsets(self, output: StepOutput) -> None:
        """Forget what is over, some of it in one batch; the rest follows."""
        context = self._context
        for group_id in context.state.group_ids():
            if len(output.records) >= MAX_EXPIRED_OFFSETS_AT_ONCE:
                self._check_retention_after(_AT_ONCE_MS, output)
                return
            group = self._classic.find(group_id)
            if group is not None:
                self._expire_classic(group, output)
            elif (consumer := self._consumer.find(group_id)) is not None:
                self._expire_consumer(consumer, output)
        self._check_retention_after(context.config.offsets_retention_check_ms, output)

    def _expire_consumer(self, group: ConsumerGroup, output: StepOutput) -> None:
        context = self._context

        def since(topic: str, offset: Any) -> Millis | None:
            return None if group.is_subscribed(topic) else int(offset.commit_timestamp)

        gone = offsets.expired(context, group.id, output.wall_ms, since)
        is_over = group.count() == 0
        if is_over and len(gone) == len(context.state.values(group.id, OFFSET_COMMIT)):
            output.records += offsets.delete_all(context, group.id)
        else:
            output.records += gone

    def _expire_classic(self, group: ClassicGroup, output: StepOutput) -> None:
        context = self._context
        kept = context.state.value(group.id, GROUP_METADATA)

        def since(topic: str, offset: Any) -> Millis | None:
            committed = int(offset.commit_timestamp)
            if group.phase is GroupPhase.EMPTY:
                left = -1 if kept is None else int(kept.current_state_timestamp)
                return max(committed, left)
            is_stable = group.phase is GroupPhase.STABLE
            return committed if is_stable and not group.is_subscribed(topic) else None

        gone = offsets.expired(context, group.id, output.wall_ms, since)
        is_over = group.phase is GroupPhase.EMPTY and not group.pending
        if is_over and len(gone) == len(context.state.values(group.id, OFFSET_COMMIT)):
            output.records += offsets.delete_all(context, group.id)
            self._classic.forget(group.id)
        else:
            output.records += gone


_SERVED: Final[dict[type, Callable[[GroupDispatcher, CommandId, Any, StepOutput], None]]] = {
    CommitOffsets: GroupDispatcher._commit,
    FetchOffsets: GroupDispatcher._fetch,
    DeleteOffsets: GroupDispatcher._delete_offsets,
    DeleteGroups: GroupDispatcher._delete_groups,
    JoinGroup: GroupDispatcher._join,
    SyncGroup: GroupDispatcher._sync,
    Heartbeat: GroupDispatcher._heartbeat,
    LeaveGroup: GroupDispatcher._leave,
    ListGroupNames: GroupDispatcher._list_names,
    ListGroups: GroupDispatcher._list,
    DescribeGroups: GroupDispatcher._describe,
    ConsumerHeartbeat: GroupDispatcher._consumer_heartbeat,
    DescribeConsumerGroups: GroupDispatcher._describe_consumer_groups,
}
