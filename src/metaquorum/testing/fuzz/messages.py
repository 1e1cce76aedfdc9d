"""Every request and response in every version: what decodes is encoded to what decodes."""

from __future__ import annotations

from typing import Any

from attrs import frozen

from metaquorum.testing.fuzz.promise import may_hold_nan, promise, refused_at
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated.index import APIS, request_codec, response_codec
from metaquorum.wire.registry import Codec

CHOICE_BYTES = 3  # direction, API key, version


@frozen
class Decoded:
    """A message that was found in an input."""

    codec: Codec
    version: int
    message: Any


def choosing(*, response: bool, api_key: int, version: int) -> bytes:
    """The bytes in front of a body that choose its message."""
    return bytes((response, api_key, version))


def chosen(data: bytes) -> tuple[Codec, int] | None:
    """The codec and the version that an input chooses; None where there is no such API."""
    if len(data) < CHOICE_BYTES or data[1] not in APIS:
        return None
    codec = (response_codec if data[0] & 1 else request_codec)(data[1])
    known = codec.HIGHEST_VERSION - codec.LOWEST_VERSION + 1
    return codec, codec.LOWEST_VERSION + data[2] % known


def decoded(data: bytes) -> Decoded | None:
    """The message that the input means; None without one."""
    choice = chosen(data)
    if choice is None:
        return None
    codec, version = choice
    body = data[CHOICE_BYTES:]
    try:
        message, end = codec.get(body, 0, version)
    except DecodeError as why:
        refused_at(why, len(body))
        promise(why.path.startswith(codec.NAME), f"the path begins with the message: {why.path}")
        return None
    promise(0 <= end <= len(body), "a message ends within its bytes")
    return Decoded(codec, version, message)


def check_round_trip(found: Decoded) -> None:
    """Encode, decode, encode: the same message, the same bytes."""
    codec, version = found.codec, found.version
    written = codec.encode(found.message, version)
    again = codec.decode(memoryview(written), version)
    promise(codec.encode(again, version) == written, f"{codec.NAME} v{version} keeps its bytes")
    if not may_hold_nan(found.message):
        promise(again == found.message, f"{codec.NAME} v{version} survives the wire")


def one_input(data: bytes) -> bool:
    """Three bytes that choose, then the body; whether it is one."""
    found = decoded(data)
    if found is None:
        return False
    check_round_trip(found)
    return True
