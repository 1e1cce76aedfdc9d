"""A server's log lines, taken apart again: time, level, name and fields (``observe/events.py``)."""

from __future__ import annotations

import json
import re
from pathlib import Path

from attrs import define, frozen

_LINE = re.compile(r"(\d{4}-\d\d-\d\dT[\d:.]+Z) (\w+) ([a-z0-9-]+)((?: .*)?)$")
_FIELD = re.compile(r'([^\s=]+)=("(?:[^"\\]|\\.)*"|\S+)')


@frozen
class EventLine:
    """One event of a log; ``moment`` as it is written there."""

    moment: str
    level: str
    name: str
    fields: dict[str, str]


def parse_line(line: str) -> EventLine | None:
    """The event in a line; None for a line that is none, of a traceback say."""
    found = _LINE.match(line)
    if found is None:
        return None
    fields = {
        key: json.loads(value) if value.startswith('"') else value
        for key, value in _FIELD.findall(found[4])
    }
    return EventLine(found[1], found[2], found[3], fields)


@define
class LogFollower:
    """Reads what is new in a log file, whole lines only."""

    path: Path
    _read_to: int = 0

    def new_lines(self) -> list[str]:
        """Every line that was completed since the last call."""
        if not self.path.exists():
            return []
        with self.path.open("rb") as log:
            log.seek(self._read_to)
            data = log.read()
        whole = data[: data.rfind(b"\n") + 1]
        self._read_to += len(whole)
        return whole.decode(errors="replace").splitlines()
