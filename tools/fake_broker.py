"""A broker that does not exist: it registers with a controller, beats, and holds no data."""

from __future__ import annotations

import os
from typing import Any

from attrs import define, field

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    broker_heartbeat_request,
    broker_registration_request,
    error_codes,
)
from tools.differential.fake_brokers import FEATURES
from tools.kafka.ports import LOOPBACK

REGISTER, BEAT = 62, 63
BEHIND_NOTHING = 1 << 40
"""A metadata offset that no log reaches: with it a broker has applied everything."""
ANSWER_TIMEOUT_MS = 120_000


@define
class FakeBroker:
    """One broker, on a connection of its own; ``epoch`` is that of its registration."""

    port: int
    broker_id: int
    cluster_id: str
    epoch: int = -1
    connection: Connection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.connection = Connection.open(
            LOOPBACK, self.port, client_id=str(self.broker_id), timeout_ms=ANSWER_TIMEOUT_MS
        )

    def register(self) -> None:
        """Register as a new process with one log directory; AssertionError if it is refused."""
        wire = broker_registration_request
        answer = self.connection.ask(
            *(REGISTER, self.connection.best_version(REGISTER)),
            wire.BrokerRegistrationRequest(
                broker_id=self.broker_id,
                cluster_id=self.cluster_id,
                incarnation_id=os.urandom(16),
                listeners=[wire.Listener("PLAINTEXT", LOOPBACK, 9_000 + self.broker_id, 0)],
                features=[wire.Feature(name, *levels) for name, levels in FEATURES.items()],
                log_dirs=[os.urandom(16)],
            ),
        )
        assert answer.error_code == error_codes.NONE, answer
        self.epoch = answer.broker_epoch

    def beat(self, **wants: Any) -> Any:
        """One heartbeat; its answer."""
        request = broker_heartbeat_request.BrokerHeartbeatRequest(
            self.broker_id, self.epoch, BEHIND_NOTHING, **wants
        )
        return self.connection.ask(BEAT, 1, request)

    def serve(self) -> None:
        """Register, and beat until it is unfenced."""
        self.register()
        while self.beat().is_fenced:
            pass
