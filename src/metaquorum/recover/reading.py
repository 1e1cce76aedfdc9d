"""The survey of one directory: every file of the metadata log is read, and none is written.

The node may be running, stopped or dead, a controller or a broker, ours or Apache Kafka's.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256

from attrs import define, field
from crc32c import crc32c

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import Offset
from metaquorum.metadata.reading import metadata_record_of, read_metadata_batch
from metaquorum.quorum.adapt import control_of
from metaquorum.quorum.types import ZERO_SNAPSHOT, KRaftVersionControl, VotersControl
from metaquorum.records.batch import BatchHeader, read_header
from metaquorum.records.control import controls_of
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecord, read_metadata_frame
from metaquorum.records.reader import walk_records
from metaquorum.recover.broker_proofs import partition_made
from metaquorum.recover.log_reading import LogReading, segments_of
from metaquorum.recover.survey import (
    Change,
    Committed,
    Damage,
    DamageKind,
    SnapshotSeen,
    Survey,
    VotersSeen,
)
from metaquorum.recover.words import words_of
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.disk import Disk
from metaquorum.storage.epoch_file import decode_epochs
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import (
    EPOCH_FILE,
    INDEXES,
    LOCK,
    LOG,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    OFFSET_INDEX,
    PRODUCER_SNAPSHOT,
    QUORUM_STATE,
    parse_segment_file,
    parse_snapshot_file,
    segment_file,
    snapshot_file,
)
from metaquorum.storage.offset_index import ENTRY_BYTES
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_check import BadSnapshot, checked_batches, verify_file
from metaquorum.storage.snapshot_files import list_snapshots

MAX_CHANGES = 1_000
_TOPIC_RECORD = 2
_FINGERPRINT_TAIL_BYTES = 65_536
_WINDOW_BYTES = 1 << 20


def metadata_partition(disk: Disk, path: str) -> tuple[str, str]:
    """The log directory at ``path`` and the metadata partition's directory in it.

    ``path`` may be either of the two. OperatorError where there is neither.
    """
    path = path.rstrip("/") or "/"
    try:
        names = disk.names(path)
    except FileNotFoundError:
        raise OperatorError(f"{path}: there is no such directory") from None
    except NotADirectoryError:
        raise OperatorError(f"{path} is no directory") from None
    except OSError as error:
        raise OperatorError(f"{path}: {error.strerror or error}") from None
    if METADATA_DIRECTORY in names:
        return path, f"{path}/{METADATA_DIRECTORY}"
    if QUORUM_STATE in names or any(_is_of_a_log(name) for name in names):
        return os.path.dirname(path) or ".", path
    if META_PROPERTIES in names:
        return path, f"{path}/{METADATA_DIRECTORY}"
    raise OperatorError(
        f"{path}: neither a log directory with a {METADATA_DIRECTORY} in it, nor one itself"
    )


def _is_of_a_log(name: str) -> bool:
    return parse_segment_file(name, LOG) is not None or parse_snapshot_file(name) is not None


def survey_directory(
    disk: Disk, path: str, now_ms: Millis, *, node_id: NodeId | None = None
) -> Survey:
    """What the directory at ``path`` says; ``node_id`` where its meta.properties does not.

    Raises OperatorError where there is no metadata log, or ``node_id`` is another node's.
    """
    log_dir, partition = metadata_partition(disk, path)
    return _Surveying(disk, log_dir, partition, path, now_ms, node_id).survey()


def fingerprint(disk: Disk, partition: str) -> str:
    """What changes when anything does: names, sizes, the last bytes of the last segment, the vote.

    Empty for a directory that is not there.
    """
    if not disk.exists(partition):
        return ""
    digest = sha256()
    bases = segments_of(disk, partition)
    for name in disk.names(partition):
        if name.endswith((*INDEXES, PRODUCER_SNAPSHOT)):
            continue  # a start makes them anew
        with suppress(IsADirectoryError, FileNotFoundError):
            file = disk.open(f"{partition}/{name}", writable=False)
            try:
                digest.update(f"{name} {file.size()}\n".encode())
                if bases and name == segment_file(bases[-1], LOG):
                    start = max(0, file.size() - _FINGERPRINT_TAIL_BYTES)
                    digest.update(file.read(start, _FINGERPRINT_TAIL_BYTES))
                elif name == QUORUM_STATE:
                    digest.update(file.read(0, file.size()))
            finally:
                file.close()
    return digest.hexdigest()


@define
class _Surveying:
    disk: Disk
    log_dir: str
    partition: str
    path: str
    now_ms: Millis
    node_id: NodeId | None
    damages: list[Damage] = field(factory=list)
    by_partitions: Committed | None = None

    def survey(self) -> Survey:
        identity = self._identity()
        log = LogReading()
        election = None
        snapshots: list[SnapshotSeen] = []
        seen: list[VotersSeen] = []
        version: int | None = None
        before = ""
        if self.disk.exists(self.partition):
            before = fingerprint(self.disk, self.partition)
            log.read(self.disk, self.partition)
            election = self._election()
            snapshots, seen, version = self._snapshots()
            self._look_for_a_longer_log(log)
        changes_from, changes = self._changes(log, snapshots)
        committed = [
            Committed(one.snapshot.offset, one.snapshot.epoch, f"there is snapshot {name}")
            for one in snapshots
            if one.is_whole and one.snapshot != ZERO_SNAPSHOT
            for name in (snapshot_file(one.snapshot),)
        ]
        if self.by_partitions is not None:
            committed.append(self.by_partitions)
        return Survey(
            directory=self.path,
            taken_ms=self.now_ms,
            is_running=is_locked(f"{self.log_dir}/{LOCK}"),
            cluster_id=None if identity is None else identity.cluster_id,
            node_id=self.node_id if identity is None else identity.node_id,
            directory_id=None if identity is None else identity.directory_id,
            log_start=log.start or 0,
            stretches=tuple(log.stretches),
            snapshots=tuple(snapshots),
            voters=(*seen, *log.voters),
            kraft_version=version if log.kraft_version is None else log.kraft_version,
            leaders=tuple(log.leaders),
            election=election,
            committed=(*committed, *log.committed),
            damages=(*self.damages, *log.damages),
            changes=tuple(changes),
            changes_from=changes_from,
            size_bytes=log.size_bytes + sum(one.size_bytes for one in snapshots),
            fingerprint=before,
        )

    def _damage(self, kind: DamageKind, file: str, why: str, offset: Offset | None = None) -> None:
        self.damages.append(Damage(kind, file, why, offset=offset))

    def _identity(self) -> MetaProperties | None:
        try:
            found = meta_properties.read(self.disk, self.log_dir)
        except (OperatorError, OSError) as error:
            self._damage(DamageKind.FILE, META_PROPERTIES, str(error))
            return None
        if found is None:
            self._damage(DamageKind.FILE, META_PROPERTIES, "there is none")
        elif self.node_id is not None and self.node_id != found.node_id:
            raise OperatorError(
                f"{self.log_dir}/{META_PROPERTIES} says node.id={found.node_id}, "
                f"and node {self.node_id} was asked for"
            )
        return found

    def _election(self) -> ElectionStateData | None:
        try:
            found = quorum_state.read(self.disk, self.partition)
        except (OperatorError, OSError) as error:
            self._damage(DamageKind.FILE, QUORUM_STATE, str(error))
            return None
        if found is None:
            self._damage(DamageKind.FILE, QUORUM_STATE, "there is none")
        return found

    def _snapshots(self) -> tuple[list[SnapshotSeen], list[VotersSeen], int | None]:
        found: list[SnapshotSeen] = []
        voters: list[VotersSeen] = []
        version: int | None = None
        for one in list_snapshots(self.disk, self.partition):
            name = snapshot_file(one)
            size_bytes = crc = 0
            why = ""
            try:
                file = self.disk.open(f"{self.partition}/{name}", writable=False)
                try:
                    size_bytes = file.size()
                    for at in range(0, size_bytes, _WINDOW_BYTES):
                        crc = crc32c(file.read(at, _WINDOW_BYTES), crc)
                    verify_file(file, one)
                finally:
                    file.close()
                for value in self._snapshot_controls(name):
                    if isinstance(value, VotersControl):
                        voters.append(VotersSeen(one.offset - 1, one.epoch, value.voters))
                    elif isinstance(value, KRaftVersionControl):
                        version = value.level
            except BadSnapshot as error:
                why = f"byte {error.position}: {error.why}"
            except OSError as error:
                why = error.strerror or str(error)
            if why:
                self._damage(DamageKind.SNAPSHOT, name, why)
            found.append(SnapshotSeen(one, size_bytes, crc, why))
        return found, voters, version

    def _snapshot_controls(self, name: str) -> Iterator[object]:
        file = self.disk.open(f"{self.partition}/{name}", writable=False)
        try:
            for header, content in checked_batches(file):
                if not header.is_control:
                    return
                for record in controls_of(content, header):
                    if (control := control_of(record)) is not None:
                        yield control.value
        finally:
            file.close()

    def _look_for_a_longer_log(self, log: LogReading) -> None:
        """Other files may know of offsets that the log had once: then some of it is gone."""
        end = log.due
        for name in self.disk.names(self.partition):
            for suffix in (*INDEXES, PRODUCER_SNAPSHOT):
                base = parse_segment_file(name, suffix)
                if base is not None and base > end:
                    why = f"it is of offset {base}, and the log ends at {end}"
                    self._damage(DamageKind.BEHIND, name, why, end)
        bases = segments_of(self.disk, self.partition)
        if bases and (last := self._last_indexed(bases[-1])) is not None and last >= end:
            name = segment_file(bases[-1], OFFSET_INDEX)
            why = f"it names offset {last}, and the log ends at {end}"
            self._damage(DamageKind.BEHIND, name, why, end)
        with suppress(OSError):
            epochs = decode_epochs(self.disk.read_bytes(f"{self.partition}/{EPOCH_FILE}"))
            if epochs is not None and epochs.offsets and epochs.offsets[-1] > end:
                why = f"epoch {epochs.last_epoch} begins at {epochs.offsets[-1]} in it, and the "
                self._damage(DamageKind.BEHIND, EPOCH_FILE, f"{why}log ends at {end}", end)

    def _last_indexed(self, base: Offset) -> Offset | None:
        """The last offset in the index of a segment; None where it has no entry."""
        try:
            content = self.disk.read_bytes(
                f"{self.partition}/{segment_file(base, OFFSET_INDEX)}"
            ).rstrip(b"\0")
        except OSError:
            return None
        entries = -(-len(content) // ENTRY_BYTES)
        if entries == 0:
            return None
        entry = content.ljust(entries * ENTRY_BYTES, b"\0")[-ENTRY_BYTES:]
        relative = int.from_bytes(entry[:4], "big", signed=True)
        return base + relative if relative > 0 else None

    # What the last records change.

    def _changes(
        self, log: LogReading, snapshots: list[SnapshotSeen]
    ) -> tuple[Offset, list[Change]]:
        records: list[tuple[Offset, int, MetadataRecord]] = []
        complete_from = log.start or 0
        for place in reversed(log.recent):
            found = self._records_at(place.path, place.position, place.size_bytes)
            if len(records) + len(found) > MAX_CHANGES and records:
                complete_from = records[-1][0]
                break
            records += reversed(found)
        else:
            if not log.recent_is_all and records:
                complete_from = records[-1][0]
        records.reverse()
        topics = {
            one.message.topic_id: one.message.name
            for _, _, one in records
            if one.type == _TOPIC_RECORD
        }
        wanted = {one.message.topic_id for _, _, one in records if hasattr(one.message, "topic_id")}
        if wanted - set(topics):
            topics |= self._topics_of_snapshot(snapshots)
        self.by_partitions = partition_made(self.disk, self.log_dir, reversed(records), topics)
        return complete_from, [
            Change(offset, epoch, words)
            for offset, epoch, one in records
            if (words := words_of(one, topics)) is not None
        ]

    def _records_at(
        self, path: str, position: int, size_bytes: int
    ) -> list[tuple[Offset, int, MetadataRecord]]:
        file = self.disk.open(path, writable=False)
        try:
            content = file.read(position, size_bytes)
        finally:
            file.close()
        header = read_header(content)
        try:
            records = read_metadata_batch(memoryview(content), header)
        except InvariantViolated as error:
            name = path.rpartition("/")[2]
            self._damage(DamageKind.FILE, name, str(error), header.base_offset)
            return []
        return [
            (header.base_offset + at, header.leader_epoch, one) for at, one in enumerate(records)
        ]

    def _topics_of_snapshot(self, snapshots: list[SnapshotSeen]) -> dict[Uuid, str]:
        """The names of topics in the newest snapshot that is whole."""
        newest = [one.snapshot for one in snapshots if one.is_whole][-1:]
        names: dict[Uuid, str] = {}
        for one in newest:
            file = self.disk.open(f"{self.partition}/{snapshot_file(one)}", writable=False)
            try:
                for header, content in checked_batches(file):
                    if not header.is_control:
                        names |= _topics_in(content, header)
            except (InvariantViolated, BatchError):
                return names  # they are only for people
            finally:
                file.close()
        return names


def _topics_in(content: bytes, header: BatchHeader) -> dict[Uuid, str]:
    """The names of topics in a batch; of other records no more than their type is looked at."""
    names: dict[Uuid, str] = {}
    for record in walk_records(content, header):
        if record.value is not None and read_metadata_frame(record.value)[0] == _TOPIC_RECORD:
            message = metadata_record_of(record).message
            names[message.topic_id] = message.name
    return names


def is_locked(path: str) -> bool:
    """Whether another process holds the lock file of a log directory; the file is only read."""
    try:
        fd = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        os.lockf(fd, os.F_TEST, 0)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
