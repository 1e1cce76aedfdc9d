"""A downloaded snapshot that the disk took is the new beginning; one it would not take is told."""

from __future__ import annotations

from typing import Any

from attrs import define, field

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.controller.events import SnapshotLoaded
from metaquorum.node.snapshot_install import SnapshotInstall
from metaquorum.observe.events import EventLog
from metaquorum.quorum.events import SnapshotInstalled, SnapshotRejected

SNAPSHOT = OffsetAndEpoch(3, 70)


@define
class FakeDirectory:
    """Directory, journal and snapshot files in one."""

    rejected: list[tuple[OffsetAndEpoch, str]] = field(factory=list)
    records: tuple[str, ...] = ("a record",)
    has_legacy_bootstrap: bool = False

    @property
    def journal(self) -> FakeDirectory:
        return self

    @property
    def snapshots(self) -> FakeDirectory:
        return self

    def take_rejected(self) -> list[tuple[OffsetAndEpoch, str]]:
        return self.rejected

    def records_of(self, snapshot: OffsetAndEpoch) -> tuple[str, ...]:
        return self.records

    def drop_legacy_bootstrap(self) -> bool:
        dropped, self.has_legacy_bootstrap = self.has_legacy_bootstrap, False
        return dropped

    def controls_of(self, snapshot: OffsetAndEpoch) -> tuple[str, ...]:
        return ("a control",)

    def size_bytes(self, snapshot: OffsetAndEpoch) -> int:
        return 512


@define
class FakeDriver:
    """Keeps what it was told, in order."""

    told: list[Any] = field(factory=list)
    next_to_apply: int = 7

    def tell(self, event: Any) -> None:
        self.told.append((event, self.next_to_apply))

    def tell_controller(self, event: Any) -> None:
        self.told.append((event, self.next_to_apply))


def settled(directory: FakeDirectory) -> tuple[FakeDriver, list[str]]:
    driver, lines = FakeDriver(), []
    install = SnapshotInstall(directory, driver, EventLog(lines.append, lambda: 0))  # type: ignore[arg-type]
    install.settle(SNAPSHOT)
    return driver, lines


def test_the_state_is_loaded_before_the_core_may_say_what_is_committed():
    driver, lines = settled(FakeDirectory())
    (loaded, _), (installed, next_to_apply) = driver.told
    assert loaded == SnapshotLoaded(70, 3, 0, ("a record",))
    assert installed == SnapshotInstalled(SNAPSHOT, 512, ("a control",))
    assert next_to_apply == 70
    assert "snapshot-installed end=70 epoch=3 records=1" in lines[0]


def test_a_file_that_did_not_hold_what_it_should_is_told_with_the_reason():
    driver, lines = settled(FakeDirectory([(SNAPSHOT, "the footer is missing")]))
    assert driver.told == [(SnapshotRejected(SNAPSHOT, "the footer is missing"), 7)]
    assert "snapshot-rejected" in lines[0] and "footer" in lines[0]


def test_the_bootstrap_file_of_older_releases_goes_with_the_first_snapshot_of_records():
    """KIP-1170: not with one that has no records, for then nobody else knows them."""
    directory = FakeDirectory(has_legacy_bootstrap=True)
    _, lines = settled(directory)
    assert not directory.has_legacy_bootstrap
    assert any("bootstrap-file-deleted" in line for line in lines)
    without = FakeDirectory(records=(), has_legacy_bootstrap=True)
    settled(without)
    assert without.has_legacy_bootstrap
