"""Bytes that real clients, brokers and controllers sent or wrote, read and written again."""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from metaquorum.testing import values
from metaquorum.testing.schemas import ZERO_UUID, message
from metaquorum.wire import headers, json_form

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
DIRECTORY = bytes(range(0x10, 0x20))
METADATA_TOPIC_ID = bytes(15) + b"\x01"

API_VERSIONS_OF_A_BROKER = (
    "0012 0004 00000000 000f 726166742d636c69656e742d313030 00"
    "12 6170616368652d6b61666b612d6a617661 06 342e302e30 00"
)
FETCH_17_OF_A_BROKER = (
    "0001 0011 00000001 000f 726166742d636c69656e742d313030 00"
    "000001f4 00000000 00800000 00 00000000 ffffffff"
    "02 0000000000000000 0000000000000001"
    "   02 00000000 00000000 0000000000000000 00000000"
    "      ffffffffffffffff 00000000"
    "      01 00 10 101112131415161718191a1b1c1d1e1f"
    "   00"
    "01 01"
    "02 00 17 17 344c3667336e5368542d654d43744b2d2d5838367377"
    "   01 0d 00000064 ffffffffffffffff 00"
)
# 4.3.1: version 18 with the high watermark it knows, which is "does not say" at first.
FETCH_18_OF_A_BROKER = (
    FETCH_17_OF_A_BROKER.replace("0001 0011", "0001 0012", 1)
    .replace("00800000", "00100000", 1)
    .replace(
        "01 00 10 101112131415161718191a1b1c1d1e1f",
        "02 00 10 101112131415161718191a1b1c1d1e1f 01 08 ffffffffffffffff",
    )
)


def request(text: str) -> tuple[headers.RequestHeader, bytes]:
    """A frame without its size: its header and the bytes behind it."""
    data = bytes.fromhex(text)
    header, body = headers.read_request_header(data)
    return header, data[body:]


def decoded(name: str, version: int, data: bytes) -> tuple[Any, int]:
    return values.codec(message(name)).get(data, 0, version)  # type: ignore[no-any-return]


def encoded(name: str, version: int, body: Any) -> bytes:
    return values.codec(message(name)).encode(body, version)  # type: ignore[no-any-return]


def put_header(header: headers.RequestHeader) -> bytes:
    parts: list[Any] = []
    headers.put_request_header(parts, header)
    return b"".join(parts)


def test_librdkafka_1_0_sends_api_versions_0_with_stray_bytes() -> None:
    header, body = request("0012 0000 00000001 0007 72646b61666b61 00000000")
    assert (header.api_key, header.api_version, header.correlation_id) == (18, 0, 1)
    assert header.client_id == "rdkafka"
    _, end = decoded("ApiVersionsRequest", 0, body)
    assert (end, len(body)) == (0, 4)


def test_librdkafka_2_metadata_12_for_all_topics_has_stray_bytes() -> None:
    header, body = request("0003 000c 00000006 0002 636b 00 00 00 00 00 00 00 00")
    assert (header.api_key, header.api_version, header.client_id) == (3, 12, "ck")
    asked, end = decoded("MetadataRequest", 12, body)
    assert asked.topics is None
    assert asked.allow_auto_topic_creation is False
    assert (end, len(body)) == (4, 7)


def test_a_broker_asks_a_controller_for_its_versions() -> None:
    header, body = request(API_VERSIONS_OF_A_BROKER)
    assert (header.api_key, header.api_version, header.correlation_id) == (18, 4, 0)
    assert header.client_id == "raft-client-100"
    asked, end = decoded("ApiVersionsRequest", 4, body)
    assert (asked.client_software_name, asked.client_software_version) == (
        "apache-kafka-java",
        "4.0.0",
    )
    assert end == len(body)
    written = put_header(header) + encoded("ApiVersionsRequest", 4, asked)
    assert written == bytes.fromhex(API_VERSIONS_OF_A_BROKER)


@pytest.mark.parametrize(
    ("version", "text"), [(17, FETCH_17_OF_A_BROKER), (18, FETCH_18_OF_A_BROKER)]
)
def test_a_broker_fetches_the_metadata_log(version: int, text: str) -> None:
    header, body = request(text)
    assert (header.api_key, header.api_version, header.correlation_id) == (1, version, 1)
    asked, end = decoded("FetchRequest", version, body)
    assert end == len(body)
    assert (asked.cluster_id, asked.replica_state.replica_id) == (CLUSTER_ID, 100)
    assert (asked.max_wait_ms, asked.session_id, asked.session_epoch) == (500, 0, -1)
    assert asked.topics[0].topic_id == METADATA_TOPIC_ID
    partition = asked.topics[0].partitions[0]
    assert partition.replica_directory_id == DIRECTORY
    assert partition.log_start_offset == -1
    assert partition.high_watermark == ((1 << 63) - 1 if version == 17 else -1)
    assert put_header(header) + encoded("FetchRequest", version, asked) == bytes.fromhex(text)


