"""Rounds of the classic protocol: everybody joins, one assigns, everybody learns what is theirs.

Behaviour (KIP-62, KIP-134, KIP-345)
- The first round of an empty group waits ``group.initial.rebalance.delay.ms`` for others, and
  again as long as more of them come, but never beyond the rebalance time-out.
- A later round is complete when all members have joined again. Who has not when the time-out is
  over is removed, unless it is a static member.
- Then the leader learns of all members, and the others who leads. Who does not sync within the
  rebalance time-out is removed.
- The generation is valid once its assignment is in the log, replicated.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.groups.classic_group import ClassicGroup, GroupPhase, Member
from metaquorum.groups.context import Context
from metaquorum.groups.step_output import StepOutput
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.join_group_response import (
    JoinGroupResponse,
    JoinGroupResponseMember,
)
from metaquorum.wire.generated.sync_group_response import SyncGroupResponse

JOIN: Final = "join"
SYNC: Final = "sync"
SESSION: Final = "session"
_NULL_NAME_FROM: Final = 7


def prepare(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """Begin a round; members that wait for an assignment of the last one join again."""
    if group.phase is GroupPhase.COMPLETING:
        refuse_syncs(output, group, RequestError(error_codes.REBALANCE_IN_PROGRESS))
        for member in group.members.values():
            member.assignment = b""
    context.timers.cancel((SYNC, group.id))
    group.unsynced.clear()
    group.is_first_round = group.phase is GroupPhase.EMPTY
    group.phase = GroupPhase.PREPARING
    if not group.is_first_round:
        complete_or_wait(context, output, group)
        return
    delay = context.config.initial_rebalance_delay_ms
    group.delay_left_ms = max(group.rebalance_timeout_ms - delay, 0)
    group.has_newcomers = False
    context.timers.set((JOIN, group.id), output.now + delay)


def complete_or_wait(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """Complete the round if nobody is missing, else let it take its time."""
    if group.have_all_joined:
        complete(context, output, group)
    else:
        context.timers.set((JOIN, group.id), output.now + group.rebalance_timeout_ms)


def complete_if_all_joined(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """A member joined or left: the round may be complete; the first one waits its time."""
    if group.phase is GroupPhase.PREPARING and not group.is_first_round and group.have_all_joined:
        complete(context, output, group)


def join_time_over(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """The deadline of the round: the first is put off while others come, any other ends."""
    if group.phase is not GroupPhase.PREPARING:
        return
    if group.is_first_round and group.has_newcomers and group.delay_left_ms > 0:
        group.has_newcomers = False
        delay = min(context.config.initial_rebalance_delay_ms, group.delay_left_ms)
        group.delay_left_ms -= delay
        context.timers.set((JOIN, group.id), output.now + delay)
        return
    complete(context, output, group)


def complete(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """End of the round: a new generation of those who joined."""
    context.timers.cancel((JOIN, group.id))
    for member in list(group.members.values()):
        if member.join is None and member.instance_id is None:
            group.remove(member.id)
            context.timers.cancel((SESSION, group.id, member.id))
    if group.members and not group.elect():
        # Static members may be back at any time: they are waited for as long again.
        context.timers.set((JOIN, group.id), output.now + group.rebalance_timeout_ms)
        return
    group.generation += 1
    group.is_first_round = False
    group.unsynced.clear()
    if not group.members:
        group.protocol, group.leader, group.phase = None, "", GroupPhase.EMPTY
        output.records.append(group.record(output.wall_ms))
        return
    group.protocol, group.phase = group.elected_protocol(), GroupPhase.COMPLETING
    for member in group.members.values():
        answer_join(output, group, member)
        schedule_session(context, output, group, member)
        member.is_new = False
        group.unsynced[member.id] = None
    context.timers.set((SYNC, group.id), output.now + group.rebalance_timeout_ms)


def sync_time_over(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """Who has not synced by now is gone."""
    if group.phase in (GroupPhase.EMPTY, GroupPhase.PREPARING) or not group.unsynced:
        return
    for member_id in list(group.unsynced):
        group.remove(member_id)
        context.timers.cancel((SESSION, group.id, member_id))
    prepare(context, output, group)


def synced(context: Context, group: ClassicGroup, member_id: str) -> None:
    """It has: nothing is due when all have."""
    group.unsynced.pop(member_id, None)
    if not group.unsynced:
        context.timers.cancel((SYNC, group.id))


def remove(context: Context, output: StepOutput, group: ClassicGroup, member: Member) -> None:
    """A member is gone: the others share anew."""
    drop(context, output, group, member, RequestError(error_codes.UNKNOWN_MEMBER_ID))
    after_leaving(context, output, group)


def drop(
    context: Context, output: StepOutput, group: ClassicGroup, member: Member, error: RequestError
) -> None:
    """Take a member out and tell it ``error`` if it waits for anything."""
    context.timers.cancel((SESSION, group.id, member.id))
    if member.join is not None:
        id, version = member.join
        member.join = None
        output.reply(id, join_refused(version, member.id, error.code))
    if member.sync is not None:
        id, member.sync = member.sync, None
        output.reply(id, error)
    group.remove(member.id)


def after_leaving(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """What the others do when a member is gone."""
    if group.phase in (GroupPhase.STABLE, GroupPhase.COMPLETING):
        prepare(context, output, group)
    else:
        complete_if_all_joined(context, output, group)


def schedule_session(
    context: Context, output: StepOutput, group: ClassicGroup, member: Member
) -> None:
    """It is alive: the next sign of life is due within its session time-out."""
    due = output.now + member.session_timeout_ms
    context.timers.set((SESSION, group.id, member.id), due)


def session_over(context: Context, output: StepOutput, group: ClassicGroup, member: Member) -> None:
    """No sign of life; but who waits for an answer of ours is alive, unless it never was here."""
    if not member.is_new and (member.join is not None or member.sync is not None):
        return
    remove(context, output, group, member)


def answer_join(output: StepOutput, group: ClassicGroup, member: Member) -> None:
    """Tell one member of the generation, if it asked."""
    if member.join is None:
        return
    id, version = member.join
    member.join = None
    output.reply(id, joined(group, member, version, tells_members=member.id == group.leader))


def joined(
    group: ClassicGroup,
    member: Member,
    version: int,
    *,
    tells_members: bool,
    leader: str | None = None,
    skip_assignment: bool = False,
) -> JoinGroupResponse:
    """The answer to a member of the present generation."""
    others = group.members.values() if tells_members else ()
    return JoinGroupResponse(
        generation_id=group.generation,
        protocol_type=group.protocol_type,
        protocol_name=group.protocol,
        leader=group.leader if leader is None else leader,
        skip_assignment=skip_assignment,
        member_id=member.id,
        members=[
            JoinGroupResponseMember(one.id, one.instance_id, one.metadata_of(group.protocol))
            for one in others
        ],
    )


def join_refused(version: int, member_id: str, code: int) -> JoinGroupResponse:
    """An error, no generation and no members."""
    return JoinGroupResponse(
        error_code=code,
        protocol_name=None if version >= _NULL_NAME_FROM else "",
        member_id=member_id,
    )


def assigned(context: Context, output: StepOutput, group: ClassicGroup) -> None:
    """Tell everybody who waits for it what is theirs."""
    for member in group.members.values():
        if member.sync is not None:
            id, member.sync = member.sync, None
            output.reply(id, assignment_of(group, member))
            schedule_session(context, output, group, member)
            synced(context, group, member.id)


def assignment_of(group: ClassicGroup, member: Member) -> SyncGroupResponse:
    """What is that member's."""
    return SyncGroupResponse(
        protocol_type=group.protocol_type,
        protocol_name=group.protocol,
        assignment=member.assignment,
    )


def refuse_syncs(output: StepOutput, group: ClassicGroup, error: RequestError) -> None:
    """Tell everybody who waits for an assignment that there is none."""
    for member in group.members.values():
        if member.sync is not None:
            id, member.sync = member.sync, None
            output.reply(id, error)
