"""Who serves which command, and whose deadline has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_EXPIRED_OFFSETS_AT_ONCE
from metaquorum.controller.events import CommandId
from metaquorum.groups import admin, offsets
from metaquorum.groups.breath import Breath
from metaquorum.groups.classic import ClassicGroups
from metaquorum.groups.classic_group import CONSUMER_PROTOCOL, ClassicGroup, GroupPhase
from metaquorum.groups.commands import (
    Command,
    CommitOffsets,
    DeleteGroups,
    DeleteOffsets,
    DescribeGroups,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    ListGroups,
    SyncGroup,
)
from metaquorum.groups.context import Context
from metaquorum.records.group_record import GROUP_METADATA, OFFSET_COMMIT
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_groups_response import DeletableGroupResult

RETENTION: Final = "retention"
_AT_ONCE_MS: Final = 1


class Desk:
    """Open while this node leads."""

    def __init__(self, context: Context) -> None:
        self._context = context
        self._classic = ClassicGroups(context)

    def open(self, breath: Breath) -> None:
        """This node leads from now on."""
        self._context.timers.clear()
        self._classic.open(breath)
        self._check_retention_after(self._context.config.offsets_retention_check_ms, breath)

    def close(self, breath: Breath, error: RequestError) -> None:
        """It leads no more: whoever waits is told ``error``, deadlines mean nothing."""
        self._classic.close(breath, error)
        self._context.timers.clear()

    def serve(self, id: CommandId, command: Command, breath: Breath) -> None:
        """Answer, or let wait; RequestError when it is refused as a whole."""
        _SERVED[type(command)](self, id, command, breath)

    def time_came(self, due: Any, breath: Breath) -> None:
        """A deadline that somebody here has set."""
        if due[0] == RETENTION:
            self._expire_offsets(breath)
        else:
            self._classic.time_came(due, breath)

    # --- members of classic groups -----------------------------------------------------------

    def _join(self, id: CommandId, command: JoinGroup, breath: Breath) -> None:
        self._must_have_room(command.request.group_id)
        self._classic.join(id, command, breath)

    def _sync(self, id: CommandId, command: SyncGroup, breath: Breath) -> None:
        self._classic.sync(id, command, breath)

    def _heartbeat(self, id: CommandId, command: Heartbeat, breath: Breath) -> None:
        self._classic.heartbeat(id, command, breath)

    def _leave(self, id: CommandId, command: LeaveGroup, breath: Breath) -> None:
        self._classic.leave(id, command, breath)

    # --- offsets ---------------------------------------------------------------------------

    def _commit(self, id: CommandId, command: CommitOffsets, breath: Breath) -> None:
        request = command.request
        generation = request.generation_id_or_member_epoch
        group = self._classic.find(request.group_id)
        if group is not None:
            self._classic.check_commit(
                group, request.member_id, request.group_instance_id, generation, breath
            )
        elif generation >= 0:
            raise RequestError(error_codes.ILLEGAL_GENERATION)
        else:
            self._must_have_room(request.group_id)
        records, response = offsets.commit(self._context, request, breath.wall_ms)
        breath.records += records
        breath.reply_once_committed(id, response)

    def _fetch(self, id: CommandId, command: FetchOffsets, breath: Breath) -> None:
        told = [offsets.fetch(self._context, group) for group in command.groups]
        breath.reply_once_committed(id, told)

    def _delete_offsets(self, id: CommandId, command: DeleteOffsets, breath: Breath) -> None:
        group = self._classic.find(command.request.group_id)
        if group is None:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND)
        if group.phase is not GroupPhase.EMPTY and group.protocol_type != CONSUMER_PROTOCOL:
            raise RequestError(error_codes.NON_EMPTY_GROUP)
        records, response = offsets.delete(self._context, command.request, group.is_subscribed)
        breath.records += records
        breath.reply_once_committed(id, response)

    # --- whole groups ----------------------------------------------------------------------

    def _list(self, id: CommandId, command: ListGroups, breath: Breath) -> None:
        groups = [self._classic.find(name) for name in self._classic.names()]
        rows = [admin.row_of(group) for group in groups if group is not None]
        breath.reply_once_committed(id, admin.listed(rows, command.states, command.types))

    def _describe(self, id: CommandId, command: DescribeGroups, breath: Breath) -> None:
        told = []
        for name in command.group_ids:
            group = self._classic.find(name)
            absent = admin.absent(name, command.version)
            told.append(absent if group is None else admin.described(group))
        breath.reply_once_committed(id, told)

    def _delete_groups(self, id: CommandId, command: DeleteGroups, breath: Breath) -> None:
        results: list[DeletableGroupResult] = []
        for group_id in dict.fromkeys(command.group_ids):
            try:
                self._must_be_deletable(group_id)
                breath.records += offsets.delete_all(self._context, group_id)
                self._classic.forget(group_id)
                results.append(DeletableGroupResult(group_id, error_codes.NONE))
            except RequestError as error:
                results.append(DeletableGroupResult(group_id, error.code, error.reason))
        breath.reply_once_committed(id, results)

    def _must_be_deletable(self, group_id: str) -> None:
        group = self._classic.find(group_id)
        if group is None:
            why = f"group {group_id} does not exist"
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND, why)
        if group.phase is not GroupPhase.EMPTY:
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

    def _check_retention_after(self, delay_ms: Millis, breath: Breath) -> None:
        self._context.timers.set((RETENTION,), breath.now + delay_ms)

    def _expire_offsets(self, breath: Breath) -> None:
        """Forget what is over, some of it in one batch; the rest follows."""
        context = self._context
        for group_id in context.state.group_ids():
            if len(breath.records) >= MAX_EXPIRED_OFFSETS_AT_ONCE:
                self._check_retention_after(_AT_ONCE_MS, breath)
                return
            group = self._classic.find(group_id)
            if group is not None:
                self._expire_group(group, breath)
        self._check_retention_after(context.config.offsets_retention_check_ms, breath)

    def _expire_group(self, group: ClassicGroup, breath: Breath) -> None:
        context = self._context
        kept = context.state.value(group.id, GROUP_METADATA)

        def since(topic: str, offset: Any) -> Millis | None:
            committed = int(offset.commit_timestamp)
            if group.phase is GroupPhase.EMPTY:
                left = -1 if kept is None else int(kept.current_state_timestamp)
                return max(committed, left)
            is_stable = group.phase is GroupPhase.STABLE
            return committed if is_stable and not group.is_subscribed(topic) else None

        gone = offsets.expired(context, group.id, breath.wall_ms, since)
        is_over = group.phase is GroupPhase.EMPTY and not group.pending
        if is_over and len(gone) == len(context.state.values(group.id, OFFSET_COMMIT)):
            breath.records += offsets.delete_all(context, group.id)
            self._classic.forget(group.id)
        else:
            breath.records += gone


_SERVED: Final[dict[type, Callable[[Desk, CommandId, Any, Breath], None]]] = {
    CommitOffsets: Desk._commit,
    FetchOffsets: Desk._fetch,
    DeleteOffsets: Desk._delete_offsets,
    DeleteGroups: Desk._delete_groups,
    JoinGroup: Desk._join,
    SyncGroup: Desk._sync,
    Heartbeat: Desk._heartbeat,
    LeaveGroup: Desk._leave,
    ListGroups: Desk._list,
    DescribeGroups: Desk._describe,
}
