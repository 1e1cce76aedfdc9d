"""The next request of a connection is recognised by the last one, to the byte."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.limits import LAST_FETCH_BYTES, LAST_FETCH_TRIES, LAST_HEADER_BYTES
from metaquorum.server.contract.last_request import LastFetch, LastHeader
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated import fetch_request as codec
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from metaquorum.wire.headers import RequestHeader, put_request_header, read_request_header


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
def test_a_repeated_fetch_is_what_decoding_it_would_give(version: int) -> None:
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


def test_a_watermark_that_was_left_out_is_no_number_of_the_form() -> None:
    last = LastFetch()
    frame = framed(asked(18, watermark=(1 << 63) - 1), 18)
    heard(last, frame)
    known = last.again(frame)
    assert known is not None and known[1].topics[0].partitions[0].high_watermark == (1 << 63) - 1
    assert last.again(framed(asked(18), 18)) is None


def test_a_fetch_encoded_otherwise_or_long_is_not_kept() -> None:
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


# Version 0 of ControlledShutdown has no client id; ListGroups is flexible from version 3 on.
KINDS = [(7, 0), (7, 1), (16, 2), (16, 3), (49, 0), (49, 1)]


def frame_of(kind: tuple[int, int], correlation: int, name: str | None, tags, body: bytes) -> bytes:
    flexible = kind in ((16, 3), (49, 1))
    parts: list[bytes] = []
    header = RequestHeader(*kind, correlation, name, tags if flexible else ())
    put_request_header(parts, header)
    return b"".join(parts) + body


frames = st.builds(
    frame_of,
    st.sampled_from(KINDS),
    st.integers(-(1 << 31), (1 << 31) - 1),
    st.sampled_from([None, "", "a", "ab", "bench"]),
    st.sampled_from([(), ((1, b"x"),)]),
    st.sampled_from([b"", b"\x00", b"body"]),
)
cuts = st.one_of(st.just(0), st.integers(1, 16))


@given(st.lists(st.tuples(frames, cuts), max_size=12))
def test_a_header_found_is_the_header_that_reading_finds(sent):
    last = LastHeader()
    for whole, cut in sent:
        frame = whole[: len(whole) - cut]
        try:
            read = read_request_header(frame)
        except DecodeError:
            read = None
        found = last.again(frame)
        assert found is None or found == read
        if found is None and read is not None:
            last.keep(frame, *read)
            assert last.again(frame) == read


def test_a_header_is_found_whatever_its_correlation_id_and_body():
    last, first = LastHeader(), frame_of((49, 1), 1, "a", (), b"body")
    last.keep(first, *read_request_header(first))
    second = frame_of((49, 1), -2, "a", (), b"another")
    assert last.again(second) == (RequestHeader(49, 1, -2, "a"), len(second) - len(b"another"))
    assert last.again(frame_of((49, 0), 3, "a", (), b"")) is None
    assert last.again(frame_of((49, 1), 3, "b", (), b"")) is None


def test_a_long_header_is_read_each_time():
    last, frame = LastHeader(), frame_of((49, 1), 1, "a" * LAST_HEADER_BYTES, (), b"")
    last.keep(frame, *read_request_header(frame))
    assert last.again(frame) is None


def test_a_connection_whose_fetches_always_differ_is_given_up() -> None:
    last = LastFetch()
    for limit in range(2 * LAST_FETCH_TRIES):
        request = asked(12)
        request.max_bytes = limit
        assert heard(last, framed(request, 12)) is None
    assert last.tries == LAST_FETCH_TRIES
    assert last.again(framed(request, 12)) is None
