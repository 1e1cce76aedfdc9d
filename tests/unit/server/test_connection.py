"""The connection without I/O: frames, order, back-pressure, deadlines."""

from __future__ import annotations

import tracemalloc

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import DECODED_WEIGHT, MEDIUM_REQUEST_BYTES, SMALL_REQUEST_BYTES
from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.connection_states import CLOSED, IllegalEvent

LIMITS = ConnectionLimits(
    frame_bytes=1 << 20,
    produce_frame_bytes=1 << 20,
    idle_ms=10_000,
    frame_arrival_ms=5_000,
    pressed_frame_arrival_ms=1_000,
    slow_reader_ms=2_000,
)


def connection(budget: ByteBudget | None = None) -> Connection:
    return Connection(LIMITS, budget or ByteBudget(), 0)


def framed(correlation: int, body: bytes = b"") -> bytes:
    frame = b"\x00\x12\x00\x00" + correlation.to_bytes(4, "big", signed=True) + body
    return len(frame).to_bytes(4, "big") + frame


def test_a_request_comes_out_with_its_correlation_id():
    conn = connection()
    conn.bytes_received(framed(-5, b"body"), 1)
    correlation, frame = conn.next_request()
    assert correlation == -5
    assert bytes(frame[8:]) == b"body"


def test_bytes_may_come_one_at_a_time():
    conn = connection()
    data = framed(1, b"abc")
    for at in range(len(data)):
        assert conn.next_request() is None
        conn.bytes_received(data[at : at + 1], at)
    assert conn.next_request()[0] == 1


def test_one_request_at_a_time_and_answers_in_order():
    conn = connection()
    conn.bytes_received(framed(1) + framed(2) + framed(3), 1)
    assert conn.next_request()[0] == 1
    assert conn.next_request() is None
    conn.reply(1, [b"one"])
    assert conn.next_request()[0] == 2
    conn.reply(2, [b"two"])
    assert conn.bytes_to_send() == [b"one", b"two"]
    assert conn.bytes_to_send() == []


def test_an_answer_may_leave_alone_only_where_nothing_else_goes_on():
    conn = connection()
    assert conn.small_request(framed(1), 1) is not None
    assert conn.only_serves(1)
    assert not conn.only_serves(2)
    conn.bytes_received(framed(2)[:3], 2)
    assert not conn.only_serves(1)
    conn.settle(2)
    conn.bytes_received(framed(2)[3:], 3)
    assert not conn.only_serves(1)
    conn.reply(1, [b"one"])
    assert conn.next_request()[0] == 2
    conn.settle(3)
    assert not conn.only_serves(2)  # behind an answer that has not left
    conn.bytes_to_send()
    assert conn.only_serves(2)
    conn.send_blocked(3, progress=False)
    assert not conn.only_serves(2)
    conn.all_sent(4)
    conn.reply(2, [])
    conn.bytes_received(framed(3, bytes(SMALL_REQUEST_BYTES)), 4)
    conn.next_request()
    conn.settle(4)
    assert not conn.only_serves(3)  # it is charged until its answer has left


def test_an_answer_to_another_request_is_our_own_fault():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    with pytest.raises(IllegalEvent):
        conn.reply(2, [b"two"])


def test_two_answers_to_one_request_are_our_own_fault():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    conn.reply(1, [b"one"])
    with pytest.raises(IllegalEvent):
        conn.reply(1, [b"one"])


def test_a_request_that_wants_no_answer_gets_none():
    conn = connection()
    conn.bytes_received(framed(1) + framed(2), 1)
    conn.next_request()
    conn.reply(1, [])
    assert conn.next_request()[0] == 2
    assert conn.bytes_to_send() == []


@pytest.mark.parametrize("size", [b"\xff\xff\xff\xff", b"\x16\x03\x01\x00", b"\x00\x10\x00\x01"])
def test_a_size_that_no_frame_has_ends_the_connection(size):
    with pytest.raises(PeerError):
        connection().bytes_received(size, 1)


@pytest.mark.parametrize("length", range(8))
def test_a_frame_shorter_than_any_header_ends_the_connection(length):
    with pytest.raises(PeerError):
        connection().bytes_received(length.to_bytes(4, "big") + bytes(length), 1)


def test_reading_pauses_once_a_whole_request_is_buffered():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    assert conn.wants_bytes  # a hang-up has to be noticed while this one is served
    conn.bytes_received(framed(2, bytes(500))[:300], 1)
    assert conn.wants_bytes
    conn.bytes_received(framed(2, bytes(500))[300:] + framed(3)[:5], 1)
    assert not conn.wants_bytes
    conn.reply(1, [b"one"])
    conn.next_request()
    assert conn.wants_bytes


