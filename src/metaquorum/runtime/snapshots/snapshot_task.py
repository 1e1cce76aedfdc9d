"""Writes snapshots of the state: decides when, walks the state in slices, never holds up the loop.

Every voter and every observer writes for itself. A slice of records is encoded on the loop, then
everybody else has a turn, a longer one while something waits to be committed; the bytes go to a
file of another name in a thread, and there they are checked, synced and renamed. Only then is it an
event of the core, which may drop the prefix.
"""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TypeVar, TypeVarTuple

import trio
from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import SNAPSHOT_REST_PERCENT, SNAPSHOT_WRITE_BYTES
from metaquorum.base.offsets import Offset
from metaquorum.metadata.snapshot_triggers import SnapshotTriggers
from metaquorum.metadata.snapshot_writer import load_codecs
from metaquorum.metadata.state import MetadataState
from metaquorum.observe.events import EventLog
from metaquorum.quorum.events import SnapshotWritten
from metaquorum.quorum.state import ReplicaState
from metaquorum.runtime.disk.log_lane import RunInThread
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.machine import BeginWriting, Writing
from metaquorum.runtime.snapshots.snapshot_measures import SnapshotMeasures
from metaquorum.runtime.snapshots.snapshot_writing import SnapshotWriting
from metaquorum.storage.snapshot_check import BadSnapshot, SnapshotFacts
from metaquorum.storage.snapshot_files import SnapshotFiles

Args = TypeVarTuple("Args")
R = TypeVar("R")


def metadata_snapshot(
    state: MetadataState, replica: ReplicaState, wall_ms: Millis
) -> Writing | None:
    """A snapshot of the metadata, begun; None where none may be written now."""
    return SnapshotWriting.begin(state, replica, wall_ms)


@define(eq=False)
class SnapshotTask:
    """One task; at most one snapshot is written at a time.

    ``triggers`` say when. They are asked when the state has moved, and when their time comes.
    ``begin`` opens one, of the metadata unless another machine's is given, and ``load_codecs``
    imports what it is written with.
    """

    driver: Driver
    files: SnapshotFiles
    triggers: SnapshotTriggers
    log: EventLog
    measures: SnapshotMeasures
    run_in_thread: RunInThread = trio.to_thread.run_sync
    begin: BeginWriting = field(default=metadata_snapshot)
    load_codecs: Callable[[], None] = load_codecs
    _moved: trio.Event = field(factory=trio.Event)
    _limiter: trio.CapacityLimiter = field(factory=lambda: trio.CapacityLimiter(1))

    def replayed(self, end: Offset, size_bytes: int) -> None:
        """A batch of the log that ends at ``end`` became part of the live state."""
        self.triggers.replayed(end, size_bytes)

    def state_moved(self) -> None:
        """The committed state is further than before, or another one took its place."""
        self.triggers.committed(self.driver.controller.state.stable_offset)
        if not self._moved.is_set() and self._due() is not None:
            self._moved.set()

    async def run(self) -> None:
        """Write whenever one is due; ends by cancellation."""
        while True:
            reason = self._due()
            if reason is None or not await self.write(reason):
                await self._wait()

    async def write(self, reason: str) -> bool:
        """Write one now, whatever the triggers say; False when none may be written.

        A disk that fails only this file is logged and tried again when the next one is due.
        """
        driver = self.driver
        writing = self.begin(driver.controller.state, driver.replica, driver.clock.wall_ms())
        if writing is None:
            return False
        self.triggers.restart(driver.clock.now_ms())
        began = perf_counter()
        place = {"end": writing.id.offset, "epoch": writing.id.epoch}
        try:
            facts = await self._written(writing)
        except (OSError, BadSnapshot) as error:
            self.measures.failures.add()
            self.log.error("snapshot-failed", **place, why=str(error))
            driver.lane.check_soon()  # it may be the whole directory that is gone
            return True
        finally:
            writing.end()
        if facts is None:
            self.log.info("snapshot-abandoned", **place, why="a newer one was installed")
            return True
        took_ms = (perf_counter() - began) * 1_000
        self.measures.generated(facts.size_bytes, took_ms, driver.clock.now_ms())
        self.log.info(
            "snapshot-written",
            **place,
            why=reason,
            records=facts.records,
            bytes=facts.size_bytes,
            took_ms=round(took_ms),
        )
        writing.wrote(facts.records)
        driver.post(SnapshotWritten(writing.id, facts.size_bytes))
        return True

    async def _written(self, writing: Writing) -> SnapshotFacts | None:
        """Everything but the telling; None when it was abandoned. The part never stays."""
        files = self.files
        await self._aside(self.load_codecs)
        part = await self._aside(files.begin, writing.id)
        is_frozen = False
        try:
            slices: list[bytes] = []
            waiting_bytes = 0
            while self._is_wanted(writing):
                began = perf_counter()
                batch = next(writing.batches, None)
                worked_s = perf_counter() - began
                if batch is not None:
                    slices.append(batch)
                    waiting_bytes += len(batch)
                if batch is None or waiting_bytes >= SNAPSHOT_WRITE_BYTES:
                    await self._aside(part.append_all, slices)
                    slices, waiting_bytes = [], 0
                if batch is None:
                    break
                await self._let_others_work(worked_s)
            if not self._is_wanted(writing):
                return None
            facts = await self._aside(files.freeze, part)
            is_frozen = True
            files.frozen(writing.id)
            return facts
        finally:
            if not is_frozen:
                with trio.CancelScope(shield=True):
                    await self._aside(part.discard)

    async def _let_others_work(self, worked_s: float) -> None:
        """Rest after a slice that took so long; only for a moment while all is committed."""
        log = self.driver.replica.log
        if log.high_watermark == log.end:
            await trio.lowlevel.checkpoint()
        else:
            await trio.sleep(worked_s * SNAPSHOT_REST_PERCENT / 100)

    def _is_wanted(self, writing: Writing) -> bool:
        return writing.is_wanted(self.driver.controller.state)

    async def _aside(self, work: Callable[[*Args], R], *arguments: *Args) -> R:
        return await self.run_in_thread(work, *arguments, limiter=self._limiter)

    def _due(self) -> str | None:
        changes = self.driver.controller.state.changes
        ratio = None if changes is None else changes.ratio
        return self.triggers.due(self.driver.clock.now_ms(), ratio)

    async def _wait(self) -> None:
        """Until the state moves while a snapshot is due, or the time for one comes."""
        now, deadline = self.driver.clock.now_ms(), self.triggers.deadline
        self._moved = trio.Event()
        # A deadline that has passed in vain waits for the state to move, which is asked about it.
        sleep_until = deadline / 1_000 if deadline > now else float("inf")
        with trio.move_on_at(sleep_until):
            await self._moved.wait()
