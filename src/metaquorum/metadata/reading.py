"""From a batch of the log, or a snapshot's bytes, to the metadata records in it.

Nothing is ever passed over: a record that cannot be understood is a InvariantViolated that names
its offset, because a state built without it would be wrong from there on.
"""

from __future__ import annotations

from collections.abc import Iterator

from metaquorum.base.errors import InvariantViolated, PeerError
from metaquorum.records.batch import BatchHeader
from metaquorum.records.errors import BatchError
from metaquorum.records.metadata_record import MetadataRecord, decode_metadata_record
from metaquorum.records.reader import walk_batches, walk_records
from metaquorum.records.record import Record


def read_metadata_batch(batch: memoryview, header: BatchHeader) -> tuple[MetadataRecord, ...]:
    """The records of one data batch, of which ``header`` was read; none of a control batch."""
    return tuple(walk_metadata_batch(batch, header))


def walk_metadata_batch(batch: memoryview, header: BatchHeader) -> Iterator[MetadataRecord]:
    """The same records, each read when it is asked for."""
    if header.is_control:
        return
    try:
        for record in walk_records(batch, header):
            yield metadata_record_of(record)
    except BatchError as error:
        raise InvariantViolated(
            f"the batch at offset {header.base_offset} cannot be read: {error.reason}"
        ) from error


def metadata_record_of(record: Record) -> MetadataRecord:
    """The metadata record that a record of a data batch carries; InvariantViolated if it is
    none.
    """
    if record.value is None or record.key is not None:
        raise InvariantViolated(
            f"the record at offset {record.offset} is no metadata: it has "
            + ("no value" if record.value is None else "a key")
        )
    try:
        return decode_metadata_record(record.value)
    except (BatchError, PeerError) as error:
        raise InvariantViolated(
            f"the metadata record at offset {record.offset} cannot be read: {error}"
        ) from error


def read_metadata_records(
    data: bytes | memoryview,
) -> Iterator[MetadataRecord]:
    """Every metadata record in a run of whole batches, a snapshot file's for one."""
    for header, batch in walk_batches(data):
        yield from read_metadata_batch(batch, header)
