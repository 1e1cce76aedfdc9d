"""What ``dump-log`` prints of a log segment or a snapshot: batches, and the records in them.

Lines are those of Kafka's own tool; each carries the same facts as a dict for ``-o json``.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from struct import Struct
from typing import BinaryIO, Final

from attrs import define, evolve, field, frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.dump_coordinators import Content
from metaquorum.cli.payload_decoders import Decoder
from metaquorum.records.batch import BATCH_OVERHEAD_BYTES, BatchHeader, checksum, read_header
from metaquorum.records.compression import NAMES, NONE
from metaquorum.records.control import ControlType, control_codec, control_type, read_control
from metaquorum.records.errors import BatchError, CorruptRecord
from metaquorum.records.java_text import java_text
from metaquorum.records.metadata_record import decode_metadata_record
from metaquorum.records.reader import LEAST_RECORD_BYTES, walk_records
from metaquorum.records.record import Record
from metaquorum.storage.names import BOOTSTRAP_CHECKPOINT, CHECKPOINT, parse_snapshot_file
from metaquorum.wire.generated.index import record_codec
from metaquorum.wire.json_form import json_text, to_json

UP_TO_MAGIC_BYTES: Final = 17  # base offset, length, leader epoch, magic
LEAST_LENGTH: Final = 14  # below it the length field is no batch's, of any format
LEAST_LENGTH_V2: Final = 49
_MAX_SEQUENCE: Final = 2**31 - 1
_LENGTH = Struct(">i")
_CONTROL_WORDS = {
    ControlType.LEADER_CHANGE: "LeaderChange:",
    ControlType.SNAPSHOT_HEADER: "SnapshotHeader",
    ControlType.SNAPSHOT_FOOTER: "SnapshotFooter",
    ControlType.KRAFT_VERSION: "KRaftVersion",
    ControlType.KRAFT_VOTERS: "KRaftVoters",
}
_TIMESTAMP_WORDS = ("CreateTime", "LogAppendTime")
_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


@frozen
class Line:
    """One line of output, and the same as facts."""

    text: str
    facts: dict[str, object]


@frozen(kw_only=True)
class DumpOptions:
    """Which parts of a file are wanted."""

    deep: bool = False
    payloads: bool = False
    metadata: bool = False
    content: Content | None = None  # of records of a broker's own topic
    skip_record_metadata: bool = False
    max_bytes: int = 2**31 - 1
    key_decoder: Decoder = java_text
    value_decoder: Decoder = java_text

    @property
    def limits_bytes(self) -> bool:
        """Whether only the beginning of a file is read."""
        return self.max_bytes != 2**31 - 1


@define
class BatchDump:
    """Walks one file; ``gaps`` are the offsets that do not follow each other, when deep."""

    path: str
    options: DumpOptions
    gaps: list[tuple[int, int]] = field(factory=list)
    _last_offset: int = -1

    def lines(self) -> Iterator[Line]:
        """Every line of the file's dump, the name of the file left out.

        OperatorError for a name that says nothing, for an unreadable file, and where the file
        cannot be followed any further; lines before that place have been given.
        """
        yield title(self.path)
        size_bytes, seen_bytes = _size(self.path), 0
        with open(self.path, "rb") as file:
            limit = min(size_bytes, self.options.max_bytes)
            for position, batch in raw_batches(file, self.path, limit):
                seen_bytes = position + len(batch)
                yield from self._batch(position, batch)
        if seen_bytes < size_bytes and not self.options.limits_bytes:
            wrong = size_bytes - seen_bytes
            name = os.path.basename(self.path)
            yield Line(
                f"Found {wrong} invalid bytes at the end of {name}",
                {"kind": "invalid-bytes", "position": seen_bytes, "bytes": wrong},
            )

    def _batch(self, position: int, batch: bytes) -> Iterator[Line]:
        header = read_any_header(self.path, position, batch)
        yield _batch_line(header, position, checksum(batch, 0, len(batch)) == header.crc)
        if not self.options.deep:
            return
        try:
            for record in _records(batch, header):
                if record.offset != self._last_offset + 1:
                    self.gaps.append((self._last_offset, record.offset))
                self._last_offset = record.offset
                yield self._record(header, record)
        except (BatchError, PeerError) as error:
            raise OperatorError(f"{self.path}: the batch at byte {position}: {error}") from None

    def _record(self, header: BatchHeader, record: Record) -> Line:
        facts: dict[str, object] = {"kind": "record", "offset": record.offset}
        text = ""
        if not self.options.skip_record_metadata:
            text = _record_metadata(header, record, facts)
        if header.is_control:
            if not self.options.skip_record_metadata:
                text += _control(record, facts)
        elif self.options.payloads:
            content = self._content(record, facts)
            if content and self.options.skip_record_metadata:
                text = "|"
            text += content
        return Line(text, facts)

    def _content(self, record: Record, facts: dict[str, object]) -> str:
        """Key and payload of a data record, by the decoder that was asked for."""
        if self.options.content is not None:
            return self.options.content(record, facts)
        if self.options.metadata:
            payload = _metadata_payload(record, facts)
            return f" payload: {payload}"
        text = ""
        for name, word, raw, decode in (
            ("key", "key", record.key, self.options.key_decoder),
            ("value", "payload", record.value, self.options.value_decoder),
        ):
            if raw is not None:
                shown = decode(bytes(raw))
                facts[name] = shown
                text += f" {word}: {shown}"
        return text


def _records(batch: bytes, header: BatchHeader) -> Iterator[Record]:
    """The records of a batch; where its header counts too many, those that are there come first."""
    counted = header.record_count
    room = (header.size_bytes - BATCH_OVERHEAD_BYTES) // LEAST_RECORD_BYTES
    if header.compression != NONE or counted <= room:
        yield from walk_records(batch, header)
        return
    yield from walk_records(batch, evolve(header, record_count=room))
    raise CorruptRecord(f"{counted} records are counted, {room} are there")


def title(path: str) -> Line:
    """The line after the file's name: where it starts, or what the snapshot covers."""
    name = os.path.basename(path)
    if name == BOOTSTRAP_CHECKPOINT:
        return Line("KRaft bootstrap snapshot", {"kind": "bootstrap-snapshot"})
    if name.endswith(CHECKPOINT):
        snapshot = parse_snapshot_file(name)
        if snapshot is None:
            raise OperatorError(f"{path}: a snapshot is named <20 digits>-<10 digits>{CHECKPOINT}")
        return Line(
            f"Snapshot end offset: {snapshot.offset}, epoch: {snapshot.epoch}",
            {"kind": "snapshot", "endOffset": snapshot.offset, "epoch": snapshot.epoch},
        )
    start = base_offset(path)
    return Line(f"Log starting offset: {start}", {"kind": "log", "startOffset": start})


