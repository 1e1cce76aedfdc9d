"""Answers to fetches that are encoded once for all who are told the same."""

from __future__ import annotations

import copy

import pytest

from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.base.limits import ENCODED_ANSWER_BYTES, ENCODED_ANSWERS
from metaquorum.server.pipeline import encoded_answers
from metaquorum.server.pipeline.encoded_answers import EncodedAnswers
from metaquorum.wire.frames import frame
from metaquorum.wire.generated import fetch_response
from metaquorum.wire.generated.fetch_response import (
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    LeaderIdAndEpoch,
    NodeEndpoint,
    PartitionData,
    SnapshotId,
)
from metaquorum.wire.headers import put_response_header
from metaquorum.wire.slices import FileSlice, SliceChain

FETCH = 1
RECORDS = b"records of a batch"


def told(**of_row: object) -> FetchResponse:
    """An answer about one partition."""
    fields = {"high_watermark": 7, "last_stable_offset": 7, "log_start_offset": 0}
    row = PartitionData(records=SliceChain((RECORDS,)), aborted_transactions=None)
    for name, value in (fields | of_row).items():
        setattr(row, name, value)
    return FetchResponse(responses=[FetchableTopicResponse("", bytes(METADATA_TOPIC_ID), [row])])


def encoded(answer: FetchResponse, version: int, correlation_id: int) -> list[object]:
    parts: list[object] = []
    put_response_header(parts, FETCH, version, correlation_id)
    fetch_response.put(parts, answer, version)
    return frame(parts)


def kept(answer: FetchResponse, version: int = 18) -> EncodedAnswers:
    answers = EncodedAnswers()
    answers.keep(answer, version, encoded(answer, version, 1))
    return answers


@pytest.mark.parametrize("version", range(13, 19))
def test_an_equal_response_reuses_cached_bytes_with_its_own_ids(version):
    answers = kept(told(), version)
    for correlation_id, session_id in ((5, 0), (-1, 1 << 30), (0, 12)):
        other = told()
        other.session_id, other.throttle_time_ms = session_id, 3
        found = answers.find(other, version, correlation_id)
        assert b"".join(found) == b"".join(encoded(other, version, correlation_id))
    assert answers.hits == 3


@pytest.mark.parametrize("version", range(7, 13))
def test_so_it_is_where_topics_have_names(version):
    first, other = told(), told()
    for one in (first, other):
        one.responses[0].topic = "__cluster_metadata"
    other.session_id = 99
    found = kept(first, version).find(other, version, 77)
    assert b"".join(found) == b"".join(encoded(other, version, 77))


@pytest.mark.parametrize(
    "difference",
    [
        {"high_watermark": 8, "last_stable_offset": 8},
        {"last_stable_offset": 6},
        {"log_start_offset": 1},
        {"partition_index": 1},
        {"error_code": 6},
        {"records": SliceChain((b"records of others!",))},
        {"records": b""},
        {"records": None},
        {"preferred_read_replica": 2},
        {"current_leader": LeaderIdAndEpoch(1, 3)},
        {"diverging_epoch": EpochEndOffset(1, 3)},
        {"snapshot_id": SnapshotId(3, 1)},
        {"aborted_transactions": []},
    ],
    ids=lambda difference: next(iter(difference)),
)
def test_anyone_who_is_told_anything_else_is_not_given_it(difference):
    assert kept(told()).find(told(**difference), 18, 5) is None
    assert kept(told(**difference)).find(told(), 18, 5) is None


def test_other_versions_several_topics_or_endpoints_miss_the_cache():
    answers = kept(told())
    assert answers.find(told(), 17, 5) is None
    two = told()
    two.responses.append(two.responses[0])
    assert answers.find(two, 18, 5) is None
    named = told()
    named.node_endpoints = [NodeEndpoint(1, "here", 9)]
    assert answers.find(named, 18, 5) is None
    renamed = told()
    renamed.responses[0].topic_id = bytes(16)
    assert answers.find(renamed, 18, 5) is None


def test_the_very_same_answer_is_found_whatever_it_says():
    """As replicas get it, with the leader in it."""
    answer = told(current_leader=LeaderIdAndEpoch(1, 3))
    answer.node_endpoints = [NodeEndpoint(1, "here", 9)]
    found = kept(answer).find(answer, 18, 5)
    assert b"".join(found) == b"".join(encoded(answer, 18, 5))
    assert kept(answer).find(copy.copy(answer), 18, 5) is None


def test_pieces_of_a_file_are_read_once_for_all(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(bytes(range(256)) * 64)
    with path.open("rb") as file:
        piece = FileSlice(file.fileno(), 256, 8_192, file)
        answer = told(records=SliceChain((piece, b"the tail")))
        answers = EncodedAnswers()
        (first,) = answers.keep(answer, 18, encoded(answer, 18, 1))
        assert (bytes(range(256)) * 64)[256:8_448] + b"the tail" in first
        path.write_bytes(b"")
        (found,) = answers.find(answer, 18, 1)
        assert found == first


def test_records_not_in_memory_stay_in_the_file_until_a_later_try(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_bytes(bytes(range(256)))
    with path.open("rb") as file:
        piece = FileSlice(file.fileno(), 0, 256, file)
        answer, answers = told(records=SliceChain((piece,))), EncodedAnswers()
        frame = encoded(answer, 18, 5)
        with monkeypatch.context() as cold:
            cold.setattr(encoded_answers, "in_memory", lambda part, most_bytes: part)
            assert answers.keep(answer, 18, frame) == frame
            assert answers.find(answer, 18, 5) == encoded_around(answer, piece)
        (found,) = answers.find(answer, 18, 5)
        assert bytes(range(256)) in found


def test_an_answer_of_many_bytes_is_its_askers_alone(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(bytes(ENCODED_ANSWER_BYTES))
    with path.open("rb") as file:
        piece = FileSlice(file.fileno(), 0, ENCODED_ANSWER_BYTES, file)
        answer, answers = told(records=SliceChain((piece,))), EncodedAnswers()
        frame = encoded(answer, 18, 5)
        assert answers.keep(answer, 18, frame) is frame
        assert answers.find(answer, 18, 5) is None


def test_what_stood_where_the_log_was_cut_is_forgotten(tmp_path):
    path = tmp_path / "log"
    path.write_bytes(b"old" * 100)
    with path.open("r+b", buffering=0) as file:
        answer = told(records=SliceChain((FileSlice(file.fileno(), 0, 300, file),)))
        answers = kept(answer)
        (found,) = answers.find(answer, 18, 5)
        assert b"old" * 100 in found
        answers.forget()
        file.write(b"new" * 100)
        assert answers.find(answer, 18, 5) is None


def encoded_around(answer: FetchResponse, piece: FileSlice) -> list[object]:
    parts = encoded(answer, 18, 5)
    at = parts.index(piece)
    return [b"".join(parts[:at]), piece, *parts[at + 1 :]]


def test_only_the_latest_responses_of_session_versions_are_cached():
    answers = EncodedAnswers()
    for watermark in range(ENCODED_ANSWERS + 1):
        answer = told(high_watermark=watermark, last_stable_offset=watermark)
        answers.keep(answer, 18, encoded(answer, 18, 1))
    assert answers.find(told(high_watermark=0, last_stable_offset=0), 18, 5) is None
    assert answers.find(told(high_watermark=1, last_stable_offset=1), 18, 5) is not None
    old = FetchResponse()
    assert kept(old, 6).find(old, 6, 5) is None
