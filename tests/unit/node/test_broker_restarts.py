"""What the file of a node says of brokers that come back reaches its controller (decision 230)."""

from __future__ import annotations

from pathlib import Path

import pytest

from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
    Listener,
)
from tests.unit.node.whole_node import CLUSTER_ID, config_of, format_directory, running

QUICK_RESTART = "metaquorum.broker.quick.restart.enable"
LIFE, NEXT_LIFE = bytes(range(16)), bytes(range(16, 32))
FEATURES = [
    Feature("metadata.version", 7, 33),
    Feature("kraft.version", 0, 1),
    Feature("group.version", 0, 1),
]
REGISTER, HEARTBEAT = 62, 63


def registration(life: bytes, previous_epoch: int = -1) -> BrokerRegistrationRequest:
    return BrokerRegistrationRequest(
        broker_id=100,
        cluster_id=CLUSTER_ID,
        incarnation_id=life,
        listeners=[Listener("PLAINTEXT", "a", 9092, 0)],
        features=FEATURES,
        rack=None,
        log_dirs=[bytes([1, 100]) * 8],
        previous_broker_epoch=previous_epoch,
    )


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, error_codes.NONE),
        ({QUICK_RESTART: "true"}, error_codes.NONE),
        ({QUICK_RESTART: "false"}, error_codes.DUPLICATE_BROKER_REGISTRATION),
    ],
    ids=["default", "true", "false"],
)
async def test_broker_that_stopped_comes_back_as_the_file_says(
    tmp_path: Path, changes: dict[str, str], expected: int
) -> None:
    format_directory(tmp_path)
    async with running(config_of(tmp_path, **changes)) as run:
        first = await run.ask(REGISTER, 4, registration(LIFE), listener="CONTROLLER")
        assert first.error_code == error_codes.NONE
        stop = BrokerHeartbeatRequest(100, first.broker_epoch, 1 << 40, want_shut_down=True)
        told = await run.ask(HEARTBEAT, 1, stop, listener="CONTROLLER")
        assert (told.error_code, told.should_shut_down) == (error_codes.NONE, True)
        again = registration(NEXT_LIFE, first.broker_epoch)
        answer = await run.ask(REGISTER, 4, again, listener="CONTROLLER")
        assert answer.error_code == expected
