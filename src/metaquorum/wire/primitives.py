"""The pieces that generated codecs are made of: varints, texts, arrays, tags, and the entry points.

Getters take ``buf`` as ``bytes`` and a position that is never negative, and return the value and
the position behind it. A slice past the end is allowed to be short: the position then lies past
the end too, which the next read notices, or the check at a message's end. They raise IndexError,
struct.error or Malformed without a place; the module's entry point finds the place (``wire.place``)
and raises DecodeError.

Layout of the primitives: https://kafka.apache.org/protocol (types), KIP-482 (compact, tags).
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from struct import Struct
from typing import Any, Final, NoReturn, TypeVar

from metaquorum.wire.errors import DecodeError, EncodeError, Malformed, UnsupportedField
from metaquorum.wire.slices import FileSlice, Parts, RecordsValue, SliceChain

__all__ = ["DecodeError", "EncodeError", "Malformed", "Parts", "UnsupportedField"]

Buffer = bytes | memoryview
Tags = tuple[tuple[int, bytes], ...]
T = TypeVar("T")

MAX_TEXT_BYTES: Final = 0x7FFF  # a string's length is an int16, compact ones hold no more
MAX_UVARINT: Final = 0xFFFFFFFF
MAX_SIZE: Final = 0x7FFFFFFF

ONE_BYTE: Final = tuple(bytes([value]) for value in range(128))

# What a fast path raises on bytes that are not a message (UnicodeDecodeError is a ValueError);
# KeyError: a version outside the table.
DECODE_FAULTS: Final = (IndexError, KeyError, OverflowError, ValueError, struct.error)
# ... and on a message that does not fit the wire.
ENCODE_FAULTS: Final = (
    AttributeError, KeyError, OverflowError, TypeError, ValueError, struct.error,
)  # fmt: skip


def whole(buf: Buffer) -> bytes:
    """The bytes behind ``buf``: without a copy where it shows all of a bytes object."""
    if isinstance(buf, bytes):
        return buf
    behind = getattr(buf, "obj", None)  # a bytearray has none: its owner may change it
    if type(behind) is bytes and len(behind) == buf.nbytes and buf.contiguous:
        return behind
    return bytes(buf)


# Varints (KIP-482; zigzag as in record batches).


def get_uvarint(buf: Buffer, at: int) -> tuple[int, int]:
    """An unsigned varint of at most 32 bits, in at most five bytes."""
    value = buf[at]
    at += 1
    if value < 128:
        return value, at
    value &= 127
    shift = 7
    while True:
        byte = buf[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            break
        shift += 7
        if shift > 28:
            raise Malformed("a varint of more than five bytes")
    if value > MAX_UVARINT:
        raise Malformed("a varint of more than 32 bits")
    return value, at


def uvarint(value: int) -> bytes:
    """``value`` as an unsigned varint; ValueError unless it fits 32 bits."""
    if 0 <= value < 128:
        return ONE_BYTE[value]
    if 0 <= value < 1 << 14:
        return bytes((value & 127 | 128, value >> 7))
    if not 0 <= value <= MAX_UVARINT:
        raise ValueError(f"{value} does not fit an unsigned varint of 32 bits")
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def get_varlong(buf: Buffer, at: int) -> tuple[int, int]:
    """A zigzag varint of at most 64 bits, as record batches hold them."""
    value = shift = 0
    while True:
        byte = buf[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            break
        shift += 7
        if shift > 63:
            raise Malformed("a varint of more than ten bytes")
    if value >= 1 << 64:
        raise Malformed("a varint of more than 64 bits")
    return value >> 1 ^ -(value & 1), at


def varlong(value: int) -> bytes:
    """``value`` as a zigzag varint; ValueError unless it fits 64 bits."""
    if not -(1 << 63) <= value < 1 << 63:
        raise ValueError(f"{value} does not fit 64 bits")
    value = value << 1 ^ value >> 63
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


# Lengths and counts whose first byte, or whose int32, was not the usual case.


def long_text(buf: bytes, at: int) -> tuple[int, int]:
    """A compact text's length plus one, its first byte (just before ``at``) being 0 or long."""
    length = buf[at - 1] + (buf[at] << 7) - 128 if buf[at - 1] else 0
    if length >= 1 << 14:  # three bytes or more
        length, at = get_uvarint(buf, at - 1)
    else:
        at += 1
    if length == 0:
        raise Malformed("null, where null is not allowed")
    if length - 1 > MAX_TEXT_BYTES:
        raise Malformed(f"a text of {length - 1} bytes, the most is {MAX_TEXT_BYTES}")
    return length, at


