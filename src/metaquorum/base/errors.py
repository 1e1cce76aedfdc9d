"""Three kinds of failure, told apart by whose fault it is and what it ends."""

from __future__ import annotations


class PeerError(Exception):
    """The other side broke the protocol: its connection ends, nothing else does."""


class RequestError(Exception):
    """A request cannot be served: it is answered with an error code.

    ``code`` is a Kafka error code (``wire.generated.error_codes``), ``reason`` a sentence for
    the person who reads the client's log, or None for Kafka's own text of the code.
    """

    def __init__(self, code: int, reason: str | None = None) -> None:
        super().__init__(code, reason)
        self.code = code
        self.reason = reason

    def __str__(self) -> str:
        return f"error {self.code}" + (f": {self.reason}" if self.reason else "")


class HouseError(Exception):
    """One of our own invariants is broken: the process stops before it can lose anything."""


class OperatorError(Exception):
    """What the operator asked for or configured cannot be done; the message says what would be."""
