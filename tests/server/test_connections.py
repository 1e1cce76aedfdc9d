"""Real sockets on loopback: order, hang-ups, slow readers, limits, broken frames, the end."""

from __future__ import annotations

import os
import socket

import pytest
import trio
import trio.testing

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import READ_CHUNK_BYTES, REQUESTS_PER_TURN
from metaquorum.config.listeners import Listener
from metaquorum.fetch.plan import ReadPlan
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.listener import serve
from metaquorum.testing.fake_services import (
    FakePlan,
    FakeServices,
    plain_config,
    services_with_eight_records,
)
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.describe_quorum_request import DescribeQuorumRequest
from metaquorum.wire.generated.describe_quorum_response import DescribeQuorumResponse
from metaquorum.wire.generated.fetch_response import FetchResponse
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.metadata_request import MetadataRequest
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.slices import FileSlice
from tests.server.one_node import Wire, fetch, framed

pytestmark = pytest.mark.usefixtures("connection_host")


async def test_pipelined_requests_are_answered_in_order(start):
    wire = await (await start()).connect()
    asked = [framed(ApiVersionsRequest("a", "1"), 3, n) for n in range(100)]
    asked += [framed(MetadataRequest(topics=None), 12, n) for n in range(100, 200)]
    await wire.send(*asked)
    order = [(await wire.answer(18 if n < 100 else 3, 3 if n < 100 else 12))[0] for n in range(200)]
    assert order == list(range(200))


async def test_a_request_may_come_byte_by_byte(start):
    wire = await (await start()).connect()
    for byte in framed(ApiVersionsRequest("a", "1"), 3):
        await wire.send(bytes([byte]))
    assert (await wire.answer(18, 3))[1].error_code == 0


async def test_a_parked_fetch_delays_only_what_follows_on_its_connection(start):
    node = await start()
    first, second = await node.connect(), await node.connect()
    await first.send(framed(fetch(), 12, 1), framed(ApiVersionsRequest("a", "1"), 3, 2))
    await node.until(lambda: node.parked == 1)
    await second.send(framed(ApiVersionsRequest("a", "1"), 3, 3))
    assert (await second.answer(18, 3))[0] == 3
    node.services.log.append([(None, b"eight")])
    node.services.commit()
    assert (await first.answer(1, 12))[0] == 1
    assert (await first.answer(18, 3))[0] == 2


async def test_a_hang_up_takes_back_what_is_parked(start):
    node = await start()
    wire = await node.connect()
    await wire.send(framed(fetch(), 12))
    await node.until(lambda: node.parked == 1)
    await wire.stream.aclose()
    await node.until(lambda: node.parked == 0 and node.connections == 0)


async def test_a_hang_up_takes_back_what_the_quorum_was_asked(start):
    node = await start()
    wire = await node.connect()
    await wire.send(framed(DescribeQuorumRequest(), 2))
    await node.until(lambda: bool(node.services.answers))
    await wire.stream.aclose()
    await node.until(lambda: node.services.answers[0].cancelled)
    node.services.answers[0].complete(DescribeQuorumResponse())


async def test_a_reset_in_mid_response_ends_that_connection_only(start):
    node = await start(house_with_file_of(4_000_000))
    wire = await node.connect()
    await wire.send(framed(fetch(0), 12))
    await wire.stream.receive_some(1_000)
    wire.stream.socket.setsockopt(
        socket.SOL_SOCKET, socket.SO_LINGER, (1).to_bytes(4, "little") + bytes(4)
    )
    wire.stream.socket.close()
    await node.until(lambda: node.connections == 0)
    again = await node.connect()
    await again.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await again.answer(18, 3))[1].error_code == 0


