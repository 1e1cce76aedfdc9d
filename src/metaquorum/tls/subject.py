"""Whose a certificate is: its subject as Java writes it (RFC 2253), Kafka's name of a client.

``getpeercert`` of the standard library neither keeps the order of names in one RDN apart nor the
bytes of names that it does not know, so the DER itself is read: no more of it than the subject and
the validity.

Java's habits: the last RDN first, no space after a comma; names of attributes that RFC 2253 does
not list are numbers, and their values ``#`` and hexadecimal DER; ``,=+<>#;"\\`` are escaped
wherever they stand, and spaces at both ends.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

_SEQUENCE, _OID, _EXPLICIT_VERSION = 0x30, 0x06, 0xA0
_VALIDITY: Final = 3
_SUBJECT: Final = 4
_TEXTS: Final = frozenset((0x0C, 0x13, 0x14, 0x16, 0x1B, 0x1C, 0x1E))  # strings of a directory
_KEYWORDS: Final = {
    "2.5.4.3": "CN",
    "2.5.4.6": "C",
    "2.5.4.7": "L",
    "2.5.4.8": "ST",
    "2.5.4.9": "STREET",
    "2.5.4.10": "O",
    "2.5.4.11": "OU",
    "0.9.2342.19200300.100.1.25": "DC",
    "0.9.2342.19200300.100.1.1": "UID",
}
_ESCAPED: Final = frozenset(',=+<>#;"\\')


def subject_text(der: bytes) -> str:
    """The subject of a certificate that was verified already; ValueError for what is none."""
    try:
        rdns = [_rdn(inside) for _, inside, _ in _elements(_field(der, _SUBJECT))]
    except IndexError:
        raise ValueError("the certificate ends too early") from None
    return ",".join(reversed(rdns))


def validity_of(der: bytes) -> tuple[tuple[int, bytes], tuple[int, bytes]]:
    """From when and until when it is good: tag and text of each time; ValueError as above."""
    try:
        begins, ends = _elements(_field(der, _VALIDITY))
    except IndexError:
        raise ValueError("the certificate ends too early") from None
    return begins[:2], ends[:2]


def _field(der: bytes, at: int) -> bytes:
    """A field of what is signed: serial, algorithm, issuer, validity, subject."""
    _, certificate, _ = _element(der, 0)
    _, body, _ = _element(certificate, 0)
    return [one for one in _elements(body) if one[0] != _EXPLICIT_VERSION][at][1]


def _rdn(inside: bytes) -> str:
    return "+".join(_attribute(pair) for _, pair, _ in _elements(inside))


def _attribute(pair: bytes) -> str:
    (_, oid, _), (tag, value, whole) = _elements(pair)
    number = _dotted(oid)
    keyword = _KEYWORDS.get(number)
    if keyword is None or tag not in _TEXTS:
        return f"{keyword or number}=#{whole.hex()}"
    return f"{keyword}={_escaped(value.decode('utf-8', 'replace'))}"


def _escaped(text: str) -> str:
    made = ["\\" + one if one in _ESCAPED else "\\00" if one == "\0" else one for one in text]
    lead = len(text) - len(text.lstrip(" \r"))
    trail = len(text.rstrip(" \r"))
    return "".join("\\" + one if at < lead or at >= trail else one for at, one in enumerate(made))


def _elements(data: bytes) -> Iterator[tuple[int, bytes, bytes]]:
    at = 0
    while at < len(data):
        tag, content, end = _element(data, at)
        yield tag, content, data[at:end]
        at = end


def _element(data: bytes, at: int) -> tuple[int, bytes, int]:
    """Tag, content and end of the element that begins there."""
    tag, length = data[at], data[at + 1]
    at += 2
    if length & 0x80:
        count = length & 0x7F
        length = int.from_bytes(data[at : at + count], "big")
        at += count
    if at + length > len(data):
        raise ValueError("the certificate ends too early")
    return tag, data[at : at + length], at + length


def _dotted(oid: bytes) -> str:
    parts: list[int] = []
    value = 0
    for byte in oid:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            parts.append(value)
            value = 0
    first = min(parts[0] // 40, 2)
    return ".".join(map(str, (first, parts[0] - 40 * first, *parts[1:])))
