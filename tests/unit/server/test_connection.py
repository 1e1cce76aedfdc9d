"""The connection without I/O: frames, order, back-pressure, deadlines."""

from __future__ import annotations

import tracemalloc

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import HouseError, PeerError
from metaquorum.base.limits import (
    MAX_READ_AHEAD_BYTES,
    READ_AHEAD_OVERHEAD_BYTES,
    READ_CHUNK_BYTES,
)
from metaquorum.server.budget import ByteBudget
from metaquorum.server.connection import Connection, ConnectionLimits

LIMITS = ConnectionLimits(
    frame_bytes=1 << 20,
    produce_frame_bytes=1 << 20,
    read_ahead_bytes=2_000,
    idle_ms=10_000,
    frame_arrival_ms=5_000,
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


def test_an_answer_to_another_request_is_our_own_fault():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    with pytest.raises(HouseError):
        conn.reply(2, [b"two"])


def test_two_answers_to_one_request_are_our_own_fault():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    conn.reply(1, [b"one"])
    with pytest.raises(HouseError):
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


def test_pipelined_requests_beyond_the_read_ahead_stay_in_the_socket():
    conn = connection()
    conn.bytes_received(framed(1), 1)
    conn.next_request()
    assert conn.wants_bytes
    conn.bytes_received(framed(2, bytes(500)) + framed(3, bytes(500)), 1)
    assert not conn.wants_bytes
    conn.reply(1, [b"one"])
    conn.next_request()
    assert conn.wants_bytes


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


def test_small_requests_are_not_metered():
    budget = ByteBudget()
    conn = connection(budget)
    conn.bytes_received(framed(1, bytes(1_000))[:900], 1)
    assert budget.taken_bytes == 0


def test_a_large_request_rides_with_its_units_until_its_answer_has_left():
    budget = ByteBudget()
    conn = connection(budget)
    data = framed(1, bytes(2 * READ_CHUNK_BYTES))
    conn.bytes_received(data[: READ_CHUNK_BYTES + 1], 1)
    assert budget.taken_bytes == READ_CHUNK_BYTES + 1
    conn.bytes_received(data[READ_CHUNK_BYTES + 1 :], 2)
    conn.next_request()
    assert budget.taken_bytes > READ_CHUNK_BYTES
    conn.reply(1, [b"answer"])
    assert budget.taken_bytes > READ_CHUNK_BYTES
    conn.bytes_to_send()
    conn.all_sent(3)
    assert budget.taken_bytes == 0


def test_a_size_that_is_only_announced_costs_nothing():
    budget = ByteBudget()
    conn = connection(budget)
    conn.bytes_received((1 << 20).to_bytes(4, "big"), 1)
    assert budget.taken_bytes == 0


def test_with_the_budget_spent_a_second_large_frame_waits_without_being_blamed():
    budget = ByteBudget(limit_bytes=READ_CHUNK_BYTES)
    first, second = connection(budget), connection(budget)
    data = framed(1, bytes(2 * READ_CHUNK_BYTES))
    first.bytes_received(data[: READ_CHUNK_BYTES + 10], 1)
    second.bytes_received(data[: READ_CHUNK_BYTES + 10], 1)
    assert first.wants_bytes
    assert not second.wants_bytes
    assert second.deadline == NEVER
    resumed = []
    second.when_budget_allows(lambda: resumed.append(True))
    first.close()
    assert resumed
    second.reading_resumed(9_000)
    assert second.wants_bytes
    assert second.deadline == 14_000


def test_close_gives_everything_back_and_may_be_called_twice():
    budget = ByteBudget()
    conn = connection(budget)
    conn.bytes_received(framed(1, bytes(2 * READ_CHUNK_BYTES))[: READ_CHUNK_BYTES + 5], 1)
    conn.close()
    conn.close()
    assert budget.taken_bytes == 0
    assert conn.closed


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


def test_a_request_beyond_its_limit_is_refused_once_its_api_key_is_there():
    conn = Connection(SIZES, ByteBudget(), 0)
    conn.bytes_received(sized(1_500, 3)[:5], 1)
    with pytest.raises(PeerError, match="a request of 1500 bytes"):
        conn.bytes_received(sized(1_500, 3)[5:6], 2)


def test_small_requests_that_wait_count_for_more_than_their_bytes():
    conn = Connection(ConnectionLimits(), ByteBudget(), 0)
    count = MAX_READ_AHEAD_BYTES // READ_AHEAD_OVERHEAD_BYTES
    conn.bytes_received(framed(1) * (count - 10), 1)
    assert conn.wants_bytes
    conn.bytes_received(framed(1) * 10, 1)
    assert not conn.wants_bytes


def test_small_requests_that_wait_take_little_memory():
    conn = Connection(ConnectionLimits(), ByteBudget(), 0)
    count = 4_000
    data = framed(1) * count
    tracemalloc.start()
    try:
        conn.bytes_received(data, 1)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held < 200 * count
    assert conn.next_request()[0] == 1
