"""Messages to a service manager, received on sockets of our own."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.base.limits import MAX_SERVICE_STATUS_CHARS
from metaquorum.runtime.loop.service_manager import ServiceManager, status_line


@pytest.fixture(params=["path", "abstract"])
def received(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[str, socket.socket]]:
    """What NOTIFY_SOCKET says, and the socket that waits there."""
    path = str(tmp_path / "notify")
    bound, address = path, path
    if request.param == "abstract":
        bound, address = f"\0metaquorum-{os.getpid()}", f"@metaquorum-{os.getpid()}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as waiting:
        waiting.bind(bound)
        waiting.settimeout(10)
        yield address, waiting


def test_a_message_is_one_datagram_of_lines(received: tuple[str, socket.socket]):
    address, waiting = received
    manager = ServiceManager.of_environment({"NOTIFY_SOCKET": address}, 1)
    assert manager is not None
    assert manager.send("READY=1", "STATUS=node 1 leads epoch 2")
    assert waiting.recv(4_096) == b"READY=1\nSTATUS=node 1 leads epoch 2"
    manager.close()


def test_nobody_is_told_without_the_variable():
    assert ServiceManager.of_environment({}, 1) is None
    assert ServiceManager.of_environment({"NOTIFY_SOCKET": ""}, 1) is None


@pytest.mark.parametrize(
    ("variables", "watchdog_ms"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 30_000),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "7"}, 30_000),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "8"}, None),
        ({"WATCHDOG_USEC": "500"}, 1),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_the_watchdog_is_that_of_this_process(variables: dict[str, str], watchdog_ms: int | None):
    manager = ServiceManager.of_environment({"NOTIFY_SOCKET": "/run/x", **variables}, 7)
    assert manager is not None and manager.watchdog_ms == watchdog_ms


@pytest.mark.parametrize("address", ["/nowhere/notify", "@nobody-waits-here", "vsock:2:1", "x\0"])
def test_a_socket_that_is_not_there_is_told_and_raises_nothing(address: str):
    manager = ServiceManager(address)
    assert not manager.send("READY=1")
    assert manager.why_not is not None and address in manager.why_not


def test_a_manager_that_reads_nothing_is_not_waited_for(tmp_path: Path):
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as waiting:
        waiting.bind(str(tmp_path / "notify"))
        manager = ServiceManager(str(tmp_path / "notify"))
        sent = [manager.send("WATCHDOG=1") for _ in range(100_000)]
        assert sent[0] and not sent[-1]
        waiting.recv(4_096)
        assert manager.send("WATCHDOG=1")
        manager.close()


def test_a_status_is_one_line_and_has_an_end():
    assert status_line("no\nleader\x1b") == "STATUS=no\\nleader\\u001b"
    assert len(status_line("x" * 10_000)) == len("STATUS=...") + MAX_SERVICE_STATUS_CHARS
