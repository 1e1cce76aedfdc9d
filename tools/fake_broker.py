"""A broker that does not exist: it registers with a controller, beats, and holds no data."""

from __future__ import annotations

import os
import time
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
IN_SERVICE_S = 60.0


@define
class FakeBroker:
    """One broker, on a connection of its own; ``epoch`` is that of its registration.

    ``directory`` is the id of its one log directory, which outlives its processes.
    """

    port: int
    broker_id: int
    cluster_id: str
    epoch: int = -1
    directory: bytes = field(factory=lambda: os.urandom(16))
    connection: Connection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.connection = Connection.open(
            LOOPBACK, self.port, client_id=str(self.broker_id), timeout_ms=ANSWER_TIMEOUT_MS
        )

    def register(self, *, is_clean: bool = False) -> None:
        """Register as a new process; AssertionError if it is refused.

        ``is_clean``: the process before, if there was one, has ended in order.
        """
        code = self.try_to_register(is_clean=is_clean)
        assert code == error_codes.NONE, error_codes.NAMES.get(code, code)

    def try_to_register(self, *, is_clean: bool = False) -> int:
        """The same; the error code of the answer."""
        wire = broker_registration_request
        answer = self.connection.ask(
            *(REGISTER, self.connection.best_version(REGISTER)),
            wire.BrokerRegistrationRequest(
                broker_id=self.broker_id,
                cluster_id=self.cluster_id,
                incarnation_id=os.urandom(16),
                listeners=[wire.Listener("PLAINTEXT", LOOPBACK, 9_000 + self.broker_id, 0)],
                features=[wire.Feature(name, *levels) for name, levels in FEATURES.items()],
                log_dirs=[self.directory],
                previous_broker_epoch=self.epoch if is_clean else -1,
            ),
        )
        if answer.error_code == error_codes.NONE:
            self.epoch = answer.broker_epoch
        return int(answer.error_code)

    def beat(self, **wants: Any) -> Any:
        """One heartbeat; its answer."""
        return self.beat_on(self.connection, **wants)

    def beat_on(self, connection: Connection, **wants: Any) -> Any:
        """The same on a connection that is not its own."""
        request = broker_heartbeat_request.BrokerHeartbeatRequest(
            self.broker_id, self.epoch, BEHIND_NOTHING, **wants
        )
        return connection.ask(BEAT, 1, request)

    def serve(self) -> None:
        """Register, and beat until it is unfenced."""
        self.register()
        self.come_into_service()

    def come_into_service(self) -> None:
        """Beat until it is unfenced; an answer with an error says that it is not.

        AssertionError when it is not for a minute, as with a controller that has stepped down.
        """
        ends = time.monotonic() + IN_SERVICE_S
        while (answer := self.beat()).is_fenced:
            code = error_codes.NAMES.get(answer.error_code, answer.error_code)
            assert time.monotonic() < ends, f"broker {self.broker_id} is fenced still: {code}"
