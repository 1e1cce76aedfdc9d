"""The next fetch of a connection is known by the last one, to the byte."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.limits import LAST_FETCH_BYTES
from metaquorum.server.contract.last_fetch import LastFetch
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated import fetch_request as codec
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from metaquorum.wire.headers import RequestHeader, read_request_header


def asked(version: int, offset: int = 5, *, epoch: int = 3, watermark: int = 4) -> FetchRequest:
    row = FetchPartition(fetch_offset=offset, partition_max_bytes=100)
    if version >= 12:
        row.last_fetched_epoch = 2
    if version >= 18:
        row.high_watermark = watermark
    topic = FetchTopic(partitions=[row])
    if version >= 13:
        topic.topic_id = METADATA_TOPIC_ID
    else:
        topic.topic = METADATA_TOPIC
    request = FetchRequest(max_wait_ms=500, min_bytes=1, topics=[topic])
    if version >= 7:
        request.session_id, request.session_epoch = 77, epoch
    if version >= 15:
        request.replica_state = ReplicaState(9, -1)
    return request


def framed(request: FetchRequest, version: int, correlation_id: int = 1) -> bytes:
    frame = bytes(request_frame(request, version))
    return frame[:4] + correlation_id.to_bytes(4, "big") + frame[8:]


def heard(last: LastFetch, frame: bytes) -> tuple[RequestHeader, FetchRequest] | None:
    """As the pipeline does; None if it was not known."""
    again = last.again(frame)
    if again is None:
        header, at = read_request_header(frame)
        message = codec.decode(frame, header.api_version, at)
        last.keep(frame, at, header, message, codec)
    return again


@pytest.mark.parametrize("version", range(4, 19))
def test_the_same_question_with_other_numbers_is_what_decoding_it_would_give(version: int) -> None:
    last = LastFetch()
    assert heard(last, framed(asked(version), version)) is None
    for number in (6, 0, -1, 1 << 40):
        frame = framed(asked(version, number, epoch=number % 9, watermark=number), version, 1234)
        known = heard(last, frame)
        assert known is not None
        header, message = known
        assert header == read_request_header(frame)[0]
        assert codec.encode(message, version) == frame[read_request_header(frame)[1] :]


def test_any_other_difference_is_seen() -> None:
    last = LastFetch()
    first = framed(asked(18), 18)
    heard(last, first)
    assert last.again(first) is not None
    zeros = framed(asked(18, 0, epoch=0, watermark=0), 18, 0)
    ones = framed(asked(18, -1, epoch=-1, watermark=-1), 18, (1 << 32) - 1)
    numbers = {at for at, (one, other) in enumerate(zip(zeros, ones)) if one != other}
    for at in range(len(first)):
        changed = bytearray(first)
        changed[at] ^= 1
        assert (last.again(bytes(changed)) is not None) == (at in numbers)
    assert last.again(first[:-1]) is None


def test_a_frame_with_its_size_is_known_by_that_too() -> None:
    last, frame = LastFetch(), framed(asked(13), 13)
    heard(last, frame)
    size = len(frame).to_bytes(4, "big")
    assert last.again_whole(size + frame) == last.again(frame) is not None
    for other in (b"", size, frame, size + frame[:-1], frame[:4] + frame, size + frame + size):
        assert last.again_whole(other) is None


def test_a_watermark_that_is_not_said_has_no_place() -> None:
    last = LastFetch()
    frame = framed(asked(18, watermark=(1 << 63) - 1), 18)
    heard(last, frame)
    known = last.again(frame)
    assert known is not None and known[1].topics[0].partitions[0].high_watermark == (1 << 63) - 1
    assert last.again(framed(asked(18), 18)) is None


def test_what_is_not_written_as_we_write_it_is_not_kept() -> None:
    last = LastFetch()
    plain = framed(asked(12), 12)
    heard(last, plain[:-1] + bytes([1, 9, 0]))  # a tagged field that nobody knows
    assert last.again(plain) is None
    long = asked(12)
    long.rack_id = "r" * LAST_FETCH_BYTES
    heard(last, framed(long, 12))
    assert last.again(framed(long, 12)) is None
    many = asked(12)
    many.topics = [*many.topics, *many.topics]
    heard(last, framed(many, 12))
    assert last.again(framed(many, 12)) is None
