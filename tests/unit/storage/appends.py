"""Encoded batches as effects that append them."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from metaquorum.base.offsets import Epoch, Offset
from metaquorum.records.batch import read_header
from metaquorum.records.disk_effects import Append


@frozen
class Encoded:
    """A batch that has its place, as its header says."""

    payload: bytes

    @property
    def base_offset(self) -> Offset:
        return read_header(self.payload).base_offset

    @property
    def next_offset(self) -> Offset:
        return read_header(self.payload).next_offset

    @property
    def epoch(self) -> Epoch:
        return read_header(self.payload).leader_epoch


def append(ticket: int, payloads: Sequence[bytes]) -> Append:
    """Append these batches."""
    return Append(ticket, tuple(map(Encoded, payloads)))


def payloads_of(effect: Append) -> tuple[bytes, ...]:
    """The batches that an effect appends."""
    return tuple(bytes(batch.payload) for batch in effect.batches)  # type: ignore[call-overload]
