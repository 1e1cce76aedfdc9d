"""Answers made in steps have the bytes of those made at once."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import ROWS_ENCODED_PER_STEP
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.steps import RowsApart, promise_of_steps, taken
from metaquorum.wire.generated import describe_acls_response as acls
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


def described(host: str) -> acls.AclDescription:
    return acls.AclDescription("User:a", host, 3, 3)


@pytest.mark.parametrize("version", range(acls.LOWEST_VERSION, 4))
@pytest.mark.parametrize(
    "counts", [[], [0], [1], [100], [101], [250], [3, 250, 0, 7], [60] * 9, [1] * 450, [1_000, 1]]
)
def test_nested_rows_added_apart_make_the_bytes_of_the_whole(version, counts):
    hosts = [[f"host-{number}" for number in range(count)] for count in counts]

    def resource(number: int) -> acls.DescribeAclsResource:
        return acls.DescribeAclsResource(2, f"topic-{number}", 3)

    answer = RowsApart(acls, acls.DescribeAclsResponse(error_message=""), "resources", version, 2)
    rows = ((resource(number), some) for number, some in enumerate(hosts))
    taken(answer.add_nested(rows, "acls", described))
    resources = [resource(number) for number in range(len(counts))]
    for one, some in zip(resources, hosts, strict=True):
        one.acls = [described(host) for host in some]
    whole = acls.DescribeAclsResponse(error_message="", resources=resources)
    assert b"".join(map(bytes, answer.done().body)) == acls.encode(whole, version)


@pytest.mark.parametrize("counts", [[1] * 9_500, [9_500], [50] * 190])
def test_no_step_encodes_more_rows_than_it_may(counts):
    made = [0]

    def counted(host: str) -> acls.AclDescription:
        made[0] += 1
        return described(host)

    answer = RowsApart(acls, acls.DescribeAclsResponse(), "resources", 3, 2)
    rows = ((acls.DescribeAclsResource(2, "t", 3), ["h"] * count) for count in counts)
    steps = 0
    for _ in answer.add_nested(rows, "acls", counted):
        assert made[0] <= ROWS_ENCODED_PER_STEP
        made[0] = 0
        steps += 1
    assert steps < 9_500 / 50


def test_steps_that_wait_go_on_when_what_they_wait_for_is_done():
    asked: Promise[int] = Promise()

    def steps():
        yield None
        yield asked
        return asked.result() + 1

    made = promise_of_steps(steps())
    assert not made.done
    asked.complete(6)
    assert made.result() == 7
    with pytest.raises(InvariantViolated):
        taken(iter_of(Promise()))


def iter_of(asked: Promise[None]):
    yield asked
