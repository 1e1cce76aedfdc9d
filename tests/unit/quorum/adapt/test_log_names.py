"""Messages of a second log have its name outside, and the metadata's where they are translated."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.ids import GROUPS_TOPIC, GROUPS_TOPIC_ID, METADATA_TOPIC
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum import adapt
from metaquorum.quorum.adapt.log_names import GROUPS_LOG, METADATA_LOG, is_about, renamed
from metaquorum.quorum.messages import (
    ApiVersionsRequest,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    VoteRequest,
)
from metaquorum.quorum.types import ReplicaKey

CLUSTER = "4L6g3nShT-eMCtK--X86sw"
KEY = ReplicaKey(1, b"\x07" * 16)
ASKED: list[tuple[int, Any]] = [
    (17, FetchRequest(KEY, 3, 10, 2)),
    (2, VoteRequest(3, KEY, OffsetAndEpoch(2, 10))),
    (1, BeginEpochRequest(3, 1)),
    (1, EndEpochRequest(3, 1)),
    (1, FetchSnapshotRequest(KEY, 3, OffsetAndEpoch(2, 10), 0, 100)),
]


@pytest.mark.parametrize(("version", "message"), ASKED)
def test_a_request_comes_back_as_it_was_asked(version: int, message: Any) -> None:
    key = adapt.api_key_of(message)
    wire = adapt.write_request(version, message, CLUSTER)
    assert is_about(key, wire, METADATA_LOG)
    wire = renamed(key, wire, METADATA_LOG, GROUPS_LOG)
    assert is_about(key, wire, GROUPS_LOG) and not is_about(key, wire, METADATA_LOG)
    assert isinstance(adapt.read_request(key, version, wire, CLUSTER), adapt.Settled)
    back = renamed(key, wire, GROUPS_LOG, METADATA_LOG)
    assert is_about(key, wire, GROUPS_LOG), "the caller may keep it"
    assert type(adapt.read_request(key, version, back, CLUSTER)) is type(message)


def test_the_topic_is_named_as_the_api_names_topics() -> None:
    fetch = renamed(1, adapt.write_request(17, ASKED[0][1], CLUSTER), METADATA_LOG, GROUPS_LOG)
    vote = renamed(52, adapt.write_request(2, ASKED[1][1], CLUSTER), METADATA_LOG, GROUPS_LOG)
    assert bytes(fetch.topics[0].topic_id) == GROUPS_TOPIC_ID
    assert vote.topics[0].topic_name == GROUPS_TOPIC


def test_an_answer_about_the_metadata_is_none_about_another_log() -> None:
    """Taken for an answer to a vote in the other log, it could make a leader that nobody chose."""
    from metaquorum.wire.generated import vote_response as given

    topic = given.TopicData(METADATA_TOPIC, [given.PartitionData(0, 0, 1, 3, True)])
    answer = renamed(52, given.VoteResponse(topics=[topic]), GROUPS_LOG, METADATA_LOG)
    assert not is_about(52, answer, METADATA_LOG)


def test_what_names_no_topic_stays_as_it_is() -> None:
    wire = adapt.write_request(3, ApiVersionsRequest(), CLUSTER)
    assert renamed(18, wire, METADATA_LOG, GROUPS_LOG) is wire
    assert not is_about(18, wire, GROUPS_LOG)
