"""Peers that break the rules, against a real process: each meets its limit, and no one else does.

What takes minutes to meet its limit here (a request that never ends, a reader that never reads)
meets it in virtual time in ``tests/server/test_connections.py``; here it must cost the others
nothing meanwhile.
"""

from __future__ import annotations

import contextlib
import random
import re
import resource
import selectors
import socket
import struct
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.base.limits import (
    CLOSE_NOTES_PER_SECOND,
    MAX_PRODUCE_FRAME_BYTES,
    MAX_REQUEST_BYTES_IN_FLIGHT,
    MAX_REQUEST_FRAME_BYTES,
    MAX_REQUEST_ROWS,
    MAX_UNSENT_ANSWER_BYTES,
    READ_CHUNK_BYTES,
    SCANT_READ_CHUNK_BYTES,
    SHARES_OF_BUDGET,
)
from metaquorum.client.connection import Connection
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import produce_request as produce
from metaquorum.wire.generated.describe_client_quotas_request import DescribeClientQuotasRequest
from metaquorum.wire.generated.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)
from metaquorum.wire.primitives import uvarint
from tests.interop.hostile_target import PATIENCE_S, Target, attacked, framed, wait_until
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode
from tools.quota_writer import put_rates

pytestmark = pytest.mark.alone

SEED = 4
IDLE_MS = 5_000
SLACK = 4 * READ_CHUNK_BYTES  # reads under way when the budget was spent
PAUSE_S = 1.2 / CLOSE_NOTES_PER_SECOND  # so that every line is told
DESCRIPTORS = 4_096
ATTACK_S = 2.0  # of those that go on for as long as one likes
IDLE_CLIENTS, SLOW_CLIENTS, DEAF_CLIENTS, HASTY_CLIENTS = 1_000, 20, 20, 5_000
RANDOM_CLIENTS = 300
HALF_CLIENTS, PARKED_CLIENTS, GREEDY_CLIENTS = 1_000, 300, 100
ROW_CLIENTS = 8
BROKER, CLUSTER_CHANGING = 4, (52, 53, 54)
LEFT_OUT = re.compile(r"(\d+) more lines of this kind were left out")


