"""Names of clients that leave no room for what is made of them: the node answers and lives."""

from __future__ import annotations

import pytest
import trio

from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.local_groups import LocalGroups
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated import error_codes, join_group_request
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from tests.server.one_node import Wire, framed

pytestmark = pytest.mark.usefixtures("connection_host")

JOIN_GROUP, API_VERSIONS = 11, 18
LONGEST = 32_730  # with a dash and a uuid it is a member id of 32,767 bytes
INSTANCES_FROM, IDS_FROM = 5, 4


def join(version: int, client_id: str, instance_id: str | None = None) -> bytes:
    request = join_group_request.JoinGroupRequest("g", 30_000, 60_000, "", instance_id, "consumer")
    request.protocols = [join_group_request.JoinGroupRequestProtocol("range", b"")]
    frame = request_frame(request, version, client_id=client_id)
    return len(frame).to_bytes(4, "big") + frame


async def code_of(node, version: int, *names: str) -> int:
    wire = await node.connect()
    await wire.send(join(version, *names))
    with trio.fail_after(10):
        _, answer = await wire.answer(JOIN_GROUP, version)
    await wire.stream.aclose()
    code: int = answer.error_code
    return code


@pytest.mark.parametrize("size", [LONGEST + 1, 32_767])
async def test_five_joins_with_names_too_long_for_member_ids_stop_no_node(start, size):
    services = services_with_eight_records()
    services.groups = LocalGroups(services.clock)
    node = await start(services)
    for version in range(10):
        for _ in range(5):
            assert await code_of(node, version, "x" * size) == error_codes.UNKNOWN_SERVER_ERROR
            if version >= INSTANCES_FROM:
                code = await code_of(node, version, "c", "x" * size)
                assert code == error_codes.UNKNOWN_SERVER_ERROR
        if version >= IDS_FROM:
            code = await code_of(node, version, "x" * LONGEST)
            assert code == error_codes.MEMBER_ID_REQUIRED
    wire: Wire = await node.connect()
    await wire.send(framed(ApiVersionsRequest(), 0))
    assert (await wire.answer(API_VERSIONS, 0))[1].error_code == error_codes.NONE
    assert node.notes == []
    assert node.server.pipeline.failures.count == 0, "it is refused where it would be made"


async def test_a_connection_whose_response_fails_closes_after_earlier_ones(start, monkeypatch):
    from metaquorum.server.handlers import list_groups
    from metaquorum.wire.generated.list_groups_request import ListGroupsRequest

    def fail(*_):
        raise KeyError("ours")

    node = await start()
    monkeypatch.setattr(list_groups, "handle", fail)
    monkeypatch.setattr(list_groups, "refusal", fail)
    wire = await node.connect()
    await wire.send(framed(ApiVersionsRequest(), 0, 1), framed(ListGroupsRequest(), 4, 2))
    assert (await wire.answer(API_VERSIONS, 0))[0] == 1
    with trio.fail_after(10):
        assert await wire.is_closed_by_the_server()
    other = await node.connect()
    await other.send(framed(ApiVersionsRequest(), 0))
    assert (await other.answer(API_VERSIONS, 0))[1].error_code == error_codes.NONE
    assert "a request that could not be answered" in node.notes[0]
    await node.until(lambda: node.connections == 1)
    assert node.server.statistics()["budget"]["taken_bytes"] == 0
