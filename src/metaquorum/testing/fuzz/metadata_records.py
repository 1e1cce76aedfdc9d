"""Values of the metadata log: a frame of three numbers and a message, nothing behind it."""

from __future__ import annotations

from metaquorum.records.metadata_record import (
    MetadataRecordError,
    decode_metadata_record,
    encode_metadata_record,
)
from metaquorum.testing.fuzz.promise import may_hold_nan, promise, refused_at
from metaquorum.wire.errors import DecodeError


def one_input(data: bytes) -> bool:
    """A record's value; whether it is a metadata record."""
    try:
        record = decode_metadata_record(memoryview(data))
    except (MetadataRecordError, DecodeError) as why:
        return refused_at(why, len(data))
    record.version = record.known_version  # a newer version is read, and never written
    written = encode_metadata_record(record.type, record.message, record.version)
    again = decode_metadata_record(written)
    promise((again.type, again.version) == (record.type, record.version), "the frame survives")
    promise(
        encode_metadata_record(again.type, again.message, again.version) == written,
        "a record that was written again keeps its bytes",
    )
    if not may_hold_nan(record):
        promise(again == record, "a record that was written again reads the same")
    return True
