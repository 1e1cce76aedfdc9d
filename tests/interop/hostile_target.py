"""A node under attack, the client that must not notice, and how both are judged."""

from __future__ import annotations

import contextlib
import os
import re
import socket
import time
import urllib.request
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from attrs import define

from metaquorum.base.limits import MAX_RESIDENT_BYTES
from tools.bystander import Bystander, Felt
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.process import until

PATIENCE_S = 10.0
QUIET_S = 1.5
MOST_TIMES_SLOWER = 2.0
LEAST_MEDIAN_MS = 0.3  # three processes woken on two busy cores; quieter is not worth a failure
LONGEST_PIECE_ANSWERS = 20  # work that cannot be divided, in usual answers: 2,000 rows decoded
LEAST_HIGH_MS = 8.0  # two slices of Linux's scheduler: one bad moment in a hundred is no verdict

wait_until = partial(until, within_s=PATIENCE_S)


@define
class Target:
    """The node under attack, and the client that must not notice."""

    node: OwnNode
    bystander: Bystander
    metrics_port: int

    @contextlib.contextmanager
    def under(self, attack: str) -> Iterator[None]:
        """Measure an attack, and hold what it did to everybody else against the limits.

        What is usual is measured right before. The control (``tools.bystander``) tells how much
        slower the machine itself became meanwhile: it has other things to do, the attack too.
        """
        pid = self.node.pid
        usual = self.quiet()
        since = time.monotonic()
        yield
        over = time.monotonic()
        wait_until(lambda: self.bystander.felt(over).answers_ms or self.bystander.trouble())
        felt = self.bystander.felt(since)
        assert self.bystander.trouble() is None
        assert self.node.pid == pid, self.node.log_tail()
        peak = peak_bytes(self.node)
        self.tell(attack, over - since, usual, felt)
        assert peak <= MAX_RESIDENT_BYTES
        if felt.median_ms > most_median_ms(usual, felt) or felt.high_ms > most_high_ms(usual, felt):
            usual = self.quiet()  # it may be the machine that has become slow meanwhile
        assert felt.median_ms <= most_median_ms(usual, felt)
        assert felt.high_ms <= most_high_ms(usual, felt)

    def tell(self, attack: str, took_s: float, usual: Felt, felt: Felt) -> None:
        """Print a row of the table."""
        times = felt.median_ms / usual.median_ms
        control = felt.control_median_ms / usual.control_median_ms
        print(
            f"\n{attack:32} {took_s:5.1f} s {len(felt.answers_ms):5} answers, median "
            f"{usual.median_ms:.2f} -> {felt.median_ms:.2f} ms, {times:.1f} "
            f"times the usual (control {control:.1f}), 99 % within "
            f"{usual.high_ms:.1f} -> {felt.high_ms:.1f} ms (control "
            f"{usual.control_high_ms:.1f} -> {felt.control_high_ms:.1f}), longest "
            f"{max(felt.answers_ms):.0f} ms; resident {self.node.resident_bytes() >> 20} MiB, "
            f"at most {peak_bytes(self.node) >> 20} MiB"
        )

    def quiet(self) -> Felt:
        """What is felt while nothing else happens."""
        since = time.monotonic()
        time.sleep(QUIET_S)
        return self.bystander.felt(since)

    def figure(self, name: str) -> int:
        """One of the server's own figures about its connections."""
        url = f"http://{LOOPBACK}:{self.metrics_port}/metrics"
        with urllib.request.urlopen(url, timeout=PATIENCE_S) as answer:
            found = re.search(
                rf"^metaquorum_connections_{name} (\S+)", answer.read().decode(), re.M
            )
        assert found is not None, name
        return int(float(found[1]))

    def connect(self) -> socket.socket:
        """A new connection."""
        return socket.create_connection((LOOPBACK, self.node.controller_port), PATIENCE_S)

    def lines(self) -> list[str]:
        """What its log says about closed connections."""
        log = self.node.log_file.read_text().splitlines()
        return [line for line in log if " connection-closed " in line]

    def lines_about(self, name: tuple[str, int], told: int = 0) -> list[str]:
        """Its lines about the client of that address, behind so many that were there before it.

        Addresses come again after some thousand connections.
        """
        return [line for line in self.lines()[told:] if f" {name[0]}:{name[1]} " in line]


@contextlib.contextmanager
def attacked(
    node: OwnNode,
    rows: Path,
    *,
    port: int = 0,
    module: str = "tools.bystander",
    prepare: Callable[[], None] = lambda: None,
) -> Iterator[Bystander]:
    """Start a formatted node, which this process attacks within the block; the caller ends it.

    Given is a client in another process, on the controller listener unless a ``port`` is named;
    ``rows`` is where it writes. ``prepare`` is called before it begins.
    """
    core = max(os.sched_getaffinity(0))
    with _apart_from(core):
        node.start()
    node.wait_ready()
    prepare()
    with Bystander(port or node.controller_port, rows, module) as bystander:
        wait_until(lambda: rows.stat().st_size > 0)
        with _attackers_on(core):
            yield bystander


def framed(body: bytes) -> bytes:
    """A request or answer behind its length."""
    return len(body).to_bytes(4, "big") + body


@contextlib.contextmanager
def _apart_from(core: int) -> Iterator[None]:
    """What is started meanwhile may run on any core but that, if there is another."""
    cores = os.sched_getaffinity(0)
    with _on(cores - {core} or cores):
        yield


@contextlib.contextmanager
def _attackers_on(core: int) -> Iterator[None]:
    """Keep the attackers, all of them in this process, on one core, where the server is not.

    They are to use up the server's patience, not the processor that it runs on: a load that real
    peers would bring along on machines of their own. Beside them on a core the server was seen to
    wait 15 ms for its next 0.4 ms. Its client and the control may go anywhere.
    """
    with _on({core}):
        yield


@contextlib.contextmanager
def _on(cores: set[int]) -> Iterator[None]:
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def slower(usual: Felt, felt: Felt) -> float:
    """How many times slower the machine was for the control, at least 1."""
    return max(1.0, felt.control_median_ms / usual.control_median_ms)


def most_median_ms(usual: Felt, felt: Felt) -> float:
    """The median that everybody else may have under an attack."""
    return MOST_TIMES_SLOWER * max(usual.median_ms * slower(usual, felt), LEAST_MEDIAN_MS)


def most_high_ms(usual: Felt, felt: Felt) -> float:
    """What 99 of 100 answers to everybody else must stay within under an attack."""
    piece = LONGEST_PIECE_ANSWERS * usual.median_ms
    high = max(usual.high_ms, felt.control_high_ms, LEAST_HIGH_MS, piece)
    return MOST_TIMES_SLOWER * high * slower(usual, felt)


def peak_bytes(node: OwnNode) -> int:
    """The most memory that the process ever had resident (Linux)."""
    status = Path(f"/proc/{node.pid}/status").read_text()
    found = re.search(r"^VmHWM:\s+(\d+) kB", status, re.MULTILINE)
    assert found is not None
    return int(found[1]) * 1024
