"""Control records: a key with a type, a value with the message of that type."""

from __future__ import annotations

from metaquorum.records.control import ControlType, encode_control, read_control
from metaquorum.records.errors import CorruptRecord
from metaquorum.records.record import Record
from metaquorum.testing.fuzz.promise import promise, refused_at
from metaquorum.wire.errors import DecodeError

OFFSET = 7
_NULL = 0xFF
_LONGEST_KEY = 8


def one_input(data: bytes) -> bool:
    """The key's length (255 for none), the key, the value; whether it is a known record."""
    if not data:
        return False
    size = None if data[0] == _NULL else data[0] % (_LONGEST_KEY + 1)
    key = None if size is None else data[1 : 1 + size]
    value = data[1 + (size or 0) :]
    try:
        record = read_control(Record(OFFSET, 0, key, value))
    except (CorruptRecord, DecodeError) as why:
        return refused_at(why, len(value))
    promise(record.offset == OFFSET, "a control record keeps its offset")
    if record.message is None:
        promise(record.type not in list(ControlType), "only unknown types mean nothing")
        return False
    written = encode_control(ControlType(record.type), record.message)
    again = read_control(Record(OFFSET, 0, *written))
    promise(again == record, "a control record that was written again reads the same")
    return True
