"""How a connection failed: what can be concluded of the other side is told apart."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

import pytest

from metaquorum.client.connection import Connection, ConnectionFailed, Failure

LOOPBACK = "127.0.0.1"


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server((LOOPBACK, 0)) as made:
        yield made


def failure(port: int, timeout_ms: int = 5_000) -> Failure:
    with pytest.raises(ConnectionFailed) as caught:
        Connection.open(LOOPBACK, port, connect_timeout_ms=timeout_ms, timeout_ms=timeout_ms)
    return caught.value.kind


def test_a_port_where_nobody_listens_refuses(listener: socket.socket) -> None:
    port = listener.getsockname()[1]
    listener.close()
    assert failure(port) is Failure.REFUSED


def test_a_process_that_does_not_accept_is_silent(listener: socket.socket) -> None:
    """The system takes the connection, as of a process that is paused."""
    assert failure(listener.getsockname()[1], timeout_ms=50) is Failure.SILENT


def test_one_that_hangs_up_has_closed(listener: socket.socket) -> None:
    def hang_up() -> None:
        taken, _ = listener.accept()
        taken.close()

    thread = threading.Thread(target=hang_up)
    thread.start()
    assert failure(listener.getsockname()[1]) is Failure.CLOSED
    thread.join()


def test_no_way_to_a_machine_is_unreachable(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_route(*_: object) -> None:
        raise OSError(113, "No route to host")

    def too_late(*_: object) -> None:
        raise TimeoutError("timed out")

    for fate in (no_route, too_late):
        monkeypatch.setattr(socket, "create_connection", fate)
        assert failure(1) is Failure.UNREACHABLE


def test_the_end_of_an_idle_connection_is_noticed() -> None:
    ours, theirs = socket.socketpair()
    connection = Connection("c1", 9093, "client", 1_000, ours)
    assert not connection.closed_within(0)
    theirs.close()
    assert connection.closed_within(5)
    connection.close()
