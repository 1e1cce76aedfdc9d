"""A real process under a service manager of our own, and its lines as a file of JSON."""

from __future__ import annotations

import json
import re
import socket
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest
from attrs import define, field

from tools.kafka.ports import LOOPBACK, free_ports
from tools.own_node import OwnNode
from tools.process import until

WATCHDOG_S = 1.0


@define
class Manager:
    """Receives what a process tells at ``address``."""

    waiting: socket.socket
    address: str
    messages: list[str] = field(factory=list)

    def has(self, assignment: str, within_s: float = 20.0) -> bool:
        """Read on until such an assignment comes; False if none does."""
        ends = time.monotonic() + within_s
        while (rest_s := ends - time.monotonic()) > 0:
            self.waiting.settimeout(rest_s)
            try:
                lines = self.waiting.recv(4_096).decode().splitlines()
            except TimeoutError:
                break
            self.messages += lines
            if any(line.startswith(assignment) for line in lines):
                return True
        return False


@pytest.fixture
def manager(tmp_path: Path) -> Iterator[Manager]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as waiting:
        waiting.bind(str(tmp_path / "notify"))
        yield Manager(waiting, str(tmp_path / "notify"))


def supervised(directory: Path, address: str, **properties: str) -> OwnNode:
    """A node with a watchdog."""
    variables = [f"NOTIFY_SOCKET={address}", f"WATCHDOG_USEC={int(WATCHDOG_S * 1e6)}"]
    dotted = {key.replace("_", "."): value for key, value in properties.items()}
    return OwnNode(directory, dotted, command_prefix=("env", *variables))


def test_a_process_is_ready_alive_hung_and_stopping(tmp_path: Path, manager: Manager):
    node = supervised(tmp_path, manager.address)
    with node:
        assert manager.has("READY=1")
        assert manager.messages[0].startswith("STATUS=starting: ")
        assert any(one == "STATUS=node 1 leads epoch 1" for one in manager.messages)
        assert all(manager.has("WATCHDOG=1", WATCHDOG_S) for _ in range(3))
        node.pause()
        while manager.has("", 0.1):  # what it had sent before
            pass
        assert not manager.has("WATCHDOG=1", 2 * WATCHDOG_S)
        node.resume()
        assert manager.has("WATCHDOG=1")
        assert node.stop() == 0
    assert manager.has("STOPPING=1")
    assert "STATUS=stopping: SIGTERM" in manager.messages


def test_a_voter_without_its_quorum_is_alive_and_not_ready(tmp_path: Path, manager: Manager):
    nobody = "2@127.0.0.1:1:MvDxzVmcRsaTz33bUuRU6A,3@127.0.0.1:1:07R5amHmR32VDA6jHkGbTA"
    node = supervised(tmp_path, manager.address)
    node.voters = f"1@{node.bootstrap_controller}:JEXY6aqzQY-32P5TStzaFg,{nobody}"
    node.format()
    node.start()
    try:
        assert manager.has("STATUS=starting: leader-known: no leader is known")
        assert all(manager.has("EXTEND_TIMEOUT_USEC=") for _ in range(3))
        assert manager.has("WATCHDOG=1")
        assert "READY=1" not in manager.messages
    finally:
        node.kill()


def test_a_service_manager_that_is_not_there_stops_nobody(tmp_path: Path):
    with supervised(tmp_path, str(tmp_path / "nowhere")) as node:
        assert node.stop() == 0
    assert "service-manager-unreachable" in node.log_file.read_text()


def test_a_file_of_json_lines_has_all_that_is_said(tmp_path: Path):
    log_file = tmp_path / "server.log"
    node = OwnNode(
        tmp_path / "node",
        {"metaquorum.log.format": "json", "metaquorum.log.file": str(log_file)},
    )
    node.format()
    node.start()
    try:
        until(node.leads, "it did not lead")
        log_file.rename(tmp_path / "server.log.old")  # as logrotate does
        assert node.stop() == 0
    finally:
        node.kill()
    files = [tmp_path / "server.log.old", log_file]
    told = [json.loads(line) for one in files for line in one.read_text().splitlines()]
    names = [one["event"] for one in told]
    assert names[0] == "descriptors" and names[-1] == "stopped"
    assert {"started", "role-changed", "stopping"} <= set(names)
    assert all(set(one) == {"time", "level", "event", "fields"} for one in told)
    assert node.log_file.read_text() == ""


@pytest.mark.parametrize("has_file", [False, True])
def test_a_start_that_is_refused_is_a_line_of_json(tmp_path: Path, has_file: bool):
    log_file = tmp_path / "server.log"
    properties = {"metaquorum.log.format": "json"}
    if has_file:
        properties["metaquorum.log.file"] = str(log_file)
    node = OwnNode(tmp_path / "node", properties)
    node.write_config()  # and no directory is formatted
    node.start()
    try:
        until(lambda: node.pid is None, "it did not end")
        assert node.stop() == 1
    finally:
        node.kill()
    place = log_file if has_file else node.log_file
    last = json.loads(place.read_text().splitlines()[-1])
    assert last["event"] == "not-started" and "format" in last["fields"]["why"]


def lines_dropped(metrics_port: int) -> float:
    """How many lines of its log a server says that it could write nowhere."""
    with urllib.request.urlopen(f"http://{LOOPBACK}:{metrics_port}/metrics") as answer:
        shown = answer.read().decode()
    found = re.search(r"^metaquorum_event_log_linesdropped_total (\S+)", shown, re.MULTILINE)
    assert found is not None, shown
    return float(found[1])


def test_a_full_disk_of_the_log_file_stops_nobody(tmp_path: Path):
    place = tmp_path / "full"
    place.mkdir()
    (metrics_port,) = free_ports(1)
    fills = f"mount -t tmpfs -o size=64k x {place}; head -c 100k /dev/zero > {place}/filler"
    properties = {
        "metaquorum.log.file": f"{place}/server.log",
        "metrics.listener": f"{LOOPBACK}:{metrics_port}",
    }
    node = OwnNode(
        tmp_path / "node",
        properties,
        command_prefix=("unshare", "--mount", "sh", "-c", f'{fills}; exec "$@"', "sh"),
    )
    node.format()
    node.start()
    try:
        until(node.leads, "it did not lead")
        until(lambda: lines_dropped(metrics_port) > 0, node.log_tail)  # a thread drops them
        assert node.stop() == 0
    finally:
        node.kill()
