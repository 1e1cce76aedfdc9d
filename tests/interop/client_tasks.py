"""What every client is asked to do, and what came of it."""

from __future__ import annotations

import base64
import time
from collections.abc import Callable, Iterable, Mapping

from attrs import field, frozen

TOPIC = "__cluster_metadata"
PATIENCE_S = 30.0

# What is asked, in the order of the page's columns, and what the page calls it.
ACTIONS = {
    "beginning": "assign and read from the beginning",
    "offset": "read from an offset",
    "timestamp": "read from a time",
    "find": "find the offset of a time",
    "offsets": "ask for first and last offset",
    "topics": "list topics",
    "configs": "describe configs",
    "group": "subscribe in a group",
    "produce": "produce",
    "transaction": "produce in a transaction",
    "create": "create a topic",
}


@frozen
class ClientTask:
    """Where the server is, and how many records of a log that rests it should deliver."""

    servers: str
    count: int
    offset: int
    count_from_offset: int
    timestamp_ms: int
    """The time of the record at ``offset``; all before it are older."""


@frozen
class Outcome:
    """One of: records, offsets, names, a refusal in the client's words, or no such call."""

    records: tuple[tuple[int, bytes | None], ...] = ()
    """Offset and value; no value where the client could not tell it."""
    offsets: tuple[int, ...] = ()
    names: tuple[str, ...] = field(default=(), converter=tuple)
    error: str = ""
    absent: bool = False


ABSENT = Outcome(absent=True)
Outcomes = dict[str, Outcome]
Action = Callable[[], Outcome]


class Nothing(Exception):
    """A client neither delivered nor refused in half a minute."""


def tried(actions: Mapping[str, Action], word: Callable[[Exception], str]) -> Outcomes:
    """Do all of them; an exception of the client is an outcome as well."""
    outcomes = {}
    for name, action in actions.items():
        try:
            outcomes[name] = action()
        except Nothing:
            raise
        except Exception as error:
            outcomes[name] = Outcome(error=word(error))
    return outcomes


def gathered(poll: Callable[[], Iterable[tuple[int, bytes | None]]], count: int) -> Outcome:
    """Poll until ``count`` records came."""
    ends = time.monotonic() + PATIENCE_S
    seen: list[tuple[int, bytes | None]] = []
    while len(seen) < count:
        if time.monotonic() > ends:
            raise Nothing(f"{len(seen)} of {count} records")
        seen += poll()
    return Outcome(records=tuple(seen))


def parsed(text: str) -> Outcomes:
    """The lines that the programs in ``tools/java`` and ``tools/js`` print."""
    outcomes = {}
    for line in text.splitlines():
        name, kind, value = line.split("\t")
        outcomes[name] = _outcome(kind, value)
    return outcomes


def _outcome(kind: str, value: str) -> Outcome:
    if kind == "absent":
        return ABSENT
    if kind == "error":
        return Outcome(error=value)
    words = value.split(",")
    if kind == "offsets":
        return Outcome(offsets=tuple(int(word) for word in words))
    if kind == "names":
        return Outcome(names=words)
    pairs = [word.split(":") for word in words]
    return Outcome(records=tuple((int(at), base64.b64decode(data)) for at, data in pairs))
