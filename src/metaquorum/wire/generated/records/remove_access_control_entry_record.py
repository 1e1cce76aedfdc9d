# GENERATED from schemas/records/remove_access_control_entry_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 749bb25319fc3ee2, generator 1.
"""Removes an access control entry. Record type 19, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.base.ids import ZERO_UUID
from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, refuse_uuid, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 19
NAME: Final = "RemoveAccessControlEntryRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class RemoveAccessControlEntryRecord(Message):
    """Removes an access control entry."""

    __slots__ = ("id", "unknown_tags")

    def __init__(
        self,
        # Id of the entry to remove.
        id: bytes = ZERO_UUID,
        unknown_tags: Tags = (),
    ) -> None:
        self.id = id
        self.unknown_tags = unknown_tags


_read_16sB = Struct(">16sB").unpack_from
_write_16sx = Struct(">16sx").pack


def _get_remove_access_control_entry_record_v0(
    buf: bytes, at: int,
) -> tuple[RemoveAccessControlEntryRecord, int]:
    m = new(RemoveAccessControlEntryRecord)
    (m.id, tags) = _read_16sB(buf, at)
    at += 17
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_remove_access_control_entry_record_v0(
    out: Parts, m: RemoveAccessControlEntryRecord,
) -> None:
    if len(m.id) != 16:
        refuse_uuid("id")
    out.append(_write_16sx(m.id))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_remove_access_control_entry_record_v0}
_PUT = {0: _put_remove_access_control_entry_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> RemoveAccessControlEntryRecord:
    """The RemoveAccessControlEntryRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[RemoveAccessControlEntryRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: RemoveAccessControlEntryRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: RemoveAccessControlEntryRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_REMOVE_ACCESS_CONTROL_ENTRY_RECORD_SHAPE: Shape = (
    RemoveAccessControlEntryRecord,
    (
        ("id", "id", "uuid", (0, 0), None, None, None, ZERO_UUID, False, (0, 0), None),
    ),
)
SHAPE: Shape = (_REMOVE_ACCESS_CONTROL_ENTRY_RECORD_SHAPE, (0, 0), (0, 0))
