"""A client of before 2017 over a real socket: handshake of version 0, token, requests, as one."""

from __future__ import annotations

from functools import partial

import pytest
import trio

from metaquorum.config.node_config import NodeConfig
from metaquorum.server.sockets.listener import serve
from metaquorum.testing.fake_services import plain_config, services_with_eight_records
from metaquorum.testing.pipeline_client import decoded_answer, request_frame
from metaquorum.wire.generated.metadata_request import MetadataRequest
from metaquorum.wire.generated.sasl_handshake_request import SaslHandshakeRequest

pytestmark = pytest.mark.usefixtures("connection_host")
MODULE = "org.apache.kafka.common.security.plain.PlainLoginModule required"


def framed(data: bytes) -> bytes:
    return len(data).to_bytes(4, "big") + data


async def test_token_and_request_may_come_in_one_piece(nursery):
    given = {
        **plain_config().given,
        "listeners": "CONTROLLER://127.0.0.1:0,CLIENTS://127.0.0.1:0",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,CLIENTS:SASL_PLAINTEXT",
        "sasl.enabled.mechanisms": "PLAIN",
        "listener.name.clients.plain.sasl.jaas.config": f'{MODULE} user_a="b";',
    }
    config, _ = NodeConfig.of(given, "test", host_name=lambda: "here")
    server = await nursery.start(
        partial(serve, config.listeners, services_with_eight_records(config=config))
    )
    for pieces in (1, 3):
        stream = await trio.open_tcp_stream("127.0.0.1", server.ports["CLIENTS"])
        said = [
            framed(request_frame(SaslHandshakeRequest("PLAIN"), 0)),
            framed(b"\0a\0b"),
            framed(request_frame(MetadataRequest([]), 9)),
        ]
        heard = b""
        for piece in said if pieces == 3 else [b"".join(said)]:
            await stream.send_all(piece)
            heard += await stream.receive_some()
        answers = []
        while len(answers) < 3:
            while len(heard) < 4 or len(heard) < 4 + int.from_bytes(heard[:4], "big"):
                heard += await stream.receive_some()
            end = 4 + int.from_bytes(heard[:4], "big")
            answers.append(heard[:end])
            heard = heard[end:]
        assert decoded_answer(answers[0], 17, 0)[1].error_code == 0
        assert answers[1] == bytes(4)
        assert decoded_answer(answers[2], 3, 9)[1].controller_id == 1
        await stream.aclose()
    assert server.sasl_listeners.succeeded == 2
