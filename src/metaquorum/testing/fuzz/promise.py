"""What a reader promises about arbitrary bytes: a value, or its package's error with a place."""

from __future__ import annotations

from typing import Protocol

from metaquorum.base.errors import OperatorError
from metaquorum.records.errors import BatchError
from metaquorum.wire.errors import DecodeError


class PromiseBroken(Exception):
    """A reader did with some bytes what it must not do; the text says what."""


class Target(Protocol):
    """A module with one function that raises nothing unless a promise is broken."""

    def one_input(self, data: bytes) -> bool:
        """Read ``data``; whether it turned out to be a value. Raises PromiseBroken."""


def promise(kept: bool, what: str) -> None:
    """PromiseBroken unless ``kept``; ``what`` is the sentence that should have held."""
    if not kept:
        raise PromiseBroken(what)


def refused_at(why: DecodeError | BatchError, size_bytes: int) -> bool:
    """A refusal is in order if it names a place inside the bytes and a reason; always False."""
    reason = why.why if isinstance(why, DecodeError) else why.reason
    promise(0 <= why.at <= size_bytes, f"the place is within the {size_bytes} bytes: {why}")
    promise(bool(reason), "a refusal says why")
    return False


def refused_file(why: OperatorError, path: str) -> bool:
    """A refusal of a file is in order if it names the file; always False."""
    promise(path in str(why), f"a refusal names {path}: {why}")
    return False


def may_hold_nan(message: object) -> bool:
    """Whether a message may hold a float that is unlike itself; then its bytes alone can tell.

    A text with that word looks the same; its bytes are compared all the same.
    """
    return "nan" in repr(message)
