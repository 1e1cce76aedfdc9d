"""What the first leader writes, and what later ones do not."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.controller.effects import Resign
from metaquorum.controller.events import BatchCommitted, BecameActive
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.memory_log import MemoryLog
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.begin_transaction_record import BeginTransactionRecord
from metaquorum.wire.generated.records.config_record import ConfigRecord
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.records.no_op_record import NoOpRecord


def _level(name: str, level: int) -> MetadataRecord:
    return MetadataRecord(12, 0, FeatureLevelRecord(name, level))


def _metadata_version(level: int) -> MetadataRecord:
    return _level("metadata.version", level)


def test_the_bootstrap_records_go_into_one_named_transaction(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(30), _level("group.version", 1)], max_idle_interval_ms=0)
    host.lead()
    assert host.written() == [
        "BeginTransactionRecord",
        "FeatureLevelRecord",
        "FeatureLevelRecord",
        "EndTransactionRecord",
    ]
    assert host.log[0][2][0].message.name == "Bootstrap records"
    assert host.core.is_active
    host.commit()
    features = host.core.committed().features
    assert (list(features), features.epoch) == ([("group.version", 1), ("metadata.version", 30)], 4)


def test_below_metadata_version_13_they_are_one_atomic_batch(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(12), _level("group.version", 1)], max_idle_interval_ms=0)
    host.lead()
    assert host.written() == ["FeatureLevelRecord", "FeatureLevelRecord"]
    log = MemoryLog(1)
    make_host([_metadata_version(12)]).core.step(BecameActive(1, 1), 0, 0, log)
    assert [one.atomic for one in log.batches] == [True]


def test_with_elr_at_bootstrap_a_cluster_min_insync_replicas_is_set(
    make_host: Callable[..., Any],
) -> None:
    bootstrap = [_metadata_version(30), _level("eligible.leader.replicas.version", 1)]
    host = make_host(bootstrap, min_insync_replicas=2)
    host.lead()
    config, end = host.log[0][2][-2:]
    assert (config.message.resource_type, config.message.resource_name) == (4, "")
    assert (config.message.name, config.message.value) == ("min.insync.replicas", "2")
    assert end.type == 24


def test_a_later_leader_writes_no_bootstrap_again(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    host.lead()
    host.commit()
    host.follow()
    before = list(host.log)
    host.lead()
    assert host.log == before
    assert host.core.is_active


def test_bootstrap_records_lost_with_their_leader_are_written_again(
    make_host: Callable[..., Any],
) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    host.lead()
    host.follow(keep=0)
    assert host.log == []
    host.lead()
    assert host.written() == [
        "BeginTransactionRecord",
        "FeatureLevelRecord",
        "EndTransactionRecord",
    ]


def test_a_half_written_bootstrap_is_aborted_and_written_anew(
    make_host: Callable[..., Any],
) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    half = (
        MetadataRecord(23, 0, BeginTransactionRecord(name="Bootstrap records")),
        _metadata_version(30),
    )
    host.log.append((1, 1, half))
    host.epoch, host.end, host.high_watermark = 1, 3, 3
    host.lead()
    assert host.written()[2:] == [
        "AbortTransactionRecord",
        "BeginTransactionRecord",
        "FeatureLevelRecord",
        "EndTransactionRecord",
    ]
    host.commit()
    assert host.core.committed().features.metadata_version == 30
    assert host.core.state.transaction is None


def test_an_open_transaction_on_a_full_log_is_only_aborted(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    host.log.append((1, 1, (_metadata_version(30),)))
    begin = MetadataRecord(23, 0, BeginTransactionRecord(name="else"))
    host.log.append((2, 1, (begin, _level("group.version", 1))))
    host.epoch, host.end, host.high_watermark = 1, 4, 4
    host.lead()
    assert host.written()[3:] == ["AbortTransactionRecord"]
    host.commit()
    assert list(host.core.committed().features) == [("metadata.version", 30)]


def test_without_bootstrap_records_the_newest_release_level_is_set(
    make_host: Callable[..., Any],
) -> None:
    host = make_host()
    host.lead()
    assert host.log[0][2][1].message == FeatureLevelRecord("metadata.version", 30)


def test_a_level_that_no_4x_broker_starts_from_is_raised(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(2), _level("group.version", 1)])
    host.lead()
    levels = [(r.message.name, r.message.feature_level) for r in host.log[0][2]]
    assert levels == [("metadata.version", 7), ("group.version", 1)]


def test_bootstrap_records_without_a_metadata_version_are_refused(
    make_host: Callable[..., Any],
) -> None:
    with pytest.raises(InvariantViolated, match=r"1 bootstrap records set no metadata\.version"):
        make_host([_level("group.version", 1)]).lead()


def test_more_bootstrap_records_than_a_batch_holds_need_a_transaction(
    make_host: Callable[..., Any],
) -> None:
    many = [
        MetadataRecord(4, 0, ConfigRecord(2, f"t{number}", "retention.ms", "1"))
        for number in range(10_000)
    ]
    with pytest.raises(
        InvariantViolated, match="10001 bootstrap records do not fit one batch of 10000"
    ):
        make_host([_metadata_version(12), *many]).lead()
    host = make_host([_metadata_version(13), *many])
    host.lead()
    assert len(host.written()) == 10_003


def test_a_controller_cannot_lead_a_log_without_a_metadata_version(
    make_host: Callable[..., Any],
) -> None:
    host = make_host([_metadata_version(30)])
    host.step(BatchCommitted(1, 1, 0, (MetadataRecord(20, 0, NoOpRecord()),)))
    with pytest.raises(InvariantViolated, match=r"holds records but no metadata\.version"):
        host.step(BecameActive(2, 3))


def test_a_controller_whose_first_records_are_refused_resigns(
    make_host: Callable[..., Any],
) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
    host.lead()
    assert not host.core.is_active
    assert host.other_effects == [
        Resign(1, "the first records were not written: THROTTLING_QUOTA_EXCEEDED")
    ]


def test_a_controller_that_is_no_leader_any_more_just_waits(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(30)], max_idle_interval_ms=0)
    host.refuse_with = error_codes.NOT_LEADER_OR_FOLLOWER
    host.lead()
    assert not host.core.is_active
    assert host.other_effects == []


def test_first_records_beyond_a_batch_stop_the_node(make_host: Callable[..., Any]) -> None:
    host = make_host([_metadata_version(12)])
    host.refuse_with = error_codes.RECORD_LIST_TOO_LARGE
    with pytest.raises(
        InvariantViolated, match="the 1 first records of the log do not fit one batch"
    ):
        host.lead()
