"""Answers made in steps have the bytes of those made at once."""

from __future__ import annotations

import pytest

from metaquorum.server.steps import RowsApart
from metaquorum.wire.generated import list_groups_response as groups

FLEXIBLE_FROM = 3


def group_rows(count: int) -> list[groups.ListedGroup]:
    return [groups.ListedGroup(f"group-{number}", "consumer") for number in range(count)]


@pytest.mark.parametrize("version", range(6))
@pytest.mark.parametrize("counts", [[], [1], [100], [100, 27], [100, 28], [3, 1, 100, 100, 100]])
def test_rows_added_apart_make_the_bytes_of_the_whole(version, counts):
    whole = groups.ListGroupsResponse(throttle_time_ms=7 if version else 0, groups=[])
    apart = groups.ListGroupsResponse(throttle_time_ms=7 if version else 0)
    answer = RowsApart(groups, apart, "groups", version, FLEXIBLE_FROM)
    for count in counts:
        rows = group_rows(count)
        answer.add(rows)
        whole.groups = [*whole.groups, *rows]
    assert b"".join(map(bytes, answer.done().body)) == groups.encode(whole, version)


@pytest.mark.parametrize("count", [0, 101])
def test_no_rows_and_too_many_at_once_are_our_own_fault(count):
    answer = RowsApart(groups, groups.ListGroupsResponse(), "groups", 5, FLEXIBLE_FROM)
    with pytest.raises(ValueError, match="at once"):
        answer.add(group_rows(count))
