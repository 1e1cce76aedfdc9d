"""Every API asks for Kafka's right, and puts the refusal where its clients look for it."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.metadata.acl_codes import Operation, ResourceType
from metaquorum.metadata.state import MetadataState
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.api import API_ROWS
from metaquorum.server.contract.rights import Refusals
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.partitions import Cluster
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated import metadata_request as metadata
from metaquorum.wire.generated.create_acls_request import CreateAclsRequest
from metaquorum.wire.generated.delete_acls_request import DeleteAclsFilter, DeleteAclsRequest
from metaquorum.wire.generated.describe_acls_request import DescribeAclsRequest
from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest
from metaquorum.wire.generated.describe_topic_partitions_request import (
    DescribeTopicPartitionsRequest,
)
from metaquorum.wire.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from metaquorum.wire.generated.produce_request import (
    ProduceRequest,
)
from tests.unit.server.asked_apis import (
    ASKED,
    CLUSTER,
    CODES,
    NAMES,
    NEEDS_NOTHING,
    OF_TOKENS,
    TOPIC,
    any_rule,
)

each_api = pytest.mark.parametrize(
    ("name", "request_", "version", "operation", "kind"),
    ASKED,
    ids=[f"{one[0]}-{one[3].name}-{one[4].name}" for one in ASKED],
)


class Without:
    """Allows everything but one right, and notes what was asked for."""

    is_on = True

    def __init__(self, operation: Operation | None, kind: ResourceType | None) -> None:
        self.denied = operation, kind
        self.asked: list[tuple[Operation, int, str]] = []

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        self.asked.append((operation, resource_type, name))
        return (operation, resource_type) != self.denied


class AllBut(Without):
    """As Without; rights that stand in for others, a replica's for one, are not there either."""

    def allows(
        self, principal: str, host: str, operation: Operation, resource_type: int, name: str
    ) -> bool:
        allowed = super().allows(principal, host, operation, resource_type, name)
        stands_in = operation is Operation.CLUSTER_ACTION or (
            operation in (Operation.CREATE, Operation.DELETE) and resource_type == CLUSTER
        )
        return allowed and not stands_in


def client(authoriser: Without) -> tuple[PipelineClient, list[str]]:
    cluster = Cluster()
    cluster.topic("t", [1])
    services = services_with_eight_records(state=cluster.state.live())
    made, lines = PipelineClient(services), []
    made.pipeline.authoriser = authoriser
    made.pipeline.refusals = Refusals(NoteGate(lines.append, services.clock))
    return made, lines


def codes_in(answer: Any) -> list[int]:
    found = []
    for slot in answer.__slots__:
        value = getattr(answer, slot)
        if slot == "error_code":
            found.append(value)
        for item in value if isinstance(value, list | tuple) else [value]:
            if hasattr(item, "__slots__"):
                found += codes_in(item)
    return found


@each_api
def test_an_unauthorised_request_gets_its_code_a_log_line_and_a_count(
    name: str, request_: Any, version: int, operation: Operation, kind: ResourceType
) -> None:
    asker, lines = client(AllBut(operation, kind))
    exchange = asker.send(request_, version)
    asker.services.watermark.expire(10_000)
    assert CODES[kind] in codes_in(exchange.response)
    assert set(codes_in(exchange.response)) <= {0, CODES[kind]}
    assert asker.services.asked == []
    assert asker.pipeline.refusals.count == len(lines) == 1
    (line,) = lines
    for part in (name, "User:ANONYMOUS", "127.0.0.1:5000", operation.name, kind.name):
        assert part in line


@each_api
def test_with_its_right_an_api_is_not_refused(
    name: str, request_: Any, version: int, operation: Operation, kind: ResourceType
) -> None:
    is_replicas = operation is Operation.CLUSTER_ACTION
    asker, lines = client((Without if is_replicas else AllBut)(None, None))
    exchange = asker.send(request_, version)
    assert lines == []
    asked = asker.pipeline.authoriser.asked  # type: ignore[attr-defined]
    assert any(one[:2] == (operation, kind) for one in asked)
    assert all(one[2] in (NAMES[one[1]], "t") for one in asked)
    served = exchange.delivered is not None or asker.services.asked or exchange.parked is not None
    assert served