def long_size(buf: bytes, at: int) -> tuple[int, int]:
    """The same of compact bytes: at most what is left of the buffer."""
    return long_count(buf, at, 1)


def long_count(buf: bytes, at: int, least_bytes: int) -> tuple[int, int]:
    """The same of a compact array, each of whose elements takes at least ``least_bytes``."""
    length = buf[at - 1] + (buf[at] << 7) - 128 if buf[at - 1] else 0
    if length >= 1 << 14:  # three bytes or more
        length, at = get_uvarint(buf, at - 1)
    else:
        at += 1
    if length == 0:
        raise Malformed("null, where null is not allowed")
    if (length - 1) * least_bytes > len(buf) - at:
        raise Malformed(f"{length - 1} elements, with {len(buf) - at} bytes left")
    return length, at


def check_count(buf: bytes, at: int, count: int, least_bytes: int) -> None:
    """Refuses a negative count, and one that the bytes left cannot hold."""
    if count < 0:
        raise Malformed("null, where null is not allowed")
    if count * least_bytes > len(buf) - at:
        raise Malformed(f"{count} elements, with {len(buf) - at} bytes left")


def refuse_null(name: str = "") -> NoReturn:
    """A null where none is allowed."""
    raise Malformed(f"{name or 'this'} is null, where null is not allowed")


def refuse_size() -> NoReturn:
    """A known tagged field that is not as long as its header says."""
    raise Malformed("a tagged field is not as long as it says")


def refuse_field(name: str) -> NoReturn:
    """A field is set that this version cannot carry."""
    raise UnsupportedField(name, "this version cannot carry it")


def refuse_uuid(name: str) -> NoReturn:
    """A uuid that has not sixteen bytes."""
    raise ValueError(f"{name} is a uuid and has 16 bytes")


def not_null(value: T | None) -> T:
    """``value``, which this version cannot carry as null."""
    if value is None:
        refuse_null()
    return value


def long_head(length: int) -> bytes:
    """A compact length beyond one byte."""
    return uvarint(length)


def long_text_head(length: int) -> bytes:
    """The same of a text, which has a limit."""
    if length - 1 > MAX_TEXT_BYTES:
        raise ValueError(f"a text of {length - 1} bytes, the most is {MAX_TEXT_BYTES}")
    return uvarint(length)


def lengthen(out: Parts, length: int) -> None:
    """The zero that ends ``out`` becomes a length of several bytes."""
    out[-1] = bytes(out[-1][:-1]) + long_head(length)  # type: ignore[index]


def lengthen_text(out: Parts, length: int) -> None:
    """The same for a text."""
    out[-1] = bytes(out[-1][:-1]) + long_text_head(length)  # type: ignore[index]


# Arrays of scalars.


def put_uuids(out: Parts, values: Iterable[bytes]) -> None:
    """The elements of an array of uuids."""
    for value in values:
        if len(value) != 16:
            refuse_uuid("an element")
        out.append(value)


_INT16 = Struct(">h")
_INT32 = Struct(">i")


def get_texts(buf: bytes, at: int, count: int) -> tuple[list[str], int]:
    """An array of texts with int16 lengths, none of them null."""
    found = []
    length_of = _INT16.unpack_from
    for _ in range(count):
        (length,) = length_of(buf, at)
        if length < 0:
            refuse_null()
        at += 2
        end = at + length
        found.append(buf[at:end].decode())
        at = end
    return found, at


def get_compact_texts(buf: bytes, at: int, count: int) -> tuple[list[str], int]:
    """An array of texts with varint lengths, none of them null."""
    found = []
    for _ in range(count):
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_text(buf, at)
        end = at + n - 1
        found.append(buf[at:end].decode())
        at = end
    return found, at


def put_texts(out: Parts, values: Iterable[str]) -> None:
    """The elements of an array of texts."""
    for value in values:
        text = value.encode()
        out.append(_INT16.pack(len(text)))
        out.append(text)


def put_compact_texts(out: Parts, values: Iterable[str]) -> None:
    """The same with varint lengths."""
    append = out.append
    for value in values:
        text = value.encode()
        n = len(text) + 1
        append(ONE_BYTE[n] if n < 128 else long_text_head(n))
        append(text)


