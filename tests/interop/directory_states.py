"""What a data directory says the state is: its log replayed, and each of its snapshots."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.metadata.reading import read_metadata_batch, read_metadata_records
from metaquorum.metadata.snapshot_writer import snapshot_values
from metaquorum.metadata.state import MetadataState
from metaquorum.quorum.types import ZERO_SNAPSHOT
from metaquorum.records.batch import BatchHeader
from metaquorum.records.metadata_record import MetadataRecord, decode_metadata_record
from metaquorum.records.reader import walk_batches
from metaquorum.storage.names import parse_snapshot_file, snapshot_file
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.json_form import json_text, to_json

NO_ZK_MIGRATION = 'ZkMigrationStateRecord v0 {"zkMigrationState":0}'


def log_batches(directory: Path) -> Iterator[tuple[BatchHeader, memoryview]]:
    """Every batch of the log, from its first segment on."""
    for segment in sorted(directory.glob("*.log")):
        yield from walk_batches(segment.read_bytes())


def replayed(directory: Path, end_offset: int | None = None) -> MetadataState:
    """The state that the log alone makes, up to an offset or to its end."""
    state = MetadataState()
    for header, batch in log_batches(directory):
        if end_offset is not None and header.base_offset >= end_offset:
            break
        records = read_metadata_batch(batch, header)
        for offset, record in enumerate(records, header.base_offset):
            state.replay(record, offset, header.leader_epoch, header.max_timestamp_ms)
        state.close_batch()
    state.commit(state.end_offset)
    return state


def snapshots(directory: Path) -> list[OffsetAndEpoch]:
    """The snapshots of state, oldest first."""
    found = (parse_snapshot_file(path.name) for path in directory.iterdir())
    return sorted(one for one in found if one is not None and one != ZERO_SNAPSHOT)


def lines_of_snapshot(directory: Path, snapshot: OffsetAndEpoch) -> list[str]:
    """A snapshot's records in words, sorted: their order differs between releases."""
    content = (directory / snapshot_file(snapshot)).read_bytes()
    return _lines(read_metadata_records(content))


def lines_of_state(state: MetadataState) -> list[str]:
    """The records that a snapshot of this state consists of, likewise."""
    return _lines(decode_metadata_record(value) for value in snapshot_values(state.live()))


def _lines(records: Iterable[MetadataRecord]) -> list[str]:
    """3.x says in every snapshot that there is no migration from ZooKeeper; nobody else does."""
    return sorted(line for one in records if (line := _line(one)) != NO_ZK_MIGRATION)


def _line(record: MetadataRecord) -> str:
    codec = record_codec(record.type)
    data: Any = to_json(codec, record.message, record.known_version)
    if "features" in data:  # in the order of a hash table
        data["features"].sort(key=str)
    return f"{codec.NAME} v{record.version} {json_text(data)}"
