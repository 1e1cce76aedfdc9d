"""Ports for nodes that come and go."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tools.kafka import ports
from tools.kafka.ports import FIRST_PORT, LOOPBACK, USUAL_LAST_PORT, free_ports, last_port


def test_no_port_is_given_twice() -> None:
    found = [*free_ports(100), *free_ports(100), *free_ports(1)]
    assert len(set(found)) == 201
    assert all(FIRST_PORT <= port <= last_port() for port in found)


@pytest.mark.parametrize(
    ("handed_out", "last"),
    [
        ("32768\t60999\n", 32_767),
        ("49152 65535", 49_151),
        ("20001 65000", 20_000),
        ("1024 65535", USUAL_LAST_PORT),  # it hands out nearly all
        (None, USUAL_LAST_PORT),
    ],
)
def test_the_last_port_lies_below_those_that_the_system_hands_out(
    handed_out: str | None, last: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "range"
    if handed_out is not None:
        file.write_text(handed_out)
    monkeypatch.setattr(ports, "_HANDED_OUT", file)
    assert last_port() == last


def test_one_that_somebody_listens_on_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    (taken, other) = free_ports(2)
    chance = iter([taken, other])
    monkeypatch.setattr(ports, "_given", set())
    monkeypatch.setattr(ports._chance, "randint", lambda first, last: next(chance))
    with socket.create_server((LOOPBACK, taken)):
        assert free_ports(1) == [other]


def test_one_that_another_process_was_given_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    other_process = "from tools.kafka.ports import free_ports; print(*free_ports(1)); input()"
    command = [sys.executable, "-c", other_process]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        given = int(process.stdout.readline())
        (other,) = free_ports(1)
        chance = iter([given, other])
        monkeypatch.setattr(ports, "_given", set())
        monkeypatch.setattr(ports._chance, "randint", lambda first, last: next(chance))
        assert free_ports(1) == [other]
        process.communicate(b"\n")
    monkeypatch.setattr(ports, "_given", set())
    monkeypatch.setattr(ports._chance, "randint", lambda first, last: given)
    assert free_ports(1) == [given]  # its process has ended


def test_when_there_are_no_more_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_is_free", lambda port: False)
    with pytest.raises(OSError, match="no 3 free ports between 10000"):
        free_ports(3)
