"""What a node finds on its disks at start: identity, log, snapshots, votes, voters.

Everything is checked here, before a task or a socket exists, so that a refusal to start is one
message for the operator and nothing has changed but what recovery mends.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from attrs import define, evolve, field

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, is_never_drawn, is_reserved, random_uuid, uuid_text
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.reading import read_metadata_batch, read_metadata_records
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.state import Provenance
from metaquorum.node.partition_files import PartitionFiles, opened_parts, unusable
from metaquorum.quorum.types import ZERO_SNAPSHOT, Endpoint, ReplicaKey
from metaquorum.quorum.types import Voter as QuorumVoter
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.storage import meta_properties
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import Disk
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.log_directories import check_distinct
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    META_PROPERTIES,
    METADATA_DIRECTORY,
    QUORUM_STATE,
)
from metaquorum.storage.place import DELETED, displaced
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.storage.snapshot_files import list_snapshots


@define(eq=False, kw_only=True)
class DataDirectory(PartitionFiles):
    """The opened directories of one node; ``release`` in every case, ``close_cleanly`` if well."""

    identity: MetaProperties
    _locks: list[DirectoryLock] = field(factory=list)

    @classmethod
    def open(cls, config: NodeConfig, disk: Disk | None = None) -> DataDirectory:
        """Lock, check and open what ``config`` names; OperatorError says what is in the way."""
        try:
            return cls._open(config, disk if disk is not None else PosixDisk())
        except OSError as error:  # no rights, no room, a file in the place of a directory
            raise unusable(error) from error

    @classmethod
    def _open(cls, config: NodeConfig, disk: Disk) -> DataDirectory:
        identity = _identity(disk, config)
        locks: list[DirectoryLock] = []
        try:
            for directory in _directories(config):
                locks.append(DirectoryLock(directory))
            identity = _with_directory_id(disk, config.metadata_log_dir, identity)
            return cls.over(disk, config, identity, locks)
        except BaseException:
            for lock in locks:
                lock.release()
            raise

    @classmethod
    def over(
        cls,
        disk: Disk,
        config: NodeConfig,
        identity: MetaProperties,
        locks: list[DirectoryLock] | None = None,
    ) -> DataDirectory:
        """Recover and check what is on any disk, a simulated one for instance.

        Raises OperatorError, RottenLog, DiskFailed.
        """
        path = os.path.join(config.metadata_log_dir, METADATA_DIRECTORY)
        snapshots = list_snapshots(disk, path) if disk.exists(path) else ()
        if all(one == ZERO_SNAPSHOT for one in snapshots):  # before anything is written
            _legacy_records(disk, os.path.join(config.metadata_log_dir, BOOTSTRAP_CHECKPOINT))
        directory = cls(
            **opened_parts(disk, path, _log_config(config)),
            identity=identity,
            locks=locks if locks is not None else [],
        )
        directory.journal.also_check = directory.check_identity
        return directory

    def check_identity(self) -> None:
        """DiskFailed if a data directory has lost its lock, or what says whose it is."""
        for lock in self._locks:
            lock.check_in_place()
            path = os.path.join(os.path.dirname(lock.path), META_PROPERTIES)
            if not self.disk.exists(path):
                raise displaced(path, DELETED)

    @property
    def key(self) -> ReplicaKey:
        """Who this node is among the voters (KIP-853)."""
        return ReplicaKey(self.identity.node_id, self.identity.directory_id)

    @property
    def identity_file(self) -> str:
        """The meta.properties of the metadata log's directory."""
        return os.path.join(os.path.dirname(self.path), META_PROPERTIES)

    def voter_history(self, config: NodeConfig) -> VoterHistory:
        """The voters that snapshot, log and configuration name, oldest first."""
        return self.history_over(static_voters(config))

    def bootstrap_records(self) -> tuple[MetadataRecord, ...]:
        """What format wants in the log of a new cluster (KIP-1170).

        They are in the zero checkpoint, or in the bootstrap.checkpoint that releases before 4.4
        wrote; where both have records, the zero checkpoint's count.
        """
        return self._zero_checkpoint_records() or self._legacy_bootstrap_records()

    @property
    def overruled_bootstrap(self) -> str | None:
        """The bootstrap.checkpoint that has no effect because the zero checkpoint has records."""
        if self._legacy_bootstrap_records() and self._zero_checkpoint_records():
            return self._legacy_bootstrap
        return None

    def drop_legacy_bootstrap(self) -> bool:
        """Delete bootstrap.checkpoint: a snapshot with records says that nobody needs it."""
        if not self.disk.exists(self._legacy_bootstrap):
            return False
        with _reading():
            self.disk.unlink(self._legacy_bootstrap)
            self.disk.sync_directory(os.path.dirname(self._legacy_bootstrap))
        return True

    @property
    def _legacy_bootstrap(self) -> str:
        return os.path.join(os.path.dirname(self.path), BOOTSTRAP_CHECKPOINT)

    def _zero_checkpoint_records(self) -> tuple[MetadataRecord, ...]:
        if ZERO_SNAPSHOT not in self.snapshots.ids:
            return ()
        try:
            return self.records_of(ZERO_SNAPSHOT)
        except BadSnapshot:
            if self.newest_snapshot is None:
                raise
            return ()  # the newer snapshot has them

    def _legacy_bootstrap_records(self) -> tuple[MetadataRecord, ...]:
        return _legacy_records(self.disk, self._legacy_bootstrap)

    def loading_of(self, snapshot: OffsetAndEpoch, *, count_changes: bool = False) -> StateLoading:
        """The state of a snapshot, to be loaded; BadSnapshot meanwhile if the file is damaged."""
        place = Provenance(
            snapshot.offset, snapshot.epoch, self.snapshots.last_contained_ms(snapshot)
        )
        batches = self.snapshots.batches(snapshot)
        return StateLoading(batches, place, count_changes=count_changes)

    def records_of(self, snapshot: OffsetAndEpoch) -> tuple[MetadataRecord, ...]:
        """The metadata records of a snapshot."""
        return tuple(
            record
            for header, batch in self.snapshots.batches(snapshot)
            for record in read_metadata_batch(memoryview(batch), header)
        )

    def release(self) -> None:
        """Give the locks back."""
        for lock in self._locks:
            lock.release()
        self._locks.clear()


