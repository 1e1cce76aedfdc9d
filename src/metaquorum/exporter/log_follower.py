"""Follows the metadata log of a quorum for as long as the exporter runs, whatever happens to it.

It runs in a thread of its own, since the reader blocks. What it knows it leaves as ``figures``.
When reading ends with an error it says so and begins again where it was; when the log is no longer
the one that was read, from its beginning.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final, Protocol

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.client.leader_link import Address
from metaquorum.client.log_record import FetchedBatch
from metaquorum.client.metadata_log import LogDiverged, MetadataLogReader, reading
from metaquorum.client.security import Security
from metaquorum.exporter.figures import LogFigures, LogPlace
from metaquorum.exporter.source import FAILURES, LOG_LOST, UNREADABLE, Source
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop import collector

PATIENCE_MS: Final = 10_000  # without a leader: an election takes a few seconds
RETRY_S: Final = 1.0
UNREADABLE_RETRY_S: Final = 60.0  # the same bytes will hardly read better
PUBLISH_EVERY_MS: Final = 50
PUBLISH_SHARE: Final = 10  # at most this fraction of the time goes into figures


class Log(Protocol):
    """What is made of a log: a state whose figures are shown (``FollowedLog``), or a recording.

    ``position`` is where to go on, and ``epoch`` that of the record before it, None at the
    beginning.
    """

    position: Offset
    epoch: Epoch | None
    is_live: bool

    def cleared(self) -> Iterator[None]:
        """Forget what was read and begin anew, in steps."""

    def go_live(self) -> None:
        """The log was read to its end for the first time."""

    def replay(self, batch: FetchedBatch) -> None:
        """Take one committed batch."""

    def load(
        self, snapshot: OffsetAndEpoch, first: FetchedBatch, more: Iterator[FetchedBatch]
    ) -> Iterator[int]:
        """Take a snapshot's batches; from time to time, how many records were read."""

    def figures(self, place: LogPlace, now_ms: Millis) -> LogFigures | None:
        """All batches of an answer were taken: what they came to, where there are figures."""


