"""Links that speak TLS and authenticate, to a server of ours that wants both."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio

from metaquorum.base.errors import OperatorError
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.links import dial_of
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.peers.controller_connection import ControllerConnection
from metaquorum.runtime.peers.dial import Dial, OpenStream
from metaquorum.runtime.peers.peer_connection import PeerClosed, PeerConnection
from metaquorum.runtime.peers.secure_dial import AuthenticatedStream, NotAdmitted, socket_beneath
from metaquorum.server.sockets.listener import Server, serve
from metaquorum.testing.certificates import Authority, Identity, written
from metaquorum.testing.fake_services import plain_config, services_with_eight_records

MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required"
JAAS = "listener.name.controller.plain.sasl.jaas.config"
AUTHORITY = Authority()
Start = Callable[..., Any]


def config_of(
    directory: Path, own: Identity, protocol: str = "SASL_SSL", **more: str
) -> NodeConfig:
    given = {
        "listener.security.protocol.map": f"CONTROLLER:{protocol}",
        "ssl.keystore.type": "PEM",
        "ssl.keystore.location": str(written(directory / "node.pem", own.pem())),
        "ssl.truststore.type": "PEM",
        "ssl.truststore.location": str(written(directory / "trusted.pem", AUTHORITY.pem)),
        "ssl.client.auth": "required",
        "sasl.enabled.mechanisms": "PLAIN",
        "sasl.mechanism.controller.protocol": "PLAIN",
        JAAS: f'{MODULE} username="node" password="s3cret" user_node="s3cret";',
        **{key.replace("__", "."): text for key, text in more.items()},
    }
    config, _ = NodeConfig.of({**plain_config().given, **given}, "test", host_name=lambda: "here")
    config.check_servable()
    return config


@pytest.fixture
async def start(nursery: trio.Nursery, tmp_path: Path) -> AsyncIterator[Start]:
    """Starts a server; returns it, how its like dials, and its lines."""

    async def start(
        protocol: str = "SASL_SSL", own: Identity | None = None, **more: str
    ) -> tuple[Server, OpenStream, list[str]]:
        identity = own or AUTHORITY.identity("node")
        services = services_with_eight_records(
            config=config_of(tmp_path, identity, protocol, **more)
        )
        services.clock = TrioClock()
        notes: list[str] = []
        server = await nursery.start(
            partial(serve, services.config.listeners, services, note=notes.append)
        )
        dial = dial_of(
            services.config, Dial(), services.clock, EventLog(lambda line: None, lambda: 0)
        )
        return server, dial, notes

    yield start


def principals(server: Server) -> list[str]:
    return [host.origin.principal for host in server._hosts]


@pytest.mark.parametrize(
    ("protocol", "principal"),
    [("SSL", "User:CN=node"), ("SASL_PLAINTEXT", "User:node"), ("SASL_SSL", "User:node")],
)
async def test_a_node_comes_to_another_as_who_it_is(
    start: Start, protocol: str, principal: str
) -> None:
    server, dial, _ = await start(protocol)
    place = ("127.0.0.1", server.ports["CONTROLLER"])
    connection = await ControllerConnection.open(place, "1", dial)
    assert principals(server) == [principal]
    assert connection.is_idle
    await server.stop(0)
    with trio.fail_after(5):
        while connection.is_idle:
            await trio.sleep(0.001)
    await connection.close()


async def overdue_answers_leave(server: Server) -> None:
    """What a node's driver does for its services."""
    while True:
        server.services.watermark.expire(server.services.clock.now_ms())
        await trio.sleep(0.001)


async def test_a_wrong_password_is_told(
    start: Start, tmp_path: Path, nursery: trio.Nursery
) -> None:
    server, _, notes = await start()
    nursery.start_soon(overdue_answers_leave, server)
    wrong = f'{MODULE} username="node" password="wr0ng" user_node="wr0ng";'
    config = config_of(tmp_path, AUTHORITY.identity("node"), **{JAAS: wrong})
    dial = dial_of(config, Dial(), TrioClock(), EventLog(lambda line: None, lambda: 0))
    with pytest.raises(NotAdmitted, match="'node' is refused: authentication failed") as refused:
        await dial("127.0.0.1", server.ports["CONTROLLER"])
    assert "wr0ng" not in str(refused.value) + "".join(notes)


async def test_a_server_with_an_unknown_issuer_or_another_name_is_rejected(
    start: Start,
) -> None:
    other = AUTHORITY.identity("other", hosts=["elsewhere.example"])
    for own, why in (
        (Authority("foreign").identity("node"), "unable to get local issuer"),
        (other, "IP address mismatch"),
    ):
        server, dial, _ = await start("SSL", own)
        with pytest.raises(NotAdmitted, match=why):
            await dial("127.0.0.1", server.ports["CONTROLLER"])


async def test_names_may_be_left_unchecked(start: Start) -> None:
    other = AUTHORITY.identity("other", hosts=["elsewhere.example"])
    unchecked = {"ssl.endpoint.identification.algorithm": ""}
    server, dial, _ = await start("SSL", other, **unchecked)
    stream = await dial("127.0.0.1", server.ports["CONTROLLER"])
    assert socket_beneath(stream) is not None
    await stream.aclose()


async def test_who_hangs_up_amid_the_handshake_is_told_from_who_refuses(
    start: Start,
) -> None:
    _, dial, _ = await start("SSL")

    async def hang_up(stream: trio.SocketStream) -> None:
        await stream.receive_some()
        await stream.aclose()

    async with trio.open_nursery() as other:
        listeners = await other.start(partial(trio.serve_tcp, hang_up, 0, host="127.0.0.1"))
        port = listeners[0].socket.getsockname()[1]
        with pytest.raises(PeerClosed):
            await dial("127.0.0.1", port)
        other.cancel_scope.cancel()
    with pytest.raises(ConnectionRefusedError):
        await dial("127.0.0.1", port)


async def test_a_session_is_proven_again_in_time(start: Start) -> None:
    server, dial, notes = await start(connections__max__reauth__ms="60000")
    stream = await dial("127.0.0.1", server.ports["CONTROLLER"])
    assert isinstance(stream, AuthenticatedStream)
    assert 0 < stream._renew_at - trio.current_time() <= 51
    asking = PeerConnection(stream, "1")
    await asking.handshake()
    assert server.sasl_listeners.succeeded == 1
    stream._renew_at = 0
    await asking.handshake()
    assert (server.sasl_listeners.succeeded, notes) == (2, [])
    await stream.aclose()


@pytest.mark.parametrize(
    ("more", "why"),
    [
        ({"sasl.mechanism.controller.protocol": "GSSAPI"}, "GSSAPI is not spoken here"),
        ({"sasl.mechanism.controller.protocol": "SCRAM-SHA-256"}, "not among sasl.enabled"),
        ({JAAS: f'{MODULE} user_node="s3cret";'}, "needs a username"),
        ({JAAS: MODULE.replace("plain.P", "scram.P") + ";"}, "login module"),
    ],
)
def test_what_is_missing_for_links_is_told_at_the_start(
    tmp_path: Path, more: dict[str, str], why: str
) -> None:
    with pytest.raises(OperatorError, match=why) as refused:
        config_of(tmp_path, AUTHORITY.identity("node"), **more)
    assert "s3cret" not in str(refused.value)
