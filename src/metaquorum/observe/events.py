"""What happened, one line an event: time, level, a name with dashes, then ``key=value`` pairs.

    2026-11-21T09:40:02.113Z info leader-elected epoch=3 leader=1
    2026-11-21T09:40:02.120Z warn unknown-key key=nod.id hint="did you mean node.id?"

A line can be read by a person and split by a program: values with blanks, quotes, or signs that
would break the line or act on a terminal are in double quotes, escaped as JSON escapes them.

Values may come from peers. Here, and nowhere else, they are cut, before they are quoted: a value
to ``MAX_LOG_VALUE_CHARS``, a line to ``MAX_LOG_LINE_CHARS``. Of one event so many lines a second
are written (``MAX_LOG_LINES_PER_SECOND``), the others are counted (decision 197).

The other form of a line is one JSON object (decision 227), for programs that collect lines:

    {"time":"2026-11-21T09:40:02.113Z","level":"info","event":"leader-elected","fields":{"epoch":3}}
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from enum import IntEnum
from json import dumps
from math import isfinite

from attrs import define, field

from metaquorum.base.limits import (
    MAX_LOG_LINE_CHARS,
    MAX_LOG_LINES_PER_SECOND,
    MAX_LOG_VALUE_CHARS,
)
from metaquorum.base.quoting import printable

_LONGEST_ESCAPE_CHARS = 12  # a surrogate pair, of a sign that does not print
_ROOM_FOR_COUNT_CHARS = 40  # of what tells how many fields were left out
_PLAIN = re.compile(r"[^\s\"=\\\x00-\x1f\x7f]+")
_NAME = re.compile(r"[a-z0-9]+(-[a-z0-9]+)*")


class Level(IntEnum):
    """How much an event matters to the person who reads."""

    DEBUG = 10
    INFO = 20
    WARN = 30
    ERROR = 40


def event_line(wall_ms: int, level: Level, name: str, fields: dict[str, object]) -> str:
    """One event as one line, without a line end; ValueError for a name of another form.

    Values that are too long are cut, and say how many characters were left out. Fields for which
    there is no room in the line are left out, and ``fields_left_out`` tells their number.
    """
    _check_name(name)
    line = f"{_moment(wall_ms)} {level.name.lower()} {name}"
    pairs = [f" {key}={_value(value)}" for key, value in fields.items()]
    room_chars = MAX_LOG_LINE_CHARS - len(line) - _ROOM_FOR_COUNT_CHARS
    if sum(map(len, pairs)) > room_chars:
        pairs = _fitting(pairs, room_chars)
    return line + "".join(pairs)


def json_event_line(wall_ms: int, level: Level, name: str, fields: dict[str, object]) -> str:
    """One event as one JSON object in ASCII; limits and errors are those of ``event_line``.

    Numbers, booleans and None stay what they are, everything else is a string.
    """
    _check_name(name)
    head = {"time": _moment(wall_ms), "level": level.name.lower(), "event": name}
    line = f'{dumps(head, separators=(",", ":"))[:-1]},"fields":{{'
    pairs = [f"{dumps(key)}:{_json_value(value)}" for key, value in fields.items()]
    room_chars = MAX_LOG_LINE_CHARS - len(line) - _ROOM_FOR_COUNT_CHARS
    if sum(map(len, pairs)) + len(pairs) > room_chars:
        fitting = _fitting([f"{pair}," for pair in pairs], room_chars)[:-1]
        pairs = [pair[:-1] for pair in fitting]
        pairs.append(f'"fields_left_out":{len(fields) - len(fitting)}')
    return f"{line}{','.join(pairs)}}}}}"


LineForm = Callable[[int, Level, str, dict[str, object]], str]
"""How an event becomes a line: ``event_line`` or ``json_event_line``."""
FORMS: dict[str, LineForm] = {"text": event_line, "json": json_event_line}
"""The values of ``metaquorum.log.format``."""


def _check_name(name: str) -> None:
    if _NAME.fullmatch(name) is None:
        raise ValueError(f"{name!r} is not an event name, such as leader-elected")


def _moment(wall_ms: int) -> str:
    seconds, millis = divmod(wall_ms, 1000)
    moment = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{moment}.{millis:03d}Z"


def _nothing_dropped() -> int:
    return 0


@define(eq=False)
class _Rate:
    """Lines of one event in the second that began last."""

    second: int
    written: int = 0
    left_out: int = 0


@define
class EventLog:
    """Writes events at or above a level to wherever ``write`` puts a line.

    ``about`` are fields that every line begins with. ``dropped`` tells how many lines ``write``
    has taken and could not put anywhere. ``form`` makes a line of an event.
    """

    write: Callable[[str], None]
    wall_ms: Callable[[], int]
    least: Level = Level.INFO
    about: Mapping[str, object] = field(factory=dict)
    dropped: Callable[[], int] = _nothing_dropped
    form: LineForm = event_line
    _rates: dict[str, _Rate] = field(factory=dict, init=False, repr=False, eq=False)
    _exceeded: dict[str, _Rate] = field(factory=dict, init=False, repr=False, eq=False)

    def emit(self, level: Level, name: str, **fields: object) -> None:
        """Write one event; fields keep the order in which they are given."""
        if level < self.least:
            return
        now = self.wall_ms()
        if self._exceeded:
            self._log_suppressed(now)
        if self._is_written(name, now // 1_000):
            self.write(self.form(now, level, name, {**self.about, **fields}))

    def info(self, name: str, **fields: object) -> None:
        """An event of the ordinary course."""
        self.emit(Level.INFO, name, **fields)

    def warn(self, name: str, **fields: object) -> None:
        """An event that needs attention when there is time."""
        self.emit(Level.WARN, name, **fields)

    def error(self, name: str, **fields: object) -> None:
        """An event that needs attention."""
        self.emit(Level.ERROR, name, **fields)

    def _is_written(self, name: str, second: int) -> bool:
        """Whether one more line of this event is written in this second."""
        rate = self._rates.get(name)
        if rate is None:
            rate = self._rates[name] = _Rate(second)
        if rate.second != second:
            rate.second, rate.written = second, 0
        if rate.written < MAX_LOG_LINES_PER_SECOND:
            rate.written += 1
            return True
        rate.left_out += 1
        self._exceeded[name] = rate
        return False

    def _log_suppressed(self, now: int) -> None:
        """Say of every event whose second is over how many of its lines were left out."""
        over = [name for name, rate in self._exceeded.items() if rate.second != now // 1_000]
        for name in over:
            rate = self._exceeded.pop(name)
            line_fields = {**self.about, "event": name, "count": rate.left_out}
            rate.left_out = 0
            self.write(self.form(now, Level.WARN, "lines-left-out", line_fields))


def _fitting(pairs: list[str], room_chars: int) -> list[str]:
    """The first of them that fit, and one more that tells how many do not."""
    fitting: list[str] = []
    for pair in pairs:
        room_chars -= len(pair)
        if room_chars < 0:
            break
        fitting.append(pair)
    return [*fitting, f" fields_left_out={len(pairs) - len(fitting)}"]


def _value(value: object) -> str:
    if value is None:
        return "none"
    if isinstance(value, bool):
        return "true" if value else "false"
    text = str(value)
    if len(text) <= MAX_LOG_VALUE_CHARS:
        if _PLAIN.fullmatch(text) and text.isprintable():
            return text
        return _quoted(text, len(text))
    return _quoted(text[:MAX_LOG_VALUE_CHARS], len(text))


def _json_value(value: object) -> str:
    if value is None or isinstance(value, bool | int):
        return dumps(value)
    if isinstance(value, float) and isfinite(value):
        return dumps(value)
    text = str(value)
    return _quoted(text[:MAX_LOG_VALUE_CHARS], len(text), dumps)


def _in_quotes(text: str) -> str:
    return printable(dumps(text, ensure_ascii=False))


def _quoted(text: str, whole_chars: int, quote: Callable[[str], str] = _in_quotes) -> str:
    """In double quotes, all of it or as much as twice the limit of a value has room for."""
    line = quote(text)
    if len(line) > 2 * MAX_LOG_VALUE_CHARS:
        text = text[: 2 * MAX_LOG_VALUE_CHARS // _LONGEST_ESCAPE_CHARS]
        line = quote(text)
    if len(text) == whole_chars:
        return line
    return f'{line[:-1]}... ({whole_chars - len(text)} more characters)"'
