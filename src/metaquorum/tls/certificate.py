"""Whose a certificate is and until when it is good, for words and figures about it.

``getpeercert`` of the standard library tells that of verified certificates only, and the ones that
have to be talked about are those that are not good.
"""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.tls.subject import subject_text, validity_of

MAX_SUBJECT_CHARS: Final = 200  # anybody may have written it
_UTC_TIME: Final = 0x17
_GENERALIZED_TIME: Final = 0x18


@frozen
class Certificate:
    """``good_from_ms`` and ``good_until_ms`` are in ms since 1970."""

    subject: str
    good_from_ms: Millis
    good_until_ms: Millis

    @classmethod
    def of(cls, der: bytes) -> Certificate:
        """From its DER, of any issuer; ValueError for what is no certificate."""
        (from_tag, begins), (until_tag, ends) = validity_of(der)
        return cls(_shown(subject_text(der)), _time_ms(from_tag, begins), _time_ms(until_tag, ends))

    def has_expired(self, wall_ms: Millis) -> bool:
        """Whether it was good once and is no more."""
        return wall_ms > self.good_until_ms

    def __str__(self) -> str:
        return f"{self.until}: {self.subject or 'without a subject'}"  # what is cut is its end

    @property
    def until(self) -> str:
        """Until when it is good, or was, in words."""
        return f"good until {_utc_text(self.good_until_ms)}"


def _shown(subject: str) -> str:
    printable = "".join(one if one.isprintable() else "?" for one in subject)
    cut = len(printable) > MAX_SUBJECT_CHARS
    return printable[:MAX_SUBJECT_CHARS] + ("..." if cut else "")


def _time_ms(tag: int, text: bytes) -> Millis:
    """UTCTime has two digits of the year, GeneralizedTime four (RFC 5280, 4.1.2.5)."""
    digits = text.decode("ascii", "replace")
    if tag == _UTC_TIME:
        digits = ("19" if digits[:2] >= "50" else "20") + digits
    elif tag != _GENERALIZED_TIME:
        raise ValueError("the certificate has a time of an unknown kind")
    found = datetime.strptime(digits, "%Y%m%d%H%M%SZ").replace(tzinfo=UTC)
    return round(found.timestamp()) * 1_000


def _utc_text(ms: Millis) -> str:
    return datetime.fromtimestamp(ms / 1_000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
