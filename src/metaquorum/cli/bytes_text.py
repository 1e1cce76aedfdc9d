"""Lines of bytes as people paste them: hex in any grouping, or base64."""

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
_HEX = re.compile(r"(?:0x)?((?:[0-9a-fA-F]{2})*)")


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


def read_bytes(text: str, number: int, form: str | None) -> bytes:
    """The bytes that a line spells in ``form``; without one, hex if it can be hex.

    OperatorError names the line.
    """
    bare = _BETWEEN.sub("", text)
    as_hex = _HEX.fullmatch(bare)
    if form != "base64" and as_hex is not None:
        return bytes.fromhex(as_hex.group(1))
    if form == "hex":
        raise OperatorError(f"line {number}: not hex: {text[:40]!r}")
    try:
        return b64decode(bare, validate=True)
    except (ValueError, binascii.Error):
        raise OperatorError(f"line {number}: neither hex nor base64: {text[:40]!r}") from None


def bytes_text(data: bytes, form: str) -> str:
    """The bytes in ``form``."""
    return data.hex() if form == "hex" else b64encode(data).decode("ascii")
