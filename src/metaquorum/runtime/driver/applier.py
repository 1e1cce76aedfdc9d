"""Feeds committed batches to the controller until it writes them itself.

At start and on a standby the controller learns the state from the log, in order, committed
batches only. An active controller has replayed its own records already and only learns how far
the watermark is.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Protocol

import trio
from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import RECORDS_PER_SLICE
from metaquorum.base.offsets import Offset
from metaquorum.controller.events import BatchCommitted
from metaquorum.metadata.reading import walk_metadata_batch
from metaquorum.records.batch import BatchHeader, check
from metaquorum.records.errors import BatchError
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.machine import ReadBatch

READ_BYTES = 1_048_576
"""How much is read at once: one batch at least, and then as many as fit."""
INLINE_OFFSETS = 256
"""As many are replayed at once, without the task being woken for them."""


class ReadsBatches(Protocol):
    """The log's end and its bytes."""

    @property
    def end_offset(self) -> Offset:
        """The log end offset, accepted batches included."""

    def read_bytes(self, offset: Offset, below: Offset, max_bytes: int) -> bytes:
        """Whole batches from the one that holds ``offset``, none that ends above ``below``."""


class Loads(Protocol):
    """A snapshot that takes the state's place, in slices."""

    @property
    def is_under_way(self) -> bool:
        """Whether batches have to wait for the state that they go on from."""

    def turn(self) -> bool:
        """One slice; False when there is nothing to do."""


class UnreadableLog(InvariantViolated):
    """The log gave back other bytes than were written: the node must not act on them.

    The process stops; recovery finds out after a restart whether the disk or only the read of it
    was bad.
    """

    def __init__(self, why: str) -> None:
        super().__init__(f"the log cannot be read back: {why}")


def _sound_batches(data: bytes, first: Offset) -> Iterator[tuple[BatchHeader, memoryview]]:
    """The batches that end above ``first``, their checksums right and their offsets in a row.

    What was written by this very process is checked as well: a bit may turn at rest or on the
    way back (KAFKA-14104).
    """
    view = memoryview(data)
    at, expected = 0, first
    try:
        while at < len(view):
            header = check(view, at)
            batch = view[at : at + header.size_bytes]
            at += header.size_bytes
            if header.next_offset <= first:
                continue
            if header.base_offset > expected or header.next_offset <= expected:
                raise UnreadableLog(f"a batch at {header.base_offset}, {expected} was due")
            expected = header.next_offset
            yield header, batch
    except BatchError as error:
        raise UnreadableLog(f"after offset {expected}: {error}") from error


@define(eq=False)
class Applier:
    """Reads what is committed, hands it over, and says when the controller may take over.

    That is a task's work, but the few records of one fetch are applied at once: to
    wake a task costs more.
    """

    driver: Driver
    log: ReadsBatches
    loading: Loads
    read_batch: ReadBatch = walk_metadata_batch
    batches_applied: int = field(default=0)
    _begun: Iterator[None] | None = None
    _begun_until: Offset = -1

    def apply_inline(self) -> bool:
        """Apply what was committed since the last time if that is little; False, and perhaps only
        a part of it is applied, where the task has to.
        """
        driver = self.driver
        if driver.active or driver.active_from is not None or self.loading.is_under_way:
            return False
        if driver.watermark.value - driver.next_to_apply > INLINE_OFFSETS:
            return False
        self._apply_slice()
        return driver.next_to_apply >= driver.watermark.value

    async def run(self) -> None:
        """Apply for ever; ends by cancellation."""
        driver = self.driver
        while True:
            if not self.turn():
                driver.work_to_apply = trio.Event()
                await driver.work_to_apply.wait()
            else:
                await trio.lowlevel.checkpoint()

    def turn(self) -> bool:
        """Apply one slice, or let the controller take over; False when there is no more to do."""
        if self.loading.is_under_way:
            return self.loading.turn()
        if not self.driver.active and (self._apply_slice() or self._activate()):
            return True
        return self.loading.turn()

    def _apply_slice(self) -> bool:
        """Hand over up to one slice of committed batches; False when there is nothing new."""
        driver = self.driver
        committed = driver.watermark.value
        before = driver.next_to_apply
        if before >= committed:
            return False
        begun = self._begun
        if begun is None or before != self._begun_until:
            begun = self._replayed(self.log.read_bytes(before, committed, READ_BYTES), before)
        self._begun = begun if next(begun, self) is None else None
        self._begun_until = driver.next_to_apply
        driver.state_moved()
        if driver.next_to_apply == before:
            raise UnreadableLog(f"there is nothing at offset {before}, though it is committed")
        return True

    def _replayed(self, data: bytes, first: Offset) -> Iterator[None]:
        """Hand over these batches; stops after every RECORDS_PER_SLICE records, within one too."""
        driver, left = self.driver, RECORDS_PER_SLICE
        for header, batch in _sound_batches(data, first):
            # Before a batch, not after it: after the last one nothing is left to go on with.
            if left <= 0:
                left = RECORDS_PER_SLICE
                yield
            records, at = iter(self.read_batch(batch, header)), header.base_offset
            some = tuple(islice(records, RECORDS_PER_SLICE))
            while some:
                behind = tuple(islice(records, RECORDS_PER_SLICE))
                driver.post_to_controller(
                    BatchCommitted(
                        at, header.leader_epoch, header.max_timestamp_ms, some, not behind
                    )
                )
                at += len(some)
                left -= len(some)
                if behind:
                    driver.next_to_apply = at
                    yield
                else:
                    for tell in driver.listeners.replayed:
                        tell(header.next_offset, header.size_bytes)
                some = behind
            driver.next_to_apply = header.next_offset
            self.batches_applied += 1

    def _activate(self) -> bool:
        """Let the controller take over once our epoch's first batch is applied."""
        driver = self.driver
        if driver.active_from is None or driver.next_to_apply < driver.active_from:
            return False
        driver.activate(self.log.end_offset)
        return False