def get_slices(buf: bytes, view: memoryview, at: int, count: int) -> tuple[list[memoryview], int]:
    """An array of byte strings with int32 lengths, none of them null."""
    found = []
    for _ in range(count):
        (length,) = _INT32.unpack_from(buf, at)
        if length < 0:
            refuse_null()
        at += 4
        found.append(view[at : at + length])
        at += length
    return found, at


def get_compact_slices(
    buf: bytes, view: memoryview, at: int, count: int
) -> tuple[list[memoryview], int]:
    """The same with varint lengths."""
    found = []
    for _ in range(count):
        n = buf[at]
        at += 1
        if not 0 < n < 128:
            n, at = long_size(buf, at)
        found.append(view[at : at + n - 1])
        at += n - 1
    return found, at


def put_slices(out: Parts, values: Iterable[Buffer]) -> None:
    """The elements of an array of byte strings."""
    for value in values:
        out.append(_INT32.pack(len(value)))
        out.append(value)


def put_compact_slices(out: Parts, values: Iterable[Buffer]) -> None:
    """The same with varint lengths."""
    for value in values:
        n = len(value) + 1
        out.append(ONE_BYTE[n] if n < 128 else uvarint(n))
        out.append(value)


def put_records(out: Parts, value: RecordsValue) -> None:
    """Records as they are: bytes, or places in files that nobody reads here."""
    if type(value) is SliceChain:
        out.extend(value.parts)
    elif isinstance(value, bytes | memoryview | FileSlice):
        out.append(value)
    else:
        raise TypeError(f"records are bytes or slices, not {type(value).__name__}")


# Tagged fields (KIP-482).


def get_tag_count(buf: bytes, at: int) -> tuple[int, int]:
    """How many tagged fields follow: each takes two bytes at least."""
    count, at = get_uvarint(buf, at)
    if count * 2 > len(buf) - at:
        raise Malformed(f"{count} tagged fields, with {len(buf) - at} bytes left")
    return count, at


def get_tag_head(buf: bytes, at: int, last: int) -> tuple[int, int, int]:
    """A tag, where its value ends and where it begins; tags only ever rise."""
    tag, at = get_uvarint(buf, at)
    if tag <= last:
        raise Malformed(f"tag {tag} after tag {last}: tags come in rising order, once each")
    size, at = get_uvarint(buf, at)
    if size > len(buf) - at:
        raise Malformed(f"tag {tag} of {size} bytes, with {len(buf) - at} left")
    return tag, at + size, at


def get_tags(buf: bytes, at: int) -> tuple[Tags, int]:
    """Tagged fields that nobody here knows, as they came."""
    left, at = get_tag_count(buf, at)
    found = []
    tag = -1
    for _ in range(left):
        tag, end, at = get_tag_head(buf, at, tag)
        found.append((tag, buf[at:end]))
        at = end
    return tuple(found), at


def put_tags(out: Parts, known: list[tuple[int, bytes]], unknown: Tags) -> None:
    """Known and unknown tags in rising order, instead of the zero that ends ``out``."""
    if unknown:
        known = sorted([*known, *unknown])
        last = -1
        for tag, _ in known:
            if tag <= last:
                raise ValueError(f"tag {tag} is here twice")
            last = tag
    out[-1] = out[-1][:-1]  # type: ignore[index]  # bytes: the putter has just written them
    out.append(uvarint(len(known)))
    for tag, value in known:
        n = len(value)
        if tag < 128 and n < 128:
            out += (ONE_BYTE[tag], ONE_BYTE[n], value)
        else:
            out += (uvarint(tag), uvarint(n), value)


# The entry points.


def joined(parts: Parts) -> bytes:
    """One bytes object; EncodeError where a part is only a place in a file."""
    try:
        return b"".join(parts)  # type: ignore[arg-type]  # the except below is the point
    except TypeError:
        raise EncodeError("message", "a file slice cannot be flattened: send the parts") from None


def decode_failure(shape: Any, buf: bytes, version: int, at: int, fault: Exception) -> DecodeError:
    """What a decoder raises: the slow walk over the same bytes finds the place."""
    from metaquorum.wire.place import place_in_bytes

    return place_in_bytes(shape, buf, version, at, fault)


def encode_failure(shape: Any, message: object, version: int, fault: Exception) -> EncodeError:
    """What an encoder raises: the slow walk over the message finds the field."""
    from metaquorum.wire.place import place_in_message

    return place_in_message(shape, message, version, fault)
