"""Log lines of a real process: what peers put into them, and readers that read them or do not
(decision 197).
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import socket
import subprocess
import threading
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.base.limits import (
    CLOSE_NOTES_PER_SECOND,
    LOG_FLUSH_MS,
    MAX_LOG_VALUE_CHARS,
    MAX_UNAUTHENTICATED_FRAME_BYTES,
    SHUTDOWN_GRACE_MS,
)
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest
from tests.interop.hostile_target import PATIENCE_S, Target, attacked, framed, wait_until
from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode

pytestmark = pytest.mark.alone

ATTACK_S = 5.0
ATTACKERS = 24  # each is kept waiting for its answer for a second
NAME_BYTES = MAX_UNAUTHENTICATED_FRAME_BYTES - 100
MOST_GROWN_BYTES = 400_000  # of lines; whole names would be a hundred times as much
PIPE_BYTES = 4_096
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule"
LEFT_OUT = re.compile(r"(\d+) more lines of this kind were left out")


@define
class PipedNode(OwnNode):
    """One whose standard error is a pipe, which is copied to its log file until ``let_go``."""

    _copier: threading.Thread | None = field(default=None, init=False)
    _stop_copying: threading.Event = field(factory=threading.Event, init=False)
    _read: int = field(default=-1, init=False)

    def launch(self, command: Sequence[str | Path], *, append: bool = False) -> None:
        """Start the process with a small pipe."""
        self._read, write = os.pipe()
        fcntl.fcntl(write, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
        self._process = subprocess.Popen(
            [*command, self.config_file],
            cwd=self.directory,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=write,
            start_new_session=True,
        )
        os.close(write)
        os.set_blocking(self._read, False)
        self._copier = threading.Thread(target=self._copy)
        self._copier.start()

    def _copy(self) -> None:
        with self.log_file.open("ab", buffering=0) as log:
            while not self._stop_copying.wait(0.01):
                with contextlib.suppress(BlockingIOError):
                    log.write(os.read(self._read, PIPE_BYTES))

    def let_go(self) -> None:
        """Read no more; the pipe stays open."""
        self._stop_copying.set()
        if self._copier is not None:
            self._copier.join()

    def hang_up(self) -> None:
        """Close the reader's end as well."""
        self.let_go()
        if self._read >= 0:
            os.close(self._read)
            self._read = -1


def node_in(directory: Path, metrics_port: int, kind: type[OwnNode]) -> OwnNode:
    """A node whose clients authenticate with PLAIN."""
    return kind(
        directory,
        {
            "metrics.listener": f"{LOOPBACK}:{metrics_port}",
            "listener.security.protocol.map": "PLAINTEXT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms": "PLAIN",
            "listener.name.plaintext.plain.sasl.jaas.config": (
                f'{PLAIN} required user_admin="s3cret";'
            ),
        },
    )


@contextlib.contextmanager
def target_in(directory: Path, kind: type[OwnNode] = OwnNode) -> Iterator[Target]:
    """A running node of that kind, and a bystander on its other listener."""
    (metrics_port,) = free_ports(1)
    node = node_in(directory, metrics_port, kind)
    node.format()
    try:
        with attacked(node, directory / "latencies") as bystander:
            yield Target(node, bystander, metrics_port)
    finally:
        if isinstance(node, PipedNode):
            node.hang_up()
        node.kill()


def login_fails(node: OwnNode, name: bytes) -> None:
    """One connection that names a user whom there is not; it waits until it is closed."""
    handshake = framed(request_frame(SaslHandshakeRequest("PLAIN"), 1))
    token = b"\0" + name + b"\0password"
    proof = framed(request_frame(SaslAuthenticateRequest(token), 1))
    with socket.create_connection((LOOPBACK, node.port), PATIENCE_S) as client:
        with contextlib.suppress(ConnectionError):
            client.sendall(handshake + proof)
            while client.recv(65_536):
                pass


