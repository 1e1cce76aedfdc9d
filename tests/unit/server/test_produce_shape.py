"""Rows of a large Produce are counted before they are decoded."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.limits import MAX_LARGE_PRODUCE_ROWS, MAX_REQUEST_FRAME_BYTES
from metaquorum.server.produce_shape import check_produce_shape
from metaquorum.testing.fake_house import house_of_eight
from metaquorum.testing.pipeline_client import PipelineClient, request_frame
from metaquorum.wire.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from metaquorum.wire.headers import read_request_header


def produce(rows: int, records: bytes = b"", version: int = 9) -> bytes:
    """A request of one topic whose partitions make up ``rows`` with it."""
    partitions = [PartitionProduceData(index, records) for index in range(rows - 1)]
    name = "" if version >= 13 else "events"
    topic = TopicProduceData(name, partition_data=partitions)
    return request_frame(ProduceRequest(acks=1, topic_data=[topic]), version)


def check(frame: bytes, version: int) -> None:
    check_produce_shape(memoryview(frame), version, read_request_header(frame)[1])


@pytest.mark.parametrize("version", range(14))
def test_as_many_rows_as_are_allowed_pass_and_one_more_does_not(version):
    check(produce(MAX_LARGE_PRODUCE_ROWS, version=version), version)
    with pytest.raises(PeerError, match=f"{MAX_LARGE_PRODUCE_ROWS + 1} rows"):
        check(produce(MAX_LARGE_PRODUCE_ROWS + 1, version=version), version)


@pytest.mark.parametrize("version", [0, 3, 9, 13])
def test_every_cut_is_noticed(version):
    frame = produce(3, b"records", version)
    start = read_request_header(frame)[1]
    for end in range(start, len(frame)):
        with pytest.raises(PeerError, match="ends within"):
            check_produce_shape(frame[:end], version, start)


def test_tagged_fields_are_refused():
    frame = produce(2)[:-1] + b"\x01\x05\x00"
    with pytest.raises(PeerError, match="tagged"):
        check(frame, 9)


def test_a_large_produce_is_still_refused_by_its_code():
    frame = produce(2, bytes(MAX_REQUEST_FRAME_BYTES))
    response = PipelineClient(house_of_eight()).send_raw(frame).response
    assert response.responses[0].partition_responses[0].error_code == 3


def test_a_large_produce_of_tiny_rows_ends_its_connection():
    count = MAX_REQUEST_FRAME_BYTES // 16
    frame = produce(count + 1, bytes(16), version=8)
    with pytest.raises(PeerError, match="rows"):
        PipelineClient(house_of_eight()).send_raw(frame)
