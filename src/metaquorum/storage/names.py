"""File names of a log directory, as Kafka forms and reads them.

Offsets have twenty digits, epochs of snapshots ten (KIP-630 as built).
"""

from __future__ import annotations

from metaquorum.base.offsets import Offset, OffsetAndEpoch

METADATA_DIRECTORY = "__cluster_metadata-0"
GROUPS_DIRECTORY = "__consumer_offsets-0"

LOG = ".log"
OFFSET_INDEX = ".index"
TIME_INDEX = ".timeindex"
TRANSACTION_INDEX = ".txnindex"
PRODUCER_SNAPSHOT = ".snapshot"
CHECKPOINT = ".checkpoint"
PART = ".part"
DELETED = ".deleted"
# What a crash may leave behind and nobody needs any more. A cleaner writes .cleaned and .swap,
# which never ran over a metadata log.
LEFTOVERS = (PART, DELETED, ".cleaned", ".swap", ".tmp")
INDEXES = (OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX)

QUORUM_STATE = "quorum-state"
EPOCH_FILE = "leader-epoch-checkpoint"
PARTITION_METADATA = "partition.metadata"
META_PROPERTIES = "meta.properties"
CLEAN_SHUTDOWN = ".kafka_cleanshutdown"
LOCK = ".lock"
BOOTSTRAP_CHECKPOINT = "bootstrap.checkpoint"

_OFFSET_DIGITS = 20
_EPOCH_DIGITS = 10


def segment_file(base_offset: Offset, suffix: str) -> str:
    """The name of a segment's file, or of a producer snapshot at an offset."""
    return f"{base_offset:020d}{suffix}"


def parse_segment_file(name: str, suffix: str) -> Offset | None:
    """The offset in a name that ends in ``suffix``; None for all other names."""
    digits = name.removesuffix(suffix)
    if digits == name or len(digits) < _OFFSET_DIGITS or not _decimal(digits):
        return None
    return int(digits)


def snapshot_file(snapshot: OffsetAndEpoch) -> str:
    """The name of a finished snapshot: end offset (exclusive) and epoch."""
    return f"{snapshot.offset:020d}-{snapshot.epoch:010d}{CHECKPOINT}"


def snapshot_part_file(snapshot: OffsetAndEpoch) -> str:
    """The name of a snapshot that is being written."""
    return f"{snapshot.offset:020d}-{snapshot.epoch:010d}-1{CHECKPOINT}{PART}"


def parse_snapshot_file(name: str) -> OffsetAndEpoch | None:
    """The id in the name of a finished snapshot; None for all other names."""
    stem = name.removesuffix(CHECKPOINT)
    offset, dash, epoch = stem.partition("-")
    if stem == name or not dash or not (_decimal(offset) and _decimal(epoch)):
        return None
    if len(offset) < _OFFSET_DIGITS or len(epoch) < _EPOCH_DIGITS:
        return None
    return OffsetAndEpoch(epoch=int(epoch), offset=int(offset))


def is_leftover(name: str) -> bool:
    """Whether a file of this name is only there because something was interrupted."""
    return name.endswith(LEFTOVERS)


def _decimal(text: str) -> bool:
    return text.isascii() and text.isdigit()