def test_a_bad_size_behind_a_request_is_found_when_its_turn_comes():
    conn = connection()
    conn.bytes_received(framed(1) + b"\xff\xff\xff\xff", 1)
    assert conn.next_request()[0] == 1
    conn.reply(1, [b"one"])
    assert conn.has_request
    with pytest.raises(PeerError, match="a frame of -1 bytes"):
        conn.next_request()


@pytest.mark.parametrize(
    ("first", "name"),
    [
        (b"\x16\x03\x01\x02\x00\x01", "TLS"),
        (b"GET / HTTP/1.1", "HTTP"),
        (b"POST /", "HTTP"),
        (b"PRI * HTTP/2.0", "HTTP/2"),
        (b"SSH-2.0-OpenSSH", "SSH"),
    ],
)
@pytest.mark.parametrize("pieces", [1, 4])
def test_another_protocol_is_recognised_by_its_first_bytes(first, name, pieces):
    conn = connection()
    with pytest.raises(PeerError, match=f"speaks {name}, and this listener does not"):
        for at in range(0, 8, 8 // pieces):
            conn.bytes_received(first[at : at + 8 // pieces], 1)


def test_nothing_is_served_to_a_peer_that_does_not_read():
    conn = connection()
    conn.bytes_received(framed(1) + framed(2), 1)
    conn.next_request()
    conn.reply(1, [b"one"])
    conn.bytes_to_send()
    conn.send_blocked(2, progress=True)
    assert conn.next_request() is None
    conn.all_sent(3)
    assert conn.next_request()[0] == 2


def test_an_answer_that_left_at_once_restarts_the_idle_timeout():
    conn = connection()
    before = conn.deadline
    conn.begin(1, 1)
    conn.answered_at_rest(7_000)
    assert conn.is_at_rest
    assert conn.deadline == before + 7_000


def test_an_idle_connection_grows_impatient():
    conn = connection()
    assert conn.deadline == 10_000
    conn.bytes_received(framed(1), 500)
    conn.next_request()
    assert conn.deadline == NEVER
    conn.reply(1, [b"one"])
    conn.bytes_to_send()
    conn.all_sent(700)
    assert conn.deadline == 10_700
    assert "idle" in conn.complaint


def test_a_frame_that_was_begun_has_to_arrive():
    conn = connection()
    conn.bytes_received(framed(1, bytes(100))[:50], 100)
    conn.bytes_received(bytes(10), 4_000)
    assert conn.deadline == 5_100
    assert "unfinished" in conn.complaint


def test_a_slow_reader_is_given_time_as_long_as_it_takes_something():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    conn.reply(1, [b"one"])
    conn.bytes_to_send()
    conn.send_blocked(100, progress=False)
    conn.send_blocked(1_000, progress=False)
    assert conn.deadline == 2_100
    conn.send_blocked(1_500, progress=True)
    assert conn.deadline == 3_500
    assert "took no answer" in conn.complaint


def received(conn: Connection, data: bytes, now: int = 1) -> None:
    """One read, and the end of the turn."""
    conn.bytes_received(data, now)
    conn.settle(now)


def test_a_small_request_that_is_served_at_once_is_not_metered():
    budget = ByteBudget()
    conn = connection(budget)
    conn.bytes_received(framed(1, bytes(SMALL_REQUEST_BYTES - 8)), 1)
    conn.next_request()
    conn.settle(1)
    assert budget.taken_bytes == 0


def test_buffered_bytes_are_charged_exactly_until_they_are_served():
    budget = ByteBudget()
    conn = connection(budget)
    received(conn, framed(1)[:5])
    assert budget.taken_bytes == 5
    received(conn, framed(1)[5:] + framed(2) + framed(3)[:6])
    assert budget.taken_bytes == 12 + 12 + 6
    conn.next_request()
    conn.settle(1)
    assert budget.taken_bytes == 12 + 6
    conn.reply(1, [])
    conn.next_request()
    conn.settle(1)
    assert budget.taken_bytes == 6


def test_a_request_is_charged_its_decoded_size_until_response_is_sent():
    budget = ByteBudget()
    conn = connection(budget)
    data = framed(1, bytes(10_000))
    received(conn, data[:3_000])
    received(conn, data[3_000:])
    conn.next_request()
    conn.settle(2)
    assert budget.taken_bytes == (len(data) - 4) * DECODED_WEIGHT
    conn.reply(1, [b"answer"])
    assert budget.taken_bytes == (len(data) - 4) * DECODED_WEIGHT
    conn.bytes_to_send()
    conn.all_sent(3)
    assert budget.taken_bytes == 0


def test_a_produce_weighs_what_it_is_as_it_is_nothing_but_records():
    budget = ByteBudget()
    conn = connection(budget)
    conn.bytes_received(sized(50_000, 0), 1)
    conn.next_request()
    assert budget.taken_bytes == 50_000


def test_a_size_that_is_only_announced_costs_nothing():
    budget = ByteBudget()
    conn = connection(budget)
    received(conn, (1 << 20).to_bytes(4, "big"))
    assert budget.taken_bytes == 4


def test_a_spent_budget_pauses_partial_requests_not_idle_connections():
    budget = ByteBudget(limit_bytes=1_000)
    small, first, second, third = (connection(budget) for _ in range(4))
    data = framed(1, bytes(MEDIUM_REQUEST_BYTES))
    received(small, framed(1, bytes(2_000))[:1_010])
    received(first, data[:1_010])
    received(second, data[:1_000])
    assert not small.wants_bytes  # it is read on when its socket has the rest
    assert first.wants_bytes
    assert not second.wants_bytes
    assert third.wants_bytes
    resumed = []
    second.when_budget_allows(lambda: resumed.append(True))
    first.close()
    assert resumed  # the second still holds more than there is, but one must go on
    assert second.wants_bytes


def test_a_pause_for_the_budget_is_not_the_peers_time():
    budget = ByteBudget(limit_bytes=1_000)
    conn = connection(budget)
    received(conn, framed(1, bytes(2_000))[:500], 100)
    assert conn.deadline == 5_100
    conn.reading_resumed(9_000)
    assert conn.deadline == 14_000


def test_an_unfinished_request_times_out_sooner_on_a_spent_budget():
    budget = ByteBudget(limit_bytes=1_000)
    conn, other = connection(budget), connection(budget)
    received(conn, framed(1, bytes(2_000))[:500], 100)
    received(other, framed(1, bytes(2_000))[:500], 300)
    assert conn.deadline == 1_100
    assert "while requests held all 1000 bytes" in conn.complaint
    other.close()
    assert conn.deadline == 5_100


def test_a_spent_budget_blocks_large_requests_but_not_small_ones():
    budget = ByteBudget(limit_bytes=40_000)
    large, other = connection(budget), connection(budget)
    received(other, framed(1, bytes(MEDIUM_REQUEST_BYTES))[:40_000])
    received(other, b"x", 1_000)
    assert other.wants_bytes  # the one that may go on
    received(large, framed(1, bytes(MEDIUM_REQUEST_BYTES)))
    assert not large.has_request
    assert large.next_request() is None
    resumed = []
    large.when_budget_allows(lambda: resumed.append(True))
    small = connection(budget)
    received(small, framed(1))
    assert small.next_request()[0] == 1
    other.close()
    assert resumed
    assert large.next_request()[0] == 1


def test_close_gives_everything_back_and_may_be_called_twice():
    budget = ByteBudget()
    conn = connection(budget)
    received(conn, framed(1, bytes(20_000)) + framed(2)[:5])
    conn.next_request()
    conn.settle(2)
    assert budget.taken_bytes == 20_008 * DECODED_WEIGHT + 5
    conn.close()
    conn.close()
    assert budget.taken_bytes == 0
    assert conn.state is CLOSED


SIZES = ConnectionLimits(frame_bytes=1_000, produce_frame_bytes=2_000)


def sized(size: int, key: int) -> bytes:
    return size.to_bytes(4, "big") + key.to_bytes(2, "big") + bytes(size - 2)


@pytest.mark.parametrize("pieces", [1, 7, 2_004])
def test_a_request_beyond_its_limit_is_refused_and_a_produce_is_not(pieces):
    def fed(data: bytes) -> Connection:
        conn = Connection(SIZES, ByteBudget(), 0)
        step = -(-len(data) // pieces)
        for at in range(0, len(data), step):
            conn.bytes_received(data[at : at + step], 1)
        return conn

    assert len(fed(sized(1_000, 3)).next_request()[1]) == 1_000
    assert len(fed(sized(2_000, 0)).next_request()[1]) == 2_000
    with pytest.raises(PeerError, match="api key 3; 1000 are allowed"):
        fed(sized(1_001, 3))
    with pytest.raises(PeerError, match="a frame of 2001 bytes"):
        fed(sized(2_001, 0))


def test_an_oversized_request_is_refused_once_its_api_key_arrives():
    conn = Connection(SIZES, ByteBudget(), 0)
    conn.bytes_received(sized(1_500, 3)[:5], 1)
    with pytest.raises(PeerError, match="a request of 1500 bytes"):
        conn.bytes_received(sized(1_500, 3)[5:6], 2)


def test_requests_that_wait_take_little_more_memory_than_their_bytes():
    conn = Connection(ConnectionLimits(), ByteBudget(), 0)
    data = framed(1) * 4_000
    tracemalloc.start()
    try:
        conn.bytes_received(data, 1)
        conn.next_request()
        conn.settle(1)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < len(data) + 2_000
