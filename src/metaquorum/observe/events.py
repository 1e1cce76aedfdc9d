"""What happened, one line an event: time, level, a name with dashes, then ``key=value`` pairs.

    2026-11-21T09:40:02.113Z info leader-elected epoch=3 leader=1
    2026-11-21T09:40:02.120Z warn unknown-key key=nod.id hint="did you mean node.id?"

A line can be read by a person and split by a program: values with blanks, quotes, or signs that
would break the line are in double quotes, escaped as JSON escapes them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from json import dumps

from attrs import define, field

_PLAIN = re.compile(r"[^\s\"=\\\x00-\x1f\x7f]+")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Level(IntEnum):
    """How much an event matters to the person who reads."""

    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40


def event_line(wall_ms: int, level: Level, name: str, fields: dict[str, object]) -> str:
    """One event as one line, without a line end; ValueError for a name of another form."""
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} is not an event name, such as leader-elected")
    seconds, millis = divmod(wall_ms, 1000)
    moment = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    pairs = "".join(f" {key}={_value(value)}" for key, value in fields.items())
    return f"{moment}.{millis:03d}Z {level.name.lower()} {name}{pairs}"


@define
class EventLog:
    """Writes events at or above a level to wherever ``write`` puts a line.

    ``about`` are fields that every line begins with.
    """

    write: Callable[[str], None]
    wall_ms: Callable[[], int]
    least: Level = Level.INFO
    about: Mapping[str, object] = field(factory=dict)

    def emit(self, level: Level, name: str, **fields: object) -> None:
        """Write one event; fields keep the order in which they are given."""
        if level >= self.least:
            self.write(event_line(self.wall_ms(), level, name, {**self.about, **fields}))

    def info(self, name: str, **fields: object) -> None:
        """An event of the ordinary course."""
        self.emit(Level.INFO, name, **fields)

    def warn(self, name: str, **fields: object) -> None:
        """An event that somebody should look at when there is time."""
        self.emit(Level.WARN, name, **fields)

    def error(self, name: str, **fields: object) -> None:
        """An event that somebody must look at."""
        self.emit(Level.ERROR, name, **fields)


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    return text if _PLAIN.fullmatch(text) else dumps(text, ensure_ascii=False)
