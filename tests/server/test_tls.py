"""Listeners with TLS, over real sockets: who gets in, who does not, and what each is told."""

from __future__ import annotations

import os
import ssl
import warnings
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_TLS_HANDSHAKE_BYTES, MAX_TLS_HANDSHAKE_MS
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.tls_settings import TlsSettings
from metaquorum.fetch.plan import ReadPlan
from metaquorum.server.sockets.listener import Server, serve
from metaquorum.testing.certificates import Authority, Identity, written
from metaquorum.testing.fake_services import (
    FakePlan,
    FakeServices,
    plain_config,
    services_with_eight_records,
)
from metaquorum.testing.pipeline_client import decoded_answer, request_frame
from metaquorum.tls.context import client_context
from metaquorum.tls.reloading import LOOK_MS
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.slices import FileSlice

AUTHORITY, FOREIGN = Authority(), Authority("foreign")
NODE = AUTHORITY.identity("node")
ALICE = AUTHORITY.identity("alice")
QUESTION = ApiVersionsRequest("a", "1")


def framed(message, version, correlation=7) -> bytes:
    frame = request_frame(message, version, correlation=correlation)
    return len(frame).to_bytes(4, "big") + frame


def tls_config(directory: Path, own: Identity = NODE, **keys: str) -> NodeConfig:
    """Of a node whose clients come by TLS, and show certificates where ``keys`` ask for them."""
    given = {
        "listeners": "CONTROLLER://127.0.0.1:0,CLIENTS://127.0.0.1:0",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENTS:SSL",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(written(directory / "node.pem", own.pem())),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(written(directory / "trusted.pem", AUTHORITY.pem)),
        **{"ssl." + key.replace("_", "."): text for key, text in keys.items()},
    }
    config, _ = NodeConfig.of({**plain_config().given, **given}, "test", host_name=lambda: "here")
    config.check_servable()
    return config


def dialled_with(own: Identity | None = None, trusted: Authority = AUTHORITY, **more: str):
    """A client's context: whom it trusts, and what it shows."""
    given = {"ssl.truststore.type": "PEM", "ssl.truststore.certificates": trusted.pem, **more}
    if own is not None:
        given["ssl.keystore.type"] = "PEM"
        given["ssl.keystore.key"] = own.key_pem()
        given["ssl.keystore.certificate.chain"] = own.certificate_pem
    return client_context(TlsSettings.read(given.get))


async def hung_up(stream: trio.abc.Stream) -> None:
    """Wait until the server, having said why in an alert perhaps, is gone."""
    with trio.fail_after(10), suppress(trio.BrokenResourceError):
        while await stream.receive_some():
            pass


class Node:
    """A server over a fake node, and the lines that it noted."""

    def __init__(self, config: NodeConfig, services: FakeServices | None = None) -> None:
        self.services = services or services_with_eight_records()
        self.services.config = config
        self.notes: list[str] = []
        self.server: Server

    async def plain(self) -> trio.SocketStream:
        return await trio.open_tcp_stream("127.0.0.1", self.server.ports["CLIENTS"])

    async def connect(self, context: ssl.SSLContext) -> trio.SSLStream[trio.SocketStream]:
        stream = trio.SSLStream(await self.plain(), context, server_hostname="127.0.0.1")
        await stream.do_handshake()
        return stream

    async def asked(self, stream, message=QUESTION, version=3):
        await stream.send_all(framed(message, version))
        data = b""
        while len(data) < 4 or len(data) < 4 + int.from_bytes(data[:4], "big"):
            piece = await stream.receive_some()
            assert piece, "the server closed the connection"
            data += piece
        key = 18 if message is QUESTION else 1
        return decoded_answer(data, key, version)[1]

    async def until(self, condition) -> None:
        with trio.fail_after(10):
            while not condition():
                await trio.sleep(0.001)

    @property
    def principals(self) -> list[str]:
        return [host.origin.principal for host in self.server._hosts]

    async def refuses(self, dial, note: str) -> None:
        """Dialling so gets nowhere, with a line that says why."""
        with pytest.raises((trio.BrokenResourceError, AssertionError)):
            await self.asked(await dial)
        await self.until(lambda: self.notes)
        assert note in self.notes[0]
        assert self.notes[0].startswith("connection 127.0.0.1:")
        await self.until(lambda: not self.server._hosts)
        assert self.server.tls_listeners.succeeded == 0
        assert self.server.tls_listeners.failed == 1


