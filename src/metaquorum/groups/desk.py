"""Who serves which command, and whose deadline has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from metaquorum.base.errors import RequestError
from metaquorum.controller.events import CommandId
from metaquorum.groups import offsets
from metaquorum.groups.breath import Breath
from metaquorum.groups.commands import (
    Command,
    CommitOffsets,
    DeleteGroups,
    DeleteOffsets,
    FetchOffsets,
)
from metaquorum.groups.context import Context
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_groups_response import DeletableGroupResult

RETENTION: Final = ("retention",)


class Desk:
    """Open while this node leads."""

    def __init__(self, context: Context) -> None:
        self._context = context

    def open(self, breath: Breath) -> None:
        """This node leads from now on."""
        self._context.timers.set(
            RETENTION, breath.now + self._context.config.offsets_retention_check_ms
        )

    def close(self, breath: Breath, error: RequestError) -> None:
        """It leads no more: whoever waits is told ``error``, deadlines mean nothing."""
        self._context.timers.clear()

    def serve(self, id: CommandId, command: Command, breath: Breath) -> None:
        """Answer, or let wait; RequestError when it is refused as a whole."""
        _SERVED[type(command)](self, id, command, breath)

    def time_came(self, due: Any, breath: Breath) -> None:
        """A deadline that somebody here has set."""
        self._expire_offsets(breath)

    # --- offsets ---------------------------------------------------------------------------

    def _commit(self, id: CommandId, command: CommitOffsets, breath: Breath) -> None:
        request = command.request
        if request.generation_id_or_member_epoch >= 0:
            raise RequestError(error_codes.ILLEGAL_GENERATION)
        self._must_have_room(request.group_id)
        records, response = offsets.commit(self._context, request, breath.wall_ms)
        breath.records += records
        breath.reply_once_committed(id, response)

    def _fetch(self, id: CommandId, command: FetchOffsets, breath: Breath) -> None:
        told = [offsets.fetch(self._context, group) for group in command.groups]
        breath.reply_once_committed(id, told)

    def _delete_offsets(self, id: CommandId, command: DeleteOffsets, breath: Breath) -> None:
        if command.request.group_id not in self._context.state:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND)
        records, response = offsets.delete(self._context, command.request, lambda topic: False)
        breath.records += records
        breath.reply_once_committed(id, response)

    def _delete_groups(self, id: CommandId, command: DeleteGroups, breath: Breath) -> None:
        results: list[DeletableGroupResult] = []
        for group_id in dict.fromkeys(command.group_ids):
            try:
                self._must_be_deletable(group_id)
                breath.records += offsets.delete_all(self._context, group_id)
                results.append(DeletableGroupResult(group_id, error_codes.NONE))
            except RequestError as error:
                results.append(DeletableGroupResult(group_id, error.code, error.reason))
        breath.reply_once_committed(id, results)

    def _must_be_deletable(self, group_id: str) -> None:
        if group_id not in self._context.state:
            raise RequestError(error_codes.GROUP_ID_NOT_FOUND, f"group {group_id} does not exist")

    def _must_have_room(self, group_id: str) -> None:
        """A group that is new must be one of ``MAX_GROUPS``: names are chosen by clients."""
        state, most = self._context.state, self._context.config.groups_max
        if group_id not in state and state.statistics()["groups"] >= most:
            raise RequestError(
                error_codes.COORDINATOR_NOT_AVAILABLE, f"there are {most} groups already"
            )

    def _expire_offsets(self, breath: Breath) -> None:
        context = self._context
        context.timers.set(RETENTION, breath.now + context.config.offsets_retention_check_ms)
        for group_id in context.state.group_ids():
            breath.records += offsets.expired(
                context, group_id, breath.wall_ms, lambda topic, kept: int(kept.commit_timestamp)
            )


_SERVED: Final[dict[type, Callable[[Desk, CommandId, Any, Breath], None]]] = {
    CommitOffsets: Desk._commit,
    FetchOffsets: Desk._fetch,
    DeleteOffsets: Desk._delete_offsets,
    DeleteGroups: Desk._delete_groups,
}