def test_the_java_consumer_subscribes_with_null_user_data() -> None:
    body = bytes.fromhex(
        "00000001 0012 5f5f636c75737465725f6d65746164617461 ffffffff 00000000 ffffffff ffff"
    )
    subscribed, end = decoded("ConsumerProtocolSubscription", 3, body)
    assert subscribed.topics == ["__cluster_metadata"]
    assert subscribed.user_data is None
    assert (subscribed.owned_partitions, subscribed.generation_id) == ([], -1)
    assert subscribed.rack_id is None
    assert end == len(body)
    assert encoded("ConsumerProtocolSubscription", 3, subscribed) == body


# Values of records as 4.3.1 wrote them, with the JSON that its dump-log prints for some.
RECORDS: list[tuple[str, str, dict[str, Any] | None]] = [
    (
        "LeaderChangeMessage",
        "0000 00000001 04 0000000100 0000000200 0000000300 03 0000000100 0000000200 00",
        {
            "version": 0,
            "leaderId": 1,
            "voters": [{"voterId": 1}, {"voterId": 2}, {"voterId": 3}],
            "grantingVoters": [{"voterId": 1}, {"voterId": 2}],
        },
    ),
    (
        "LeaderChangeMessage",
        "0000 00000002 04 0000000100 0000000200 0000000300 03 0000000200 0000000300 00",
        None,
    ),
    ("KRaftVersionRecord", "0000 0001 00", {"version": 0, "kRaftVersion": 1}),
    (
        "VotersRecord",
        "0000 02 00000001 11111111111111112222222222222222 02 0b434f4e54524f4c4c4552"
        "0a6c6f63616c686f7374 2385 00 0000 0001 00 00 00",
        {
            "version": 0,
            "voters": [
                {
                    "voterId": 1,
                    "voterDirectoryId": "EREREREREREiIiIiIiIiIg",
                    "endpoints": [{"name": "CONTROLLER", "host": "localhost", "port": 9093}],
                    "kRaftVersionFeature": {"minSupportedVersion": 0, "maxSupportedVersion": 1},
                }
            ],
        },
    ),
    (
        "VotersRecord",
        "0000 04"
        "00000001 75d75d75d75d75d75d75d75d75d75dd4 02 0b434f4e54524f4c4c4552"
        "0a3132372e302e302e31 55fb 00 0000 0001 00 00"
        "00000002 75d75d75d75d75d75d75d75d75d75dd8 02 0b434f4e54524f4c4c4552"
        "0a3132372e302e302e31 55fc 00 0000 0001 00 00"
        "00000003 75d75d75d75d75d75d75d75d75d75ddc 02 0b434f4e54524f4c4c4552"
        "0a3132372e302e302e31 55fd 00 0000 0001 00 00"
        "00",
        None,
    ),
    (
        "SnapshotHeaderRecord",
        "0000 0000018bcfe56800 00",
        {"version": 0, "lastContainedLogTimestamp": 1_700_000_000_000},
    ),
    ("SnapshotFooterRecord", "0000 00", {"version": 0}),
    ("EndTxnMarker", "00000004", {"coordinatorEpoch": 4}),
    (
        "FeatureLevelRecord",
        "11 6d657461646174612e76657273696f6e 0014 00",
        {"name": "metadata.version", "featureLevel": 20},
    ),
    (
        "TopicRecord",
        "04 666f6f 00000000000000010000000000000002 00",
        {"name": "foo", "topicId": "AAAAAAAAAAEAAAAAAAAAAg"},
    ),
    ("NoOpRecord", "00", {}),
]


@pytest.mark.parametrize(("name", "text", "spelled"), RECORDS)
def test_records_of_real_logs_read_and_write(
    name: str, text: str, spelled: dict[str, Any] | None
) -> None:
    data = bytes.fromhex(text)
    module: ModuleType = values.codec(message(name))
    record, end = module.get(data, 0, 0)
    assert end == len(data)
    assert module.encode(record, 0) == data
    if spelled is not None:
        assert list(json_form.to_json(module, record, 0).items()) == list(spelled.items())
        assert module.encode(json_form.from_json(module, spelled, 0), 0) == data


@pytest.mark.parametrize(
    ("version", "spelled"),
    [
        (
            0,
            {
                "clusterId": "",
                "leaderId": -1,
                "leaderEpoch": 5,
                "votedId": 2,
                "appliedOffset": 0,
                "currentVoters": [{"voterId": 2}, {"voterId": 1}, {"voterId": 3}],
            },
        ),
        (
            1,
            {
                "leaderId": 1,
                "leaderEpoch": 6,
                "votedId": -1,
                "votedDirectoryId": "AAAAAAAAAAAAAAAAAAAAAA",
            },
        ),
    ],
)
def test_quorum_state_files_of_real_nodes_read_and_write(
    version: int, spelled: dict[str, Any]
) -> None:
    module = values.codec(message("QuorumStateData"))
    state = json_form.from_json(module, spelled, version)
    assert state.leader_epoch == spelled["leaderEpoch"]
    assert state.voted_directory_id == ZERO_UUID
    assert list(json_form.to_json(module, state, version).items()) == list(spelled.items())
