"""Identities: node ids, cluster ids and Kafka's base64 form of a uuid.

A uuid is sixteen raw bytes everywhere here; its text is Kafka's: base64, url-safe
alphabet, no padding, 22 characters.
"""

from __future__ import annotations

import binascii
from base64 import urlsafe_b64decode, urlsafe_b64encode

NodeId = int
Uuid = bytes
ClusterId = str

ZERO_UUID: Uuid = bytes(16)
ONE_UUID: Uuid = bytes(15) + b"\x01"
METADATA_TOPIC_ID: Uuid = ONE_UUID
METADATA_TOPIC = "__cluster_metadata"
METADATA_PARTITION = 0
GROUPS_TOPIC = "__consumer_offsets"
GROUPS_TOPIC_ID: Uuid = bytes(15) + b"\x63"
"""Of our partition of that name: the last of the ids that Kafka never draws (decision 185)."""
NO_NODE: NodeId = -1

_UUID_BYTES = 16
_RESERVED_IDS = 100
_UUID_TEXT_LENGTH = 22


def uuid_text(raw: Uuid) -> str:
    """The 22 characters that Kafka prints for these sixteen bytes."""
    if len(raw) != _UUID_BYTES:
        raise ValueError(f"a uuid has 16 bytes, this one has {len(raw)}")
    return urlsafe_b64encode(raw)[:_UUID_TEXT_LENGTH].decode("ascii")


def parse_uuid(text: str) -> Uuid:
    """The sixteen bytes behind Kafka's text of a uuid; ValueError names what is wrong."""
    if len(text) > _UUID_TEXT_LENGTH + 2:
        raise ValueError(f"{text!r} is too long for a uuid: {len(text)} characters, not 22")
    try:
        raw = urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (binascii.Error, ValueError) as error:
        raise ValueError(f"{text!r} is not a uuid in url-safe base64: {error}") from None
    if len(raw) != _UUID_BYTES:
        raise ValueError(f"{text!r} holds {len(raw)} bytes, a uuid has 16")
    return raw


def random_uuid(sixteen_bytes: bytes) -> Uuid:
    """A version 4 uuid made of sixteen random bytes that the caller drew.

    Kafka never hands out a reserved id, nor one whose text begins with a dash (it would look like
    an option on a command line); the caller draws again when ``is_never_drawn`` says so.
    """
    raw = bytearray(sixteen_bytes)
    raw[6] = (raw[6] & 0x0F) | 0x40
    raw[8] = (raw[8] & 0x3F) | 0x80
    return bytes(raw)


def is_reserved(raw: Uuid) -> bool:
    """Whether the id has, or may get, a meaning of its own: the zero id and those next to it."""
    return raw[:8] == bytes(8) and int.from_bytes(raw[8:], "big", signed=True) < _RESERVED_IDS


def is_never_drawn(raw: Uuid) -> bool:
    """Whether Kafka would not hand out this id at random: reserved, or with a dash in front."""
    return is_reserved(raw) or uuid_text(raw).startswith("-")
