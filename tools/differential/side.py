"""One of the two controllers that are asked, with the state that its log says."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from metaquorum.base.ids import ZERO_UUID
from metaquorum.client.connection import Connection
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.topics import Partition
from metaquorum.metadata.token_keys import token_hmac
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.enveloping import Asker, enveloped, opened
from metaquorum.wire.headers import RequestHeader
from tools.differential.followed_log import FollowedLog
from tools.kafka.ports import LOOPBACK

ENVELOPE = 58
UNKNOWN_TOPIC = bytes(15) + b"\7"
ANSWER_TIMEOUT_MS = 30_000
CORRELATION_ID = 7
TOPIC, TOKEN, ACCESS_RULE = 2, 10, 18
TOKEN_SECRET = "what both controllers make tokens with"


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
    token_names: dict[str, str] = field(factory=dict)

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
            elif one.type == TOKEN and one.message.token_id not in self.token_names:
                name = f"token {len(self.token_names) + 1}"
                self.token_names[one.message.token_id] = name
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

    def token_name(self, token_id: str) -> str:
        """How tokens are called on both sides: by the order in which they were made."""
        return self.token_names.get(token_id, "an unknown token")

    def token_hmac(self, name: str) -> bytes:
        """What names a token in a request; of a token that never was, something else."""
        for token_id, known in self.token_names.items():
            if known == name:
                return token_hmac(TOKEN_SECRET.encode(), token_id)
        return bytes(64)

    def partition(self, topic: str, number: int) -> Partition | None:
        """A partition as it is now."""
        return self.view.partitions.get((self.topic_id(topic), number))

    def broker_epoch(self, broker_id: int) -> int:
        """The epoch of a broker's registration; 7, which nobody has, without one."""
        broker = self.view.brokers.get(broker_id)
        return 7 if broker is None else broker.epoch

    # Requests.

    def ask(self, api_key: int, version: int, request: Any, asker: Asker | None = None) -> Any:
        """The answer; of an envelope that is refused, the code of the envelope.

        ``asker`` sends it through an envelope, None asks by itself.
        """
        if asker is None:
            return self.connection.ask(api_key, version, request)
        header = RequestHeader(api_key, version, CORRELATION_ID, "client")
        outer = self.connection.ask(ENVELOPE, 0, enveloped(header, request, asker))
        return int(outer.error_code) if outer.error_code else opened(header, outer)
