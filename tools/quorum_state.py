"""What a controller, of either program, says of its quorum and of its features."""

from __future__ import annotations

from typing import Any

from metaquorum.base.ids import METADATA_PARTITION, METADATA_TOPIC
from metaquorum.client.connection import Connection
from metaquorum.wire.generated import api_versions_request, describe_quorum_request, error_codes

DESCRIBE_QUORUM = 55
API_VERSIONS = 18
FEATURES_FROM = 3  # the version of ApiVersions that first tells features


def describe_leader(host: str, port: int) -> int | None:
    """The leader's id when this controller leads with a known high watermark, else None."""
    part = describe_partition(host, port)
    if part is None or part.high_watermark < 0:
        return None
    return int(part.leader_id)


def describe_partition(host: str, port: int, timeout_ms: int = 5_000) -> Any:
    """The one partition of DescribeQuorum as this controller answers it, None for an error."""
    topic = describe_quorum_request.TopicData(
        METADATA_TOPIC, [describe_quorum_request.PartitionData(METADATA_PARTITION)]
    )
    with Connection.open(host, port, connect_timeout_ms=1_000, timeout_ms=timeout_ms) as connection:
        version = connection.best_version(DESCRIBE_QUORUM)
        answer = connection.ask(
            DESCRIBE_QUORUM, version, describe_quorum_request.DescribeQuorumRequest([topic])
        )
    if answer.error_code != error_codes.NONE or not answer.topics:
        return None
    part = answer.topics[0].partitions[0]
    return part if part.error_code == error_codes.NONE else None


def finalized_level(host: str, port: int, feature: str) -> int | None:
    """The finalized level of a feature as this controller tells it, None while it has none."""
    with Connection.open(host, port, connect_timeout_ms=1_000, timeout_ms=5_000) as connection:
        version = connection.best_version(API_VERSIONS, FEATURES_FROM)
        request = api_versions_request.ApiVersionsRequest("own-node", "1")
        answer = connection.ask(API_VERSIONS, version, request)
    levels = {one.name: int(one.max_version_level) for one in answer.finalized_features}
    return levels.get(feature)
