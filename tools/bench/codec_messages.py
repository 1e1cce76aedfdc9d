"""The messages of the codec bench: seven by name, and older versions that aiokafka knows."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from metaquorum.wire.generated import fetch_request as fetch_request
from metaquorum.wire.generated import fetch_response as fetch_response
from metaquorum.wire.generated import metadata_response as metadata_response
from metaquorum.wire.generated import vote_request as vote_request
from metaquorum.wire.generated.records import partition_record as partition_record
from metaquorum.wire.registry import Codec

RECORDS_BYTES = 1024


@frozen
class Case:
    """One message in one version."""

    name: str
    codec: Codec
    version: int
    message: Any
    older: bool = False  # only there for aiokafka
    drawn: bool = False  # one of the twenty of ``codec_drawn``

    @property
    def group(self) -> str:
        """Which messages it is judged with."""
        return "twenty" if self.drawn else "seven"

    @property
    def size_bytes(self) -> int:
        """How long it is on the wire."""
        return len(self.codec.encode(self.message, self.version))


def all_cases() -> list[Case]:
    """The bench's messages in order."""
    return [
        _fetch_request(1, 12),
        _fetch_request(100, 12),
        _fetch_response(12),
        _metadata_response(12),
        _vote_request(0),
        _vote_request(1),
        _partition_record(),
        _fetch_request(1, 11),
        _fetch_request(100, 11),
        _fetch_response(11),
        _metadata_response(5),
    ]


def _uuid(number: int) -> bytes:
    return bytes(range(number, number + 16))


def _fetch_request(count: int, version: int) -> Case:
    flexible = version >= 12
    partitions = [
        fetch_request.FetchPartition(
            partition=number,
            current_leader_epoch=7,
            fetch_offset=1_000_000 + number,
            last_fetched_epoch=6 if flexible else -1,
            log_start_offset=-1,
            partition_max_bytes=1_048_576,
        )
        for number in range(count)
    ]
    message = fetch_request.FetchRequest(
        replica_id=-1,
        max_wait_ms=500,
        min_bytes=1,
        max_bytes=52_428_800,
        session_epoch=1,
        topics=[fetch_request.FetchTopic(topic="metrics", partitions=partitions)],
        rack_id="rack-1",
    )
    name = f"FetchRequest v{version}, {count} partition{'s' * (count > 1)}"
    return Case(name, fetch_request, version, message, older=not flexible)


def _fetch_response(version: int) -> Case:
    records = bytes(number % 251 for number in range(RECORDS_BYTES))
    partitions = [
        fetch_response.PartitionData(
            partition_index=number,
            high_watermark=1_000 + number,
            last_stable_offset=1_000 + number,
            log_start_offset=0,
            aborted_transactions=None,
            records=records,
        )
        for number in range(10)
    ]
    message = fetch_response.FetchResponse(
        session_id=77,
        responses=[fetch_response.FetchableTopicResponse(topic="metrics", partitions=partitions)],
    )
    name = f"FetchResponse v{version}, 10 x 1 KiB"
    return Case(name, fetch_response, version, message, older=version < 12)


def _metadata_response(version: int) -> Case:
    flexible = version >= 9
    brokers = [
        metadata_response.MetadataResponseBroker(
            node_id=number, host=f"broker-{number}.example.org", port=9092, rack="rack-1"
        )
        for number in range(6)
    ]
    topics = [
        metadata_response.MetadataResponseTopic(
            name=f"topic-{topic:04d}",
            topic_id=_uuid(topic) if flexible else bytes(16),
            partitions=[
                metadata_response.MetadataResponsePartition(
                    partition_index=number,
                    leader_id=number % 6,
                    leader_epoch=9 if flexible else -1,
                    replica_nodes=[number % 6, (number + 1) % 6, (number + 2) % 6],
                    isr_nodes=[number % 6, (number + 1) % 6, (number + 2) % 6],
                )
                for number in range(10)
            ],
        )
        for topic in range(100)
    ]
    message = metadata_response.MetadataResponse(
        brokers=brokers, cluster_id="bench", controller_id=1, topics=topics
    )
    name = f"MetadataResponse v{version}, 100 x 10"
    return Case(name, metadata_response, version, message, older=not flexible)


def _vote_request(version: int) -> Case:
    partition = vote_request.PartitionData(
        replica_epoch=12, replica_id=3, last_offset_epoch=11, last_offset=123_456
    )
    if version > 0:
        partition.replica_directory_id = _uuid(1)
        partition.voter_directory_id = _uuid(40)
    topic = vote_request.TopicData(topic_name="__cluster_metadata", partitions=[partition])
    message = vote_request.VoteRequest(
        cluster_id="Uo6TSTGdSTaZF1yMAgtwbw", voter_id=2 if version else -1, topics=[topic]
    )
    return Case(f"VoteRequest v{version}", vote_request, version, message)


def _partition_record() -> Case:
    message = partition_record.PartitionRecord(
        partition_id=4,
        topic_id=_uuid(3),
        replicas=[1, 2, 3],
        isr=[1, 2, 3],
        leader=1,
        leader_epoch=5,
        partition_epoch=9,
        directories=[_uuid(10), _uuid(30), _uuid(50)],
    )
    return Case("PartitionRecord v1", partition_record, 1, message)
