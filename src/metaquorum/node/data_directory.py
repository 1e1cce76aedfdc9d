"""What a node finds on its disks at start: identity, log, snapshots, votes, voters.

Everything is checked here, before a task or a socket exists, so that a refusal to start is one
message for the operator and nothing has changed but what recovery mends.
"""

from __future__ import annotations

import os

from attrs import define, evolve, field

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, is_reserved, random_uuid
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.reading import read_metadata_batch, read_metadata_records
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.state import Provenance
from metaquorum.node.partition_files import PartitionFiles, opened_parts
from metaquorum.quorum.types import ZERO_SNAPSHOT, Endpoint, ReplicaKey
from metaquorum.quorum.types import Voter as QuorumVoter
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.storage import meta_properties
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import Disk
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import BOOTSTRAP_CHECKPOINT, META_PROPERTIES, METADATA_DIRECTORY
from metaquorum.storage.place import DELETED, displaced
from metaquorum.storage.posix import PosixDisk


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
            raise OperatorError(f"this node cannot use its directories: {_what(error)}") from error

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
        self.disk.unlink(self._legacy_bootstrap)
        self.disk.sync_directory(os.path.dirname(self._legacy_bootstrap))
        return True

    @property
    def _legacy_bootstrap(self) -> str:
        return os.path.join(os.path.dirname(self.path), BOOTSTRAP_CHECKPOINT)

    def _zero_checkpoint_records(self) -> tuple[MetadataRecord, ...]:
        return self.records_of(ZERO_SNAPSHOT) if ZERO_SNAPSHOT in self.snapshots.ids else ()

    def _legacy_bootstrap_records(self) -> tuple[MetadataRecord, ...]:
        if not self.disk.exists(self._legacy_bootstrap):
            return ()
        return tuple(read_metadata_records(self.disk.read_bytes(self._legacy_bootstrap)))

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
    for directory in _directories(config):
        file = os.path.join(directory, META_PROPERTIES)
        identity = meta_properties.read(disk, directory)
        if identity is None:
            raise OperatorError(
                f"{directory} is not formatted: there is no {file}. Run `metaquorum storage "
                "format --cluster-id ID --config FILE --standalone` once, before the first start."
            )
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
    if found is None:
        raise OperatorError("log.dirs names no directory")
    own = meta_properties.read(disk, config.metadata_log_dir)
    assert own is not None
    return own


def _with_directory_id(disk: Disk, directory: str, identity: MetaProperties) -> MetaProperties:
    """The identity with a directory id, which older formats did not write (KIP-858)."""
    if identity.directory_id is not None:
        return identity
    identity = evolve(identity, directory_id=_draw_uuid())
    meta_properties.write(disk, directory, identity)
    return identity


def _draw_uuid() -> Uuid:
    raw = random_uuid(os.urandom(16))
    while is_reserved(raw):
        raw = random_uuid(os.urandom(16))
    return raw


def _log_config(config: NodeConfig) -> LogConfig:
    return LogConfig(
        segment_bytes=config.metadata_log_segment_bytes,
        segment_ms=config.metadata_log_segment_ms,
    )


def _what(error: OSError) -> str:
    """Which file, and why, without the number of the error."""
    if error.filename is not None:
        return f"{error.filename}: {error.strerror}"
    return str(error).partition(": [Errno")[0] + (
        f": {error.__cause__.strerror}" if isinstance(error.__cause__, OSError) else ""
    )


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
