"""A point in the life of a metadata log: an offset, a time, or its end."""

from __future__ import annotations

from datetime import UTC, datetime

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.records.batch import BatchHeader


@frozen
class Point:
    """After the record at ``offset``, or after the last batch up to ``time_ms``; or the end."""

    text: str = "end"
    offset: Offset | None = None
    time_ms: int | None = None

    def passed_by(self, header: BatchHeader) -> bool:
        """Whether a whole batch lies behind this point."""
        if self.offset is not None:
            return header.base_offset > self.offset
        return self.time_ms is not None and header.max_timestamp_ms > self.time_ms

    def covers(self, offset: Offset) -> bool:
        """Whether the record at ``offset`` belongs to the state at this point."""
        return self.offset is None or offset <= self.offset

    def reaches(self, end_offset: Offset, last_time_ms: int) -> bool:
        """Whether a snapshot that ends at ``end_offset`` is not newer than this point."""
        if self.offset is not None:
            return end_offset - 1 <= self.offset
        return self.time_ms is None or last_time_ms <= self.time_ms


END = Point()


def parse_point(text: str) -> Point:
    """``1234``, ``2026-11-21T09:00:00Z``, ``@1795252800000`` (ms) or ``end``."""
    if text == "end":
        return END
    if text.isascii() and text.isdecimal() and int(text) < 2**63:
        return Point(text, offset=int(text))
    if text.startswith("@") and text[1:].isdecimal():
        return Point(text, time_ms=int(text[1:]))
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        raise OperatorError(
            f"{text!r} is no point in a log: an offset (1234), a time in ISO 8601 "
            "(2026-11-21T09:00:00Z, UTC if no zone is named), milliseconds since 1970 "
            "(@1795252800000) or 'end' is needed"
        ) from None
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return Point(text, time_ms=round(moment.timestamp() * 1000))
