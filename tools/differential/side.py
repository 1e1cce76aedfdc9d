"""One of the two controllers that are asked, with the state that its log says."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from metaquorum.base.ids import ZERO_UUID
from metaquorum.client.connection import Connection
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.topics import Partition
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import default_principal_data, index
from metaquorum.wire.generated.default_principal_data import DefaultPrincipalData
from metaquorum.wire.generated.envelope_request import EnvelopeRequest
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.primitives import Parts, joined
from tools.differential.followed_log import FollowedLog
from tools.kafka.ports import LOOPBACK

ENVELOPE = 58
UNKNOWN_TOPIC = bytes(15) + b"\7"
ANSWER_TIMEOUT_MS = 30_000
CORRELATION_ID = 7
TOPIC, ACCESS_RULE = 2, 18
BROKER_SENDS = "127.0.0.1"


@define
class Asker:
    """Whose request it is: a principal at an address, through an envelope; None asks itself."""

    principal: str
    address: str


@define
class Side:
    """``name`` is how differences call it. Requests go over one connection, one at a time."""

    name: str
    port: int
    cluster_id: str
    log: FollowedLog = field(init=False)
    connection: Connection = field(init=False)
    topic_names: dict[bytes, str] = field(factory=dict)
    rules: dict[bytes, str] = field(factory=dict)

    def __attrs_post_init__(self) -> None:
        self.log = FollowedLog(self.port)
        self.connect()

    def connect(self) -> None:
        """Open a new connection, as after a restart."""
        self.connection = Connection.open(LOOPBACK, self.port, timeout_ms=ANSWER_TIMEOUT_MS)

    # What its log says.

    @property
    def view(self) -> StateView:
        """The state after what was followed last."""
        return self.log.state.state.live()

    def follow(self) -> list[MetadataRecord]:
        """What it wrote since."""
        records = self.log.follow()
        for one in records:
            if one.type == TOPIC:
                self.topic_names[bytes(one.message.topic_id)] = one.message.name
            elif one.type == ACCESS_RULE:
                rule = one.message
                self.rules[bytes(rule.id)] = (
                    f"{rule.resource_type} {rule.resource_name} {rule.pattern_type} "
                    f"{rule.principal} {rule.host} {rule.operation} {rule.permission_type}"
                )
        return records

    def topic_id(self, name: str) -> bytes:
        """The id of a topic, or one that no topic has."""
        return self.view.topic_ids.get(name) or UNKNOWN_TOPIC

    def topic_name(self, topic_id: bytes) -> str:
        """The name that a topic has or had."""
        if topic_id == ZERO_UUID:
            return "no topic"
        return self.topic_names.get(topic_id, "an unknown topic")

    def partition(self, topic: str, number: int) -> Partition | None:
        """A partition as it is now."""
        return self.view.partitions.get((self.topic_id(topic), number))

    def broker_epoch(self, broker_id: int) -> int:
        """The epoch of a broker's registration; 7, which nobody has, without one."""
        broker = self.view.brokers.get(broker_id)
        return 7 if broker is None else broker.epoch

    # Requests.

    def ask(self, api_key: int, version: int, request: Any, asker: Asker | None = None) -> Any:
        """The answer; of an envelope that is refused, the code of the envelope."""
        if asker is None:
            return self.connection.ask(api_key, version, request)
        header = RequestHeader(api_key, version, CORRELATION_ID, "client")
        parts: Parts = []
        put_request_header(parts, header)
        index.request_codec(api_key).put(parts, request, version)
        kind, _, name = asker.principal.partition(":")
        principal = default_principal_data.encode(DefaultPrincipalData(kind, name), 0)
        envelope = EnvelopeRequest(
            request_data=joined(parts),
            request_principal=bytes(2) + bytes(principal),
            client_host_address=bytes(int(one) for one in asker.address.split(".")),
        )
        outer = self.connection.ask(ENVELOPE, 0, envelope)
        if outer.error_code:
            return int(outer.error_code)
        body = bytes(outer.response_data)
        correlation_id, position = read_response_header(body, api_key, version)
        assert correlation_id == CORRELATION_ID, correlation_id
        return index.response_codec(api_key).decode(body, version, position)
