"""Damaged frames: a message or a DecodeError with a place, nothing else, and never much memory.

The fullest frame of each message that we serve, send or store is cut at every byte and has every
byte changed; all others are cut and changed here and there (``make soak`` does not spare any).
Numbers that promise gigabytes are written over old and new ones.
"""

from __future__ import annotations

from types import ModuleType
from typing import Any

import pytest

from metaquorum.base.errors import PeerError
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing import golden, values
from metaquorum.testing.golden import GoldenFrame
from metaquorum.testing.schemas import MessageText, all_messages
from metaquorum.wire.message import Message
from metaquorum.wire.primitives import DecodeError

EACH_MESSAGE = pytest.mark.parametrize("schema", all_messages(), ids=lambda schema: schema.name)
FLIPS = (0x01, 0x80, 0xFF)
# What stands for an endless array, string or tag section.
HUGE = (
    b"\x7f\xff",  # an int16
    b"\x7f\xff\xff\xff",  # an int32
    b"\xff\xff\xff\xfe",  # below null
    b"\x80\x00\x00\x00",  # the lowest int32
    b"\xff\xff\xff\xff\x0f",  # a varint of 32 bits
    b"\xff\xff\xff\xff\x07",  # a varint of 31 bits
    b"\xff" * 12,  # a varint without an end
)
CUTS = 16  # of each frame beside the fullest
CHANGES = 12
FEW = 2  # the same for messages that we only know
FULLEST = 48  # of the fullest frame of those
PROMISES = 25  # places for each huge number


def read(module: ModuleType, data: bytes, version: int) -> Any:
    """The message in ``data``, or None after a DecodeError with a place inside the data."""
    try:
        message, end = module.get(data, 0, version)
    except DecodeError as why:
        assert isinstance(why, PeerError)
        assert why.path.split(".", 1)[0].split("[", 1)[0] == module.NAME
        assert 0 <= why.at <= len(data)
        assert why.why
        return None
    assert 0 <= end <= len(data)
    return message


def count_objects(item: Any) -> int:
    """Structs, array elements and tags of a message: all that decoding allocates."""
    if isinstance(item, list | tuple):
        return sum(1 + count_objects(each) for each in item)
    if isinstance(item, Message):
        return 1 + sum(count_objects(getattr(item, name)) for name in item.__slots__)
    return 0


def check(module: ModuleType, data: bytes, version: int) -> None:
    """Read damaged ``data``; what can be read can be written, and is small."""
    message = read(module, data, version)
    if message is None:
        return
    # A tag costs two bytes and makes three objects; nothing else makes more than one a byte.
    assert count_objects(message) <= 2 * len(data) + 8
    again = module.encode(message, version)
    assert module.encode(module.decode(again, version), version) == again


def is_ours(schema: MessageText) -> bool:
    """Whether some part of a node reads such messages."""
    if schema.kind in ("request", "response"):
        return schema.api_key in {api_row.key for api_row in API_ROWS}
    return "." not in schema.module or schema.module.startswith("records.")


def places(schema: MessageText, number: int, frame: GoldenFrame, some: int) -> range:
    """Where this frame is damaged: everywhere, or at ``some`` places."""
    fullest = frame is richest(schema)
    if is_ours(schema):
        return range(len(frame.data)) if fullest else spread(len(frame.data), some, number)
    return spread(len(frame.data), FULLEST if fullest else FEW, number)


def richest(schema: MessageText) -> GoldenFrame:
    """The fullest frame of the newest version."""
    return [f for f in golden.frames(schema) if f.variant == "full"][-1]


def spread(length: int, samples: int, first: int) -> range:
    """About ``samples`` positions below ``length``, starting near ``first``."""
    step = 1 + length // samples
    return range(first % step, length, step)


@EACH_MESSAGE
def test_every_cut_is_refused_with_a_place(schema: MessageText) -> None:
    module = values.codec(schema)
    for number, frame in enumerate(golden.frames(schema)):
        for cut in places(schema, number, frame, CUTS):
            assert read(module, frame.data[:cut], frame.version) is None, f"{frame} at {cut}"


@EACH_MESSAGE
def test_every_changed_byte_gives_a_message_or_a_place(schema: MessageText) -> None:
    module = values.codec(schema)
    for number, frame in enumerate(golden.frames(schema)):
        for at in places(schema, number, frame, CHANGES):
            damaged = bytearray(frame.data)
            damaged[at] ^= FLIPS[(at + number) % len(FLIPS)]
            check(module, bytes(damaged), frame.version)


@pytest.mark.soak
@EACH_MESSAGE
def test_every_byte_of_every_frame_is_cut_and_changed(schema: MessageText) -> None:
    module = values.codec(schema)
    for frame in golden.frames(schema):
        for at in range(len(frame.data)):
            assert read(module, frame.data[:at], frame.version) is None, f"{frame} at {at}"
            damaged = bytearray(frame.data)
            damaged[at] ^= FLIPS[at % len(FLIPS)]
            check(module, bytes(damaged), frame.version)


@EACH_MESSAGE
def test_promises_of_gigabytes_are_not_believed(schema: MessageText) -> None:
    module = values.codec(schema)
    by_version = {f.version: f for f in golden.frames(schema) if f.variant == "full"}
    samples = PROMISES if is_ours(schema) else FEW * FEW
    # The two encodings of counts: the oldest and the newest version have them both.
    for version in sorted({min(by_version), max(by_version)}):
        data = by_version[version].data
        for number, huge in enumerate(HUGE):
            for at in spread(len(data), samples, number):
                damaged = data[:at] + huge + data[at + len(huge) :]
                check(module, damaged, version)


@EACH_MESSAGE
def test_the_empty_body_is_refused_or_has_no_fields(schema: MessageText) -> None:
    module = values.codec(schema)
    for version in schema.versions:
        fields = [f for f in schema.fields if version in f.versions]
        message = read(module, b"", version)
        assert (message is None) == bool(fields or schema.is_flexible(version))


@EACH_MESSAGE
def test_versions_outside_the_schema_are_refused(schema: MessageText) -> None:
    module = values.codec(schema)
    frame = richest(schema)
    message = module.decode(frame.data, frame.version)
    for version in (schema.versions.low - 1, schema.versions.high + 1):
        with pytest.raises(DecodeError):
            module.get(frame.data, 0, version)
        with pytest.raises(ValueError):
            module.encode(message, version)