@pytest.fixture
async def start(nursery, tmp_path):
    async def start(services: FakeServices | None = None, **keys: str) -> Node:
        node = Node(tls_config(tmp_path, **keys), services)
        listeners = node.services.config.listeners
        node.server = await nursery.start(
            partial(serve, listeners, node.services, note=node.notes.append)
        )
        return node

    return start


async def test_a_client_without_a_certificate_is_nobody_in_particular(start):
    node = await start()
    stream = await node.connect(dialled_with())
    assert (await node.asked(stream)).error_code == 0
    assert node.principals == ["User:ANONYMOUS"]
    assert stream.version() == "TLSv1.3"
    assert (node.server.tls_listeners.succeeded, node.server.tls_listeners.failed) == (1, 0)


async def test_a_certificate_says_who_a_client_is(start):
    node = await start(client_auth="required", principal_mapping_rules="RULE:^CN=(.*)$/$1/U")
    assert (await node.asked(await node.connect(dialled_with(ALICE)))).error_code == 0
    assert node.principals == ["User:ALICE"]


async def test_a_certificate_that_is_only_requested_may_be_missing(start):
    node = await start(client_auth="requested")
    assert (await node.asked(await node.connect(dialled_with()))).error_code == 0
    assert (await node.asked(await node.connect(dialled_with(ALICE)))).error_code == 0
    assert node.principals == ["User:ANONYMOUS", "User:CN=alice"]


@pytest.mark.parametrize(
    ("shown", "note"),
    [
        (None, "peer did not return a certificate"),
        (FOREIGN.identity("alice"), "unable to get local issuer certificate"),
        (AUTHORITY.identity("alice", from_days=-9, to_days=-2), "certificate has expired"),
        (AUTHORITY.identity("alice", from_days=2), "certificate is not yet valid"),
        (AUTHORITY.identity("bob"), "no rule of ssl.principal.mapping.rules fits 'CN=bob'"),
    ],
)
async def test_who_shows_nothing_good_is_turned_away_with_one_line(start, shown, note):
    node = await start(client_auth="required", principal_mapping_rules="RULE:^CN=alice$/a/")
    await node.refuses(node.connect(dialled_with(shown)), note)
    assert len(node.notes) == 1


async def test_a_revoked_certificate_is_refused_once_the_list_has_it(start, tmp_path):
    node = await start(client_auth="required")
    assert (await node.asked(await node.connect(dialled_with(ALICE)))).error_code == 0
    node.services.clock.now += LOOK_MS
    written(tmp_path / "trusted.pem", AUTHORITY.pem + AUTHORITY.revocations(ALICE))
    with pytest.raises(trio.BrokenResourceError):
        await node.asked(await node.connect(dialled_with(ALICE)))
    await node.until(lambda: node.notes)
    assert "its TLS handshake failed: certificate revoked" in node.notes[0]
    bob = await node.connect(dialled_with(AUTHORITY.identity("bob")))
    assert (await node.asked(bob)).error_code == 0


async def test_a_new_certificate_is_shown_without_a_restart(start, tmp_path):
    node = await start()
    first = await node.connect(dialled_with())
    node.services.clock.now += LOOK_MS
    new = AUTHORITY.identity("new")
    written(tmp_path / "node.pem", new.pem())
    second = await node.connect(dialled_with())
    assert first.getpeercert(binary_form=True) == NODE.der
    assert second.getpeercert(binary_form=True) == new.der
    assert (await node.asked(first)).error_code == 0


async def test_only_the_enabled_protocols_and_cipher_suites_are_accepted(start):
    node = await start(enabled_protocols="TLSv1.3")
    old = dialled_with(**{"ssl.enabled.protocols": "TLSv1.2"})
    await node.refuses(node.connect(old), "its TLS handshake failed: unsupported protocol")


async def test_a_client_that_only_knows_withdrawn_versions_is_refused(start):
    node = await start()
    old = dialled_with()
    old.set_ciphers("ALL:@SECLEVEL=0")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    await node.refuses(node.connect(old), "its TLS handshake failed: unsupported protocol")


async def test_version_1_2_is_spoken_where_a_client_knows_no_newer(start):
    node = await start(client_auth="required")
    old = dialled_with(ALICE, **{"ssl.enabled.protocols": "TLSv1.2"})
    stream = await node.connect(old)
    assert (await node.asked(stream)).error_code == 0
    assert (stream.version(), node.principals) == ("TLSv1.2", ["User:CN=alice"])


