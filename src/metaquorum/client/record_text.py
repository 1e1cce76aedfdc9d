"""A log record as one readable line, or as one line of JSON."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

from metaquorum.client.log_record import LogRecord

_EPOCH_START: Final = datetime(1970, 1, 1, tzinfo=UTC)
# Text without any of these needs no quotes to stay one readable word.
_QUOTED: Final = frozenset(" =\"'\\,[]{}")


def as_line(record: LogRecord) -> str:
    """``offset epoch time type fields``; a snapshot's records say which snapshot they are from.

    >>>     12     3  2026-11-21T09:00:00.123Z  TopicRecord v0  name=orders topicId=fd3l...
    """
    place = str(record.offset)
    if record.snapshot is not None:
        place = f"snapshot {record.snapshot.offset}-{record.snapshot.epoch} #{record.offset}"
    words = [f"{place:>8} {record.epoch:>5}  {time_text(record.timestamp_ms)}  {record.type}"]
    if not record.control:
        words[0] += f" v{record.version}"
    if record.fields:
        words.append(fields_text(record.fields))
    if record.problem is not None:
        words.append(f"({record.problem})")
    return "  ".join(words)


def as_json(record: LogRecord) -> str:
    """One JSON object without line breaks, fields named and spelt as in Kafka's own JSON."""
    row: dict[str, Any] = {
        "offset": record.offset,
        "epoch": record.epoch,
        "timestamp": record.timestamp_ms,
        "control": record.control,
        "type": record.type,
        "version": record.version,
        "data": record.fields,
    }
    if record.snapshot is not None:
        row["snapshot"] = {
            "endOffset": record.snapshot.offset,
            "epoch": record.snapshot.epoch,
        }
    if record.problem is not None:
        row["problem"] = record.problem
    return json.dumps(row, separators=(",", ":"))


def time_text(timestamp_ms: int) -> str:
    """Milliseconds since 1970 as ISO 8601 in UTC; a number where no calendar reaches."""
    try:
        moment = _EPOCH_START + timedelta(milliseconds=timestamp_ms)
    except OverflowError:
        return str(timestamp_ms)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def fields_text(fields: dict[str, Any]) -> str:
    """``name=value`` pairs; nested values as compact JSON."""
    return " ".join(f"{name}={_value_text(value)}" for name, value in fields.items())


def _value_text(value: Any) -> str:
    plain = isinstance(value, str) and value and value.isprintable()
    if plain and not _QUOTED.intersection(value):
        return str(value)
    return json.dumps(value, separators=(",", ":"))
