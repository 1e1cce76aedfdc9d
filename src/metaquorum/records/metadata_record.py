"""Metadata records as values: a frame of three small numbers, then the message.

Kafka's ApiMessage framing: frame version 1, record type and record version as unsigned varints,
then the message, which is flexible in all its versions. Nothing may follow it.

A version that is newer than all known ones is read by the layout of the newest, as Kafka's nodes
read it: what such a version adds are tagged fields, and those are passed over. Only where the
record holds structures in lists it is refused, for they are said to be of that version too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from attrs import define

from metaquorum.base.memo import Memo
from metaquorum.records.errors import BatchError
from metaquorum.records.varints import read_uvarint, uvarint
from metaquorum.wire.generated.index import RECORDS, record_codec
from metaquorum.wire.message import Message
from metaquorum.wire.primitives import Parts, joined

FRAME_VERSION = 1
_Writer = tuple[bytes, Callable[[Parts, Any, int], None]]
_MAX_NUMBER = 32767  # types and versions are 16 bits in Kafka's schemas


class MetadataRecordError(BatchError):
    """A record value that is not framed as metadata, or is of an unknown type or version.

    ``at`` is the place in the value.
    """

    def __str__(self) -> str:
        return f"{self.reason} (byte {self.at} of the value)"


@define
class MetadataRecord:
    """A metadata record with the type and version it was written as."""

    type: int
    version: int
    message: Any

    @property
    def known_version(self) -> int:
        """The version by whose layout it was read: the newest known one if its own is newer."""
        return min(self.version, record_codec(self.type).HIGHEST_VERSION)


def encode_metadata_record(type: int, message: Any, version: int) -> bytes:
    """The framed value; EncodeError from the codec when the version cannot carry the message."""
    frame, put = _WRITERS[type][version]
    parts: Parts = [frame]
    put(parts, message, version)
    return joined(parts)


def _writers(type: int) -> Memo[int, _Writer]:
    put = record_codec(type).put

    def writer(version: int) -> _Writer:
        return b"".join((uvarint(FRAME_VERSION), uvarint(type), uvarint(version))), put

    return Memo(writer)


_WRITERS: Final = Memo(_writers)
"""By type and version: the frame of such records, and what puts a message behind it."""


def decode_metadata_record(value: bytes | memoryview) -> MetadataRecord:
    """The record behind a framed value.

    Raises MetadataRecordError for the frame and for bytes left over, DecodeError for the message.
    """
    type, version, at = read_metadata_frame(value)
    if type not in RECORDS:
        raise MetadataRecordError(f"unknown metadata record type {type}", at)
    codec = record_codec(type)
    is_newer = version > codec.HIGHEST_VERSION
    message, after = codec.get(value, at, codec.HIGHEST_VERSION if is_newer else version)
    if after != len(value):
        raise MetadataRecordError(f"{len(value) - after} bytes left over after {codec.NAME}", after)
    if is_newer and (name := _structures(message)) is not None:
        raise MetadataRecordError(
            f"{codec.NAME} version {version} with {name}, which are known up to version "
            f"{codec.HIGHEST_VERSION}",
            at,
        )
    return MetadataRecord(type, version, message)


def _structures(message: Any) -> str | None:
    """The first field of a message that holds a list of structures, if one does."""
    for name in type(message).__slots__:
        value = getattr(message, name)
        if isinstance(value, list | tuple) and value and isinstance(value[0], Message):
            return str(name)
    return None


def read_metadata_frame(value: bytes | memoryview) -> tuple[int, int, int]:
    """Type, version and the place of the message; MetadataRecordError when there is no frame."""
    try:
        frame, at = read_uvarint(value, 0)
        if frame != FRAME_VERSION:
            raise MetadataRecordError(f"frame version {frame}, only version 1 is known")
        type, at = read_uvarint(value, at)
        version, at = read_uvarint(value, at)
    except MetadataRecordError:
        raise
    except BatchError as error:
        raise MetadataRecordError(error.reason, error.at) from None
    if type > _MAX_NUMBER or version > _MAX_NUMBER:
        raise MetadataRecordError(f"record type {type}, version {version}: beyond 32767", at)
    return type, version, at
