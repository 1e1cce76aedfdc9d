"""The records that the coordinator writes, by what they mean; each kind's classes on first use."""

from __future__ import annotations

from typing import Any

from metaquorum.records.group_record import GroupRecord, key_codec, value_codec


def record_of(kind: int, *key: Any, **fields: Any) -> GroupRecord:
    """A record of that kind; ``key`` is the group, then what follows it in its key."""
    codec: Any = value_codec(kind)
    return GroupRecord(_key(kind, *key), getattr(codec, codec.NAME)(**fields))


def tombstone_of(kind: int, *key: Any) -> GroupRecord:
    """What ends the record of that key."""
    return GroupRecord(_key(kind, *key), None)


def struct_of(kind: int, name: str, **fields: Any) -> Any:
    """A structure within the value of a kind."""
    return getattr(value_codec(kind), name)(**fields)


def _key(kind: int, *key: Any) -> Any:
    codec: Any = key_codec(kind)
    return getattr(codec, codec.NAME)(*key)
