"""A controller's host with brokers: requests of them with fields that a test changes."""

from __future__ import annotations

from typing import Any

from metaquorum.base.clock import NEVER
from metaquorum.base.errors import RequestError
from metaquorum.controller.commands import BrokerHeartbeat, RegisterBroker, UnregisterBroker
from metaquorum.controller.events import TimePassed
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import broker_registration_request as wire
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
LIFE = bytes(range(16))
NEXT_LIFE = LIFE[::-1]
BROKER = 100
FEATURES = (
    wire.Feature("metadata.version", 7, 30),
    wire.Feature("kraft.version", 0, 1),
    wire.Feature("group.version", 0, 1),
    wire.Feature("eligible.leader.replicas.version", 0, 1),
)


def directory(number: int) -> bytes:
    """The id of a log directory."""
    return bytes([1, number & 255]) * 8


def bootstrap(level: int = 30, **features: int) -> list[MetadataRecord]:
    """The first records of a cluster at this level of metadata.version."""
    levels = {"metadata.version": level} | {
        name.replace("_", "."): number for name, number in features.items()
    }
    return [MetadataRecord(12, 0, FeatureLevelRecord(*pair)) for pair in levels.items()]


def registration(broker_id: int = BROKER, **changes: Any) -> RegisterBroker:
    """A registration that is fine at every level, but for these fields."""
    kraft_version = changes.pop("kraft_version", 1)
    fields: dict[str, Any] = {
        "broker_id": broker_id,
        "cluster_id": CLUSTER,
        "incarnation_id": LIFE,
        "listeners": [wire.Listener("PLAINTEXT", "a", 9092, 0)],
        "features": list(FEATURES),
        "rack": None,
        "log_dirs": [directory(broker_id)],
    }
    return RegisterBroker(
        wire.BrokerRegistrationRequest(**(fields | changes)), CLUSTER, kraft_version
    )


def answer(host: Any, command: object, deadline_ms: int = NEVER) -> Any:
    """The reply once all turns are taken and everything is committed."""
    asked = host.ask(command, deadline_ms)
    settle(host)
    return host.replies[asked]


def settle(host: Any) -> None:
    """Take all turns that are due now, and commit."""
    while host.core.deadline <= host.now:
        host.step(TimePassed())
    if host.high_watermark < host.end:
        host.commit()


def code_of(reply: Any) -> int:
    """The error of a reply."""
    return reply.code if isinstance(reply, RequestError) else int(reply.error_code)


def registered(host: Any, broker_id: int = BROKER, **changes: Any) -> int:
    """Register a broker; its epoch."""
    reply = answer(host, registration(broker_id, **changes))
    assert code_of(reply) == 0, reply
    return int(reply.broker_epoch)


def heartbeat(epoch: int, broker_id: int = BROKER, **changes: Any) -> BrokerHeartbeat:
    """One of a broker that wants to serve and has applied all there is."""
    fields = {"broker_id": broker_id, "broker_epoch": epoch, "current_metadata_offset": 1 << 40}
    return BrokerHeartbeat(BrokerHeartbeatRequest(**(fields | changes)))


def unfenced(host: Any, broker_id: int = BROKER, **changes: Any) -> int:
    """Register and unfence a broker; its epoch."""
    epoch = registered(host, broker_id, **changes)
    assert not answer(host, heartbeat(epoch, broker_id)).is_fenced
    return epoch


def unregistration(broker_id: int = BROKER) -> UnregisterBroker:
    """Forget the broker."""
    return UnregisterBroker(UnregisterBrokerRequest(broker_id))


def broker(host: Any, broker_id: int = BROKER) -> Broker:
    """The broker as it is committed."""
    found = host.core.committed().brokers.get(broker_id)
    assert found is not None
    return found
