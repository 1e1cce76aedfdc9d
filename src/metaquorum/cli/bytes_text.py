"""Bytes as people paste them: hex in any grouping, dumps of several lines with offsets, base64."""

from __future__ import annotations

import binascii
import re
from base64 import b64decode, b64encode
from collections.abc import Iterator
from typing import IO, Final

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_FRAME_BYTES

FORMS: Final = ("hex", "base64")
MAX_LINE_BYTES: Final = 3 * MAX_FRAME_BYTES  # hex with a mark between bytes
_BETWEEN = re.compile(r"[\s:]+")
# Pairs of digits in any groups: 0034, 00:34, 00 34, 0x00, 0x34, \\x00\\x34.
_HEX_BETWEEN = re.compile(r"(?:[\s:,;.-]|\\x|\b0[xX])+")
_HEX = re.compile(r"(?:[0-9a-fA-F]{2})+")
# A line of a dump: an offset, then bytes. After a colon in groups of any size (xxd, tcpdump), else
# after two blanks in pairs (hexdump -C, Wireshark); then perhaps the bytes as characters.
_PAIRS = r"(?:[0-9a-fA-F]{2})+"
_COLON_DUMP = re.compile(
    rf"(?:0x)?([0-9a-fA-F]{{4,16}}):\s+({_PAIRS}(?: {_PAIRS})*)(?:\s{{2,}}.*)?"
)
_PAIR = "[0-9a-fA-F]{2}"
_PAIRS_DUMP = re.compile(
    rf"([0-9a-fA-F]{{4,16}}) {{2,}}({_PAIR}(?: {{1,2}}{_PAIR}){{0,15}})(?: {{2,}}.*| *\|.*)?"
)


def numbered_lines(stream: IO[bytes]) -> Iterator[tuple[int, str]]:
    """The lines that hold something, with their numbers from 1.

    OperatorError for one that is longer than any frame, or no text.
    """
    number = 0
    while line := stream.readline(MAX_LINE_BYTES + 1):
        number += 1
        if len(line) > MAX_LINE_BYTES:
            raise OperatorError(f"line {number}: longer than {MAX_LINE_BYTES} bytes")
        try:
            text = line.decode().strip()
        except UnicodeDecodeError:
            raise OperatorError(f"line {number}: not UTF-8") from None
        if text:
            yield number, text


def read_chunks(stream: IO[bytes], form: str | None) -> Iterator[tuple[int, bytes]]:
    """What each line, or each dump of several lines, spells, with the number of its first line.

    A line whose offset is 0 begins a dump; one with the offset that comes next goes on with it.
    """
    dump = bytearray()
    begun = 0
    for number, text in numbered_lines(stream):
        row = None if form == "base64" else dump_row(text)
        if row is not None and dump and row[0] == len(dump):
            dump += row[1]
            continue
        if dump:
            yield begun, bytes(dump)
            dump.clear()
        if row is not None and row[0] == 0:
            begun = number
            dump += row[1]
        elif row is not None and form is None:
            raise OperatorError(f"line {number}: a dump goes on at offset {row[0]:#x}, not here")
        else:
            yield number, read_bytes(text, number, form)
    if dump:
        yield begun, bytes(dump)


def dump_row(text: str) -> tuple[int, bytes] | None:
    """Offset and bytes of a line of a dump; None for any other line."""
    found = _COLON_DUMP.fullmatch(text) or _PAIRS_DUMP.fullmatch(text)
    if found is None:
        return None
    return int(found.group(1), 16), bytes.fromhex(found.group(2))


def read_bytes(text: str, number: int, form: str | None) -> bytes:
    """The bytes that a line spells in ``form``; without one, hex if it can be hex.

    OperatorError names the line.
    """
    bare = _HEX_BETWEEN.sub("", text)
    if form != "base64" and _HEX.fullmatch(bare) is not None:
        return bytes.fromhex(bare)
    if form == "hex":
        raise OperatorError(f"line {number}: not hex: {text[:40]!r}")
    try:
        return b64decode(_BETWEEN.sub("", text), validate=True)
    except (ValueError, binascii.Error):
        raise OperatorError(f"line {number}: neither hex nor base64: {text[:40]!r}") from None


def bytes_text(data: bytes, form: str) -> str:
    """The bytes in ``form``."""
    return data.hex() if form == "hex" else b64encode(data).decode("ascii")
