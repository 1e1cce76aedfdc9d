"""The load of tools/bench/commit.py: what it takes for a commit, and what its floors say."""

from __future__ import annotations

import select
import socket
from pathlib import Path
from struct import pack

import pytest

from metaquorum.wire.generated import alter_client_quotas_request as quotas
from metaquorum.wire.headers import read_request_header
from tools.bench.commit import Run, load_name, load_of, medians
from tools.bench.commit_floors import ETCD, NO_LINGER, OURS, ZOOKEEPER, checks
from tools.bench.commit_load import Client, Stalled, ready_of
from tools.bench.commit_skeleton import Log, answer_to, follow
from tools.bench.commit_wires import EtcdWire, KafkaWire, WrongAnswer, ZooKeeperWire


def kafka_answer(number: int, error: int) -> bytes:
    body = pack(">iBiBh", number, 0, 0, 2, error) + b"\0\1\0\0"
    return pack(">i", len(body)) + body


def zookeeper_answer(number: int, error: int) -> bytes:
    body = pack(">iqi", number, 77, error)
    return pack(">i", len(body)) + body


def http2_frame(kind: int, flags: int, stream: int, body: bytes) -> bytes:
    return len(body).to_bytes(3, "big") + bytes((kind, flags)) + pack(">I", stream) + body


def test_a_request_of_quotas_is_one_that_the_codec_reads_back() -> None:
    frame = KafkaWire(7).request(42)
    assert int.from_bytes(frame[:4], "big") == len(frame) - 4
    header, at = read_request_header(memoryview(frame)[4:])
    assert (header.api_key, header.api_version, header.correlation_id) == (49, 1, 42)
    (entry,) = quotas.decode(memoryview(frame)[4:], 1, at).entries
    assert entry.entity[0].entity_name == "bench-0007"
    assert entry.ops[0].value == 42.0


def test_answers_in_pieces_are_counted_once_and_refusals_end_the_load() -> None:
    for wire, answer in ((KafkaWire(0), kafka_answer), (ZooKeeperWire(0), zookeeper_answer)):
        both = answer(1, 0) + answer(2, 0)
        assert wire.answers(both[:7]) == ([], b"")
        assert wire.answers(both[7:-1]) == ([1], b"")
        assert wire.answers(both[-1:]) == ([2], b"")
        with pytest.raises(WrongAnswer, match="refused"):
            wire.answers(answer(3, 41))


def test_silence_is_pinged_as_zookeepers_own_client_does() -> None:
    near, far = socket.socketpair()
    with near, far, select.epoll() as poll:
        poll.register(near.fileno(), select.EPOLLIN)
        client = Client(near, ZooKeeperWire(0))
        with pytest.raises(Stalled, match="nothing was answered"):
            ready_of(poll, [client], ping_s=0.0)
        pings = far.recv(64)
        assert pings == pack(">iii", 8, -2, 11) * 3
        far.sendall(zookeeper_answer(-2, 0) + zookeeper_answer(1, 0))
        assert ready_of(poll, [client], ping_s=0.0) == [(near.fileno(), select.EPOLLIN)]
        assert client.wire.answers(near.recv(64)) == ([1], b"")


def test_a_put_counts_when_its_stream_ends_with_a_message() -> None:
    wire = EtcdWire(0)
    data, trailers = http2_frame(0, 0, 3, b"\0\0\0\0\0"), http2_frame(1, 5, 3, b"\x88")
    assert wire.answers(http2_frame(1, 4, 3, b"\x88") + data) == ([], b"")
    assert wire.answers(trailers) == ([2], b"")
    with pytest.raises(WrongAnswer, match="refused"):
        wire.answers(http2_frame(1, 5, 5, b"grpc-status 14"))


def test_what_http2_wants_answered_is_answered() -> None:
    wire = EtcdWire(0)
    assert wire.answers(http2_frame(6, 0, 0, b"12345678")) == (
        [],
        http2_frame(6, 1, 0, b"12345678"),
    )
    assert wire.answers(http2_frame(4, 0, 0, b"")) == ([], http2_frame(4, 1, 0, b""))
    assert wire.answers(http2_frame(4, 1, 0, b"")) == ([], b"")


def test_loads_are_read_and_written_alike() -> None:
    assert load_of("256") == (256, 1)
    assert load_of("16x8") == (16, 8)
    assert [load_name(load_of(text)) for text in ("1", "16x8")] == ["1", "16x8"]


def test_a_row_is_the_median_of_its_rounds() -> None:
    runs = [Run("metaquorum", "1", rate, 1.0, 2.0, 3.0) for rate in (10.0, 30.0, 20.0)]
    (row,) = medians(runs)
    assert (row.commits_a_second, row.least, row.most) == (20, 10, 30)


def test_floors_are_held_against_what_was_measured_and_nothing_else() -> None:
    assert checks({}, {}, {}) == []
    for ours in OURS:
        rates = {(ours, "256"): 30.0, (NO_LINGER, "256"): 10.0, (ETCD, "256"): 25.0}
        middles = {(ours, "1"): 1.8, (ZOOKEEPER, "1"): 1.0}
        held = {check.what: check.holds for check in checks(rates, middles, {ours: 3.0, ETCD: 2.9})}
        assert held == {
            f"{ours}: commits a second to those of Kafka, linger 0 at 256": True,
            f"{ours}: commits a second to those of etcd at 256": False,
            f"{ours}: p50 at 1 client to that of ZooKeeper (at most)": False,
            f"{ours}: idle CPU of three nodes, percent of a core, to that of etcd (at most)": False,
        }


def test_floors_are_held_against_ours_on_pypy_where_that_was_measured() -> None:
    pypy, cpython = OURS
    rates = {(pypy, "256"): 30.0, (cpython, "256"): 20.0, (ETCD, "256"): 10.0}
    (check,) = checks(rates, {}, {})
    assert (check.what.partition(":")[0], check.measured) == (pypy, 3.0)


def test_the_skeleton_answers_what_the_load_takes_for_a_commit() -> None:
    wire = KafkaWire(0)
    assert wire.answers(answer_to(wire.request(42)) + answer_to(wire.request(43))) == (
        [42, 43],
        b"",
    )


def test_a_follower_of_the_skeleton_says_what_it_has_written(tmp_path: Path) -> None:
    leader, follower = socket.socketpair()
    with leader, follower:
        for end, data in ((2, b"two"), (3, b"more")):
            leader.sendall(pack(">iq", 8 + len(data), end) + data)
        leader.shutdown(socket.SHUT_WR)
        follow(follower, Log(tmp_path / "log"))
        assert leader.recv(64) == pack(">qq", 2, 3)
    assert (tmp_path / "log").read_bytes()[:8] == b"twomore\0"
