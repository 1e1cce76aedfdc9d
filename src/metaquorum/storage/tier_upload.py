"""Copying closed segments of a partition to a tier store, with all that belongs to them.

A segment is copied when it is below the high watermark and the last stable offset, is sound, and
has its indexes and leader epochs. Its producer snapshot is copied, or made again for the store
alone (KIP-952): the log directory is only read, so a broker may run beside. The manifest is put
last; until then the segment is not in the store, and the next run begins it anew.
"""

from __future__ import annotations

import hashlib
import io
import os
from collections.abc import Iterator
from enum import Enum
from typing import BinaryIO

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import Offset
from metaquorum.storage.disk import Disk
from metaquorum.storage.missing_snapshots import wanted_of
from metaquorum.storage.names import (
    EPOCH_FILE,
    LOG,
    OFFSET_INDEX,
    PRODUCER_SNAPSHOT,
    TIME_INDEX,
    TRANSACTION_INDEX,
    segment_file,
)
from metaquorum.storage.partition_directories import PartitionDirectory
from metaquorum.storage.partition_log import PartitionSegment
from metaquorum.storage.partition_metadata import read_topic_id
from metaquorum.storage.producer_regeneration import PartitionProducers, SnapshotState
from metaquorum.storage.producer_snapshot import encode_producers
from metaquorum.storage.tier_manifest import (
    ABORTED,
    EPOCHS,
    MANIFEST,
    OFFSETS,
    PRODUCERS,
    SEGMENT,
    TIMES,
    Manifest,
    Part,
    decode_manifest,
    encode_manifest,
    segment_key,
)
from metaquorum.storage.tier_segment import PartUnfit, check_indexes, epochs_until, look_through
from metaquorum.storage.tier_store import StoreFailed, TierStore, copied

_KINDS = {LOG: SEGMENT, OFFSET_INDEX: OFFSETS, TIME_INDEX: TIMES, TRANSACTION_INDEX: ABORTED}


class Done(Enum):
    """What became of a segment."""

    UPLOADED = "uploaded"
    WOULD_BE = "would be uploaded"
    THERE = "there already"
    NOT_YET = "not yet"
    REFUSED = "not uploaded"


@frozen
class SegmentDone:
    """One closed segment, where it lies in the store, and what became of it or ``why`` not."""

    partition: PartitionDirectory
    base_offset: Offset
    end_offset: Offset
    key: str
    done: Done
    why: str = ""
    manifest: Manifest | None = None


@frozen
class _Source:
    """A part before it is put: a file of the log directory, or bytes that were made."""

    kind: str
    name: str
    path: str = ""
    content: bytes = b""
    regenerated: bool = False

    def open(self) -> BinaryIO:
        return open(self.path, "rb") if self.path else io.BytesIO(self.content)

    def part(self) -> Part:
        """Its size and checksum; reads all of it."""
        if not self.path:
            digest = hashlib.sha256(self.content).hexdigest()
            return Part(self.kind, self.name, len(self.content), digest, self.regenerated)
        with open(self.path, "rb") as file:
            digest = copied(file, None)
            return Part(self.kind, self.name, file.tell(), digest, self.regenerated)