def logins_fail(node: OwnNode, name: bytes, seconds: float) -> int:
    """Some at a time for so long; how many there were."""
    ends = time.monotonic() + seconds
    count = [0] * ATTACKERS

    def attack(number: int) -> None:
        while time.monotonic() < ends:
            login_fails(node, name)
            count[number] += 1

    threads = [threading.Thread(target=attack, args=[number]) for number in range(ATTACKERS)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return sum(count)


@pytest.mark.parametrize("sign", [b"u", b"\x1b", b'"', "\U000e0001".encode()], ids=repr)
def test_a_user_name_of_half_a_megabyte_is_cut_in_the_log(tmp_path: Path, sign: bytes) -> None:
    with target_in(tmp_path) as target:
        before = target.node.log_file.stat().st_size
        name = sign * (NAME_BYTES // len(sign))
        with target.under(f"long names of {sign!r}"):
            attempts = logins_fail(target.node, name, ATTACK_S)
        assert attempts > 2 * CLOSE_NOTES_PER_SECOND
        wait_until(lambda: "more characters" in target.node.log_file.read_text())
        grown = target.node.log_file.read_bytes()[before:]
        lines = grown.splitlines()
        print(f"\n{attempts} attempts, {len(lines)} lines, {len(grown)} bytes")
        assert max(map(len, lines)) < 3 * MAX_LOG_VALUE_CHARS
        # Two kinds of line, each with so many a second and one that counts the others.
        assert len(lines) <= 2 * (CLOSE_NOTES_PER_SECOND + 1) * (ATTACK_S + 3)
        assert len(grown) < MOST_GROWN_BYTES
        assert all(byte >= 0x20 for line in lines for byte in line)
        assert target.node.stop() == 0


def test_a_reader_of_the_log_that_goes_away_ends_nobody(tmp_path: Path) -> None:
    with target_in(tmp_path, PipedNode) as target:
        node = target.node
        assert isinstance(node, PipedNode)
        node.hang_up()
        with target.under("a log without a reader"):
            logins_fail(node, b"nobody", ATTACK_S)
        assert dropped(target) > 0
        assert node.stop() == 0


def test_a_log_that_nobody_reads_stops_nobody(tmp_path: Path) -> None:
    with target_in(tmp_path, PipedNode) as target:
        node = target.node
        assert isinstance(node, PipedNode)
        node.let_go()
        with target.under("a log that nobody reads"):
            attempts = logins_fail(node, b"n" * NAME_BYTES, 2 * ATTACK_S)
        assert attempts > 2 * CLOSE_NOTES_PER_SECOND
        began = time.monotonic()
        assert node.stop() == 0
        took_ms = (time.monotonic() - began) * 1_000
        print(f"\nstopped after {took_ms:.0f} ms")
        assert took_ms < SHUTDOWN_GRACE_MS + LOG_FLUSH_MS + 2_000


def test_lines_come_again_once_a_reader_reads_again(tmp_path: Path) -> None:
    with target_in(tmp_path, PipedNode) as target:
        node = target.node
        assert isinstance(node, PipedNode)
        node.let_go()
        logins_fail(node, b"n" * NAME_BYTES, 2.0)
        node._stop_copying.clear()
        node._copier = threading.Thread(target=node._copy)
        node._copier.start()
        login_fails(node, b"the last")
        wait_until(lambda: "'the last'" in node.log_file.read_text() or LEFT_OUT.search(tail(node)))
        assert node.stop() == 0
        wait_until(lambda: " stopped " in node.log_file.read_text())


def tail(node: OwnNode) -> str:
    return node.log_tail(5)


@pytest.mark.parametrize("closed", ["2>&-", "0<&- 1>&- 2>&-", "2>/dev/full", ">/dev/full 2>&1"])
def test_a_node_runs_without_a_place_for_its_lines(tmp_path: Path, closed: str) -> None:
    (metrics_port,) = free_ports(1)
    node = node_in(tmp_path, metrics_port, OwnNode)
    node.properties = {**node.properties, "log.dir.of.nobody": "x"}  # which makes a warning
    node.command_prefix = ("sh", "-c", f'exec "$0" "$@" {closed}')
    node.format()
    node.start()
    try:
        wait_until(node.leads, 30)
        login_fails(node, b"nobody")
        assert node.stop() == 0
        segment = node.metadata_directory / f"{0:020d}.log"
        assert b"connection-closed" not in segment.read_bytes()
        assert b"request-refused" not in segment.read_bytes()
    finally:
        node.kill()


def dropped(target: Target) -> int:
    """Lines that the node says it could not write."""
    with socket.create_connection((LOOPBACK, target.metrics_port), PATIENCE_S) as client:
        client.sendall(b"GET /metrics HTTP/1.0\r\n\r\n")
        answer = b""
        while data := client.recv(65_536):
            answer += data
    found = re.search(rb"^metaquorum_event_log_linesdropped_total (\S+)", answer, re.MULTILINE)
    assert found is not None
    return int(float(found[1]))