@pytest.mark.parametrize(
    ("sent", "what"),
    [(framed(QUESTION, 3), "plaintext"), (b"GET / HTTP/1.1\r\n\r\n", "HTTP")],
)
async def test_who_speaks_no_tls_is_told_of(start, sent, what):
    node = await start()
    stream = await node.plain()
    await stream.send_all(sent)
    await hung_up(stream)
    await node.until(lambda: node.notes)
    assert f"speaks {what} on a listener with TLS" in node.notes[0]


async def test_tls_on_a_listener_without_is_told_of(start):
    node = await start()
    plain = await trio.open_tcp_stream("127.0.0.1", node.server.ports["CONTROLLER"])
    stream = trio.SSLStream(plain, dialled_with(), server_hostname="127.0.0.1")
    with pytest.raises(trio.BrokenResourceError):
        await stream.do_handshake()
    await node.until(lambda: node.notes)
    assert "speaks TLS, and this listener does not" in node.notes[0]


async def test_handshakes_are_bounded_in_time(start):
    node = await start()
    stream = await node.plain()
    await node.until(lambda: node.server._hosts)
    node.services.clock.now += MAX_TLS_HANDSHAKE_MS - 1
    assert node.server.close_overdue() == 0
    node.services.clock.now += 1
    assert node.server.close_overdue() == 1
    assert "did not finish its TLS handshake within" in node.notes[0]
    assert await stream.receive_some() == b""


async def test_handshakes_are_bounded_in_number_and_the_oldest_goes(start):
    node = await start()
    node.server.tls_listeners.most_unfinished = 2
    silent = [await node.plain() for _ in range(2)]
    await node.until(lambda: len(node.server._hosts) == 2)
    assert (await node.asked(await node.connect(dialled_with()))).error_code == 0
    assert "2 TLS handshakes are unfinished, and this is the oldest" in node.notes[0]
    assert await silent[0].receive_some() == b""
    assert len(node.server._hosts) == 2


async def test_handshakes_are_bounded_in_bytes(start):
    node = await start()
    stream = await node.plain()
    # the longest record of a handshake, unfinished again and again
    hello = b"\x16\x03\x01\x40\x00\x01\xff\xff\xff" + bytes(16_380)
    with suppress(trio.BrokenResourceError):
        for _ in range(2 + MAX_TLS_HANDSHAKE_BYTES // len(hello)):
            await stream.send_all(hello)
    await hung_up(stream)
    await node.until(lambda: node.notes)
    assert "its TLS handshake failed" in node.notes[0]


async def test_rubbish_behind_a_handshake_ends_the_connection(start):
    node = await start()
    stream = await node.connect(dialled_with())
    assert (await node.asked(stream)).error_code == 0
    await stream.transport_stream.send_all(b"\x17\x03\x03\x00\x20" + bytes(32))
    await node.until(lambda: node.notes)
    assert "TLS ended: " in node.notes[0]


def fetch(max_bytes: int) -> FetchRequest:
    one = FetchPartition(fetch_offset=0, partition_max_bytes=max_bytes)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    return FetchRequest(max_bytes=max_bytes, min_bytes=1, max_wait_ms=0, topics=[topic])


class LargeLog:
    """A log whose one batch is a file of this many bytes, and that is otherwise the fake one."""

    def __init__(self, path: Path, size: int, beneath) -> None:
        path.write_bytes(bytes(range(256)) * (size // 256))
        self.size = size
        self._fd = os.open(path, os.O_RDONLY)
        self._beneath = beneath

    def __getattr__(self, name: str):
        return getattr(self._beneath, name)

    def read_plan(self, *arguments, **more) -> ReadPlan:
        return FakePlan((FileSlice(self._fd, 0, self.size, end_offset=8),), 8)


async def test_a_slow_reader_over_tls_gets_the_whole_response_from_files(start, tmp_path):
    services = services_with_eight_records()
    size = 3_000_064
    services.log = LargeLog(tmp_path / "log", size, services.log)
    node = await start(services)
    stream = await node.connect(dialled_with())
    await stream.send_all(framed(fetch(size), 12))
    await trio.testing.wait_all_tasks_blocked()
    answer = bytearray()
    while len(answer) < 4 or len(answer) < 4 + int.from_bytes(answer[:4], "big"):
        answer += await stream.receive_some(10_000)
    assert bytes(range(256)) * (size // 256) in answer
    assert (await node.asked(stream)).error_code == 0


async def test_a_server_without_a_usable_key_does_not_start(tmp_path):
    config = tls_config(tmp_path)
    written(tmp_path / "node.pem", "broken")
    services = services_with_eight_records()
    services.config = config
    with pytest.raises(OperatorError, match=r"listener CLIENTS: ssl\.keystore\.location"):
        Server.of(services)
