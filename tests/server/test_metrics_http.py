"""The HTTP side of a node: what is answered, and that odd visitors do it no harm."""

from __future__ import annotations

import json

import pytest
import trio
import trio.testing

from metaquorum.observe.health import Health
from metaquorum.observe.metrics import Registry
from metaquorum.observe.openmetrics import Exposition
from metaquorum.observe.role_changes import RoleChange, RoleChanges
from metaquorum.server.sockets.metrics_http import answer, converse


def exposition() -> Exposition:
    registry = Registry()
    registry.gauge("kafka.server:type=raft-metrics", "current-leader", lambda: 1, "who leads")
    return Exposition(registry)


def health(reason: str | None = None) -> Health:
    made = Health()
    made.ready_when("leader", lambda: reason)
    return made


def changes(count: int = 2) -> RoleChanges:
    made = RoleChanges(node_id=1)
    for number in range(count):
        made.add(RoleChange(number, "Follower", "Prospective", 3, 3, None, 9, 3, f"why {number}"))
    return made


async def conversation(*chunks: bytes, reason: str | None = None) -> bytes:
    """Everything the server says to these bytes, until one side closes."""
    ours, theirs = trio.testing.memory_stream_pair()
    said = bytearray()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(converse, theirs, exposition(), health(reason), changes())
        for chunk in chunks:
            await ours.send_all(chunk)
        await ours.send_eof()
        async for part in ours:
            said += part
    return bytes(said)


async def test_metrics_are_served_in_the_text_that_is_asked_for() -> None:
    said = await conversation(
        b"GET /metrics HTTP/1.1\r\nHost: h\r\n"
        b"Accept: application/openmetrics-text; version=1.0.0\r\n\r\n"
    )
    assert said.startswith(b"HTTP/1.1 200 OK\r\n")
    assert b"Content-Type: application/openmetrics-text; version=1.0.0" in said
    assert b"\nkafka_server_raft_metrics_current_leader 1.0\n" in said
    assert said.endswith(b"# EOF\n")


async def test_several_requests_share_a_connection() -> None:
    said = await conversation(
        b"GET /livez HTTP/1.1\r\nHost: h\r\n\r\n", b"GET /readyz HTTP/1.1\r\nHost: h\r\n\r\n"
    )
    assert said.count(b"HTTP/1.1 200 OK\r\n") == 2


async def test_a_request_may_come_byte_by_byte() -> None:
    request = b"GET /livez HTTP/1.1\r\nHost: h\r\n\r\n"
    said = await conversation(*(request[at : at + 1] for at in range(len(request))))
    assert said.endswith(b"ok\n")


async def test_head_has_the_length_and_not_the_body() -> None:
    said = await conversation(b"HEAD /livez HTTP/1.1\r\nHost: h\r\n\r\n")
    assert b"Content-Length: 3\r\n" in said
    assert said.endswith(b"\r\n\r\n")


@pytest.mark.parametrize(
    "noise",
    [
        b"\x00\x00\x00\x12\x00\x12\x00\x03\x00\x00\x00\x01",
        b"hello\r\n\r\n",
        b"GET / HTTP/9\r\n\r\n",
    ],
)
async def test_a_visitor_who_speaks_no_http_is_refused(noise: bytes) -> None:
    said = await conversation(noise + b"\r\n\r\n")
    assert said.startswith(b"HTTP/1.1 400 ") or said == b""


async def test_a_head_without_end_is_refused() -> None:
    said = await conversation(b"GET / HTTP/1.1\r\nHost: " + b"h" * 40_000)
    assert said.startswith(b"HTTP/1.1 431 ")


async def test_a_visitor_who_says_nothing_is_let_go(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    await converse(theirs, exposition(), health(), changes())
    assert await ours.receive_some(1) == b""
    assert trio.current_time() < 100


def test_readiness_is_told_with_reasons() -> None:
    told = answer("GET", "/readyz?verbose", "", exposition(), health("no leader"), changes())
    assert told.status == 503
    assert told.body == b"[-] leader failed: no leader\nreadyz check failed\n"
    assert answer("GET", "/livez", "", exposition(), health("no leader"), changes()).status == 200


@pytest.mark.parametrize(
    ("method", "target", "status"),
    [
        ("GET", "/", 200),
        ("GET", "/metrics?x=1", 200),
        ("GET", "/nothing", 404),
        ("GET", "/explain", 200),
        ("GET", "/explain?last=x", 400),
        ("GET", "/explain?last=-1", 400),
        ("POST", "/explain", 405),
        ("POST", "/metrics", 405),
        ("GET", "http://[", 400),
    ],
)
def test_targets_and_methods_that_do_not_fit_are_refused(
    method: str, target: str, status: int
) -> None:
    assert answer(method, target, "", exposition(), health(), changes()).status == status


def test_a_reading_that_fails_is_told_to_the_one_who_asked() -> None:
    def broken() -> str | None:
        raise RuntimeError("torn")

    unwell = Health()
    unwell.alive_when("log", broken)
    told = answer("GET", "/livez", "", exposition(), unwell, changes())
    assert told.status == 500
    assert b"torn" in told.body


def test_the_changes_of_role_are_told_the_newest_at_the_end() -> None:
    told = answer("GET", "/explain?last=2", "", exposition(), health(), changes(5))
    assert told.content_type == "application/json"
    facts = json.loads(told.body)
    assert (facts["node"], facts["kept"], facts["forgotten"]) == (1, 5, 0)
    assert [one["why"] for one in facts["changes"]] == ["why 3", "why 4"]
    assert facts["changes"][0]["leader"] is None
