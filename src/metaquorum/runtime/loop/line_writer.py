"""Lines that leave by a bounded queue and a thread: who writes one never waits for a reader.

Standard error is a pipe wherever a supervisor or a container collects it. A reader that is slow
would stop the event loop in ``write``, and one that is gone would end the process with EPIPE.
Here a full queue drops lines and counts them, a write that fails does the same, and as soon as
something can be written again a line tells how many are missing (decision 197).
"""

from __future__ import annotations

import io
import os
import select
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from typing import Final, TextIO

from attrs import define, field

from metaquorum.base.limits import (
    LOG_FLUSH_MS,
    LOG_WRITE_BYTES,
    MAX_LOG_LINE_CHARS,
    MAX_QUEUED_LOG_LINES,
)
from metaquorum.base.quoting import printable

_WAKE_BYTES: Final = 4_096
_STANDARD_ERROR: Final = 2

Write = Callable[[bytes | memoryview], int]
"""Writes some of the bytes and gives their number, or raises OSError."""


@define(eq=False)
class LineWriter:
    """Writes lines in the order in which they were put, until ``close``.

    ``log_dropped`` makes the line that tells how many were dropped. ``put`` may be called by any
    thread, and by a finalizer in the middle of another ``put``: it takes no lock.
    """

    write: Write
    log_dropped: Callable[[int], str]
    encoding: str = "utf-8"
    most: int = MAX_QUEUED_LOG_LINES
    _queue: deque[str] = field(factory=deque, init=False)
    _wake: tuple[int, int] = field(init=False)
    _thread: threading.Thread = field(init=False)
    _closing: bool = field(default=False, init=False)
    _overflowed: int = field(default=0, init=False)  # counted by who puts
    _unwritten: int = field(default=0, init=False)  # counted by the thread
    _drops_reported: int = field(default=0, init=False)
    _is_torn: bool = field(default=False, init=False)  # the last write ended inside a line

    def __attrs_post_init__(self) -> None:
        self._wake = os.pipe()
        os.set_blocking(self._wake[1], False)
        self._thread = threading.Thread(target=self._run, name="log-lines", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        """Lines that were put and left nowhere."""
        return self._overflowed + self._unwritten

    def put(self, line: str) -> None:
        """Queue one line, which is cut to ``MAX_LOG_LINE_CHARS``; drop it if the queue is full."""
        if len(self._queue) >= self.most:
            self._overflowed += 1
            return
        if len(line) > MAX_LOG_LINE_CHARS:
            more_chars = len(line) - MAX_LOG_LINE_CHARS
            line = f"{line[:MAX_LOG_LINE_CHARS]}... ({more_chars} more characters)"
        self._queue.append(line)
        with suppress(BlockingIOError):  # the thread has been woken often enough
            os.write(self._wake[1], b"\0")

    def close(self, flush_ms: int = LOG_FLUSH_MS) -> bool:
        """Give what is queued so long to leave; whether all of it was taken and the thread ended.

        What is put after that is dropped.
        """
        self.most = 0
        self._closing = True
        with suppress(BlockingIOError):
            os.write(self._wake[1], b"\0")
        self._thread.join(flush_ms / 1_000)
        if self._thread.is_alive():
            return False
        for descriptor in self._wake:
            os.close(descriptor)
        return True

    def _run(self) -> None:
        while True:
            closing = self._closing  # before the queue is looked at: what was put before leaves
            self._write_queued()
            if closing:
                return
            os.read(self._wake[0], _WAKE_BYTES)

    def _write_queued(self) -> None:
        while self._queue:
            batch: list[bytes] = []
            size_bytes = 0
            while self._queue and size_bytes < LOG_WRITE_BYTES:
                batch.append(self._encoded(self._queue.popleft()))
                size_bytes += len(batch[-1])
            self._unwritten += self._write_all(b"".join(batch))
            if (dropped := self.dropped) > self._drops_reported:
                line = self._encoded(self.log_dropped(dropped - self._drops_reported))
                if not self._write_all(line):
                    self._drops_reported = dropped

    def _encoded(self, line: str) -> bytes:
        return f"{printable(line)}\n".encode(self.encoding, "backslashreplace")

    def _write_all(self, content: bytes) -> int:
        """Write whole lines; how many of them did not leave."""
        if self._is_torn:
            content = b"\n" + content
        rest = memoryview(content)
        try:
            while rest:
                rest = rest[self.write(rest) :]
        except OSError:
            written = content[: len(content) - len(rest)]
            if written:
                self._is_torn = not written.endswith(b"\n")
            return bytes(rest).count(b"\n")
        self._is_torn = False
        return 0


class LineStream(io.TextIOBase):
    """A text stream over a ``LineWriter``, to stand in for ``sys.stderr``.

    So what Python itself has to say leaves the same way: tracebacks, warnings, exceptions of
    finalizers and of other threads. ``form`` makes a line of the log of each of its lines.
    """

    encoding = "utf-8"
    errors = "backslashreplace"

    def __init__(self, lines: LineWriter, form: Callable[[str], str] = str) -> None:
        self._lines = lines
        self._form = form
        self._begun: dict[int, str] = {}  # a line that has no end yet, by thread

    def writable(self) -> bool:
        return True

    def write(self, text: str) -> int:
        """Put every line that is complete; the rest waits for its end."""
        if not isinstance(text, str):
            raise TypeError(f"a text stream takes str, not {type(text).__name__}")
        thread = threading.get_ident()
        *whole, rest = (self._begun.pop(thread, "") + text).split("\n")
        for line in whole:
            self._put(line)
        if rest:
            self._begun[thread] = rest[: MAX_LOG_LINE_CHARS + 1]
        return len(text)

    def put_rest(self) -> None:
        """Put what has no end yet: none will come."""
        while self._begun:
            self._put(self._begun.popitem()[1])

    def _put(self, line: str) -> None:
        self._lines.put(self._form(line[: MAX_LOG_LINE_CHARS + 1]))


@contextmanager
def standard_error_lines(
    log_dropped: Callable[[int], str],
    write: Write | None = None,
    form: Callable[[str], str] = str,
) -> Iterator[LineWriter]:
    """Have all of ``sys.stderr`` written by a ``LineWriter``; at the end it gets ``LOG_FLUSH_MS``.

    With ``write`` it goes there and not to where ``sys.stderr`` went; ``form`` is that of
    ``LineStream``.

    Then ``sys.stderr`` is what it was, unless its reader has not taken everything: who wrote to it
    then would wait for ever, so it stays a stream that drops.
    """
    before: TextIO | None = sys.stderr
    _keep_off_standard_descriptors()
    encoding = "utf-8" if write is not None else getattr(before, "encoding", "") or "utf-8"
    lines = LineWriter(write or _writes_to(before), log_dropped, encoding)
    stream = LineStream(lines, form)
    sys.stderr = stream
    try:
        yield lines
    finally:
        stream.put_rest()
        if lines.close():
            sys.stderr = before


def _keep_off_standard_descriptors() -> None:
    """Let no file of ours have the descriptors 0 to 2, in the place of one that was closed.

    Whatever a library writes to standard error would go into that file.
    """
    for descriptor in range(_STANDARD_ERROR + 1):
        try:
            os.fstat(descriptor)
        except OSError:
            null = os.open(os.devnull, os.O_RDWR)
            if null != descriptor:
                os.dup2(null, descriptor)
                os.close(null)


def _writes_to(stream: TextIO | None) -> Write:
    """To a stream's descriptor; to the stream where it has none; nowhere without a stream."""
    if stream is None:
        return len
    try:
        return partial(_write_some, stream.fileno())
    except (OSError, ValueError, AttributeError):
        return partial(_write_text, stream)


def _write_some(descriptor: int, content: bytes | memoryview) -> int:
    """As ``os.write``, but that of a descriptor which does not block it is waited for."""
    while True:
        try:
            return os.write(descriptor, content)
        except BlockingIOError:
            room = select.poll()
            room.register(descriptor, select.POLLOUT)
            room.poll()


def _write_text(stream: TextIO, content: bytes | memoryview) -> int:
    stream.write(bytes(content).decode(getattr(stream, "encoding", "") or "utf-8", "replace"))
    stream.flush()
    return len(content)
