"""A node writes snapshots of what it has committed: when its task would, step by step.

The decisions (triggers), the contents and the file are the production code's own; only the order
in time is the simulator's, so that a crash, a leader change or an install comes in the middle.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from attrs import define

from metaquorum.base.errors import InvariantViolated
from metaquorum.node.assembly import Node
from metaquorum.quorum.events import SnapshotWritten
from metaquorum.quorum.types import SnapshotId
from metaquorum.runtime.snapshots.snapshot_writing import SnapshotWriting
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.storage.snapshot_files import SnapshotPart
from metaquorum.testing.sim.disk import PowerLost, SimDisk
from metaquorum.testing.simulator.scenario import Scenario

STEPS_OF_A_FREEZE = 5
"""Writes, syncs and renames between the last batch and a snapshot that lasts, and one more."""


def snapshot_properties(scenario: Scenario) -> dict[str, str]:
    """The keys of a node's configuration that a scenario sets about snapshots; 0 sets none."""
    keys = {
        "metadata.log.max.record.bytes.between.snapshots": scenario.snapshot_bytes,
        "metadata.log.max.snapshot.interval.ms": scenario.snapshot_ms,
        "metadata.max.retention.bytes": scenario.retention_bytes,
        "metadata.start.offset.lag.time.max.ms": scenario.start_lag_ms,
        "controller.quorum.fetch.snapshot.max.bytes": scenario.part_bytes,
    }
    return {key: str(value) for key, value in keys.items() if value}


@define(eq=False)
class SnapshotWriter:
    """Stands in the place of ``runtime.snapshot_task``, in virtual time.

    ``after(delay_us, act)`` does something later in this life of the node. ``wrote`` is called with
    a snapshot that is on the disk, before the node is, ``begun`` when one is begun; ``fired``
    counts.
    """

    node: Node
    disk: SimDisk
    random: Random
    after: Callable[[int, Callable[[], None]], None]
    latency_us: Callable[[], int]
    wrote: Callable[[SnapshotId], None]
    fired: Callable[[str], None]
    begun: Callable[[], None]
    _writing: SnapshotWriting | None = None
    _part: SnapshotPart | None = None

    def look(self) -> None:
        """The state has moved: begin one if one is due and none is under way."""
        if self._writing is not None:
            return
        due = self.node.snapshots.triggers.due(self.node.driver.clock.now_ms())
        if due is not None and self._begin():
            self.after(self.latency_us(), self._go_on)

    def write_at_once(self) -> None:
        """One now, whatever the triggers say, and without a pause."""
        if self._writing is None and self._begin():
            while self._step():
                pass

    def lose_power(self) -> None:
        """The node goes down: what was being written is there as far as it came."""
        writing, part = self._writing, self._part
        if writing is None or part is None or not self._is_wanted(writing):
            return
        self.fired("snapshot-cut-short")
        self.disk.power_left = self.random.randrange(STEPS_OF_A_FREEZE)
        try:
            part.append_all([*writing.batches])
            part.freeze()
        except (PowerLost, OSError):
            return

    def _begin(self) -> bool:
        driver, files = self.node.driver, self.node.directory.snapshots
        writing = SnapshotWriting.begin(
            driver.controller.state, driver.replica, driver.clock.wall_ms()
        )
        if writing is None:
            return False
        self.node.snapshots.triggers.restart(driver.clock.now_ms())
        self._writing = writing
        try:
            self._part = SnapshotPart.begun(files.disk, files.directory, writing.id)
        except OSError:
            return self._end("snapshot-failed")
        self.begun()
        return True

    def _go_on(self) -> None:
        if self._step():
            self.after(self.latency_us(), self._go_on)

    def _step(self) -> bool:
        """One more batch, or the end of it; False when there is no more to do."""
        writing, part = self._writing, self._part
        if writing is None or part is None:
            raise InvariantViolated("a snapshot is written on that was not begun")
        if not self._is_wanted(writing):
            part.discard()
            return self._end("snapshot-abandoned")
        try:
            batch = next(writing.batches, None)
            if batch is not None:
                part.append(batch)
                return True
            facts = part.freeze()
        except OSError:  # logged, and tried again when the next one is due
            part.discard()
            return self._end("snapshot-failed")
        except BadSnapshot as error:
            raise InvariantViolated(f"it wrote a snapshot that is none: {error}") from error
        self.node.directory.snapshots.frozen(writing.id)
        writing.wrote(facts.records)
        self._end("snapshot")
        self.wrote(writing.id)
        self.node.driver.post(SnapshotWritten(writing.id, facts.size_bytes))
        return False

    def _is_wanted(self, writing: SnapshotWriting) -> bool:
        return writing.is_wanted(self.node.driver.controller.state)

    def _end(self, what: str) -> bool:
        if self._writing is not None:
            self._writing.end()
        self._writing = self._part = None
        self.fired(what)
        return False
