"""The file of a recording: one JSON object a line, in the order of time.

Every line has ``kind`` and ``us``, microseconds since the recording began. The kinds:

========= ====================================================================================
recording the first line: ``version`` 1, ``began_us`` (since 1970), ``addresses`` (node id to
          host:port as the others know it)
life      a node of ours is about to start: ``node``, ``properties``, ``files`` (its data
          directory, name to hex)
seed      that node's ``seed`` and ``began_ms`` (since 1970), as its log tells them
opened    ``connection`` (a number of its own) ``to`` a node
frame     one frame on a ``connection``: ``way`` is request or response, ``frame`` hex
closed    a ``connection`` ended
========= ====================================================================================

A frame is written without the size before it, when the last of its bytes has arrived at the relay
and before the other side has it.
"""

from __future__ import annotations

import gzip
import json
import re
import threading
import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, TextIO

from attrs import define, field, frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.wire.headers import RequestHeader, read_request_header

VERSION = 1
REQUEST, RESPONSE = "request", "response"
_NUMBER_AT_END = re.compile(r"(\d+)$")


@frozen
class Frame:
    """One frame; ``us`` since the recording began."""

    us: int
    connection: int
    way: str
    data: bytes

    @property
    def correlation_id(self) -> int:
        """The number by which an answer finds its request."""
        at = 4 if self.way == REQUEST else 0
        return int.from_bytes(self.data[at : at + 4], "big", signed=True)

    @property
    def header(self) -> RequestHeader | None:
        """What a request says of itself; None where it cannot be read."""
        try:
            return read_request_header(self.data)[0]
        except PeerError:
            return None


@define(eq=False)
class Talk:
    """One connection to a node, from its opening to its end (None: it outlived the recording)."""

    number: int
    to: int
    opened_us: int
    closed_us: int | None = None
    frames: list[Frame] = field(factory=list)

    @property
    def requests(self) -> list[Frame]:
        """What was asked, in order."""
        return [one for one in self.frames if one.way == REQUEST]

    @property
    def responses(self) -> dict[int, Frame]:
        """The answers by their correlation ids."""
        return {one.correlation_id: one for one in self.frames if one.way == RESPONSE}

    @property
    def client_id(self) -> str:
        """The name that the asker gives; empty where it never asked."""
        header = next((one.header for one in self.requests), None)
        return "" if header is None else header.client_id or ""

    @property
    def asker(self) -> int | None:
        """The node that asks, by the number at the end of its name."""
        found = _NUMBER_AT_END.search(self.client_id)
        return None if found is None else int(found[1])


@define(eq=False)
class Life:
    """A node of ours as it started: all that it takes to start it again."""

    node: int
    properties: Mapping[str, str]
    files: Mapping[str, bytes]
    seed: int | None = None
    began_ms: int = 0


@define(eq=False)
class Recording:
    """A whole recording."""

    began_us: int
    addresses: dict[int, str]
    talks: list[Talk] = field(factory=list)
    lives: list[Life] = field(factory=list)

    @property
    def frames(self) -> list[Frame]:
        """All frames in the order of time."""
        return sorted((one for talk in self.talks for one in talk.frames), key=lambda one: one.us)

    def life(self, node: int) -> Life:
        """The first life of a node; OperatorError where the recording has none with a seed."""
        for one in self.lives:
            if one.node == node and one.seed is not None:
                return one
        raise OperatorError(f"the recording has no life of node {node} that could be played")

    @classmethod
    def open(cls, path: Path) -> Recording:
        """The recording in a file, which may be packed by gzip; OperatorError as ``read``."""
        data = path.read_bytes()
        text = (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
        return cls.read(text.splitlines())

    @classmethod
    def read(cls, lines: Iterable[str]) -> Recording:
        """The recording in these lines; OperatorError names the line that is none."""
        made: Recording | None = None
        talks: dict[int, Talk] = {}
        for number, line in enumerate(lines, start=1):
            try:
                row = json.loads(line)
                if made is None:
                    made = _begun(row)
                else:
                    _take(made, talks, row)
            except (ValueError, KeyError, TypeError) as error:
                raise OperatorError(f"line {number} is none of a recording: {error!r}") from None
        if made is None:
            raise OperatorError("an empty file is no recording")
        return made


def _begun(row: dict[str, Any]) -> Recording:
    if row["kind"] != "recording" or row["version"] != VERSION:
        raise ValueError(f"a recording of version {VERSION} begins otherwise")
    return Recording(row["began_us"], {int(node): at for node, at in row["addresses"].items()})


def _take(made: Recording, talks: dict[int, Talk], row: dict[str, Any]) -> None:
    kind = row["kind"]
    if kind == "opened":
        talk = talks[row["connection"]] = Talk(row["connection"], row["to"], row["us"])
        made.talks.append(talk)
    elif kind == "frame":
        data = bytes.fromhex(row["frame"])
        frame = Frame(row["us"], row["connection"], row["way"], data)
        talks[row["connection"]].frames.append(frame)
    elif kind == "closed":
        talks[row["connection"]].closed_us = row["us"]
    elif kind == "life":
        files = {name: bytes.fromhex(text) for name, text in row["files"].items()}
        made.lives.append(Life(row["node"], row["properties"], files))
    elif kind == "seed":
        life = [one for one in made.lives if one.node == row["node"]][-1]
        life.seed, life.began_ms = row["seed"], row["began_ms"]
    else:
        raise ValueError(f"there is no kind {kind!r}")


@define(eq=False)
class RecordingFile:
    """A recording that grows; several threads may write to it."""

    path: Path
    addresses: Mapping[int, str]
    _file: TextIO | None = field(default=None, init=False)
    _began_ns: int = field(default=0, init=False)
    _lock: threading.Lock = field(factory=threading.Lock, init=False)

    def __enter__(self) -> RecordingFile:
        self._began_ns = time.time_ns()
        self._file = self.path.open("w")
        rows = {str(node): address for node, address in self.addresses.items()}
        began = {"version": VERSION, "began_us": self._began_ns // 1_000, "addresses": rows}
        self.write("recording", **began)
        self.flush()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """The recording is over; what is said from now on is not in it."""
        with self._lock:
            if self._file is not None:
                self._file.close()
                self._file = None

    def write(self, kind: str, **row: object) -> None:
        """One more line, unless the recording is over."""
        with self._lock:
            if self._file is not None:
                us = (time.time_ns() - self._began_ns) // 1_000
                self._file.write(json.dumps({"kind": kind, "us": us, **row}) + "\n")

    def flush(self) -> None:
        """Let a reader see what was written so far."""
        with self._lock:
            if self._file is not None:
                self._file.flush()

    def write_life(self, node: int, properties: Mapping[str, str], directory: Path) -> None:
        """A node of ours that is about to start on this data directory."""
        files = {
            str(path.relative_to(directory)): path.read_bytes().hex()
            for path in sorted(directory.rglob("*"))
            if path.is_file()
        }
        self.write("life", node=node, properties=dict(properties), files=files)
