"""Read ``__cluster_metadata`` of any KRaft quorum, ours or Apache Kafka's, without a trace in it.

The reader behaves like an observer that nobody can see. It fetches up to the leader's log end
and holds what is not committed yet; only what lies below the high watermark is yielded, so
nothing that was yielded is ever taken back. After a leader change the new leader may say that
held batches diverge: they are dropped and fetched anew. A divergence below the watermark cannot
happen in a quorum that keeps its promises, and ends the reading with LogDiverged.

A start that is snapshotted away is bridged: the latest snapshot's records come first, each
marked with the snapshot's end, then the log from that end on. While the log still has its
beginning it is read from there, even though a leader would rather hand out the snapshot.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import Final, Literal

from attrs import define, field

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.limits import MAX_TAIL_HELD_BYTES, TAIL_FETCH_WAIT_MS
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch
from metaquorum.client.connection import ConnectionFailed, VersionsDoNotMeet
from metaquorum.client.fetch_form import (
    FETCH,
    LEAST_VERSION,
    FetchAnswer,
    fetch_request,
    read_answer,
)
from metaquorum.client.held_batches import HeldBatches
from metaquorum.client.leader_link import REQUEST_TIMEOUT_MS, Address, LeaderLink, NoLeader
from metaquorum.client.log_record import FetchedBatch, LogRecord
from metaquorum.client.security import PLAIN, Security
from metaquorum.client.snapshot_download import SnapshotUnavailable, download, walk
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import parse_bootstrap_servers
from metaquorum.records.batch import check
from metaquorum.records.errors import BatchError
from metaquorum.records.reader import walk_batches
from metaquorum.wire.generated import error_codes as codes

LEADER_TIMEOUT_MS: Final = 30_000
MAX_ASSUMED_EPOCHS: Final = 32  # one short round trip each; elections between two snapshots
SNAPSHOT_IN_MEMORY_BYTES: Final = 8_388_608  # larger ones are spooled to a temporary file

# The leader may be elsewhere, or not there yet: look again.
_LOOK_AGAIN = frozenset(
    (
        codes.UNKNOWN_SERVER_ERROR,
        codes.LEADER_NOT_AVAILABLE,
        codes.NOT_LEADER_OR_FOLLOWER,
        codes.REQUEST_TIMED_OUT,
        codes.BROKER_NOT_AVAILABLE,
        codes.FENCED_LEADER_EPOCH,
        codes.UNKNOWN_LEADER_EPOCH,
    )
)
_NO_METADATA_LOG = frozenset(
    (
        codes.UNKNOWN_TOPIC_OR_PARTITION,
        codes.UNKNOWN_TOPIC_ID,
        codes.INCONSISTENT_TOPIC_ID,
        codes.INVALID_REQUEST,
    )
)


class TailRefused(OperatorError):
    """A server refuses for good to let its metadata log be read; the message says which and why."""


class OffsetNotInLog(OperatorError):
    """The reading was to begin at an offset that the log does not have."""


class SnapshottedAway(OperatorError):
    """The reading was to begin below the log's start, and not to take the snapshot instead."""

    def __init__(self, offset: Offset, log_start_offset: Offset, snapshot: OffsetAndEpoch) -> None:
        super().__init__(
            f"offset {offset} is snapshotted away: the log starts at {log_start_offset}, the "
            f"snapshot ends at {snapshot.offset}, epoch {snapshot.epoch}"
        )
        self.log_start_offset = log_start_offset
        self.snapshot = snapshot


class LogDiverged(OperatorError):
    """The quorum no longer has committed records that were read: it lost data."""


