"""Rows are counted along the table, to the last one, before any of them is decoded."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated import metadata_request
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.index import request_codec
from metaquorum.wire.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from metaquorum.wire.headers import read_request_header
from metaquorum.wire.registry import Codec
from metaquorum.wire.rows import RowCounter
from metaquorum.wire.shape import StructShape, holds, is_default, read_shape
from tests.unit.wire.random_messages import Maker, all_codecs, versions_of

REQUESTS = [codec for codec in all_codecs() if codec.NAME.endswith("Request")]
SEED = 45
MESSAGES_A_VERSION = 4
EVERYTHING = 1 << 30


def rows_of(shape: StructShape, message: Any, version: int) -> int:
    """The plainest count: elements and tags of the decoded message."""
    rows = len(message.unknown_tags)
    for each in shape.fields:
        value = getattr(message, each.attribute)
        if not holds(each.versions, version):
            continue
        if holds(each.tagged, version):
            if is_default(each, value):
                continue
            rows += 1
        if value is None:
            continue
        if each.is_array:
            rows += len(value)
            if each.struct is not None:
                rows += sum(rows_of(each.struct, one, version) for one in value)
        elif each.struct is not None:
            rows += rows_of(each.struct, value, version)
    return rows


@pytest.mark.parametrize("codec", REQUESTS, ids=lambda codec: codec.NAME)
def test_every_row_of_any_request_is_counted_and_one_less_is_too_few(codec: Codec):
    chance = Random(SEED)
    top = read_shape(codec.SHAPE).top
    for version in versions_of(codec):
        counter = RowCounter.of(codec.SHAPE, version)
        for _ in range(MESSAGES_A_VERSION):
            message = Maker(codec, chance).message(version)
            data = codec.encode(message, version)
            rows = rows_of(top, message, version)
            assert counter.check(data + bytes(3), 0, rows) == rows
            assert rows <= len(data)  # so one of few bytes needs no count (Route.decode_long)
            if rows:
                with pytest.raises(DecodeError, match=f"{rows - 1} are allowed in one request"):
                    counter.check(data, 0, rows - 1)


@pytest.mark.parametrize("codec", REQUESTS, ids=lambda codec: codec.NAME)
def test_bytes_that_are_no_message_are_left_to_the_decoder(codec: Codec):
    chance = Random(SEED)
    for version in versions_of(codec):
        counter = RowCounter.of(codec.SHAPE, version)
        data = codec.encode(Maker(codec, chance).message(version), version)
        for cut in (0, 1, len(data) // 2, len(data) - 1):
            assert counter.check(data[:cut], 0, EVERYTHING) >= 0
        assert counter.check(chance.randbytes(200), 0, EVERYTHING) >= 0
        assert counter.check(b"\xff" * 200, 0, EVERYTHING) >= 0


def refusal(message: Any, version: int, limit: int) -> DecodeError:
    frame = request_frame(message, version)
    header, at = read_request_header(frame)
    counter = RowCounter.of(request_codec(header.api_key).SHAPE, version)
    with pytest.raises(DecodeError) as refused:
        counter.check(memoryview(frame), at, limit)
    return refused.value


@pytest.mark.parametrize("version", [4, 12, 18])
def test_the_refusal_names_the_array_and_where_it_is(version):
    name = "" if version >= 13 else "events"
    few = FetchTopic(name, partitions=[FetchPartition()])
    many = FetchTopic(name, partitions=[FetchPartition() for _ in range(100)])
    fault = refusal(FetchRequest(topics=[few, few, many]), version, 50)
    assert fault.path == "FetchRequest.topics[2].partitions"
    assert fault.why == "105 rows or more so far, 50 are allowed in one request"
    plain = request_frame(FetchRequest(topics=[few, few, many]), version)
    assert plain[fault.at] == (101 if version >= 12 else 0)


def test_tags_that_nobody_knows_are_rows():
    topics = [metadata_request.MetadataRequestTopic(name="a")]
    tags = tuple((number, b"") for number in range(60))
    fault = refusal(metadata_request.MetadataRequest(topics, unknown_tags=tags), 12, 50)
    assert fault.path == "MetadataRequest.unknown_tags"


def test_records_are_passed_over_without_a_look():
    rows = [PartitionProduceData(index, b"\xff" * 10_000) for index in range(9)]
    topic = TopicProduceData("events", partition_data=rows)
    assert refusal(ProduceRequest(topic_data=[topic]), 9, 9).why.startswith("10 rows or more")


def test_an_array_longer_than_its_bytes_is_left_to_the_decoder():
    counter = RowCounter.of(metadata_request.SHAPE, 1)
    assert counter.check(b"\x7f\xff\xff\xff" + bytes(100), 0, 10) == 0
