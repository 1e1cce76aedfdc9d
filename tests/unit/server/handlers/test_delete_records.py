"""DeleteRecords: the log is not for clients to shorten."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.delete_records_request import (
    DeleteRecordsPartition,
    DeleteRecordsRequest,
    DeleteRecordsTopic,
)


@pytest.mark.parametrize("version", range(3))
@pytest.mark.parametrize(
    ("name", "index", "code"),
    [
        (METADATA_TOPIC, 0, error_codes.POLICY_VIOLATION),
        (METADATA_TOPIC, 1, error_codes.UNKNOWN_TOPIC_OR_PARTITION),
        ("orders", 0, error_codes.UNKNOWN_TOPIC_OR_PARTITION),
        ("a b", 0, error_codes.INVALID_TOPIC_EXCEPTION),
    ],
)
def test_a_record_of_the_log_is_deleted_by_nobody(version, name, index, code):
    topic = DeleteRecordsTopic(name, [DeleteRecordsPartition(index, 3)])
    services = services_with_eight_records()
    answer = PipelineClient(services).ask(DeleteRecordsRequest([topic], 1_000), version)
    (told,) = answer.topics
    (row,) = told.partitions
    assert (told.name, row.partition_index) == (name, index)
    assert (row.error_code, row.low_watermark) == (code, -1)
    assert services.log.start_offset == 0
