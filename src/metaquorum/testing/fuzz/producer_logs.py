"""A partition of arbitrary bytes: its producer snapshots are made or refused, and nothing half."""

from __future__ import annotations

from struct import Struct

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.storage.missing_snapshots import EXPIRATION_MS, SnapshotMade, make_missing
from metaquorum.storage.names import LOG, OFFSET_INDEX, PRODUCER_SNAPSHOT, segment_file
from metaquorum.storage.partition_directories import PartitionDirectory
from metaquorum.storage.partition_log import segments_of
from metaquorum.storage.producer_regeneration import SnapshotState
from metaquorum.storage.producer_snapshot import (
    DamagedSnapshot,
    decode_producers,
    encode_producers,
)
from metaquorum.storage.tier_segment import check_indexes, look_through
from metaquorum.testing.fuzz.checksums import with_right_checksums
from metaquorum.testing.fuzz.promise import promise, refused_file
from metaquorum.testing.sim.disk import SimDisk

WHERE = "/logs/orders-0"
PARTITION = PartitionDirectory(WHERE, "orders-0", 0)
NOW_MS = 1_700_000_000_000
LAST = 1 << 20  # the base of the active segment, above every other
REPAIRED = 0x80
_HEAD = Struct(">BHHH")


@frozen
class Files:
    """The input's parts: two closed segments, the second's base, a snapshot there, an index."""

    first: bytes
    base: int
    second: bytes
    snapshot: bytes
    index: bytes

    def encoded(self, mode: int = 0) -> bytes:
        """As an input of this target."""
        lengths = _HEAD.pack(mode, self.base, len(self.first), len(self.snapshot))
        return (
            lengths
            + self.first
            + self.snapshot
            + bytes([len(self.index)])
            + (self.index + self.second)
        )

    @classmethod
    def read(cls, data: bytes) -> Files | None:
        """Out of an input; None for one that is too short."""
        if len(data) <= _HEAD.size:
            return None
        mode, base, first, snapshot = _HEAD.unpack_from(data)
        rest = data[_HEAD.size :]
        repaired = with_right_checksums if mode & REPAIRED else bytes
        index_at = first + snapshot
        length = rest[index_at] if index_at < len(rest) else 0
        after = index_at + 1 + length
        return cls(
            repaired(rest[:first]),
            max(base, 1),
            repaired(rest[after:]),
            rest[first:index_at],
            rest[index_at + 1 : after],
        )


def one_input(data: bytes) -> bool:
    """Make what is missing, twice; whether a file was made."""
    files = Files.read(data)
    if files is None:
        return False
    held = {
        segment_file(0, LOG): files.first,
        segment_file(files.base, LOG): files.second,
        segment_file(LAST, LOG): b"",
        segment_file(0, OFFSET_INDEX): files.index,
    }
    if files.snapshot:
        held[segment_file(files.base, PRODUCER_SNAPSHOT)] = files.snapshot
    disk = SimDisk.holding({f"{WHERE}/{name}": content for name, content in held.items()})
    before = disk.files()
    made = list(make_missing(disk, PARTITION, NOW_MS, EXPIRATION_MS))
    after = disk.files()
    for one in made:
        _check(one, before, after)
    promise(not any(name.endswith(".tmp") for name in after), "nothing half is left")
    changed = {name for name in after if after[name] != before.get(name)}
    promise(changed == {_path(one) for one in made if one.made}, "only what is told is written")
    again = list(make_missing(disk, PARTITION, NOW_MS, EXPIRATION_MS))
    promise(not any(one.made for one in again), "what was made is found valid")
    _look(disk)
    return any(one.made is not None for one in made)


def _path(one: SnapshotMade) -> str:
    return f"{WHERE}/{segment_file(one.found.offset, PRODUCER_SNAPSHOT)}"


def _check(one: SnapshotMade, before: dict[str, bytes], after: dict[str, bytes]) -> None:
    path = _path(one)
    if one.problem:
        refused_file(OperatorError(one.problem), WHERE)
    if one.made is None:
        promise(before.get(path) == after.get(path), "what is not made is not written")
    else:
        promise(decode_producers(after[path]) == one.made.entries, "the file is the state")
    if one.found.state is SnapshotState.VALID:
        entries = decode_producers(before[path])
        promise(encode_producers(entries) == before[path], "a valid file is what it says")
    elif one.found.state is SnapshotState.DAMAGED:
        promise(bool(one.found.why), "a refusal says why")
        try:
            decode_producers(before[path])
        except DamagedSnapshot:
            return
        promise(False, "a valid file is not called damaged")


def _look(disk: SimDisk) -> None:
    """What an upload looks at before it copies a segment."""
    for segment in segments_of(disk, WHERE)[:-1]:
        try:
            check_indexes(disk, segment, look_through(disk, segment))
        except OperatorError as why:
            refused_file(why, WHERE)