def base_offset(path: str) -> int:
    """The offset that a segment's file is named by; OperatorError when it is not."""
    digits = os.path.basename(path).partition(".")[0]
    if not (digits.isascii() and digits.isdigit()):
        raise OperatorError(f"{path}: a segment's files are named by an offset, as {0:020d}.log")
    return int(digits)


def raw_batches(
    file: BinaryIO, path: str, end: int, position: int = 0
) -> Iterator[tuple[int, bytes]]:
    """Whole batches from ``position`` up to ``end`` bytes, with their places.

    Ends at the first one that is not all there; OperatorError for a length that none can have.
    """
    while end - position > UP_TO_MAGIC_BYTES:
        file.seek(position)
        front = file.read(UP_TO_MAGIC_BYTES)
        if len(front) < UP_TO_MAGIC_BYTES:
            return
        (length,) = _LENGTH.unpack_from(front, 8)
        if length < LEAST_LENGTH:
            raise OperatorError(
                f"{path}: at byte {position} stands a batch of length {length}, "
                f"the least is {LEAST_LENGTH}; the file is damaged or padded from there on"
            )
        after = position + 12 + length
        if after > end:
            return
        rest = file.read(after - position - len(front))
        if len(rest) < after - position - len(front):
            return
        yield position, front + rest
        position = after


