"""A server that is cancelled at any moment leaves nothing parked, charged or open behind."""

from __future__ import annotations

from functools import partial

import pytest
import trio

from metaquorum.server.sockets.listener import serve
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest

MOMENTS = 60

pytestmark = pytest.mark.usefixtures("connection_host")


def framed(message, version) -> bytes:
    frame = request_frame(message, version)
    return len(frame).to_bytes(4, "big") + frame


def parked_fetch() -> bytes:
    one = FetchPartition(fetch_offset=8, partition_max_bytes=1)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    return framed(FetchRequest(max_wait_ms=60_000, min_bytes=1, topics=[topic]), 12)


async def converse(port: int, *frames: bytes) -> None:
    async with await trio.open_tcp_stream("127.0.0.1", port) as stream:
        for frame in frames:
            await stream.send_all(frame)
            await trio.lowlevel.checkpoint()
        await stream.receive_some()
        await trio.sleep_forever()


async def live_until(moment: int, services: FakeServices):
    """A busy server, cancelled after so many turns of the loop."""
    async with trio.open_nursery() as nursery:
        server = await nursery.start(partial(serve, services.config.listeners, services))
        port = server.ports["CONTROLLER"]
        hello = framed(ApiVersionsRequest("a", "1"), 3)
        large = framed(SaslAuthenticateRequest(bytes(300_000)), 2)
        nursery.start_soon(converse, port, hello, parked_fetch(), hello)
        nursery.start_soon(converse, port, framed(DescribeQuorumRequest(), 2), hello)
        nursery.start_soon(converse, port, large[:200_000], large[200_000:], hello)
        for turn in range(moment):
            await trio.lowlevel.checkpoint()
            if turn == MOMENTS // 2:
                services.log.append([(None, b"eight")])
                services.commit()
        nursery.cancel_scope.cancel()
    return server


@pytest.mark.parametrize("moment", range(0, MOMENTS, 3))
async def test_a_cancel_at_any_moment_leaves_nothing_behind(moment):
    services = services_with_eight_records()
    server = await live_until(moment, services)
    told = server.statistics()
    assert told["connections"] == 0
    assert told["budget"]["taken_bytes"] == 0
    assert told["budget"]["waiting"] == 0
    assert services.watermark.statistics()["parked"] == 0
    assert all(answer.done for answer in services.answers)
