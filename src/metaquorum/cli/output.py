"""Standard output and standard error as a tool of Unix has them (decision 206).

What cannot be written is an ``OutputFailed``, of any writer: click, rich or a command itself. What
the terminal cannot show is spelled as JSON spells it, so that text can be read and JSON stays JSON.
"""

from __future__ import annotations

import codecs
import errno
import io
import os
import re
import select
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any, Final

ESCAPES: Final = "metaquorum-escapes"
"""The name of the error handler that spells a character as ``\\uXXXX``, by units of UTF-16."""
_ASCII: Final = "plain_ascii"
_USER_INFO: Final = re.compile(r"(?<=://)[^/\s]+@|\b[^\s:/@,'\"]+:[^\s/@,]+@")
_QUERY: Final = re.compile(r"(\w://[^\s?]*)\?[^\s:'\"]+")
_STDOUT: Final = 1
_STDERR: Final = 2


class OutputFailed(Exception):
    """Standard output takes no more.

    It is no OSError, because click and rich end the process at those of a closed pipe.
    """

    def __init__(self, error: OSError) -> None:
        super().__init__(error.strerror or str(error))
        self.reader_left = error.errno == errno.EPIPE


class _Output(io.BufferedWriter):
    """Standard output, whose errors are not those of any other file.

    It stands above the buffer and not below: an interrupt that comes when the file has the bytes
    must not keep them in the buffer, or they are written once more at the end.
    """

    def write(self, data: Any) -> int:
        """Take all of ``data``; raises OutputFailed."""
        view, taken = memoryview(data).cast("B"), 0
        while True:
            try:
                return taken + super().write(view[taken:])
            except BlockingIOError as error:  # another process made it non-blocking
                taken += error.characters_written
                self._wait()
            except OSError as error:
                raise OutputFailed(error) from None

    def flush(self) -> None:
        """Write what is in the buffer; raises OutputFailed."""
        while True:
            try:
                return super().flush()
            except BlockingIOError:
                self._wait()
            except OSError as error:
                raise OutputFailed(error) from None

    def _wait(self) -> None:
        select.select([], [self.fileno()], [])


class _Remarks(io.BufferedWriter):
    """Standard error: what it does not take is lost, and the exit code tells all the same.

    It stands above the buffer for the same reason.
    """

    def write(self, data: Any) -> int:
        """Take all of ``data``, or lose it."""
        with suppress(OSError):
            return super().write(data)
        return len(data)

    def flush(self) -> None:
        """Write what is in the buffer, if that can be."""
        with suppress(OSError):
            super().flush()


def escapes(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that an encoding does not have."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    units = error.object[error.start : error.end].encode("utf-16-be", "surrogatepass")
    texts = (f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
    return "".join(texts), error.end


def _plain_ascii(name: str) -> codecs.CodecInfo | None:
    """ASCII under a name of ours: where a terminal has no more, click would write UTF-8 to it."""
    if name != _ASCII:
        return None
    return codecs.CodecInfo(
        encode=codecs.ascii_encode,
        decode=codecs.ascii_decode,
        incrementalencoder=codecs.getincrementalencoder("ascii"),
        incrementaldecoder=codecs.getincrementaldecoder("ascii"),
        name=_ASCII,
    )


codecs.register_error(ESCAPES, escapes)
codecs.register(_plain_ascii)


def without_credentials(text: str) -> str:
    """``text`` with what may be a password in its URLs and addresses replaced by three stars."""
    text = _USER_INFO.sub("***@", text)
    return _QUERY.sub(r"\1?***", text)


def prepare_output() -> None:
    """Make standard output this module's, and descriptors 0 to 2 safe from files of ours.

    A descriptor that is closed would be the next file's: a log segment could become standard error.
    Written to, one that was closed fails as it would have.
    """
    for descriptor, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDONLY)):
        try:
            os.fstat(descriptor)
        except OSError:
            os.open(os.devnull, mode)  # takes the lowest that is free: this one
    encoding = sys.stdout.encoding if sys.stdout is not None else "utf-8"
    if codecs.lookup(encoding).name == "ascii":
        encoding = _ASCII
    sys.stdout = io.TextIOWrapper(
        _Output(io.FileIO(_STDOUT, "w", closefd=False)),
        encoding=encoding,
        errors=ESCAPES,
        line_buffering=os.isatty(_STDOUT),
    )
    if sys.stderr is not None:
        sys.stderr = io.TextIOWrapper(
            _Remarks(io.FileIO(_STDERR, "w", closefd=False)),
            encoding=sys.stderr.encoding,
            errors=sys.stderr.errors,
            line_buffering=True,
        )


@contextmanager
def written(path: str) -> Iterator[None]:
    """Errors of writing a file, which the system tells without a name, get that of ``path``."""
    try:
        yield
    except OSError as error:
        if error.filename is None:
            error.filename = path
        raise


def drop_output() -> None:
    """Let what is still buffered go nowhere, or Python complains of it when it ends."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, _STDOUT)
    os.close(null)