@define
class MetadataLogReader:
    """An iterator over the committed metadata log.

    ``start`` is an offset, ``beginning`` or ``end`` (the high watermark at the first contact).
    Without ``follow`` the reading ends at the high watermark of the first contact. ``notice`` is
    given a line of text about leader changes and snapshots, and ``answered`` is called when all
    batches of an answer were taken, which may be none. ``timeout_ms`` bounds how long the
    quorum may be without a leader; NoLeader is raised then, except by a reader that follows and was
    served before: that one says so and keeps looking, unless it is ``impatient``. ``start_epoch``
    is the epoch of the record before ``start`` where that is known: a log that has another one
    there raises LogDiverged.
    Without ``bridge`` a start that is snapshotted away raises SnapshottedAway. ``accepted_epoch``
    is the one that the leader took for that of the record before the start: at the start of its log
    it takes none but that of its oldest snapshot.
    """

    bootstrap: Sequence[Address]
    start: Offset | Literal["beginning", "end"] = "beginning"
    follow: bool = False
    timeout_ms: int = LEADER_TIMEOUT_MS
    wait_ms: int = TAIL_FETCH_WAIT_MS
    notice: Callable[[str], None] = field(default=lambda text: None)
    answered: Callable[[], None] = field(default=lambda: None)
    start_epoch: Epoch | None = None
    bridge: bool = True
    impatient: bool = False
    security: Security = PLAIN
    link: LeaderLink = field()
    high_watermark: Offset = field(default=NO_OFFSET, init=False)
    position: Offset = field(default=0, init=False)
    log_start_offset: Offset = field(default=NO_OFFSET, init=False)
    accepted_epoch: Epoch | None = field(default=None, init=False)
    _held: HeldBatches = field(factory=HeldBatches, init=False)
    _last_epoch: Epoch | None = field(default=None, init=False)
    _until: Offset | None = field(default=None, init=False)
    _placed: bool = field(default=False, init=False)
    _past_zero: bool = field(default=False, init=False)
    _assumed_epoch: Epoch | None = field(default=None, init=False)
    _assumptions: int = field(default=0, init=False)
    _announced: tuple[int | None, Epoch] | None = field(default=None, init=False)
    _stopped: bool = field(default=False, init=False)

    @link.default
    def _make_link(self) -> LeaderLink:
        connect = partial(self.security.open, timeout_ms=REQUEST_TIMEOUT_MS)
        return LeaderLink(self.bootstrap, self.timeout_ms, connect)

    def __attrs_post_init__(self) -> None:
        if isinstance(self.start, int):
            self.position = self.start
            self._last_epoch = self.start_epoch
        self._placed = self.start != "end"

    def stop(self) -> None:
        """End the iteration soon: at the latest when the present Fetch has been answered."""
        self._stopped = True

    def close(self) -> None:
        """Hang up."""
        self.link.hang_up()

    def records(self, types: Collection[str] | None = None) -> Iterator[LogRecord]:
        """The records from the start on; only of the named types when ``types`` is given."""
        first = self.start if isinstance(self.start, int) else 0
        for batch in self.batches():
            for record in self._readable(batch, types):
                if batch.snapshot is not None or record.offset >= first:
                    yield record

    def batches(self) -> Iterator[FetchedBatch]:
        """Whole committed batches; the first may begin below the start."""
        try:
            while not self._stopped and not self._at_end():
                answer = self._fetch()
                if answer is None:
                    continue
                if answer.snapshot is not None:
                    yield from self._after_snapshot_hint(answer, answer.snapshot)
                    continue
                self._take(answer)
                yield from self._committed()
                self.answered()
        finally:
            self.close()

    def find_leader(self) -> None:
        """Be connected to the leader, by an address that works from here; its epoch is known then.

        Raises what ``batches`` does; nothing is read.
        """
        while self._fetch() is None:
            pass

    # ------------------------------------------------------------ asking

    def _fetch(self) -> FetchAnswer | None:
        """One Fetch answered by the leader; None when another attempt is due."""
        try:
            answer = self._ask()
        except (ConnectionFailed, PeerError, VersionsDoNotMeet) as error:
            self._failed(str(error))
            return None
        if answer.error_code == codes.NONE:
            self.log_start_offset = answer.log_start_offset
            self.link.absorb(answer.leader_id, answer.leader_epoch, answer.endpoints)
            self.link.succeeded()
            self._announce()
            return answer
        self._after_error(answer)
        return None

    def _ask(self) -> FetchAnswer:
        connection = self.link.connected()
        version = connection.best_version(FETCH, least=LEAST_VERSION)
        request = fetch_request(
            epoch=self.link.epoch,
            fetch_offset=self._fetch_offset(),
            last_fetched_epoch=min(self._fetched_epoch(), self.link.epoch),
            high_watermark=self.high_watermark,
            wait_ms=self.wait_ms if self._placed and self._until_known() else 0,
        )
        return read_answer(connection.ask(FETCH, version, request))

    def _fetch_offset(self) -> Offset:
        if len(self._held):
            return self._held.end_offset
        return max(self.position, 1) if self._past_zero else self.position

    def _fetched_epoch(self) -> Epoch:
        """The epoch of what we have; the leader's own where we cannot know it."""
        if self._assumed_epoch is not None:
            return self._assumed_epoch
        if len(self._held):
            return self._held.last_epoch
        return self.link.epoch if self._last_epoch is None else self._last_epoch

    def _after_error(self, answer: FetchAnswer) -> None:
        code = answer.error_code
        helped = self.link.absorb(answer.leader_id, answer.leader_epoch, answer.endpoints)
        name = codes.NAMES.get(code, str(code))
        if code in _LOOK_AGAIN:
            if not helped:
                self._failed(name)
            return
        at = self.link.connection
        where = f"{at.host}:{at.port}" if at is not None else "the controller"
        if code == codes.OFFSET_OUT_OF_RANGE:
            raise OffsetNotInLog(
                f"offset {self._fetch_offset()} is not in the log of {where}, "
                f"which starts at {answer.log_start_offset}"
            )
        if code in _NO_METADATA_LOG:
            raise TailRefused(
                f"{where} does not serve the metadata log to replicas ({name}): "
                "is it a controller's listener?"
            )
        raise TailRefused(f"{where} refuses to let its metadata log be read: {name}")

    def _failed(self, why: str) -> None:
        try:
            self.link.failed(why)
        except NoLeader as error:
            if self.impatient or not (self.follow and self.link.served):
                raise
            self.link.keep_looking()
            self.notice(f"{error}; still looking")

    def _announce(self) -> None:
        now = (self.link.leader_id, self.link.epoch)
        if now != self._announced:
            self._announced = now
            at = self.link.connection
            where = f" at {at.host}:{at.port}" if at is not None else ""
            self.notice(f"controller {now[0]} leads in epoch {now[1]}{where}")

    # ------------------------------------------------------------ answers

    def _take(self, answer: FetchAnswer) -> None:
        """Place the reader if it was not yet, hold the batches, learn the watermark."""
        if self.accepted_epoch is None:
            self.accepted_epoch = self._fetched_epoch()
        self._assume(None)
        self._learn_watermark(answer.high_watermark)
        if not self._placed:
            if self.high_watermark >= 0:
                self.position = self.high_watermark
                self._placed = True
            return
        if answer.diverging is not None:
            self._truncate(answer.diverging)
            return
        after = self._fetch_offset()
        try:
            for header, data in walk_batches(answer.data):
                if header.next_offset > after:
                    check(data)
                    self._held.add(FetchedBatch(header, data))
        except BatchError as error:
            self._held.clear()
            self._failed(f"a batch after offset {after} that is none: {error}")
        if self._held.size_bytes > MAX_TAIL_HELD_BYTES and self._first_is_uncommitted():
            self._held.clear()
            self._failed("too much is not committed yet")

    def _truncate(self, diverging: OffsetAndEpoch) -> None:
        if len(self._held):
            self._held.truncate(diverging.epoch, diverging.offset)
            return
        if self._last_epoch is None:
            raise OffsetNotInLog(
                f"the log ends at offset {diverging.offset}, there is no {self.position} yet"
            )
        raise LogDiverged(
            f"the quorum lost committed records: what was read up to offset {self.position} in "
            f"epoch {self._last_epoch} now ends at {diverging.offset} in epoch {diverging.epoch}"
        )

    def _committed(self) -> Iterator[FetchedBatch]:
        while not self._stopped:
            batch = self._held.take_committed(self.high_watermark)
            if batch is None:
                return
            self.position = batch.header.next_offset
            self._last_epoch = batch.header.leader_epoch
            if self._past_zero and batch.header.base_offset > 0:
                self.notice("offset 0 is out of reach: a leader with a snapshot does not serve it")
            self._past_zero = False
            yield batch

    def _after_snapshot_hint(
        self, answer: FetchAnswer, snapshot: OffsetAndEpoch
    ) -> Iterator[FetchedBatch]:
        """The leader offers a snapshot: take it only when the log no longer has our offset."""
        self._learn_watermark(answer.high_watermark)
        if not self._placed:
            if self.high_watermark >= 0:
                self.position, self._placed = self.high_watermark, True
            else:
                self._past_zero = True
            return
        wanted = self._fetch_offset()
        if 0 <= answer.log_start_offset <= wanted:
            another = self._another_epoch(wanted, answer.log_start_offset, snapshot.epoch)
            if another is not None:
                self._assume(another)
                self._past_zero = wanted == 0
                return
        self._assume(None)
        self._past_zero = False
        if not self.bridge:
            raise SnapshottedAway(wanted, answer.log_start_offset, snapshot)
        yield from self._bridge(snapshot, answer.log_start_offset)

    def _another_epoch(
        self, wanted: Offset, log_start_offset: Offset, snapshot_epoch: Epoch
    ) -> Epoch | None:
        """Another last fetched epoch to try for an offset that the log has; None when all failed.

        A leader that has a snapshot serves the log to a fetcher whose last epoch is its own, and
        at the very start of its log only to one whose last epoch is that of its oldest snapshot.
        That one is not returned, but it is at most the latest snapshot's.
        """
        if self._assumed_epoch is None:
            return self.link.epoch
        lower = min(self._assumed_epoch - 1, snapshot_epoch)
        at_start = wanted == log_start_offset > 0
        return lower if at_start and lower > 0 and self._assumptions < MAX_ASSUMED_EPOCHS else None

    def _assume(self, epoch: Epoch | None) -> None:
        self._assumptions = 0 if epoch is None else self._assumptions + 1
        self._assumed_epoch = epoch

    def _bridge(self, snapshot: OffsetAndEpoch, log_start_offset: Offset) -> Iterator[FetchedBatch]:
        self.notice(
            f"offset {self.position} is snapshotted away (the log starts at {log_start_offset}): "
            f"reading the snapshot that ends at offset {snapshot.offset}, epoch {snapshot.epoch}"
        )
        with tempfile.SpooledTemporaryFile(max_size=SNAPSHOT_IN_MEMORY_BYTES) as spooled:
            try:
                download(self.link.connected(), self.link.epoch, snapshot, spooled)
            except (ConnectionFailed, PeerError, SnapshotUnavailable, VersionsDoNotMeet) as error:
                self._failed(f"snapshot {snapshot.offset}-{snapshot.epoch}: {error}")
                return
            self._held.clear()
            self.position, self._last_epoch = snapshot.offset, snapshot.epoch
            batches = walk(spooled, snapshot)
            while not self._stopped:
                try:
                    batch = next(batches, None)
                except PeerError as error:
                    where = f"{snapshot.offset}-{snapshot.epoch}"
                    raise TailRefused(f"snapshot {where} cannot be read: {error}") from None
                if batch is None:
                    return
                yield batch

    # ------------------------------------------------------------ where we are

    def _learn_watermark(self, high_watermark: Offset) -> None:
        """A new leader does not know it at first, and an old answer may be behind."""
        self.high_watermark = max(self.high_watermark, high_watermark)
        if self._until is None and self.high_watermark >= 0:
            self._until = self.high_watermark

    def _until_known(self) -> bool:
        return self.follow or self._until is not None

    def _at_end(self) -> bool:
        if self.follow or self._until is None or not self._placed:
            return False
        return self.position >= self._until

    def _first_is_uncommitted(self) -> bool:
        return self.high_watermark < self._held.end_offset

    def _readable(self, batch: FetchedBatch, types: Collection[str] | None) -> Iterator[LogRecord]:
        try:
            yield from batch.records(types)
        except BatchError as error:
            raise TailRefused(
                f"the batch at offset {batch.header.base_offset} cannot be read: {error}"
            ) from None


@contextlib.contextmanager
def reading(reader: MetadataLogReader) -> Iterator[MetadataLogReader]:
    """Close the reader at the end of the block."""
    try:
        yield reader
    finally:
        reader.close()


def parse_addresses(text: str) -> list[Address]:
    """``host:port,host:port``, as every list of bootstrap servers; OperatorError says why not."""
    try:
        return [(one.host, one.port) for one in parse_bootstrap_servers(text)]
    except BadValue as error:
        raise OperatorError(str(error)) from None