def _directories(config: NodeConfig) -> list[str]:
    return list(dict.fromkeys((config.metadata_log_dir, *config.log_dirs)))


def _identity(disk: Disk, config: NodeConfig) -> MetaProperties:
    """The identity that all directories share; OperatorError names the one that differs."""
    found: MetaProperties | None = None
    first = ""
    directory_ids: dict[Uuid, str] = {}
    check_distinct(_directories(config))
    for directory in _directories(config):
        file = os.path.join(directory, META_PROPERTIES)
        identity = meta_properties.read(disk, directory)
        if identity is None and os.path.lexists(directory) and not os.path.isdir(directory):
            raise OperatorError(
                f"{directory}, which log.dirs names, is not a directory: take it away, or name "
                "another one, and format that"
            )
        if identity is None:
            raise _not_formatted(disk, directory, file)
        if identity.node_id != config.node_id:
            raise OperatorError(
                f"{file} says node.id={identity.node_id}, the configuration says "
                f"node.id={config.node_id}: this directory belongs to another node"
            )
        if found is None:
            found, first = identity, file
        elif identity.cluster_id != found.cluster_id:
            raise OperatorError(
                f"{file} says cluster.id={identity.cluster_id}, {first} says "
                f"cluster.id={found.cluster_id}: these directories belong to two clusters"
            )
        if identity.directory_id is not None:
            _check_directory_id(identity.directory_id, file, directory_ids)
    if found is None:
        raise OperatorError("log.dirs names no directory")
    own = meta_properties.read(disk, config.metadata_log_dir)
    assert own is not None
    return own


def _not_formatted(disk: Disk, directory: str, file: str) -> OperatorError:
    why = f"{directory} is not formatted: there is no {file}."
    if os.path.islink(file):
        return OperatorError(
            f"{why} A symbolic link leads to nothing: restore what it led to, or take it away."
        )
    if disk.exists(os.path.join(directory, METADATA_DIRECTORY, QUORUM_STATE)):
        return OperatorError(
            f"{why} But a node has run there: restore the file from a copy; if there is none, "
            "bring this node back as a new replica from an empty directory."
        )
    return OperatorError(
        f"{why} Run `metaquorum storage format --cluster-id ID --config FILE --standalone` once, "
        "before the first start."
    )


def _check_directory_id(directory_id: Uuid, file: str, seen: dict[Uuid, str]) -> None:
    """OperatorError for an id that no directory can have, or that two have, as Kafka refuses them.

    ``seen`` are those of the other directories, with their files; this one is added.
    """
    text = uuid_text(directory_id)
    if is_reserved(directory_id):
        raise OperatorError(
            f"{file}: directory.id={text} is reserved. Restore the file from a copy; if there is "
            "none, format an empty directory"
        )
    if directory_id in seen:
        raise OperatorError(
            f"{file} says directory.id={text}, and so does {seen[directory_id]}: one directory is "
            "a copy of the other. Take the copy out of log.dirs, or format it anew"
        )
    seen[directory_id] = file


def _with_directory_id(disk: Disk, directory: str, identity: MetaProperties) -> MetaProperties:
    """The identity with a directory id, which older formats did not write (KIP-858)."""
    if identity.directory_id is not None:
        return identity
    identity = evolve(identity, directory_id=_draw_uuid())
    meta_properties.write(disk, directory, identity)
    return identity


def _draw_uuid() -> Uuid:
    raw = random_uuid(os.urandom(16))
    while is_never_drawn(raw):
        raw = random_uuid(os.urandom(16))
    return raw


def _log_config(config: NodeConfig) -> LogConfig:
    return LogConfig(
        segment_bytes=config.metadata_log_segment_bytes,
        segment_ms=config.metadata_log_segment_ms,
    )


def _legacy_records(disk: Disk, path: str) -> tuple[MetadataRecord, ...]:
    """The records of a bootstrap.checkpoint, none without it; OperatorError if it is damaged."""
    if not disk.exists(path):
        return ()
    with _reading():
        content = disk.read_bytes(path)
    try:
        return tuple(read_metadata_records(content))
    except BatchError as error:
        raise OperatorError(
            f"{path} is damaged: {error}. A format wrote this file: restore it from a copy; or, if "
            "this node has never run, empty its directory and format it anew"
        ) from None


@contextmanager
def _reading() -> Iterator[None]:
    """Errors of files that are read while the node is put together, told as those of opening."""
    try:
        yield
    except OSError as error:
        raise unusable(error) from error


def static_voters(config: NodeConfig) -> VoterSet | None:
    """The voters that the configuration names, for as long as no record does; None: no names."""
    if not config.static_voters:
        return None
    names = config.controller_listener_names
    listener = names[0] if names else "CONTROLLER"
    return VoterSet(
        tuple(
            QuorumVoter(ReplicaKey(one.id), (Endpoint(listener, one.host, one.port),))
            for one in config.static_voters
        )
    )
