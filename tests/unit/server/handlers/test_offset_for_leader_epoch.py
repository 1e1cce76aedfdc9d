"""OffsetForLeaderEpoch: ends of epochs, without sending anybody back by mistake."""

from __future__ import annotations

import pytest

from metaquorum.base.epochs import EpochStarts
from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)


def ask(version, epoch, *, services=None, topic=METADATA_TOPIC, index=0, current=-1):
    one = OffsetForLeaderPartition(index, current, epoch)
    request = OffsetForLeaderEpochRequest(topics=[OffsetForLeaderTopic(topic, [one])])
    response = PipelineClient(services or services_with_eight_records()).ask(request, version)
    row = response.topics[0].partitions[0]
    return row.error_code, row.leader_epoch, row.end_offset


@pytest.mark.parametrize("version", range(1, 5))
@pytest.mark.parametrize(("epoch", "end"), [(1, 4), (2, 7), (3, 8)])
def test_an_epoch_ends_at_the_next_ones_start_or_the_high_watermark(version, epoch, end):
    assert ask(version, epoch) == (0, epoch, end)


def test_version_0_has_only_the_end():
    assert ask(0, 1) == (0, -1, 4)


def test_an_end_beyond_the_high_watermark_is_not_shown():
    services = FakeServices(log=services_with_eight_records().log)
    services.commit(6)
    assert ask(4, 2, services=services) == (0, 2, 6)


def test_an_epoch_between_known_ones_is_answered_by_the_one_below():
    services = services_with_eight_records(leading=LeaderAndEpoch(1, 9))
    services.log.epochs = EpochStarts((1, 5, 9), (0, 4, 7))
    assert ask(4, 7, services=services) == (0, 5, 7)


@pytest.mark.parametrize("epoch", [4, -1, -5])
def test_an_epoch_above_ours_or_none_at_all_is_undefined(epoch):
    assert ask(4, epoch) == (0, -1, -1)


def test_an_epoch_older_than_the_log_ends_at_its_start():
    services = services_with_eight_records()
    services.log.start_offset = 5
    services.log.epochs = services.log.epochs.starting_at(5)
    assert ask(4, 1, services=services) == (0, 1, 5)


@pytest.mark.parametrize(("current", "code"), [(2, 74), (3, 0), (4, 75)])
@pytest.mark.parametrize("version", [2, 3, 4])
def test_the_current_leader_epoch_is_checked_first(version, current, code):
    assert ask(version, 1, current=current)[0] == code


@pytest.mark.parametrize("version", range(5))
def test_what_is_not_here_is_unknown(version):
    assert ask(version, 1, topic="absent")[0] == 3
    assert ask(version, 1, index=1)[0] == 3


def test_followers_and_leaders_without_a_watermark_send_clients_on():
    assert ask(4, 1, services=services_with_eight_records(leading=LeaderAndEpoch(2, 3)))[0] == 6
    assert ask(4, 1, services=FakeServices())[0] == 6
