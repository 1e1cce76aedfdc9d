"""What members of classic groups may hold in memory, alone and together."""

from __future__ import annotations

from typing import Any

from metaquorum.base.limits import MAX_GROUP_MEMBER_BYTES, MAX_GROUPS_BYTES
from metaquorum.groups.memory import GroupMemory
from metaquorum.wire.generated import error_codes
from tests.unit.groups.asking import join, leave, stable, sync


def memory_of(host: Any) -> GroupMemory:
    memory: GroupMemory = host.core._dispatcher._classic.memory
    return memory


def code(host: Any, command: Any) -> int:
    reply = host.get(command)
    return int(getattr(reply, "error_code", None) or getattr(reply, "code", 0))


def test_a_member_that_says_too_much_is_refused_and_leaves_nothing(host: Any) -> None:
    said = bytes(MAX_GROUP_MEMBER_BYTES)
    assert code(host, join(version=3, metadata=said)) == error_codes.INVALID_REQUEST
    assert memory_of(host).held_bytes == 0
    host.ask(join(version=3, metadata=said[:-10]))
    host.wait(3_000)
    assert memory_of(host).held_bytes > MAX_GROUP_MEMBER_BYTES - 10


def test_members_together_hold_no_more_than_their_limit(host: Any) -> None:
    said, refused, number = bytes(MAX_GROUP_MEMBER_BYTES - 100), 0, 0
    while not refused:
        asked = host.ask(join(version=3, group=f"g{number}", metadata=said))
        reply = host.replies.get(asked)
        refused = 0 if reply is None else int(reply.code)
        number += 1
    assert refused == error_codes.COORDINATOR_NOT_AVAILABLE
    assert number - 1 == MAX_GROUPS_BYTES // len(said)
    assert memory_of(host).held_bytes <= MAX_GROUPS_BYTES


def test_what_members_said_is_given_back_when_they_leave(host: Any) -> None:
    member = stable(host)[0]
    held = memory_of(host).held_bytes
    assert held > 0
    host.get(leave(member))
    assert memory_of(host).held_bytes < held


def test_an_assignment_beyond_the_limit_is_refused(host: Any) -> None:
    asked = host.ask(join(version=3))
    host.wait(3_000)
    told = host.replies[asked]
    memory_of(host).most_bytes = memory_of(host).held_bytes + 100
    given = sync(told.member_id, 1, {told.member_id: bytes(101)})
    assert code(host, given) == error_codes.COORDINATOR_NOT_AVAILABLE
    given = sync(told.member_id, 1, {told.member_id: bytes(100)})
    assert code(host, given) == error_codes.NONE
