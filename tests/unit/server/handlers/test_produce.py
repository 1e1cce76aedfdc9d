"""Produce: offered for librdkafka's sake, refused for everybody's."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)

VERSIONS = range(14)
OTHER_ID = bytes(15) + b"\x07"


def request(version, *, topic=METADATA_TOPIC, topic_id=METADATA_TOPIC_ID, index=0, acks=1):
    data = TopicProduceData(
        name=topic if version < 13 else "",
        topic_id=topic_id if version >= 13 else bytes(16),
        partition_data=[PartitionProduceData(index, b"records")],
    )
    return ProduceRequest(acks=acks, timeout_ms=1_000, topic_data=[data])


def refused(version, **fields):
    response = PipelineClient(services_with_eight_records()).ask(
        request(version, **fields), version
    )
    (row,) = response.responses[0].partition_responses
    assert row.base_offset == -1
    return row.error_code


@pytest.mark.parametrize("version", VERSIONS)
def test_the_metadata_topic_is_not_to_be_written(version):
    assert refused(version) == 29


@pytest.mark.parametrize("version", VERSIONS)
def test_other_partitions_are_unknown(version):
    assert refused(version, index=1) == 3
    assert refused(version, topic="absent", topic_id=OTHER_ID) == (100 if version >= 13 else 3)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_producer_that_wants_no_answer_loses_its_connection(version):
    with pytest.raises(PeerError, match="acks=0"):
        PipelineClient(services_with_eight_records()).send(request(version, acks=0), version)


def test_an_error_message_comes_with_the_code_if_the_version_has_one():
    response = PipelineClient(services_with_eight_records()).ask(request(8), 8)
    assert "controller" in response.responses[0].partition_responses[0].error_message