def read_any_header(path: str, position: int, batch: bytes) -> BatchHeader:
    """The header of a whole batch; OperatorError for the formats before Kafka 0.11."""
    magic = batch[16]
    if magic < 2:
        raise OperatorError(
            f"{path}: the batch at byte {position} is of message format {magic}, "
            "which is older than Kafka 0.11 and is not read"
        )
    try:
        # A magic above 2 is shown as it stands; everything else of it is read as format 2.
        header = read_header(batch if magic == 2 else batch[:16] + b"\x02" + batch[17:])
    except BatchError as error:
        raise OperatorError(f"{path}: the batch at byte {position}: {error.reason}") from None
    header.magic = magic
    return header


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size
    except OSError as error:
        raise OperatorError(f"cannot read {path}: {error.strerror}") from None


def _batch_line(header: BatchHeader, position: int, is_valid: bool) -> Line:
    codec = header.compression
    horizon = header.delete_horizon_ms
    facts: dict[str, object] = {
        "kind": "batch",
        "baseOffset": header.base_offset,
        "lastOffset": header.last_offset,
        "count": header.record_count,
        "baseSequence": header.base_sequence,
        "lastSequence": header.last_sequence,
        "producerId": header.producer_id,
        "producerEpoch": header.producer_epoch,
        "partitionLeaderEpoch": header.leader_epoch,
        "isTransactional": header.is_transactional,
        "isControl": header.is_control,
        "deleteHorizonMs": horizon,
        "position": position,
        _TIMESTAMP_WORDS[header.timestamp_type]: header.max_timestamp_ms,
        "size": header.size_bytes,
        "magic": header.magic,
        "compresscodec": NAMES[codec] if codec < len(NAMES) else f"unknown({codec})",
        "crc": header.crc,
        "isvalid": is_valid,
    }
    shown = {**facts, "deleteHorizonMs": optional_text(horizon)}
    del shown["kind"]
    return Line(" ".join(f"{name}: {_shown(value)}" for name, value in shown.items()), facts)


def _record_metadata(header: BatchHeader, record: Record, facts: dict[str, object]) -> str:
    sequence = -1
    if header.base_sequence >= 0:
        sequence = header.base_sequence + record.offset - header.base_offset
        if sequence > _MAX_SEQUENCE:
            sequence -= _MAX_SEQUENCE + 1
    word = _TIMESTAMP_WORDS[header.timestamp_type]
    key_size = -1 if record.key is None else len(record.key)
    value_size = -1 if record.value is None else len(record.value)
    names = [name for name, _ in record.headers]
    facts |= {
        word: record.timestamp_ms,
        "keySize": key_size,
        "valueSize": value_size,
        "sequence": sequence,
        "headerKeys": names,
    }
    return (
        f"| offset: {record.offset} {word}: {record.timestamp_ms} keySize: {key_size} "
        f"valueSize: {value_size} sequence: {sequence} headerKeys: [{','.join(names)}]"
    )


def _control(record: Record, facts: dict[str, object]) -> str:
    """What a control record says."""
    number = control_type(record)
    try:
        known = ControlType(number)
    except ValueError:
        facts["controlType"] = number
        return f" controlType: UNKNOWN({number})"
    facts["controlType"] = known.name
    control = read_control(record)
    if known in (ControlType.ABORT, ControlType.COMMIT):
        facts["coordinatorEpoch"] = control.message.coordinator_epoch
        return f" endTxnMarker: {known.name} coordinatorEpoch: {control.message.coordinator_epoch}"
    form = to_json(control_codec(known), control.message, control.message.version)
    facts["data"] = form
    return f" {_CONTROL_WORDS[known]} {json_text(form)}"


def _metadata_payload(record: Record, facts: dict[str, object]) -> str:
    """A metadata record as JSON, or why it is none; the latter does not stop the dump."""
    try:
        if record.value is None:
            raise BatchError("there is no value")
        decoded = decode_metadata_record(record.value)
    except (BatchError, PeerError) as error:
        facts["error"] = str(error)
        return f"Error at {record.offset}, skipping. {error}"
    codec = record_codec(decoded.type)
    form = {
        "type": _WORD_START.sub("_", codec.NAME).upper(),
        "version": decoded.version,
        "data": to_json(codec, decoded.message, decoded.known_version),
    }
    facts["payload"] = form
    return json_text(form)


def optional_text(value: int | None) -> str:
    """An optional number as Java shows it."""
    return "OptionalLong.empty" if value is None else f"OptionalLong[{value}]"


def _shown(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
