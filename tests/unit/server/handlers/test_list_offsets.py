"""ListOffsets: special times, real timestamps, and errors that clients can live with."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.testing.fake_services import FakeServices, log_of_eight, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.list_offsets_request import (
    ListOffsetsPartition,
    ListOffsetsRequest,
    ListOffsetsTopic,
)

VERSIONS = range(12)


def ask(version, timestamp, *, services=None, topic=METADATA_TOPIC, index=0, epoch=-1, **more):
    one = ListOffsetsPartition(
        partition_index=index, current_leader_epoch=epoch, timestamp=timestamp, **more
    )
    request = ListOffsetsRequest(replica_id=-1, topics=[ListOffsetsTopic(topic, [one])])
    response = PipelineClient(services or services_with_eight_records()).ask(request, version)
    return response.topics[0].partitions[0]


def found(row):
    return row.error_code, row.offset, row.timestamp, row.leader_epoch


@pytest.mark.parametrize("version", VERSIONS[4:])
def test_latest_is_the_high_watermark_without_a_timestamp(version):
    assert found(ask(version, -1)) == (0, 8, -1, 3)


@pytest.mark.parametrize("version", VERSIONS[4:])
def test_earliest_is_the_log_start(version):
    assert found(ask(version, -2)) == (0, 0, -1, 1)


def test_the_start_of_a_log_whose_first_part_has_gone():
    services = services_with_eight_records()
    services.log.start_offset = 4
    assert found(ask(10, -2, services=services)) == (0, 4, -1, 2)


@pytest.mark.parametrize("version", VERSIONS[7:])
def test_the_largest_timestamp_comes_with_its_offset(version):
    assert found(ask(version, -3)) == (0, 7, 5_000, 3)


@pytest.mark.parametrize("version", VERSIONS[8:])
def test_earliest_local_is_the_log_start(version):
    assert found(ask(version, -4)) == (0, 0, -1, 1)


@pytest.mark.parametrize("version", VERSIONS[9:])
def test_nothing_is_tiered(version):
    assert found(ask(version, -5)) == (0, -1, -1, -1)


def test_nothing_waits_for_an_upload():
    assert found(ask(11, -6)) == (0, -1, -1, -1)


@pytest.mark.parametrize(
    ("time", "too_old"), [(-3, 6), (-4, 7), (-5, 8), (-6, 10), (-7, 11), (-(1 << 60), 11)]
)
def test_a_special_time_before_its_version_is_unsupported(time, too_old):
    assert found(ask(too_old, time)) == (35, -1, -1, -1)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_time_that_is_found_comes_with_the_records_own_timestamp(version):
    row = ask(version, 2_500)
    assert (row.error_code, row.offset, row.timestamp) == (0, 4, 3_000)


@pytest.mark.parametrize("version", VERSIONS[1:])
def test_a_time_after_everything_finds_nothing_and_is_no_error(version):
    assert found(ask(version, 6_000)) == (0, -1, -1, -1)


def test_what_is_not_committed_is_not_found():
    services = FakeServices(log=log_of_eight())
    services.commit(4)
    assert found(ask(10, -1, services=services)) == (0, 4, -1, 1)
    assert found(ask(10, 2_500, services=services)) == (0, -1, -1, -1)
    assert found(ask(10, -3, services=services)) == (0, 1, 2_000, 1)


def test_version_0_answers_with_a_list_of_one_offset():
    assert list(ask(0, -1).old_style_offsets) == [8]
    assert list(ask(0, -2).old_style_offsets) == [0]
    assert list(ask(0, 2_500).old_style_offsets) == [0]
    assert list(ask(0, -1, max_num_offsets=0).old_style_offsets) == []


def test_version_0_has_an_empty_list_beside_an_error():
    row = ask(0, -1, topic="absent")
    assert (row.error_code, list(row.old_style_offsets)) == (3, [])


@pytest.mark.parametrize("version", VERSIONS)
def test_unknown_topics_and_partitions_are_distinguished_from_nothing(version):
    assert ask(version, -1, topic="absent").error_code == 3
    assert ask(version, -1, index=1).error_code == 3


@pytest.mark.parametrize(("epoch", "code"), [(2, 74), (3, 0), (4, 75), (-1, 0)])
def test_the_leader_epoch_is_checked_from_version_4_on(epoch, code):
    assert ask(4, -1, epoch=epoch).error_code == code


def test_a_follower_sends_clients_to_the_leader():
    assert (
        ask(10, -1, services=services_with_eight_records(leading=LeaderAndEpoch(2, 3))).error_code
        == 6
    )


@pytest.mark.parametrize(("version", "code"), [(0, 5), (4, 5), (5, 78), (10, 78)])
def test_a_leader_without_high_watermark_uses_the_versions_error_code(version, code):
    assert ask(version, -1, services=FakeServices()).error_code == code


@pytest.mark.parametrize("version", VERSIONS)
def test_a_partition_named_twice_is_invalid_and_told_once(version):
    one = ListOffsetsPartition(partition_index=0, timestamp=-1)
    other = ListOffsetsPartition(partition_index=1, timestamp=-1)
    request = ListOffsetsRequest(topics=[ListOffsetsTopic(METADATA_TOPIC, [one, other, one])])
    response = PipelineClient(services_with_eight_records()).ask(request, version)
    rows = [(row.partition_index, row.error_code) for row in response.topics[0].partitions]
    assert sorted(rows) == [(0, 42), (1, 3)]


def test_both_isolation_levels_end_at_the_high_watermark():
    request = ListOffsetsRequest(
        replica_id=-1,
        isolation_level=1,
        topics=[ListOffsetsTopic(METADATA_TOPIC, [ListOffsetsPartition(timestamp=-1)])],
    )
    response = PipelineClient(services_with_eight_records()).ask(request, 7)
    assert response.topics[0].partitions[0].offset == 8