@pytest.fixture(scope="module")
def target(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Target]:
    """A node with a log worth reading, after a quiet moment."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, min(DESCRIPTORS, hard)), hard))
    directory: Path = tmp_path_factory.mktemp("hostile")
    (metrics_port,) = free_ports(1)
    node = OwnNode(
        directory,
        {
            "metrics.listener": f"{LOOPBACK}:{metrics_port}",
            "connections.max.idle.ms": str(IDLE_MS),
            # With Kafka's default of 50 the system itself slows down who opens and closes.
            "socket.listen.backlog.size": "1024",
        },
    )
    node.format()
    try:
        with attacked(node, directory / "latencies", prepare=lambda: fill(node)) as bystander:
            yield Target(node, bystander, metrics_port)
        assert node.stop() == 0
    finally:
        node.kill()
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


def fill(node: OwnNode) -> None:
    """Write some thousand records."""
    with Connection.open(LOOPBACK, node.controller_port) as connection:
        for part in range(4):
            put_rates(connection, [f"user-{part}-{number}" for number in range(5_000)])


def hang_up_comes(client: socket.socket) -> None:
    """Read until the server hangs up; TimeoutError when it does not."""
    with contextlib.suppress(ConnectionError):
        while client.recv(65_536):
            pass


def header(key: int, version: int, *, flexible: bool) -> bytes:
    return struct.pack(">hhih", key, version, 1, -1) + (b"\x00" if flexible else b"")


FETCH_12 = header(1, 12, flexible=True) + struct.pack(">iiiibii", -1, 0, 1, 1, 0, 0, -1)
FETCH_4 = header(1, 4, flexible=False) + struct.pack(">iiiib", -1, 0, 1, 1, 0)
MOST = b"\x7f\xff\xff\xff"
MOST_COMPACT = b"\xff\xff\xff\xff\x0f"
BROKEN = {
    "a TLS ClientHello": (bytes.fromhex("160301020001 0001fc0303"), "speaks TLS"),
    "an HTTP request": (b"GET / HTTP/1.1\r\nHost: here\r\n\r\n", "speaks HTTP"),
    "an SSH greeting": (b"SSH-2.0-OpenSSH_9.2\r\n", "speaks SSH"),
    "a negative size": (b"\xff\xff\xff\xff", "a frame of -1 bytes"),
    "the lowest size": (b"\x80\x00\x00\x00", "a frame of -2147483648 bytes"),
    "no size": (bytes(4), "a request of 0 bytes"),
    "less than a header": (framed(bytes(7)), "a request of 7 bytes"),
    "the largest size": (MOST, "a frame of 2147483647 bytes"),
    "a size above the limit": (
        (MAX_PRODUCE_FRAME_BYTES + 1).to_bytes(4, "big"),
        f"a frame of {MAX_PRODUCE_FRAME_BYTES + 1} bytes",
    ),
    "a size above that of its kind": (
        (MAX_REQUEST_FRAME_BYTES + 1).to_bytes(4, "big") + b"\x00\x03",
        f"a request of {MAX_REQUEST_FRAME_BYTES + 1} bytes with api key 3",
    ),
    "an api that nobody has": (framed(header(32_767, 0, flexible=False)), "32767"),
    "a negative api": (framed(header(-1, 0, flexible=False)), "-1"),
    "an api of others": (framed(header(BROKER, 7, flexible=True)), "api key 4 is not served"),
    "a version to come": (framed(header(3, 99, flexible=False)), "99"),
    "a negative version": (framed(header(3, -1, flexible=False)), "-1"),
    "a cut client id": (framed(struct.pack(">hhih", 3, 1, 1, 9) + b"cut"), "client_id"),
    "a cut body": (framed(request_frame(FetchRequest(topics=[]), 12)[:-3]), "FetchRequest"),
    "an array of 2^31": (framed(header(3, 1, flexible=False) + MOST), "2147483647 elements"),
    "a compact array of 2^32": (framed(header(3, 9, flexible=True) + MOST_COMPACT), "elements"),
    "tags of 2^32": (framed(header(3, 9, flexible=False) + MOST_COMPACT), "tags"),
    "an array in an array": (
        framed(FETCH_4 + b"\x00\x00\x00\x01\x00\x01a" + MOST + bytes(40)),
        "2147483647 elements",
    ),
    "tags three levels down": (
        framed(FETCH_12 + b"\x02\x02a\x02" + bytes(32) + MOST_COMPACT),
        "FetchRequest.topics[0].partitions[0]",
    ),
}


def test_each_broken_frame_closes_its_connection_and_logs_why_once(target):
    time.sleep(1)  # a new second for the lines
    with target.under("broken frames"):
        for name, (data, why) in BROKEN.items():
            time.sleep(PAUSE_S)
            with target.connect() as client:
                place = client.getsockname()
                client.sendall(data)
                hang_up_comes(client)
            wait_until(lambda place=place: target.lines_about(place))
            lines = target.lines_about(place)
            assert len(lines) == 1 and why in lines[0], (name, lines)


def test_random_bytes_fill_no_log(target):
    chance = random.Random(SEED)
    with Connection.open(LOOPBACK, target.node.controller_port) as connection:
        served = [(k, v) for k, v in connection.versions.items() if k not in CLUSTER_CHANGING]
    told, since = len(target.lines()), time.monotonic()
    with target.under("random bytes"):
        for number in range(RANDOM_CLIENTS):
            data = chance.randbytes(chance.randrange(1, 2_000))
            if number % 2:
                key, (low, high) = chance.choice(served)
                data = framed(struct.pack(">hhi", key, chance.randint(low, high), 1) + data)
            with target.connect() as client:
                with contextlib.suppress(ConnectionError):
                    client.sendall(data)
                    client.shutdown(socket.SHUT_WR)
                hang_up_comes(client)
        wait_until(lambda: any(LEFT_OUT.search(line) for line in target.lines()[told:]))
    seconds = time.monotonic() - since
    assert len(target.lines()) - told <= (CLOSE_NOTES_PER_SECOND + 1) * (seconds + 1)


def test_five_thousand_opened_and_closed_connections_leave_nothing(target):
    time.sleep(2.5)  # until the count of those lines that were left out before has come
    told = len(target.lines())
    before = open_descriptors(target.node)
    reset = struct.pack("ii", 1, 0)
    with target.under("open and close"):
        for number in range(HASTY_CLIENTS):
            with target.connect() as client:
                if number % 2:
                    client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, reset)
    wait_until(lambda: open_descriptors(target.node) <= before)
    assert target.lines()[told:] == []


def open_descriptors(node: OwnNode) -> int:
    return len(list(Path(f"/proc/{node.pid}/fd").iterdir()))


def test_a_thousand_idle_connections_are_closed_and_counted(target):
    time.sleep(1)  # a new second for the lines
    told = len(target.lines())
    with target.under("idle connections"), contextlib.ExitStack() as stack:
        clients = [stack.enter_context(target.connect()) for _ in range(IDLE_CLIENTS)]
        for client in clients:
            hang_up_comes(client)

    def counted() -> int:
        lines = target.lines()[told:]
        left_out = sum(int(found[1]) for found in map(LEFT_OUT.search, lines) if found)
        return left_out + sum(f"was idle for {IDLE_MS} ms" in line for line in lines)

    wait_until(lambda: counted() == IDLE_CLIENTS)
    assert len(target.lines()) - told <= IDLE_CLIENTS // 10


def test_a_byte_a_second_holds_up_nobody(target):
    frame = framed(request_frame(FetchRequest(topics=[]), 12))
    with target.under("a byte a second"), contextlib.ExitStack() as stack:
        clients = [stack.enter_context(target.connect()) for _ in range(SLOW_CLIENTS)]
        for at in range(5):
            for client in clients:
                client.sendall(frame[at : at + 1])
            time.sleep(1)


def test_clients_that_never_read_get_only_what_their_sockets_hold(target):
    one = FetchPartition(fetch_offset=0, partition_max_bytes=1 << 30)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    log = framed(request_frame(FetchRequest(max_bytes=1 << 30, topics=[topic]), 12))
    node = DescribeConfigsResource(4, "1", None)
    configs = framed(request_frame(DescribeConfigsRequest([node]), 4))
    with target.under("readers that never read"), contextlib.ExitStack() as stack:
        selector = stack.enter_context(selectors.DefaultSelector())
        for number in range(DEAF_CLIENTS):
            client = stack.enter_context(target.connect())
            client.setblocking(False)
            asked = (log if number % 2 else configs) * 100
            selector.register(client, selectors.EVENT_WRITE, asked)
        sent, ends = 0, time.monotonic() + 4
        while time.monotonic() < ends:
            for ready, _ in selector.select(0.1):
                with contextlib.suppress(BlockingIOError):
                    sent += ready.fileobj.send(ready.data)
        print(f"readers that never read asked {sent >> 10} KiB of questions")


def test_large_half_requests_of_one_address_hold_a_quarter_of_budget(target):
    half = (MAX_REQUEST_FRAME_BYTES).to_bytes(4, "big") + header(49, 1, flexible=True)
    with target.under("halves of large requests"), contextlib.ExitStack() as stack:
        for _ in range(HALF_CLIENTS):
            client = stack.enter_context(target.connect())
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                client.send(half + bytes(100_000))
        quarter = MAX_REQUEST_BYTES_IN_FLIGHT // SHARES_OF_BUDGET
        wait_until(lambda: target.figure("large_request_bytes") >= quarter // 2)
        time.sleep(1)
        held = target.figure("large_request_bytes")
        print(f"halves hold {held >> 10} KiB of {quarter >> 10} KiB")
        assert held <= quarter + HALF_CLIENTS * SCANT_READ_CHUNK_BYTES + SLACK
        # Small requests of newcomers are served all the same.
        with Connection.open(LOOPBACK, target.node.controller_port) as other:
            assert other.versions
    wait_until(lambda: target.figure("large_request_bytes") == 0)


def test_requests_behind_waiting_fetches_stay_in_the_sockets(target):
    with Connection.open(LOOPBACK, target.node.controller_port) as connection:
        latest = ListOffsetsTopic("__cluster_metadata", [ListOffsetsPartition(0, -1, -1)])
        answer = connection.ask(2, 7, ListOffsetsRequest(-1, topics=[latest]))
    end = answer.topics[0].partitions[0].offset
    one = FetchPartition(fetch_offset=end, partition_max_bytes=1 << 30)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    waits = FetchRequest(max_wait_ms=4_000, min_bytes=1 << 30, max_bytes=1 << 30, topics=[topic])
    piled = framed(request_frame(waits, 12)) + framed(header(16, 0, flexible=False)) * 20_000
    with target.under("piles behind fetches that wait"), contextlib.ExitStack() as stack:
        for _ in range(PARKED_CLIENTS):
            client = stack.enter_context(target.connect())
            client.setblocking(False)
            with contextlib.suppress(BlockingIOError):
                client.send(piled)
        time.sleep(1)
        held = target.figure("large_request_bytes")
        print(f"piles hold {held >> 10} KiB of {MAX_REQUEST_BYTES_IN_FLIGHT >> 10} KiB")
        assert held <= MAX_REQUEST_BYTES_IN_FLIGHT + SLACK
    wait_until(lambda: target.figure("large_request_bytes") == 0, 3 * PATIENCE_S)


def test_answers_that_nobody_reads_hold_no_more_than_their_budget(target):
    everything = framed(request_frame(DescribeClientQuotasRequest([], False), 1))
    with target.under("answers that nobody reads"), contextlib.ExitStack() as stack:
        for _ in range(GREEDY_CLIENTS):
            stack.enter_context(target.connect()).sendall(everything * 3)
        ends = time.monotonic() + 6
        most = 0
        while time.monotonic() < ends:
            most = max(most, target.figure("unsent_answer_bytes"))
            time.sleep(0.2)
        print(f"unsent answers held up to {most >> 10} KiB of {MAX_UNSENT_ANSWER_BYTES >> 10} KiB")
        assert most <= MAX_UNSENT_ANSWER_BYTES
    wait_until(lambda: target.figure("unsent_answer_bytes") == 0, 3 * PATIENCE_S)


def test_what_is_named_a_thousand_times_is_answered_once(target):
    one = FetchPartition(fetch_offset=0, partition_max_bytes=1 << 30)
    topic = FetchTopic("__cluster_metadata", partitions=[one] * (MAX_REQUEST_ROWS - 2))
    node = DescribeConfigsResource(4, "1", None)
    with (
        target.under("the same again and again"),
        Connection.open(LOOPBACK, target.node.controller_port) as connection,
    ):
        fetched = connection.ask(1, 12, FetchRequest(max_bytes=1 << 30, topics=[topic]))
        assert len(fetched.responses[0].partitions) == 1
        told = connection.ask(32, 4, DescribeConfigsRequest([node] * MAX_REQUEST_ROWS))
        assert len(told.results) == 1
        time.sleep(0.5)


SMALLEST_ROWS = {
    "Produce": (
        header(0, 9, flexible=True) + b"\x00" + struct.pack(">hi", 1, 100),
        b"\x01\x01\x00",
        b"\x00",
    ),
    "Fetch": (FETCH_12, b"\x01\x01\x00", b"\x01\x01\x00"),
    "Metadata": (header(3, 9, flexible=True), b"\x02a\x00", bytes(4)),
    "OffsetFetch": (header(9, 8, flexible=True), b"\x01\x01\x00", bytes(2)),
    "AlterClientQuotas": (header(49, 1, flexible=True), b"\x01\x01\x00", bytes(2)),
    "DescribeConfigs": (header(32, 4, flexible=True), b"\x04\x01\x01\x00", bytes(3)),
}


@pytest.mark.parametrize("api", SMALLEST_ROWS)
def test_the_largest_request_of_smallest_rows_is_counted_not_decoded(target, api):
    head, row, tail = SMALLEST_ROWS[api]
    most = MAX_PRODUCE_FRAME_BYTES if api == "Produce" else MAX_REQUEST_FRAME_BYTES
    count = (most - len(head) - len(tail) - 4) // len(row)
    time.sleep(1)  # a new second for the lines
    with target.under(f"smallest rows, {api}"):
        for _ in range(ROW_CLIENTS):
            time.sleep(PAUSE_S)
            told = len(target.lines())
            with target.connect() as client:
                place = client.getsockname()
                client.sendall(framed(head + uvarint(count + 1) + row * count + tail))
                hang_up_comes(client)
            wait_until(lambda place=place, told=told: target.lines_about(place, told))
            assert "rows or more so far" in target.lines_about(place, told)[0]


def test_a_large_produce_of_records_is_refused_by_its_code(target):
    records = bytes(MAX_PRODUCE_FRAME_BYTES - 1_000)
    topic = produce.TopicProduceData(
        "events", partition_data=[produce.PartitionProduceData(0, records)]
    )
    request = produce.ProduceRequest(acks=1, timeout_ms=1_000, topic_data=[topic])
    port = target.node.controller_port
    with target.under("large records"), Connection.open(LOOPBACK, port) as connection:
        ends = time.monotonic() + ATTACK_S
        while time.monotonic() < ends:
            answer = connection.ask(produce.API_KEY, 9, request)
            row = answer.responses[0].partition_responses[0]
            assert row.error_code == error_codes.UNKNOWN_TOPIC_OR_PARTITION
