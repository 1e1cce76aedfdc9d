"""Reading a log to its end whatever is broken in it, and telling what can be read and what not.

A node that starts stops at the first fault (``storage.recovery``). This reading goes on behind it,
as what is broken on one replica may be whole on another.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator

from attrs import define, field
from crc32c import crc32c

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.quorum.adapt import control_of
from metaquorum.quorum.types import (
    Control,
    KRaftVersionControl,
    LeaderChangeControl,
    VotersControl,
)
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, read_header
from metaquorum.records.control import controls_of
from metaquorum.records.errors import BatchError
from metaquorum.recover.survey import (
    Committed,
    Damage,
    DamageKind,
    EpochRun,
    LeaderSeen,
    Stretch,
    VotersSeen,
)
from metaquorum.storage.damage import Fault, valid_batch_after
from metaquorum.storage.disk import Disk, File
from metaquorum.storage.names import LOG, parse_segment_file, segment_file
from metaquorum.storage.preallocation import is_preallocation, is_unfinished, only_zeros
from metaquorum.storage.snapshot_check import BadSnapshot, checked_batches
from metaquorum.wire.errors import DecodeError

MAX_DAMAGES = 1_000
MAX_PROOFS = 100
MAX_LEADERS = 1_000
RECENT_BATCHES = 4_000
_NO_OP_BATCH_BYTES = 72


@define
class Place:
    """Where a batch is, to read it again."""

    path: str
    position: int
    size_bytes: int


def log_batches(
    disk: Disk, directory: str, start: Offset, end: Offset
) -> Iterator[tuple[BatchHeader, bytes]]:
    """The batches of a directory's log with offsets from ``start`` up to ``end``, checked.

    What is broken between them is passed over; the reader has to count the offsets.
    """
    bases = segments_of(disk, directory)
    for base, following in zip(bases, [*bases[1:], None]):
        if base >= end or (following is not None and following <= start):
            continue
        path = f"{directory}/{segment_file(base, LOG)}"
        for found in _good_batches(disk, path, base, following):
            if found[0].base_offset >= start and found[0].next_offset <= end:
                yield found


def segments_of(disk: Disk, directory: str) -> list[Offset]:
    """The base offsets of all segments, rising."""
    bases = (parse_segment_file(name, LOG) for name in disk.names(directory))
    return sorted(base for base in bases if base is not None)


def _good_batches(
    disk: Disk, path: str, base: Offset, limit: Offset | None
) -> Iterator[tuple[BatchHeader, bytes]]:
    """Every batch of a segment that is whole and in its place, broken ones left out.

    ``limit`` is where the next segment begins.
    """
    file = disk.open(path, writable=False)
    try:
        position, size_bytes, due = 0, file.size(), base
        while True:
            try:
                for header, content in checked_batches(file, position, size_bytes):
                    if not _is_false(file, header, position, due, limit):
                        yield header, content
                        due = header.next_offset
                    position += header.size_bytes
                return
            except BadSnapshot as error:
                fault = Fault(error.position, due, error.why)
                behind = valid_batch_after(file, fault, size_bytes)
                if behind is None:
                    return
                position = behind
    finally:
        file.close()


def _is_false(
    file: File, header: BatchHeader, position: int, due: Offset, limit: Offset | None
) -> bool:
    """Whether the base offset of a whole batch, which no checksum covers, is rotten: it is not the
    one that was due, and what is behind, batch or segment, does not go on from it.
    """
    if header.base_offset == due:
        return False
    following = _header_at(file, position + header.size_bytes)
    behind = limit if following is None else following.base_offset
    return behind != header.next_offset


def _header_at(file: File, position: int) -> BatchHeader | None:
    try:
        return read_header(file.read(position, BATCH_OVERHEAD_BYTES))
    except BatchError:
        return None


@define
class LogReading:
    """What is known of a log while its segments are read in order."""

    stretches: list[Stretch] = field(factory=list)
    damages: list[Damage] = field(factory=list)
    voters: list[VotersSeen] = field(factory=list)
    leaders: deque[LeaderSeen] = field(factory=lambda: deque(maxlen=MAX_LEADERS))
    kraft_version: int | None = None
    committed: deque[Committed] = field(factory=lambda: deque(maxlen=MAX_PROOFS))
    recent: deque[Place] = field(factory=lambda: deque(maxlen=RECENT_BATCHES))
    recent_is_all: bool = True
    """Whether ``recent`` has every data batch, but for those that change nothing."""
    size_bytes: int = 0
    start: Offset | None = None
    due: Offset = 0
    _runs: list[EpochRun] = field(factory=list)
    _epoch_begun: Offset | None = None  # the end of the LeaderChange of the run that is read
    _proven_epoch: Epoch = -1
    _sure_epoch: Epoch = -1  # the last one that two batches agree on

    def read(self, disk: Disk, directory: str) -> None:
        """Read every segment of a directory."""
        bases = segments_of(disk, directory)
        for base, limit in zip(bases, [*bases[1:], None]):
            name = segment_file(base, LOG)
            try:
                file = disk.open(f"{directory}/{name}", writable=False)
            except OSError as error:
                self._break()
                why = error.strerror or str(error)
                self.damage(Damage(DamageKind.ROT, name, why, offset=self.due))
                continue
            try:
                self._segment(file, name, base, limit)
            finally:
                file.close()
        self._break()

    def damage(self, one: Damage) -> None:
        """Take note of damage; of very much the first places."""
        if len(self.damages) < MAX_DAMAGES or one.kind is not DamageKind.ROT:
            self.damages.append(one)

    def _segment(self, file: File, name: str, base: Offset, limit: Offset | None) -> None:
        is_last = limit is None
        self.size_bytes += file.size()
        if self.start is None:
            self.start = self.due = base
        elif base > self.due:
            self._missing(name, 0, base)
        position, size_bytes = 0, file.size()
        while position < size_bytes:
            try:
                for header, content in checked_batches(file, position, size_bytes):
                    if _is_false(file, header, position, self.due, limit):
                        self._false_offset(file, name, header, position, is_last=is_last)
                    else:
                        self._batch(file.path, name, header, content, position)
                    position += header.size_bytes
                return
            except BadSnapshot as error:
                behind = self._fault(file, name, error, size_bytes, is_last=is_last)
                if behind is None:
                    return
                position = behind

    def _fault(
        self, file: File, name: str, error: BadSnapshot, size_bytes: int, *, is_last: bool
    ) -> int | None:
        """Where reading can go on behind a fault; None where nothing readable follows."""
        at = error.position
        if is_last and is_preallocation(file.read, at, size_bytes):
            return None
        behind = valid_batch_after(file, Fault(at, self.due, error.why), size_bytes)
        end = size_bytes if behind is None else behind
        kind = DamageKind.ROT
        if behind is None and is_last:
            kind = DamageKind.TAIL
            if is_unfinished(file.read, at) or only_zeros(file.read, at, size_bytes):
                kind = DamageKind.UNFINISHED
        self.damage(Damage(kind, name, error.why, at, end - at, self.due))
        if kind is DamageKind.ROT:
            self._break()
        return behind

    def _missing(self, name: str, position: int, found: Offset) -> None:
        self._break()
        why = f"offsets {self.due} to {found - 1} are missing before it"
        self.damage(Damage(DamageKind.MISSING, name, why, position, 0, self.due))
        self.due = found

    def _false_offset(
        self, file: File, name: str, header: BatchHeader, position: int, *, is_last: bool
    ) -> None:
        following = _header_at(file, position + header.size_bytes)
        kind = DamageKind.TAIL if is_last and following is None else DamageKind.ROT
        why = f"its base offset is {header.base_offset}, and {self.due} was due"
        self.damage(Damage(kind, name, why, position, header.size_bytes, self.due))
        self._break()
        after = self.due + header.last_offset_delta + 1
        if following is not None and following.base_offset == after:
            self.due = after

    def _batch(
        self, path: str, name: str, header: BatchHeader, content: bytes, position: int
    ) -> None:
        if header.base_offset > self.due:
            self._missing(name, position, header.base_offset)
        elif header.base_offset < self.due:
            why = f"a batch of offset {header.base_offset}, which was read before"
            self._refused(name, header, position, why)
            return
        controls = self._controls(name, header, content, position) if header.is_control else []
        begins = bool(controls) and isinstance(controls[0].value, LeaderChangeControl)
        misplaced = self._misplaced(name, header.leader_epoch, begins=begins)
        if misplaced is not None:
            self._refused(name, header, position, misplaced)
            return
        self._take(header, begins=begins)
        self._note(controls, header.leader_epoch)
        if not header.is_control:
            self._data(path, header, position)

    def _refused(self, name: str, header: BatchHeader, position: int, why: str) -> None:
        """A batch whose checksum is right, in a place where it cannot be.

        Its epoch is outside the checksum, so rot there shows by the batches around it alone.
        """
        self.damage(Damage(DamageKind.ROT, name, why, position, header.size_bytes, self.due))
        if header.base_offset == self.due:
            self._break()
            self.due = header.next_offset

    def _misplaced(self, name: str, epoch: Epoch, *, begins: bool) -> str | None:
        """Why a batch of this epoch cannot follow what was read; None if it can."""
        if not self._runs and self.stretches and epoch < self.stretches[-1].last.epoch:
            self._take_back_leader_change(name)
        done = self._runs or (self.stretches[-1].runs if self.stretches else ())
        if not done:
            return None
        last = done[-1].epoch
        if epoch < last or (begins and epoch == last):
            return f"epoch {epoch} after epoch {last}"
        if self._runs and epoch != last and not begins:
            return f"epoch {epoch} begins there without a leader"
        return None

    def _take_back_leader_change(self, name: str) -> None:
        """What follows is of an earlier epoch. Where a LeaderChange alone was of the later one, and
        a batch behind it was refused, the epoch of that LeaderChange is what is rotten.
        """
        last = self.stretches[-1].runs[-1]
        if not last.begins or not self.leaders or self._sure_epoch == last.epoch:
            return
        self.leaders.pop()
        self.stretches[-1:] = [left] if (left := self.stretches[-1].cut(last.start)) else []
        why = f"the epoch of the LeaderChange, {last.epoch}, is not that of the records behind it"
        self.damage(Damage(DamageKind.ROT, name, why, offset=last.start))

    def _take(self, header: BatchHeader, *, begins: bool) -> None:
        crc = header.crc.to_bytes(4, "big")
        runs, epoch = self._runs, header.leader_epoch
        if runs and runs[-1].epoch == epoch:
            last = runs[-1]
            self._sure_epoch = epoch
            runs[-1] = EpochRun(
                epoch, last.start, header.next_offset, last.begins, crc32c(crc, last.crc)
            )
        else:
            runs.append(
                EpochRun(epoch, header.base_offset, header.next_offset, begins, crc32c(crc))
            )
            self._epoch_begun = header.next_offset if begins else None
        self.due = header.next_offset

    def _data(self, path: str, header: BatchHeader, position: int) -> None:
        """A batch of metadata: its leader wrote none before its LeaderChange was committed."""
        epoch = header.leader_epoch
        if self._epoch_begun is not None and self._proven_epoch < epoch:
            self._proven_epoch = epoch
            why = f"the leader of epoch {epoch} wrote metadata behind its LeaderChange"
            self.committed.append(Committed(self._epoch_begun, epoch, why))
        if header.size_bytes == _NO_OP_BATCH_BYTES:
            return
        self.recent_is_all = self.recent_is_all and len(self.recent) < RECENT_BATCHES
        self.recent.append(Place(path, position, header.size_bytes))

    def _controls(
        self, name: str, header: BatchHeader, content: bytes, position: int
    ) -> list[Control]:
        try:
            records = list(controls_of(content, header))
            return [found for one in records if (found := control_of(one)) is not None]
        except (BatchError, DecodeError) as error:
            self.damage(Damage(DamageKind.FILE, name, str(error), position, offset=self.due))
            return []

    def _note(self, controls: list[Control], epoch: Epoch) -> None:
        for at, control in enumerate(controls):
            value = control.value
            if isinstance(value, LeaderChangeControl):
                ids = tuple(one.id for one in value.voters)
                granting = tuple(one.id for one in value.granting)
                self.leaders.append(
                    LeaderSeen(control.offset, epoch, value.leader_id, ids, granting)
                )
            elif isinstance(value, KRaftVersionControl):
                self.kraft_version = value.level
            elif isinstance(value, VotersControl):
                if at == 0:
                    self._voter_change(epoch)
                self.voters.append(VotersSeen(control.offset, epoch, value.voters))

    def _voter_change(self, epoch: Epoch) -> None:
        """A leader changes voters when the set before, and its own LeaderChange, are committed."""
        ends = [one.offset + 1 for one in self.voters[-1:] if one.epoch == epoch]
        if self._epoch_begun is not None:
            ends.append(self._epoch_begun)
        if ends:
            why = f"the leader of epoch {epoch} changed the voters behind it"
            self.committed.append(Committed(max(ends), epoch, why))

    def _break(self) -> None:
        """End the stretch that is read: what follows does not continue it."""
        if self._runs:
            self.stretches.append(Stretch(tuple(self._runs)))
        self._runs = []
        self._epoch_begun = None
