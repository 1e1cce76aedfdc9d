"""A downloaded snapshot that the disk took is the new beginning; one it would not take is told."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from attrs import define, field

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.snapshot_triggers import SnapshotPolicy, SnapshotTriggers
from metaquorum.node.assembly import _drop_legacy_bootstrap
from metaquorum.node.snapshot_install import SnapshotInstall
from metaquorum.observe.events import EventLog
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected
from metaquorum.runtime.snapshots.snapshot_measures import SnapshotMeasures

SNAPSHOT = OffsetAndEpoch(3, 70)


@define
class FakeDirectory:
    """Directory, journal and snapshot files in one."""

    rejected: list[tuple[OffsetAndEpoch, str]] = field(factory=list)
    has_legacy_bootstrap: bool = True
    records: int = 1

    @property
    def journal(self) -> FakeDirectory:
        return self

    @property
    def snapshots(self) -> FakeDirectory:
        return self

    def take_rejected(self) -> list[tuple[OffsetAndEpoch, str]]:
        return self.rejected

    def loading_of(self, snapshot: OffsetAndEpoch) -> str:
        return f"the state at {snapshot.offset}"

    def controls_of(self, snapshot: OffsetAndEpoch) -> tuple[str, ...]:
        return ("a control",)

    def size_bytes(self, snapshot: OffsetAndEpoch) -> int:
        return 512

    def drop_legacy_bootstrap(self) -> bool:
        had, self.has_legacy_bootstrap = self.has_legacy_bootstrap, False
        return had

    def loaded(self, records: int, log: EventLog) -> None:
        _drop_legacy_bootstrap(self, records, log)  # type: ignore[arg-type]


def settled(directory: FakeDirectory) -> tuple[list[Any], Any, list[str]]:
    told: list[Any] = []
    driver = SimpleNamespace(
        post=told.append,
        work_to_apply=SimpleNamespace(set=lambda: told.append("work")),
        clock=SimpleNamespace(now_ms=lambda: 900),
    )

    def begin(loading: str, on_loaded: Any) -> None:
        told.append(loading)
        on_loaded(directory.records, 7.0)

    triggers = SnapshotTriggers(SnapshotPolicy(10, 1_000), 0, bytes=9)
    task = SimpleNamespace(measures=SnapshotMeasures(0), triggers=triggers)
    lines: list[str] = []
    log = EventLog(lines.append, lambda: 0)
    loading = SimpleNamespace(begin=begin)
    install = SnapshotInstall(
        directory,  # type: ignore[arg-type]
        driver,  # type: ignore[arg-type]
        loading,  # type: ignore[arg-type]
        task,  # type: ignore[arg-type]
        log,
        directory.loading_of,  # type: ignore[arg-type]
        lambda records: directory.loaded(records, log),
    )
    install.settle(SNAPSHOT)
    return told, task, lines


def test_the_state_is_loaded_before_the_core_learns_of_the_snapshot() -> None:
    told, _, lines = settled(FakeDirectory())
    installed = SnapshotInstalled(SNAPSHOT, 512, ("a control",))  # type: ignore[arg-type]
    assert told == ["the state at 70", installed, "work"]
    assert "snapshot-installed end=70 epoch=3 bytes=512" in lines[0]


def test_what_was_loaded_is_measured_and_counting_begins_anew() -> None:
    directory = FakeDirectory()
    _, task, lines = settled(directory)
    measures = task.measures
    assert (measures.loads.value, measures.latest_bytes, measures.load_ms.total) == (1, 512, 7.0)
    assert (task.triggers.bytes, task.triggers.since_ms) == (0, 900)
    assert "snapshot-loaded records=1 took_ms=7" in lines[1]


def test_the_first_snapshot_with_records_deletes_the_bootstrap_file() -> None:
    """KIP-1170: not with one that has no records, for then nobody else knows them."""
    directory = FakeDirectory()
    _, _, lines = settled(directory)
    assert not directory.has_legacy_bootstrap
    assert any("bootstrap-file-deleted" in line for line in lines)
    without = FakeDirectory(records=0)
    settled(without)
    assert without.has_legacy_bootstrap


def test_a_snapshot_with_wrong_contents_is_rejected_with_the_reason() -> None:
    told, _, lines = settled(FakeDirectory([(SNAPSHOT, "the footer is missing")]))
    assert told == [SnapshotRejected(SNAPSHOT, "the footer is missing")]
    assert "snapshot-rejected" in lines[0] and "footer" in lines[0]
