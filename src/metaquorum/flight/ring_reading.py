"""Reads a recording, whatever its last process left of it: what cannot be read is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.flight.evidence import BrokerRegistered, Evidence, Wrote
from metaquorum.flight.evidence_json import KIND, from_fields, read_object
from metaquorum.flight.limits import MAX_LINE_BYTES, MAX_REMARKS
from metaquorum.flight.ring import HEADER, VERSION, segments_of
from metaquorum.recover.json_fields import Fields

Say = Callable[[str], None]


@frozen
class SegmentHeader:
    """What was known when a segment was begun; ``position`` is None before the log was read.

    ``brokers`` are the last registrations, by which brokers that were there before are known.
    """

    time_ms: Millis
    cluster_id: str
    position: Offset | None
    epoch: Epoch | None
    brokers: tuple[BrokerRegistered, ...]


@define
class RingReading:
    """A recording while it is read. ``say`` is called with what cannot be."""

    directory: Path
    say: Say
    damaged_lines: int = field(default=0, init=False)
    torn_lines: int = field(default=0, init=False)
    headers: list[SegmentHeader] = field(factory=list, init=False)
    cluster_id: str = field(default="", init=False)

    def items(self) -> Iterator[Evidence]:
        """Every item in the order in which it was written.

        OperatorError for a directory without a recording, of a newer version, or of two clusters'.
        """
        segments = segments_of(self.directory)
        if not segments:
            raise OperatorError(f"{self.directory}: there is no recording")
        for _, path in segments:
            yield from self._segment(path)

    def _segment(self, path: Path) -> Iterator[Evidence]:
        try:
            file = path.open("rb")
        except FileNotFoundError:  # its recorder goes on, and removed it meanwhile
            return
        with file:
            number = 0
            while line := file.readline(MAX_LINE_BYTES + 1):
                number += 1
                place = f"{path}, line {number}"
                if not line.endswith(b"\n"):
                    self._unfinished(place, line, at_end=not file.read(1))
                    continue
                try:
                    fields = read_object(line, place)
                    if fields.text(KIND) == HEADER:
                        self._header(fields)
                        continue
                    item = from_fields(fields)
                except OperatorError as error:
                    if isinstance(error, WrongRecording):
                        raise
                    self._damaged(str(error))
                    continue
                if item is not None:
                    yield item

    def _unfinished(self, place: str, line: bytes, *, at_end: bool) -> None:
        if at_end and len(line) <= MAX_LINE_BYTES:
            self.torn_lines += 1
            self.say(f"{place}: {len(line)} bytes of an unfinished line at the end are passed over")
        else:
            self._damaged(f"{place}: it is longer than {MAX_LINE_BYTES} bytes")

    def _damaged(self, why: str) -> None:
        self.damaged_lines += 1
        if self.damaged_lines <= MAX_REMARKS:
            self.say(f"{why}; it is passed over")

    def _header(self, fields: Fields) -> None:
        version = fields.integer("version", least=1)
        if version > VERSION:
            raise WrongRecording(f"{fields.place}: version {version}, known is {VERSION}")
        cluster_id = fields.text("cluster_id")
        if cluster_id and self.cluster_id and cluster_id != self.cluster_id:
            raise WrongRecording(
                f"{fields.place}: it is of cluster {cluster_id}, what is before it of "
                f"{self.cluster_id}"
            )
        self.cluster_id = cluster_id or self.cluster_id
        brokers = [from_fields(one) for one in fields.children("brokers")]
        self.headers.append(
            SegmentHeader(
                fields.integer("time_ms"),
                cluster_id,
                fields.maybe("position", fields.integer),
                fields.maybe("epoch", fields.id),
                tuple(one for one in brokers if isinstance(one, BrokerRegistered)),
            )
        )


class WrongRecording(OperatorError):
    """A recording that cannot be read at all, as it is newer, or of two clusters."""


@frozen
class Resumed:
    """Where a recorder goes on in a directory: what the last one there had read of the log."""

    cluster_id: str
    position: Offset
    epoch: Epoch | None
    brokers: tuple[BrokerRegistered, ...]


def resumed(directory: Path, say: Say) -> Resumed | None:
    """Where a recording ended; None for an empty directory, or one that says nothing of the log."""
    if not directory.exists() or not segments_of(directory):
        return None
    reading = RingReading(directory, say)
    position: Offset | None = None
    epoch: Epoch | None = None
    brokers: dict[int, BrokerRegistered] = {}
    for item in reading.items():
        if isinstance(item, Wrote):
            position, epoch = item.next_offset, item.epoch
        elif isinstance(item, BrokerRegistered):
            brokers[item.node_id] = item
    for header in reading.headers[-1:]:
        brokers = {one.node_id: one for one in header.brokers} | brokers
        if position is None and header.position is not None:
            position, epoch = header.position, header.epoch
    if position is None:
        return None
    return Resumed(reading.cluster_id, position, epoch, tuple(brokers.values()))
