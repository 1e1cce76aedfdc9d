"""How many connections there may be at a time, and who counts."""

from __future__ import annotations

import pytest

from metaquorum.server import turns
from metaquorum.testing.fake_house import house_of_eight, plain_config
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from tests.server.one_node import framed

pytestmark = pytest.mark.usefixtures("connection_host")


async def test_more_connections_than_one_address_may_have_are_turned_away(start):
    house = house_of_eight(config=plain_config(max_connections_per_ip="2"))
    node = await start(house)
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
    monkeypatch.setattr(turns, "LEAST_REST_MS", 3_600_000)
    node = await start(house_of_eight(config=plain_config(max_connections_per_ip="20")))
    other = await node.connect()
    await other.send(framed(ApiVersionsRequest("a", "1"), 3))  # the queue rests for others only
    await other.answer(18, 3)
    for _ in range(100):
        leaving = [await node.connect() for _ in range(4)]
        for wire in leaving:
            await wire.stream.aclose()
    await node.until(lambda: node.server.accepted + node.server.refused == 401)
    assert node.server.refused == 0


async def test_clients_that_use_up_the_connections_of_a_node_do_not_keep_its_voters_out(start):
    config = plain_config("CONTROLLER://127.0.0.1:0,PLAINTEXT://127.0.0.1:0", max_connections="1")
    node = await start(house_of_eight(config=config))
    _kept = await node.connect("PLAINTEXT")
    await node.until(lambda: node.connections == 1)
    assert await (await node.connect("PLAINTEXT")).is_closed_by_the_server()
    assert node.notes == [
        "connection 127.0.0.1 on PLAINTEXT: too many connections, max.connections is 1"
    ]
    voter = await node.connect("CONTROLLER")
    await voter.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await voter.answer(18, 3))[1].error_code == 0
