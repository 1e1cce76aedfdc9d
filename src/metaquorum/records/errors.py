"""What can be wrong with bytes that should be a record batch, and where."""

from __future__ import annotations


class BatchError(Exception):
    """A batch that cannot be used; ``at`` is its place in the buffer that was read."""

    def __init__(self, reason: str, at: int = 0) -> None:
        super().__init__(reason, at)
        self.reason = reason
        self.at = at

    def __str__(self) -> str:
        return f"{self.reason} (batch at byte {self.at})"


class CorruptBatch(BatchError):
    """The bytes are no batch of format 2, or no longer the batch that was written."""


class TruncatedBatch(CorruptBatch):
    """The buffer ends before the batch does."""


class UnknownMagic(CorruptBatch):
    """A message format other than 2: written before Kafka 0.11, or not by Kafka at all."""


class ChecksumMismatch(CorruptBatch):
    """The CRC-32C over the bytes from the attributes on differs from the one in the header."""


class CorruptRecord(CorruptBatch):
    """A record inside a batch breaks its own framing or the batch's count."""


class UnpackedTooLarge(CorruptBatch):
    """The records would take more room unpacked than any batch of Kafka's does."""

    def __init__(self, limit_bytes: int) -> None:
        super().__init__(f"more than {limit_bytes} bytes when unpacked")


class UnsupportedCodec(BatchError):
    """The records are compressed by a codec that is unknown, or whose library is not installed."""
