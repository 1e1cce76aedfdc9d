"""Ports for nodes that come and go."""

from __future__ import annotations

import socket

import pytest

from tools.kafka import ports
from tools.kafka.ports import FIRST_PORT, LOOPBACK, free_ports, last_port


def test_no_port_is_given_twice() -> None:
    found = [*free_ports(100), *free_ports(100), *free_ports(1)]
    assert len(set(found)) == 201
    assert all(FIRST_PORT <= port <= last_port() for port in found)


def test_nobody_who_connects_gets_one_of_them() -> None:
    with socket.create_server((LOOPBACK, 0)) as server:
        handed_out = server.getsockname()[1]
        with socket.create_connection(server.getsockname()) as peer:
            own = peer.getsockname()[1]
    assert min(handed_out, own) > last_port()


def test_one_that_somebody_listens_on_is_not_free(monkeypatch: pytest.MonkeyPatch) -> None:
    (taken, other) = free_ports(2)
    chance = iter([taken, other])
    monkeypatch.setattr(ports, "_given", set())
    monkeypatch.setattr(ports._chance, "randint", lambda first, last: next(chance))
    with socket.create_server((LOOPBACK, taken)):
        assert free_ports(1) == [other]


def test_when_there_are_no_more_it_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ports, "_is_free", lambda port: False)
    with pytest.raises(OSError, match="no 3 free ports between 10000"):
        free_ports(3)
