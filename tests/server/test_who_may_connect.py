"""How many connections there may be at a time, and who counts."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import UNPROVEN_VOTER_MS
from metaquorum.server.sockets import fair_queue
from metaquorum.server.sockets.descriptors import LEAST_DESCRIPTORS, Descriptors, DescriptorShares
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.vote_request import PartitionData, TopicData, VoteRequest
from metaquorum.wire.generated.vote_response import VoteResponse
from tests.server.one_node import framed

pytestmark = pytest.mark.usefixtures("connection_host")


async def test_more_connections_than_one_address_may_have_are_turned_away(start):
    services = services_with_eight_records(config=plain_config(max_connections_per_ip="2"))
    node = await start(services)
    kept = [await node.connect(), await node.connect()]
    await node.until(lambda: node.connections == 2)
    assert await (await node.connect()).is_closed_by_the_server()
    assert node.server.statistics()["refused"] == 1
    await kept[0].stream.aclose()
    await node.until(lambda: node.connections == 1)
    wire = await node.connect()
    await wire.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await wire.answer(18, 3))[1].error_code == 0


async def test_who_hung_up_keeps_nobody_out_while_the_queue_of_turns_rests(start, monkeypatch):
    monkeypatch.setattr(fair_queue, "LEAST_REST_MS", 3_600_000)
    node = await start(
        services_with_eight_records(config=plain_config(max_connections_per_ip="20"))
    )
    other = await node.connect()
    await other.send(framed(ApiVersionsRequest("a", "1"), 3))  # the queue rests for others only
    await other.answer(18, 3)
    for _ in range(100):
        leaving = [await node.connect() for _ in range(4)]
        for wire in leaving:
            await wire.stream.aclose()
    await node.until(lambda: node.server.accepted + node.server.refused == 401)
    assert node.server.refused == 0


async def test_clients_that_use_up_the_connections_do_not_keep_voters_out(start):
    config = plain_config("CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0", max_connections="1")
    node = await start(services_with_eight_records(config=config))
    _kept = await node.connect("PLAINTEXT")
    await node.until(lambda: node.connections == 1)
    assert await (await node.connect("PLAINTEXT")).is_closed_by_the_server()
    assert node.notes == [
        "connection 127.0.0.1 on PLAINTEXT: too many connections, max.connections is 1"
    ]
    voter = await node.connect("CONTROLLER")
    await voter.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await voter.answer(18, 3))[1].error_code == 0


TWO = "CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0"


@pytest.fixture
async def node_of_few(start):
    """A node with descriptors for 24 clients and 32 more connections to its controller listener."""
    node = await start(services_with_eight_records(config=plain_config(TWO), voters=(1, 2)))
    node.server.admission.descriptors = Descriptors(DescriptorShares.of(LEAST_DESCRIPTORS))
    return node


async def test_clients_that_take_all_descriptors_leave_some_for_voters(node_of_few):
    node = node_of_few
    most = node.server.admission.descriptors.client_connections
    kept = [await node.connect("PLAINTEXT") for _ in range(most)]
    await node.until(lambda: node.connections == most)
    assert await (await node.connect("PLAINTEXT")).is_closed_by_the_server()
    assert f"the limit of open files ({LEAST_DESCRIPTORS}) leaves {most}" in node.notes[0]
    voter = await node.connect("CONTROLLER")
    await voter.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await voter.answer(18, 3))[1].error_code == 0
    del kept


async def test_a_flood_of_the_controller_listener_keeps_no_voter_out(node_of_few):
    node = node_of_few
    most = node.server.admission.descriptors.connections
    flood = [await node.connect("CONTROLLER") for _ in range(most - 1)]
    await node.until(lambda: node.connections == most - 1)
    voter = await node.connect("CONTROLLER")
    vote = VoteRequest(topics=[TopicData("__cluster_metadata", [PartitionData(0, 1, 2)])])
    await voter.send(framed(vote, 0))
    await node.until(lambda: bool(node.services.asked))
    node.services.answers[0].complete(VoteResponse())
    assert (await voter.answer(52, 0))[1].error_code == 0
    for _ in range(40):
        node.services.clock.now += UNPROVEN_VOTER_MS
        flood.append(await node.connect("CONTROLLER"))
        await node.until(lambda: node.server.accepted == most + len(flood) - (most - 1))
    assert node.connections == most
    await voter.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await voter.answer(18, 3))[1].error_code == 0


async def test_connections_make_way_for_files_of_logs(node_of_few):
    node = node_of_few
    most = node.server.admission.descriptors.client_connections
    kept = [await node.connect("PLAINTEXT") for _ in range(most)]
    await node.until(lambda: node.connections == most)
    shares = node.server.admission.descriptors.shares
    files = shares.files - 40
    node.server.admission.descriptors = Descriptors(shares, lambda: files)
    left = shares.connections_beside(files) - shares.voters
    assert 0 <= left < most
    voter = await node.connect("CONTROLLER")  # it finds room, although clients held more than that
    await voter.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await voter.answer(18, 3))[1].error_code == 0
    await node.until(lambda: node.connections == left + 1)
    assert "makes way for files of logs" in node.notes[0]
    del kept
