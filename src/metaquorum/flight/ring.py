"""The files of a recording: segments of lines, of which the oldest go (decision 254).

Each segment begins with a header line that says what was known by then, so that it can be read
without those before it. A line goes to the system in one write, so a process that is killed leaves
at most one unfinished line, the last of a segment; another start begins another segment.
"""

from __future__ import annotations

import fcntl
import os
import re
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Any, Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.flight.evidence import Evidence
from metaquorum.flight.evidence_json import KIND, as_line, to_line
from metaquorum.flight.limits import MAX_LINE_BYTES

HEADER: Final = "metaquorum-flight"
VERSION: Final = 1
LOCK: Final = ".lock"
SEGMENTS: Final = 16
"""A ring that is full has so many; one of them goes at a time."""
_NAME: Final = re.compile(r"flight-(\d{10})\.jsonl")


def segment_name(number: int) -> str:
    """The name of the n-th segment that was ever begun in a directory."""
    return f"flight-{number:010}.jsonl"


def segments_of(directory: Path) -> list[tuple[int, Path]]:
    """The segments in a directory by number, rising; OSError where it cannot be looked into."""
    found = [
        (int(match[1]), path)
        for path in directory.iterdir()
        if (match := _NAME.fullmatch(path.name)) is not None
    ]
    return sorted(found)


@define(eq=False)
class Ring:
    """Writes a recording. Made by ``Ring.open``; one process at a time has it.

    ``known`` tells what the header of a segment says beside kind and version. Neither the bytes of
    all segments exceed ``retention_bytes``, nor is a segment kept whose last line is older than
    ``retention_ms``.
    """

    directory: Path
    retention_bytes: int
    retention_ms: Millis
    now_ms: Callable[[], Millis]
    known: Callable[[], dict[str, Any]]
    _lock: int
    _sizes: dict[int, int] = field(init=False)
    _ended_ms: dict[int, Millis] = field(init=False)
    _file: int | None = field(default=None, init=False)
    _number: int = field(default=0, init=False)
    _began_ms: Millis = field(default=0, init=False)

    @classmethod
    def open(
        cls,
        directory: Path,
        retention_bytes: int,
        retention_ms: Millis,
        now_ms: Callable[[], Millis],
        known: Callable[[], dict[str, Any]],
    ) -> Ring:
        """Take the directory, which is made if it is not there.

        OperatorError while another process records into it, or where it holds other files.
        """
        directory.mkdir(parents=True, exist_ok=True)
        odd = sorted(
            one.name
            for one in directory.iterdir()
            if one.name != LOCK and _NAME.fullmatch(one.name) is None
        )
        if odd:
            raise OperatorError(f"{directory}: it holds {odd[0]}, which is of no recording")
        lock = os.open(directory / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(lock)
            raise OperatorError(f"{directory}: another process records into it") from None
        return cls(directory, retention_bytes, retention_ms, now_ms, known, lock)

    def __attrs_post_init__(self) -> None:
        rows = [(number, path.stat()) for number, path in segments_of(self.directory)]
        self._sizes = {number: found.st_size for number, found in rows}
        self._ended_ms = {number: found.st_mtime_ns // 1_000_000 for number, found in rows}
        self._number = max(self._sizes, default=0)

    def __enter__(self) -> Ring:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    @property
    def size_bytes(self) -> int:
        """Of all segments."""
        return sum(self._sizes.values())

    @property
    def is_closed(self) -> bool:
        """Whether ``close`` was called."""
        return self._lock < 0

    def put(self, *items: Evidence) -> None:
        """Write items, each on a line; OSError when the disk does not take them.

        An item too large for a line is not written: no replica of a real quorum makes one.
        """
        for item in items:
            line = to_line(item)
            if len(line) <= MAX_LINE_BYTES:
                self._write(line)

    def close(self) -> None:
        """End the segment and let the directory go."""
        self._end_segment()
        if self._lock >= 0:
            os.close(self._lock)
            self._lock = -1

    def _write(self, line: bytes) -> None:
        now_ms = self.now_ms()
        if self._file is None or self._is_full(len(line), now_ms):
            self._begin_segment(now_ms)
        self._make_room(len(line), now_ms)
        self._append(line, now_ms)

    def _append(self, line: bytes, now_ms: Millis) -> None:
        assert self._file is not None
        written = os.write(self._file, line)
        self._sizes[self._number] += written
        self._ended_ms[self._number] = now_ms
        if written < len(line):  # a full disk takes a part; the line is torn, so is the segment
            self._end_segment()
            raise OSError(28, "no space left", str(self.directory / segment_name(self._number)))

    def _is_full(self, more_bytes: int, now_ms: Millis) -> bool:
        size_bytes = self._sizes[self._number] + more_bytes
        return (
            size_bytes > self.retention_bytes // SEGMENTS
            or now_ms - self._began_ms > self.retention_ms // SEGMENTS
        )

    def _begin_segment(self, now_ms: Millis) -> None:
        self._end_segment()
        self._number += 1
        self._began_ms = now_ms
        path = self.directory / segment_name(self._number)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC
        self._file = os.open(path, flags, 0o644)
        self._sizes[self._number] = 0
        line = as_line({KIND: HEADER, "version": VERSION, "time_ms": now_ms, **self.known()})
        self._make_room(len(line), now_ms)
        self._append(line, now_ms)

    def _end_segment(self) -> None:
        if self._file is not None:
            descriptor, self._file = self._file, None
            try:
                os.fsync(descriptor)
            finally:
                os.close(descriptor)

    def _make_room(self, more_bytes: int, now_ms: Millis) -> None:
        """Remove the oldest segments, until there is room and none is too old."""
        for number in sorted(self._sizes):
            if number == self._number:
                return
            is_old = now_ms - self._ended_ms[number] > self.retention_ms
            if not is_old and self.size_bytes + more_bytes <= self.retention_bytes:
                return
            (self.directory / segment_name(number)).unlink(missing_ok=True)
            del self._sizes[number], self._ended_ms[number]
