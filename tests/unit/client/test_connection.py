from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest
from attrs import define

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import Connection, ConnectionFailed, VersionsDoNotMeet
from metaquorum.wire.generated import api_versions_response as api_versions
from metaquorum.wire.generated import describe_quorum_request, describe_quorum_response, error_codes
from metaquorum.wire.headers import read_request_header

FETCH, API_VERSIONS, DESCRIBE_QUORUM = 1, 18, 55


@define
class Peer:
    """The other end of a socket pair; answers are queued before they are asked for."""

    socket: socket.socket

    def answer(self, correlation_id: int, body: bytes, tagged: bool = False) -> None:
        head = correlation_id.to_bytes(4, "big") + (b"\0" if tagged else b"")
        self.socket.sendall((len(head) + len(body)).to_bytes(4, "big") + head + body)

    def versions(self, correlation_id: int, *rows: tuple[int, int, int]) -> None:
        keys = [api_versions.ApiVersion(*row) for row in rows]
        response = api_versions.ApiVersionsResponse(api_keys=keys)
        self.answer(correlation_id, api_versions.encode(response, 4))

    def requests(self) -> list[tuple[int, int, int]]:
        """(key, version, correlation id) of everything that was sent."""
        raw = self.socket.recv(1_000_000)
        found = []
        while raw:
            size = int.from_bytes(raw[:4], "big")
            header, _ = read_request_header(raw[4 : 4 + size])
            found.append((header.api_key, header.api_version, header.correlation_id))
            raw = raw[4 + size :]
        return found


@pytest.fixture
def peer(monkeypatch: pytest.MonkeyPatch) -> Iterator[Peer]:
    ours, theirs = socket.socketpair()
    monkeypatch.setattr(socket, "create_connection", lambda address, timeout: Plain(ours))
    yield Peer(theirs)
    ours.close()
    theirs.close()


class Plain:
    """A unix socket has no TCP options."""

    def __init__(self, real: socket.socket) -> None:
        self._real = real

    def setsockopt(self, *_: object) -> None:
        """Nothing to set."""

    def __getattr__(self, name: str) -> object:
        return getattr(self._real, name)


def test_it_learns_what_the_other_side_serves(peer: Peer) -> None:
    peer.versions(1, (FETCH, 4, 17), (DESCRIBE_QUORUM, 0, 2))
    with Connection.open("c1", 9093) as connection:
        assert connection.versions == {FETCH: (4, 17), DESCRIBE_QUORUM: (0, 2)}
        assert connection.best_version(FETCH, least=13) == 17
        assert connection.best_version(FETCH, most=15) == 15
    assert peer.requests() == [(API_VERSIONS, 4, 1)]


def test_a_refusal_of_the_newest_apiversions_steps_down(peer: Peer) -> None:
    refusal = api_versions.ApiVersionsResponse(
        error_code=error_codes.UNSUPPORTED_VERSION,
        api_keys=[api_versions.ApiVersion(API_VERSIONS, 0, 2)],
    )
    peer.answer(1, api_versions.encode(refusal, 0))
    good = api_versions.ApiVersionsResponse(api_keys=[api_versions.ApiVersion(FETCH, 4, 13)])
    peer.answer(2, api_versions.encode(good, 2))
    with Connection.open("c1", 9093) as connection:
        assert connection.versions == {FETCH: (4, 13)}
    assert peer.requests() == [(API_VERSIONS, 4, 1), (API_VERSIONS, 2, 2)]


def test_versions_that_do_not_meet_are_told_with_both_ranges(peer: Peer) -> None:
    peer.versions(1, (FETCH, 0, 11))
    with Connection.open("c1", 9093) as connection:
        with pytest.raises(VersionsDoNotMeet, match=r"c1:9093 serves Fetch 0-11, 13-18 is needed"):
            connection.best_version(FETCH, least=13)
        with pytest.raises(VersionsDoNotMeet, match="does not serve DescribeQuorum"):
            connection.best_version(DESCRIBE_QUORUM)


def test_an_answer_is_decoded_though_it_comes_in_pieces_with_others(peer: Peer) -> None:
    peer.versions(1, (DESCRIBE_QUORUM, 0, 2))
    with Connection.open("c1", 9093) as connection:
        answer = describe_quorum_response.DescribeQuorumResponse(error_code=31)
        peer.answer(2, describe_quorum_response.encode(answer, 2), tagged=True)
        request = describe_quorum_request.DescribeQuorumRequest()
        assert connection.ask(DESCRIBE_QUORUM, 2, request).error_code == 31


def test_an_answer_to_another_request_is_a_broken_protocol(peer: Peer) -> None:
    peer.versions(7, (FETCH, 4, 17))
    with pytest.raises(PeerError, match="answered request 7, 1 was asked"):
        Connection.open("c1", 9093)


def test_a_hang_up_is_told_with_the_address(peer: Peer) -> None:
    peer.socket.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionFailed, match="c1:9093 closed the connection"):
        Connection.open("c1", 9093)


def test_silence_ends_with_the_time_out(peer: Peer) -> None:
    with pytest.raises(ConnectionFailed, match="c1:9093: no answer in time"):
        Connection.open("c1", 9093, timeout_ms=1)


def test_a_frame_beyond_the_limit_is_refused(peer: Peer) -> None:
    peer.socket.sendall((2**31 - 1).to_bytes(4, "big"))
    with pytest.raises(PeerError):
        Connection.open("c1", 9093)


def test_an_unreachable_address_is_told() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(ConnectionFailed, match=f"127.0.0.1:{port}"):
        Connection.open("127.0.0.1", port)
