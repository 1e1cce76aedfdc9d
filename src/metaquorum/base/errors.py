"""Kinds of failure, by whose fault it is and what it ends."""

from __future__ import annotations

from typing import Final

MAX_REASON_CHARS: Final = 1_000
"""Of a reason that goes to a client: it may name what the client sent, which is 32 KiB long and
would, with a word before it, not fit the field that it goes into."""


def short_reason(text: str) -> str:
    """``text``, cut with dots at its end where it is too long for a person or for the wire."""
    return text if len(text) <= MAX_REASON_CHARS else text[: MAX_REASON_CHARS - 3] + "..."


class PeerError(Exception):
    """The other side broke the protocol: its connection ends, nothing else does."""


class RequestError(Exception):
    """A request cannot be served: it is answered with an error code.

    ``code`` is a Kafka error code (``wire.generated.error_codes``), ``reason`` a sentence for
    the person who reads the client's log, or None for Kafka's own text of the code.
    """

    def __init__(self, code: int, reason: str | None = None) -> None:
        reason = None if reason is None else short_reason(reason)
        super().__init__(code, reason)
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        return f"error {self.code}" + (f": {self.reason}" if self.reason else "")


UNKNOWN_SERVER_ERROR: Final = -1
"""Kafka's code for a request that failed on a fault of the server."""


class UnexpectedError(RequestError):
    """A request failed on a fault of ours, and changed nothing that is kept.

    It is answered UNKNOWN_SERVER_ERROR without a text, and the node goes on. ``cause`` is the
    exception; the code that answers the request notes it (``server.failures``).
    """

    def __init__(self, cause: Exception) -> None:
        super().__init__(UNKNOWN_SERVER_ERROR)
        self.cause = cause


class InvariantViolated(Exception):
    """One of our own invariants is broken: the process stops before it can lose anything.

    Of consensus, state or disk, that is; a fault that concerns one request alone is an
    ``UnexpectedError``.
    """


class OperatorError(Exception):
    """What the operator asked for or configured cannot be done; the message says what would be."""
