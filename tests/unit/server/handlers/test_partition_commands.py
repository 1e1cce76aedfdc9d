"""Requests that change partitions: what the controller is asked, and what comes back."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import ADMIN_REQUEST_MS, MAX_REQUEST_ROWS
from metaquorum.controller import commands
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import alter_partition_reassignments_request as moves
from metaquorum.wire.generated import alter_partition_request as isrs
from metaquorum.wire.generated import alter_partition_response as told
from metaquorum.wire.generated import assign_replicas_to_dirs_request as directories
from metaquorum.wire.generated import elect_leaders_request as elections
from metaquorum.wire.generated import list_partition_reassignments_request as running
from metaquorum.wire.generated.alter_partition_reassignments_response import (
    AlterPartitionReassignmentsResponse,
)
from metaquorum.wire.generated.alter_partition_response import AlterPartitionResponse
from metaquorum.wire.generated.assign_replicas_to_dirs_response import AssignReplicasToDirsResponse
from metaquorum.wire.generated.elect_leaders_response import ElectLeadersResponse
from metaquorum.wire.generated.list_partition_reassignments_response import (
    ListPartitionReassignmentsResponse,
)

ID = b"i" * 16
REQUESTS: dict[str, tuple[Any, Any]] = {
    "AlterPartition": (
        isrs.AlterPartitionRequest(
            1, 2, [isrs.TopicData(topic_id=ID, partitions=[isrs.PartitionData(3, 4)])]
        ),
        AlterPartitionResponse(
            topics=[
                told.TopicData(
                    topic_id=ID, partitions=[told.PartitionData(3, 0, 1, 4, [1, 2], 0, 9)]
                )
            ]
        ),
    ),
    "AssignReplicasToDirs": (
        directories.AssignReplicasToDirsRequest(1, 2, [directories.DirectoryData(ID)]),
        AssignReplicasToDirsResponse(),
    ),
    "ElectLeaders": (
        elections.ElectLeadersRequest(0, [elections.TopicPartitions("a", [3])], 5_000),
        ElectLeadersResponse(),
    ),
    "AlterPartitionReassignments": (
        moves.AlterPartitionReassignmentsRequest(
            5_000,
            topics=[moves.ReassignableTopic("a", [moves.ReassignablePartition(3, [1, 2])])],
        ),
        AlterPartitionReassignmentsResponse(error_message=None),
    ),
    "ListPartitionReassignments": (
        running.ListPartitionReassignmentsRequest(5_000),
        ListPartitionReassignmentsResponse(error_message=None),
    ),
}
VERSIONS = [
    (row.name, version)
    for row in API_ROWS
    if row.name in REQUESTS
    for version in range(row.lowest, row.highest + 1)
]


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_the_controller_is_asked_and_its_reply_given(name: str, version: int) -> None:
    services = services_with_eight_records()
    asked, reply = REQUESTS[name]
    exchange = PipelineClient(services).send(asked, version)
    ((command, deadline_ms),) = services.asked
    assert type(command) is getattr(commands, name)
    assert getattr(command, "version", version) == version
    assert deadline_ms - services.clock.now_ms() == getattr(asked, "timeout_ms", ADMIN_REQUEST_MS)
    services.answers[0].complete(reply)
    assert exchange.response == reply


@pytest.mark.parametrize(("name", "version"), VERSIONS)
def test_a_refusal_is_where_clients_look(name: str, version: int) -> None:
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(REQUESTS[name][0], version)
    services.answers[0].fail(RequestError(41, "no"))
    response = exchange.response
    if name == "ElectLeaders":
        assert response.error_code == (41 if version else 0)
        (topic,) = response.replica_election_results
        assert [(one.partition_id, one.error_code) for one in topic.partition_result] == [(3, 41)]
    else:
        assert response.error_code == 41
        assert not getattr(response, "topics", getattr(response, "directories", ()))


@pytest.mark.parametrize("version", [0, 1, 2])
def test_null_asks_for_an_election_of_all_partitions(version: int) -> None:
    services = services_with_eight_records()
    PipelineClient(services).send(elections.ElectLeadersRequest(0, None), version)
    assert services.asked[0][0].request.topic_partitions is None


def test_thousands_of_partitions_come_in_one_request() -> None:
    services = services_with_eight_records()
    rows = [
        isrs.PartitionData(number, 1, (), [isrs.BrokerState(1, 2), isrs.BrokerState(2, 3)])
        for number in range(MAX_REQUEST_ROWS)
    ]
    request = isrs.AlterPartitionRequest(1, 2, [isrs.TopicData(topic_id=ID, partitions=rows)])
    PipelineClient(services).send(request, 3)
    command = services.asked[0][0]
    assert len(command.request.topics[0].partitions) == MAX_REQUEST_ROWS