@define
class PartitionUpload:
    """The upload of one partition's closed segments, in their order.

    ``high_watermark`` is None where it is not known: closed segments are taken for committed then.
    """

    disk: Disk
    partition: PartitionDirectory
    store: TierStore
    high_watermark: Offset | None
    now_ms: Millis
    expiration_ms: Millis
    dry_run: bool = False
    _topic: str = field(default="", init=False)
    _number: int = field(default=0, init=False)
    _topic_id: str | None = field(default=None, init=False)

    def run(self) -> Iterator[SegmentDone]:
        """Each closed segment as it is done. Raises OperatorError, StoreFailed.

        What is wrong with one segment is reported, and the next one has its turn.
        """
        self._topic, self._number = self.partition.topic_and_number
        topic_id = read_topic_id(self.disk, self.partition.path)
        self._topic_id = None if topic_id is None else uuid_text(topic_id)
        producers, places = wanted_of(self.disk, self.partition, self.now_ms, self.expiration_ms)
        states = {one.offset: one.state for one in places}
        unstable = producers.first_unstable()
        for segment in producers.segments:
            if segment.end is not None and segment.end > producers.log_start:
                state = states.get(segment.end, SnapshotState.MISSING)
                yield self._one(producers, segment, state, unstable)

    def _one(
        self,
        producers: PartitionProducers,
        segment: PartitionSegment,
        state: SnapshotState,
        unstable: Offset | None,
    ) -> SegmentDone:
        assert segment.end is not None
        key = segment_key(self._topic, self._topic_id, self._number, segment.base)
        answer = SegmentDone(self.partition, segment.base, segment.end, key, Done.NOT_YET)
        if self.high_watermark is not None and segment.end > self.high_watermark:
            return _said(answer, Done.NOT_YET, f"the high watermark is {self.high_watermark}")
        if unstable is not None and segment.end > unstable:
            return _said(answer, Done.NOT_YET, f"a transaction is open since offset {unstable}")
        try:
            found = self._there(segment, key)
            if found is not None:
                return SegmentDone(
                    self.partition, segment.base, segment.end, key, Done.THERE, "", found
                )
            return self._copy(producers, segment, state, key)
        except StoreFailed:
            raise
        except OperatorError as error:
            return _said(answer, Done.REFUSED, str(error))
        except OSError as error:
            why = f"{error.filename or segment.path}: {error.strerror or error}"
            return _said(answer, Done.REFUSED, why)

    def _there(self, segment: PartitionSegment, key: str) -> Manifest | None:
        """The manifest of a segment that is wholly in the store; OperatorError for another one."""
        content = self.store.read(key + MANIFEST)
        if content is None:
            return None
        manifest = decode_manifest(f"{self.store.uri}/{key}{MANIFEST}", content)
        log = next((one for one in manifest.parts if one.kind == SEGMENT), None)
        size_bytes = os.path.getsize(segment.path)
        same = log is not None and log.size_bytes == size_bytes
        if not same or manifest.end_offset != segment.end:
            raise OperatorError(
                f"{self.store.uri}/{key} holds another segment than {segment.path}: offsets "
                f"{manifest.base_offset} to {manifest.end_offset}, "
                f"{log.size_bytes if log else 0} bytes"
            )
        sizes = self.store.sizes(key)
        lacking = [one for one in manifest.parts if sizes.get(key + one.name) != one.size_bytes]
        return None if lacking else manifest

    def _copy(
        self,
        producers: PartitionProducers,
        segment: PartitionSegment,
        state: SnapshotState,
        key: str,
    ) -> SegmentDone:
        assert segment.end is not None
        before = _identity(segment.path)
        contents = look_through(self.disk, segment)
        names = [segment_file(segment.base, LOG), *check_indexes(self.disk, segment, contents)]
        sources = [
            _Source(_KINDS[name[name.rindex(".") :]], name, f"{segment.directory}/{name}")
            for name in names
        ]
        epochs, own = epochs_until(self.disk, segment)
        sources.append(_Source(EPOCHS, EPOCH_FILE, content=epochs))
        sources.append(self._snapshot(producers, segment.end, state))
        parts = tuple(one.part() for one in sources)
        manifest = Manifest(
            self._topic,
            self._topic_id,
            self._number,
            segment.base,
            segment.end,
            contents.max_timestamp_ms,
            tuple(own),
            parts,
        )
        if not self.dry_run:
            for source, part in zip(sources, parts, strict=True):
                with source.open() as file:
                    self.store.put(key + part.name, file, part.size_bytes, part.sha256)
        if _identity(segment.path) != before:
            raise PartUnfit(f"{segment.path} changed while it was copied")
        if not self.dry_run:
            content = encode_manifest(manifest)
            digest = hashlib.sha256(content).hexdigest()
            self.store.put(key + MANIFEST, io.BytesIO(content), len(content), digest)
        done = Done.WOULD_BE if self.dry_run else Done.UPLOADED
        return SegmentDone(self.partition, segment.base, segment.end, key, done, "", manifest)

    def _snapshot(
        self, producers: PartitionProducers, end: Offset, state: SnapshotState
    ) -> _Source:
        """The producer snapshot of a segment that ends there: the file, or made of the log."""
        name = segment_file(end, PRODUCER_SNAPSHOT)
        if state is SnapshotState.VALID:
            return _Source(PRODUCERS, name, f"{self.partition.path}/{name}")
        made = encode_producers(producers.state_at(end).entries)
        return _Source(PRODUCERS, name, content=made, regenerated=True)


def _said(answer: SegmentDone, done: Done, why: str) -> SegmentDone:
    return SegmentDone(
        answer.partition, answer.base_offset, answer.end_offset, answer.key, done, why
    )


def _identity(path: str) -> tuple[int, int, int]:
    """What of a file would be another if it had been replaced or written to."""
    found = os.stat(path)
    return found.st_ino, found.st_size, found.st_mtime_ns