class FileLog:
    """A log whose one batch is a slice of a file, for answers that do not fit a socket."""

    def __init__(self, size: int) -> None:
        self.start_offset = 0
        self.high_watermark = self.end_offset = 8
        self.fd = os.memfd_create("segment")
        os.write(self.fd, os.urandom(256) * (size // 256))
        self.size = size

    def read_plan(self, offset, max_bytes, below, whole_first=True) -> ReadPlan:
        return FakePlan((FileSlice(self.fd, 0, self.size, end_offset=8),), 8)

    def content(self) -> bytes:
        return os.pread(self.fd, self.size, 0)


def house_with_file_of(size: int) -> FakeServices:
    services = FakeServices(log=FileLog(size))
    services.watermark.advance(8, 0)
    return services


async def test_a_large_answer_leaves_from_its_file_at_the_readers_pace(start):
    node = await start(house_with_file_of(4_194_304))
    wire = await node.connect()
    await wire.send(framed(fetch(0), 12, 1), framed(ApiVersionsRequest("a", "1"), 3, 2))
    await node.until(lambda: node.server.statistics()["requests"].get("Fetch") == 1)
    _, response = await wire.answer(1, 12)
    records = response.responses[0].partitions[0].records
    assert bytes(records) == node.services.log.content()
    assert (await wire.answer(18, 3))[0] == 2


async def test_a_reader_that_takes_nothing_is_closed_in_the_end(start):
    node = await start(house_with_file_of(8_388_608))
    wire = await node.connect()
    await wire.send(framed(fetch(0), 12))
    await node.until(lambda: node.server.statistics()["requests"].get("Fetch") == 1)
    await trio.testing.wait_all_tasks_blocked()
    node.services.clock.now += 60_000
    node.server.close_overdue()
    assert "took no answer" in node.notes[0]
    await node.until(lambda: node.connections == 0)


async def test_a_log_is_not_cut_under_an_answer_that_is_on_its_way(start):
    node = await start(house_with_file_of(8_388_608))
    wire = await node.connect()
    await wire.send(framed(fetch(0), 12, 1))
    await node.until(lambda: node.server.statistics()["unsent"]["readers"] == 1)
    node.server.cut(8)
    assert node.notes == []
    node.server.cut(7)
    assert len(node.notes) == 1 and "the log is cut at 7 while more of it is" in node.notes[0]
    os.ftruncate(node.services.log.fd, 0)
    await node.until(lambda: node.connections == 0)


async def test_answers_that_were_kept_are_forgotten_when_the_log_is_cut(start):
    node = await start(house_with_file_of(1_024))
    answer = FetchResponse()
    encoded = node.server.pipeline._encoded
    encoded.keep(answer, 12, [bytes(40)])
    assert encoded.find(answer, 12, 1) is not None
    node.server.cut(8)
    assert encoded.find(answer, 12, 1) is None


async def test_an_idle_connection_is_closed_unless_it_has_a_parked_fetch(start):
    node = await start()
    idle, parked = await node.connect(), await node.connect()
    await parked.send(framed(fetch(), 12))
    await node.until(lambda: node.parked == 1 and node.connections == 2)
    node.services.clock.now += 600_000
    node.server.close_overdue()
    assert await idle.is_closed_by_the_server()
    assert node.parked == 1
    assert ["was idle" in note for note in node.notes] == [True]


async def test_a_frame_that_never_ends_is_given_up(start):
    node = await start()
    wire = await node.connect()
    await wire.send(framed(ApiVersionsRequest("a", "1"), 3)[:-1])
    await node.until(lambda: node.connections == 1)
    await trio.testing.wait_all_tasks_blocked(0.01)
    node.services.clock.now += 120_000
    node.server.close_overdue()
    assert await wire.is_closed_by_the_server()
    assert "unfinished" in node.notes[0]


@pytest.mark.parametrize(
    "data",
    [
        b"\xff\xff\xff\xff",
        b"\x00\x00\x00\x00",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # the first bytes of TLS
        b"GET / HTTP/1.1\r\n\r\n",
        b"\x00\x00\x00\x0a\x00\x63\x00\x00\x00\x00\x00\x01\xff\xff",  # an API that nobody has
        b"\x00\x00\x00\x0a\x00\x03\x00\x63\x00\x00\x00\x01\xff\xff",  # Metadata version 99
        b"\x00\x00\x00\x0c\x00\x03\x00\x01\x00\x00\x00\x01\xff\xff\x7f\xff",  # cut in the body
    ],
)
async def test_what_is_no_request_ends_its_connection_and_no_other(start, data):
    node = await start()
    bystander, wire = await node.connect(), await node.connect()
    await wire.send(data)
    assert await wire.is_closed_by_the_server()
    assert len(node.notes) == 1
    await bystander.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await bystander.answer(18, 3))[1].error_code == 0


async def test_answers_before_a_broken_request_still_leave(start):
    wire = await (await start()).connect()
    await wire.send(
        framed(ApiVersionsRequest("a", "1"), 3, 1), b"\x00\x00\x00\x0a\x00\x63" + bytes(8)
    )
    assert (await wire.answer(18, 3))[0] == 1
    assert await wire.is_closed_by_the_server()


async def test_the_log_line_says_if_a_client_speaks_tls_to_a_plain_listener(start):
    node = await start()
    wire = await node.connect()
    await wire.send(b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03")
    assert await wire.is_closed_by_the_server()
    assert "TLS" in node.notes[0]


async def test_a_client_over_quota_is_not_served_until_its_throttle_ends(start):
    node = await start()
    node.services.quotas[(("client-id", "test"),)] = {"consumer_byte_rate": 20.0}
    wire, other = await node.connect(), await node.connect()
    asked = [framed(fetch(0, max_wait_ms=0), 12, number) for number in range(2)]
    await wire.send(*asked, framed(ApiVersionsRequest("a", "1"), 3, 2))
    assert (await wire.answer(1, 12))[1].responses
    _, empty = await wire.answer(1, 12)
    assert empty.responses == [] and empty.throttle_time_ms > 0
    await trio.testing.wait_all_tasks_blocked(0.01)
    assert node.server.pipeline.served("ApiVersions") == 0
    assert ["exceeds a quota" in note for note in node.notes] == [True]
    await other.send(framed(ApiVersionsRequest("a", "1"), 3, 7))
    assert (await other.answer(18, 3))[0] == 7
    node.services.watermark.expire(node.services.clock.now_ms() + empty.throttle_time_ms)
    assert (await wire.answer(18, 3))[0] == 2


async def test_a_paused_client_that_hangs_up_leaves_nothing_behind(start):
    node = await start()
    node.services.quotas[(("client-id", "test"),)] = {"consumer_byte_rate": 20.0}
    wire = await node.connect()
    await wire.send(*(framed(fetch(0, max_wait_ms=0), 12, number) for number in range(2)))
    for _ in range(2):
        await wire.answer(1, 12)
    assert node.parked == 1
    await wire.stream.aclose()
    await node.until(lambda: node.connections == 0 and node.parked == 0)


async def test_connections_over_the_creation_rate_wait_and_are_then_served(start):
    config = plain_config("CONTROLLER://127.0.0.1:0", max_connection_creation_rate="1")
    node = await start(services_with_eight_records(config=config))
    wires = [await node.connect() for _ in range(12)]
    await node.until(
        lambda: any("max.connection.creation.rate is 1" in note for note in node.notes)
    )
    assert node.connections == 11
    assert node.server.admission.paused_ms > 0
    for wire in wires[:11]:
        await wire.send(framed(ApiVersionsRequest("a", "1"), 3))
        assert (await wire.answer(18, 3))[1].error_code == 0


async def test_the_memory_of_requests_is_the_operators_within_ours(start):
    keys = {"socket_request_max_bytes": "100000", "queued_max_request_bytes": "200000"}
    node = await start(
        services_with_eight_records(config=plain_config("CONTROLLER://127.0.0.1:0", **keys))
    )
    assert node.server.budgets.clients.limit_bytes == 200_000


async def test_large_requests_wait_for_the_budget_and_lose_nothing(start):
    node = await start()
    node.server.budgets.clients.limit_bytes = READ_CHUNK_BYTES
    token = bytes(1_000_000)

    async def authenticate() -> None:
        wire = await node.connect()
        await wire.send(framed(SaslAuthenticateRequest(token), 2))
        assert (await wire.answer(36, 2))[1].error_code == 34

    with trio.fail_after(20):
        async with trio.open_nursery() as clients:
            for _ in range(8):
                clients.start_soon(authenticate)
    assert node.server.statistics()["budget"] == {
        "taken_bytes": 0, "limit_bytes": READ_CHUNK_BYTES, "waiting": 0,
    }  # fmt: skip


async def test_requests_pipelined_behind_a_parked_one_stay_in_the_socket(start):
    node = await start()
    wire = await node.connect()
    flood = framed(ListGroupsRequest(), 0, 2)
    count = 4 * READ_CHUNK_BYTES // len(flood)
    received = 0

    async def answers() -> None:
        nonlocal received
        assert (await wire.answer(1, 12))[0] == 1
        for _ in range(count):
            await wire.answer(16, 0)
            received += 1

    await wire.send(framed(fetch(), 12, 1))
    await node.until(lambda: node.parked == 1)
    async with trio.open_nursery() as clients:
        clients.start_soon(answers)
        clients.start_soon(wire.send, flood * count)
        await trio.testing.wait_all_tasks_blocked(0.01)
        node.services.log.append([(None, b"eight")])
        node.services.commit()
    assert received == count


async def test_a_client_that_pipelines_a_great_deal_does_not_delay_others(start, monkeypatch):
    node = await start()
    order: list[str] = []
    serve_one = Pipeline.serve

    def recorded(self, frame, origin, *rest):
        order.append(origin.peer)
        return serve_one(self, frame, origin, *rest)

    monkeypatch.setattr(Pipeline, "serve", recorded)
    port = node.server.ports["CONTROLLER"]
    eager, modest = (socket.create_connection(("127.0.0.1", port)) for _ in range(2))
    await node.until(lambda: node.connections == 2)
    flood = 1_000
    eager.sendall(framed(ListGroupsRequest(), 0) * flood)  # both are there before the server looks
    modest.sendall(framed(ListGroupsRequest(), 0))
    await Wire(trio.SocketStream(trio.socket.from_stdlib_socket(modest))).answer(16, 0)
    served_before = len(order) - 1
    wire = Wire(trio.SocketStream(trio.socket.from_stdlib_socket(eager)))
    for _ in range(flood):
        await wire.answer(16, 0)
    assert len(order) == flood + 1
    assert served_before <= 3 * REQUESTS_PER_TURN


async def test_a_stop_lets_parked_requests_end_and_refuses_new_ones(start):
    node = await start()
    parked, late = await node.connect(), await node.connect()
    await parked.send(framed(fetch(), 12))
    await node.until(lambda: node.parked == 1 and node.connections == 2)
    async with trio.open_nursery() as stopping:
        stopping.start_soon(node.server.stop, 10_000)
        await node.until(lambda: node.server.pipeline.stopping)
        await late.send(framed(fetch(0), 12))
        _, refused = await late.answer(1, 12)
        assert refused.responses[0].partitions[0].error_code == 6
        node.services.log.append([(None, b"eight")])
        node.services.commit()
        assert (await parked.answer(1, 12))[1].responses[0].partitions[0].error_code == 0
    assert await parked.is_closed_by_the_server()
    with pytest.raises(OSError):
        await node.connect()


async def test_a_stop_waits_no_longer_than_its_grace(start):
    node = await start()
    wire = await node.connect()
    await wire.send(framed(fetch(), 12))
    await node.until(lambda: node.parked == 1)
    with trio.fail_after(10):
        await node.server.stop(grace_ms=1)
    assert await wire.is_closed_by_the_server()
    assert node.parked == 0


async def test_an_address_that_is_taken_is_the_operators_matter(start):
    node = await start()
    taken = node.server.ports["CONTROLLER"]
    with pytest.raises(OperatorError, match=f"CONTROLLER cannot listen on 127.0.0.1:{taken}"):
        await serve([Listener("CONTROLLER", "127.0.0.1", taken)], node.services)


async def test_an_empty_host_listens_on_every_interface(start):
    node = await start(services_with_eight_records(config=plain_config("CONTROLLER://:0")))
    wire = await node.connect()
    await wire.send(framed(ApiVersionsRequest("a", "1"), 3))
    assert (await wire.answer(18, 3))[1].error_code == 0