def test_every_api_is_in_the_table() -> None:
    named = {one[0] for one in ASKED} | NEEDS_NOTHING | OF_TOKENS
    assert named == {api_row.name for api_row in API_ROWS}


def test_an_undescribable_topic_is_not_listed_and_its_id_is_unknown() -> None:
    asker, lines = client(AllBut(Operation.DESCRIBE, TOPIC))
    assert asker.ask(metadata.MetadataRequest(None), 12).topics == []
    assert lines == []
    by_id = metadata.MetadataRequestTopic(METADATA_TOPIC_ID, None)
    (row,) = asker.ask(metadata.MetadataRequest([by_id]), 12).topics
    assert (row.error_code, row.name) == (error_codes.UNKNOWN_TOPIC_ID, None)
    assert asker.ask(DescribeTopicPartitionsRequest(), 0).topics == []


def test_an_undescribable_topic_name_does_not_reveal_its_existence() -> None:
    asker, _ = client(AllBut(Operation.DESCRIBE, TOPIC))
    wanted = [metadata.MetadataRequestTopic(name=one) for one in ("none", METADATA_TOPIC)]
    rows = asker.ask(metadata.MetadataRequest(wanted), 12).topics
    assert [row.error_code for row in rows] == [error_codes.TOPIC_AUTHORIZATION_FAILED] * 2
    assert [bytes(row.topic_id) for row in rows] == [bytes(16)] * 2
    assert [row.partitions for row in rows] == [[], []]


def test_the_operations_that_are_told_are_those_that_are_allowed() -> None:
    wanted = metadata.MetadataRequest(
        [metadata.MetadataRequestTopic(name=METADATA_TOPIC)],
        include_topic_authorized_operations=True,
        include_cluster_authorized_operations=True,
    )
    asker, lines = client(Without(Operation.READ, TOPIC))
    answer = asker.ask(wanted, 10)
    assert answer.topics[0].topic_authorized_operations == 1 << 8 | 1 << 10
    asker, lines = client(Without(Operation.DESCRIBE, CLUSTER))
    assert asker.ask(wanted, 10).cluster_authorized_operations == 0
    assert lines == []


def test_epochs_are_told_to_replicas_without_a_right_to_the_topic() -> None:
    request = OffsetForLeaderEpochRequest(
        topics=[OffsetForLeaderTopic(METADATA_TOPIC, [OffsetForLeaderPartition(0, 3, 3)])]
    )
    asker, lines = client(Without(Operation.DESCRIBE, TOPIC))
    (topic,) = asker.ask(request, 4).topics
    assert topic.partitions[0].error_code == 0
    assert lines == []


def test_brokers_are_described_to_everybody() -> None:
    asker, _ = client(AllBut(Operation.ALTER, CLUSTER))
    assert asker.ask(DescribeClusterRequest(), 1).error_code == 0


def test_access_rules_without_an_authoriser_are_security_disabled() -> None:
    asker = PipelineClient(services_with_eight_records(state=MetadataState().committed()))
    described = asker.ask(DescribeAclsRequest(1, None, 1, None, None, 1, 1), 3)
    assert described.error_code == error_codes.SECURITY_DISABLED
    made = asker.ask(CreateAclsRequest([any_rule(), any_rule()]), 3)
    assert [row.error_code for row in made.results] == [error_codes.SECURITY_DISABLED] * 2
    gone = asker.ask(DeleteAclsRequest([DeleteAclsFilter(1)]), 3)
    assert [row.error_code for row in gone.filter_results] == [error_codes.SECURITY_DISABLED]
    assert asker.services.asked == []


def test_a_flood_of_refusals_is_counted_and_only_begun_to_be_told() -> None:
    asker, lines = client(AllBut(Operation.DESCRIBE, TOPIC))
    for _ in range(100):
        asker.ask(metadata.MetadataRequest([metadata.MetadataRequestTopic(name="x" * 9_000)]), 12)
    assert asker.pipeline.refusals.count == 100
    assert 0 < len(lines) < 20
    assert max(map(len, lines)) <= 1_000


def test_a_refused_producer_with_acks_0_has_its_connection_closed() -> None:
    asker, _ = client(AllBut(Operation.WRITE, TOPIC))
    with pytest.raises(PeerError):
        asker.send(ProduceRequest(acks=0), 9)