@define(eq=False)
class LogFollower:
    """Reads and replays until ``stop``; ``wait`` sleeps, and returns True once it is to stop.

    ``security`` is asked before each connecting anew, so that renewed certificates count.
    ``open`` makes a reader (tests pass their own).
    """

    bootstrap: Sequence[Address]
    security: Callable[[], Security]
    log: Log
    source: Source
    lines: EventLog
    now_ms: Callable[[], Millis]
    wait: Callable[[float], bool]
    open: Callable[..., MetadataLogReader] = MetadataLogReader
    figures: LogFigures | None = field(default=None, init=False)
    begun_anew: Counter[str] = field(factory=Counter, init=False)
    _reader: MetadataLogReader | None = field(default=None, init=False)
    _told: deque[str] = field(factory=deque, init=False)
    """Why to begin anew, as other threads told; only this thread takes it out."""
    _found: str | None = field(default=None, init=False)
    """Why to begin anew, as this thread found."""
    _stopped: bool = field(default=False, init=False)
    _attempts: int = field(default=0, init=False)
    _leader_epoch: Epoch = field(default=0, init=False)
    _lost_at_ms: Millis | None = field(default=None, init=False)
    _publish_at_ms: Millis = field(default=0, init=False)

    def run(self) -> None:
        """Until ``stop`` was called, or ``wait`` says that it was."""
        while not self._stopped:
            pause_s = self._attempt()
            if self.wait(pause_s):
                return

    def stop(self) -> None:
        """End ``run`` soon; any thread may call it."""
        self._stopped = True
        self._stop_reader()

    def begin_anew(self, why: str) -> None:
        """Forget the state and read from the beginning: it is another log. Of any thread."""
        self._told.append(why)
        self._stop_reader()

    def _stop_reader(self) -> None:
        reader = self._reader
        if reader is not None:
            reader.stop()

    def _attempt(self) -> float:
        """Read until that fails; how long to wait before the next attempt, in seconds."""
        why = self._why_anew()
        if why is not None:
            self._forget(why)
        try:
            self._read()
        except FAILURES as error:
            if self._is_to_end():  # amid a snapshot, for one; or the log of another cluster
                return 0.0
            reason = self.source.failed(error)
            if reason == UNREADABLE or (reason == LOG_LOST and self._is_lost()):
                self._found = reason
            return UNREADABLE_RETRY_S if reason == UNREADABLE else RETRY_S
        return 0.0

    def _why_anew(self) -> str | None:
        """Why the log is to be read from its beginning, if it is; what was told comes first.

        The log of another cluster fails as one that lost records, often before anybody tells.
        """
        why, self._found = self._found, None
        while self._told:
            why = self._told.popleft()
        return why

    def _is_lost(self) -> bool:
        """Whether it is sure that committed records which were read are gone.

        A leader that lost its quorum may not know them and lead for some seconds more; its epoch is
        below theirs.
        """
        if self._leader_epoch >= (self.log.epoch or 0):
            return True
        now_ms = self.now_ms()
        if self._lost_at_ms is None:
            self._lost_at_ms = now_ms
        return now_ms - self._lost_at_ms >= PATIENCE_MS

    def _forget(self, why: str) -> None:
        self.begun_anew = self.begun_anew + Counter((why,))
        self.lines.warn("log-begun-anew", why=why, position=self.log.position)
        self.figures, self._publish_at_ms = None, 0
        for _ in self.log.cleared():
            pass
        collector.unfreeze()

    def _read(self) -> None:
        # One server whose certificate is not good must not keep the others from being asked.
        first = self._attempts % len(self.bootstrap)
        self._attempts += 1
        reader = self.open(
            (*self.bootstrap[first:], *self.bootstrap[:first]),
            start=self.log.position,
            start_epoch=self.log.epoch,
            follow=True,
            timeout_ms=PATIENCE_MS,
            impatient=True,
            notice=self._notice,
            security=self.security(),
        )
        reader.answered = partial(self._answered, reader)
        self._reader = reader
        try:
            if self._is_to_end():  # told before there was a reader to stop
                return
            with reading(reader):
                batches = reader.batches()
                for batch in batches:
                    if self._is_to_end():
                        return
                    self._check_epoch(batch)
                    if batch.snapshot is None:
                        self.log.replay(batch)
                    else:
                        self._load(batch.snapshot, batch, batches)
        finally:
            self._reader, self._leader_epoch = None, reader.link.epoch

    def _is_to_end(self) -> bool:
        return self._stopped or bool(self._told)

    def _check_epoch(self, batch: FetchedBatch) -> None:
        """Epochs never go back in a log; LogDiverged where they do, for it is another one."""
        snapshot = batch.snapshot
        epoch = batch.header.leader_epoch if snapshot is None else snapshot.epoch
        if self.log.epoch is not None and epoch < self.log.epoch:
            raise LogDiverged(
                f"offset {self.log.position} comes after epoch {self.log.epoch} and is of "
                f"epoch {epoch}: it is another log"
            )

    def _load(
        self, snapshot: OffsetAndEpoch, first: FetchedBatch, more: Iterator[FetchedBatch]
    ) -> None:
        """Take a snapshot. The state before goes first: there is no room for two large ones."""
        for _ in self.log.cleared():
            pass
        collector.unfreeze()
        was_on = collector.pause()
        records = 0
        try:
            for count in self.log.load(snapshot, first, more):
                records = count
                if self._stopped:
                    return
        finally:
            collector.resume(records, was_on=was_on)
        self.lines.info(
            "snapshot-loaded", end_offset=snapshot.offset, epoch=snapshot.epoch, records=records
        )

    def _answered(self, reader: MetadataLogReader) -> None:
        """All batches of an answer were taken: show what they came to."""
        self.source.worked()
        self._lost_at_ms = None
        at_end = reader.position >= reader.high_watermark >= 0
        if at_end and not self.log.is_live:
            self.log.go_live()
            self.lines.info("log-read", position=self.log.position)
        began_ms = self.now_ms()
        if began_ms < self._publish_at_ms:
            return
        leader_id = reader.link.leader_id
        place = LogPlace(
            self.log.position,
            reader.high_watermark,
            reader.log_start_offset,
            -1 if leader_id is None else leader_id,
            reader.link.epoch,
        )
        self.figures = self.log.figures(place, began_ms)
        took_ms = self.now_ms() - began_ms
        self._publish_at_ms = began_ms + max(PUBLISH_EVERY_MS, PUBLISH_SHARE * took_ms)

    def _notice(self, text: str) -> None:
        self.lines.info("log", says=text)
