"""A state that is replaced while the node serves."""

from __future__ import annotations

import gc
from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.base.limits import CLEAR_SLICE_ENTRIES, GC_FREEZE_RECORDS
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.snapshot_writer import snapshot_of
from metaquorum.metadata.state import MetadataState, Provenance
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.records.reader import walk_batches
from metaquorum.runtime.loop import collector
from metaquorum.runtime.snapshots.snapshot_loading import SnapshotLoading
from metaquorum.testing.every_record import made, uuid


def _topics(count: int) -> list[MetadataRecord]:
    return [made("Topic", name=f"t{n}", topic_id=uuid(f"t{n}")) for n in range(count)]


def _loading(count: int, end: int) -> StateLoading:
    state = MetadataState.from_snapshot(_topics(count), Provenance(end, 1, 0))
    batches = snapshot_of(state.committed(), epoch=1, timestamp_ms=0, last_contained_ms=0)
    return StateLoading(walk_batches(b"".join(batches)), Provenance(end, 1, 0))


def _host(state: MetadataState) -> tuple[SnapshotLoading, Any]:
    driver = SimpleNamespace(
        controller=SimpleNamespace(state=state), next_to_apply=0, state_moved=lambda: None
    )

    def post_to_controller(event: Any) -> None:
        driver.controller.state = event.state

    driver.post_to_controller = post_to_controller
    return SnapshotLoading(driver), driver


def test_readers_keep_the_old_state_until_the_new_one_is_whole() -> None:
    old = MetadataState()
    loading, driver = _host(old)
    told: list[int] = []
    loading.begin(_loading(1_200, 70), lambda records, took_ms: told.append(records))
    turns = 0
    while loading.is_under_way:
        assert (driver.controller.state, driver.next_to_apply, told) == (old, 0, [])
        assert not gc.isenabled()
        assert loading.turn()
        turns += 1
    assert turns == 2
    assert gc.isenabled()
    assert len(driver.controller.state.committed().topics) == 1_200
    assert (driver.next_to_apply, told) == (70, [1_200])
    assert not loading.turn()


def test_a_small_one_is_there_at_once() -> None:
    loading, driver = _host(MetadataState())
    loading.begin(_loading(3, 9), lambda records, took_ms: None)
    assert not loading.is_under_way
    assert len(driver.controller.state.committed().topics) == 3


def test_a_newer_one_takes_the_place_of_one_that_is_not_done() -> None:
    loading, driver = _host(MetadataState())
    loading.begin(_loading(1_200, 70), lambda records, took_ms: pytest.fail("it was replaced"))
    loading.begin(_loading(3, 90), lambda records, took_ms: None)
    assert (driver.next_to_apply, loading.is_under_way) == (90, False)


def test_the_old_state_goes_a_slice_a_turn() -> None:
    old = MetadataState.from_snapshot(_topics(CLEAR_SLICE_ENTRIES + 5), Provenance(5, 1, 0))
    loading, _ = _host(old)
    loading.begin(_loading(3, 9), lambda records, took_ms: None)
    left = [len(old.live().topics)]
    while loading.turn():
        left.append(len(old.live().topics))
    assert left[:2] == [CLEAR_SLICE_ENTRIES + 5, 5]
    assert (len(old.live().topics), len(old.live().topic_ids)) == (0, 0)


def test_only_a_large_state_is_frozen() -> None:
    before = gc.get_freeze_count()
    collector.resume(GC_FREEZE_RECORDS - 1, was_on=collector.pause())
    assert (gc.get_freeze_count(), gc.isenabled()) == (before, True)
    was_on = collector.pause()
    collector.resume(GC_FREEZE_RECORDS, was_on=was_on)
    try:
        assert gc.get_freeze_count() > before
    finally:
        gc.unfreeze()
    assert gc.isenabled()


def test_a_collector_that_was_put_off_before_stays_off() -> None:
    loading, _ = _host(MetadataState())
    gc.disable()
    try:
        loading.begin(_loading(1_200, 70), lambda records, took_ms: None)
        loading.begin(_loading(3, 90), lambda records, took_ms: None)
        assert not loading.is_under_way
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_garbage_collection_resumes_when_a_newer_load_replaces_one() -> None:
    loading, _ = _host(MetadataState())
    loading.begin(_loading(1_200, 70), lambda records, took_ms: None)
    assert not gc.isenabled()
    loading.begin(_loading(3, 90), lambda records, took_ms: None)
    assert gc.isenabled()
