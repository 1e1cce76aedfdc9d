# GENERATED from schemas/records/zk_migration_state_record.json by `make generate`.
# Edit the schema, not this file. Schema xxh3 23cd0aa84fa3cc08, generator 1.
"""How far a migration from ZooKeeper went. Record type 21, versions 0, flexible from 0."""

from __future__ import annotations

from struct import Struct
from typing import Final

from metaquorum.wire.message import Message, new
from metaquorum.wire.primitives import (
    DECODE_FAULTS, ENCODE_FAULTS, Buffer, Parts, Tags, decode_failure, encode_failure, get_tags,
    joined, put_tags, whole,
)
from metaquorum.wire.shape import Shape

API_KEY: Final = 21
NAME: Final = "ZkMigrationStateRecord"
LOWEST_VERSION: Final = 0
HIGHEST_VERSION: Final = 0
FLEXIBLE_FROM: Final[int | None] = 0


class ZkMigrationStateRecord(Message):
    """How far a migration from ZooKeeper went."""

    __slots__ = ("zk_migration_state", "unknown_tags")

    def __init__(
        self,
        # State of a migration from ZooKeeper: 0 none, 1 pre-migration, 2 migration, 3 post-
        # migration.
        zk_migration_state: int = 0,
        unknown_tags: Tags = (),
    ) -> None:
        self.zk_migration_state = zk_migration_state
        self.unknown_tags = unknown_tags


_read_bB = Struct(">bB").unpack_from
_write_bx = Struct(">bx").pack


def _get_zk_migration_state_record_v0(buf: bytes, at: int) -> tuple[ZkMigrationStateRecord, int]:
    m = new(ZkMigrationStateRecord)
    (m.zk_migration_state, tags) = _read_bB(buf, at)
    at += 2
    m.unknown_tags = ()
    if tags:
        m.unknown_tags, at = get_tags(buf, at - 1)
    return m, at


def _put_zk_migration_state_record_v0(out: Parts, m: ZkMigrationStateRecord) -> None:
    out.append(_write_bx(m.zk_migration_state))
    if m.unknown_tags:
        put_tags(out, [], m.unknown_tags)


_GET = {0: _get_zk_migration_state_record_v0}
_PUT = {0: _put_zk_migration_state_record_v0}


def decode(buf: Buffer, version: int, at: int = 0) -> ZkMigrationStateRecord:
    """The ZkMigrationStateRecord that begins at ``at``, in this version; what follows it is
    ignored. DecodeError names the place of a fault.
    """
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)[0]
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def get(buf: Buffer, at: int, version: int) -> tuple[ZkMigrationStateRecord, int]:
    """The same, and the position behind it."""
    data = buf if type(buf) is bytes else whole(buf)
    try:
        return _GET[version](data, at)
    except DECODE_FAULTS as fault:
        raise decode_failure(SHAPE, data, version, at, fault) from None


def encode(message: ZkMigrationStateRecord, version: int) -> bytes:
    """The message on the wire. EncodeError names the field of a fault, UnsupportedField one that
    this version cannot carry and must not drop.
    """
    out: Parts = []
    try:
        _PUT[version](out, message)
    except ENCODE_FAULTS as fault:
        raise encode_failure(SHAPE, message, version, fault) from fault
    return joined(out)


def put(parts: Parts, message: ZkMigrationStateRecord, version: int) -> None:
    """The same, appended to ``parts``, with file slices as they are."""
    start = len(parts)
    try:
        _PUT[version](parts, message)
    except ENCODE_FAULTS as fault:
        del parts[start:]
        raise encode_failure(SHAPE, message, version, fault) from fault

# name, attribute, type, versions, nullable, tag, tagged, default, ignorable, flexible, struct
_ZK_MIGRATION_STATE_RECORD_SHAPE: Shape = (
    ZkMigrationStateRecord,
    (
        (
            "zkMigrationState", "zk_migration_state", "int8", (0, 0), None, None, None, 0, False,
            (0, 0), None,
        ),
    ),
)
SHAPE: Shape = (_ZK_MIGRATION_STATE_RECORD_SHAPE, (0, 0), (0, 0))
