"""One step of a backup: what a run added, as the manifest that is put behind its objects.

A step is a snapshot with the committed batches behind it (*full*), or the batches behind the step
before it. Without a manifest its objects are of a run that was interrupted, and nobody's.
"""

from __future__ import annotations

import json
import re
from hashlib import sha256
from typing import Any, Final

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ClusterId
from metaquorum.base.limits import MAX_BACKUP_OBJECT_BYTES
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch
from metaquorum.recover.json_fields import Fields
from metaquorum.storage.names import LOG, segment_file, snapshot_file

KIND: Final = "metaquorum backup step"
VERSION: Final = 1
STEPS: Final = "steps/"
OBJECTS: Final = "objects/"
_SUFFIX: Final = ".json"
_NAME: Final = re.compile(r"(\d{20})-(\d{10})-(?:full|more)-(\d{20})-([0-9a-f]{12})")
_SHA256: Final = re.compile(r"[0-9a-f]{64}")


@frozen
class Object:
    """One file of a step, as Kafka names it: its size in bytes and its SHA-256, hexadecimal."""

    name: str
    size_bytes: int
    sha256: str


@frozen
class SegmentObject:
    """Batches with offsets from ``base`` up to ``end``, which is not included."""

    base: Offset
    end: Offset
    file: Object


@frozen
class LastBatch:
    """The last batch of the log, by which the next run knows the log again."""

    offset: Offset
    epoch: Epoch
    crc: int
    size_bytes: int


@frozen
class Previous:
    """The step before, and the SHA-256 of its manifest."""

    step: str
    sha256: str


@frozen(kw_only=True)
class Step:
    """The manifest. Its batches have offsets from ``start`` up to ``end``, which is not included.

    ``epochs`` are those of its batches with their first offsets here. ``last_epoch`` is that of the
    record before ``end``, and ``last_record_ms`` its time, -1 where nothing tells it.
    ``last_batch`` is None where the snapshot is all there is.
    """

    cluster_id: ClusterId
    taken_ms: Millis
    previous: Previous | None
    snapshot: OffsetAndEpoch | None
    snapshot_file: Object | None
    start: Offset
    end: Offset
    last_epoch: Epoch
    last_record_ms: Millis
    last_batch: LastBatch | None
    epochs: tuple[tuple[Epoch, Offset], ...]
    segments: tuple[SegmentObject, ...]

    @property
    def is_full(self) -> bool:
        """Whether a state can be had from it without the steps before."""
        return self.snapshot is not None or self.start == 0

    @property
    def files(self) -> tuple[Object, ...]:
        """All its objects but the manifest."""
        segments = tuple(one.file for one in self.segments)
        return segments if self.snapshot_file is None else (self.snapshot_file, *segments)

    @property
    def size_bytes(self) -> int:
        """All its objects together, without the manifest."""
        return sum(one.size_bytes for one in self.files)

    def name(self, token: str) -> str:
        """What it is called: its end comes first, so that names sort as the log grows."""
        kind = "full" if self.is_full else "more"
        return f"{self.end:020d}-{self.last_epoch:010d}-{kind}-{self.start:020d}-{token}"


def parse_name(name: str) -> tuple[Offset, Epoch, Offset] | None:
    """End, last epoch and start in the name of a step; None for all other names."""
    found = _NAME.fullmatch(name)
    return None if found is None else (int(found[1]), int(found[2]), int(found[3]))


def manifest_key(name: str) -> str:
    """Where the manifest of a step lies in the store."""
    return f"{STEPS}{name}{_SUFFIX}"


def name_of_key(key: str) -> str | None:
    """The step whose manifest has this key; None for all other keys."""
    name = key.removeprefix(STEPS).removesuffix(_SUFFIX)
    return name if key == manifest_key(name) and _NAME.fullmatch(name) else None


def object_key(start: Offset, token: str, file: str) -> str:
    """Where an object of the run with this token lies, whose step begins at ``start``.

    The end of the step is not known yet when its objects are put.
    """
    return f"{OBJECTS}{start:020d}-{token}/{file}"


def key_of(name: str, file: str) -> str:
    """Where an object of a step lies."""
    found = _NAME.fullmatch(name)
    assert found is not None
    return object_key(int(found[3]), found[4], file)


def encode_step(step: Step) -> bytes:
    """The file."""
    row: dict[str, Any] = {
        "kind": KIND,
        "version": VERSION,
        "clusterId": step.cluster_id,
        "takenMs": step.taken_ms,
        "previous": None
        if step.previous is None
        else {"step": step.previous.step, "sha256": step.previous.sha256},
        "snapshot": None
        if step.snapshot is None or step.snapshot_file is None
        else {
            "offset": step.snapshot.offset,
            "epoch": step.snapshot.epoch,
            **_object_row(step.snapshot_file),
        },
        "start": step.start,
        "end": step.end,
        "lastEpoch": step.last_epoch,
        "lastRecordMs": step.last_record_ms,
        "lastBatch": None
        if step.last_batch is None
        else {
            "offset": step.last_batch.offset,
            "epoch": step.last_batch.epoch,
            "crc": step.last_batch.crc,
            "sizeBytes": step.last_batch.size_bytes,
        },
        "epochs": [{"epoch": epoch, "start": start} for epoch, start in step.epochs],
        "segments": [
            {"base": one.base, "end": one.end, **_object_row(one.file)} for one in step.segments
        ],
    }
    return (json.dumps(row, indent=1) + "\n").encode()


def decode_step(place: str, content: bytes) -> Step:
    """A manifest out of its file; OperatorError names ``place``, the field and what is wrong."""
    fields = Fields.parsed(content.decode("utf-8", "replace"), place, KIND, VERSION)
    previous = fields.child("previous") if fields.has("previous") else None
    snapshot = fields.child("snapshot") if fields.has("snapshot") else None
    last = fields.child("lastBatch") if fields.has("lastBatch") else None
    id_ = (
        None
        if snapshot is None
        else OffsetAndEpoch(snapshot.id("epoch"), snapshot.integer("offset"))
    )
    step = Step(
        cluster_id=fields.text("clusterId"),
        taken_ms=fields.integer("takenMs"),
        previous=None if previous is None else Previous(_step_name(previous), _sha256(previous)),
        snapshot=id_,
        snapshot_file=None
        if snapshot is None or id_ is None
        else _object(snapshot, snapshot_file(id_)),
        start=fields.integer("start"),
        end=fields.integer("end"),
        last_epoch=fields.id("lastEpoch"),
        last_record_ms=fields.integer("lastRecordMs", least=NO_OFFSET),
        last_batch=None
        if last is None
        else LastBatch(
            last.integer("offset"),
            last.id("epoch"),
            last.integer("crc", most=(1 << 32) - 1),
            last.integer("sizeBytes", least=1),
        ),
        epochs=tuple((one.id("epoch"), one.integer("start")) for one in fields.children("epochs")),
        segments=tuple(_segment(one) for one in fields.children("segments")),
    )
    _check(fields, step)
    return step


def digest_of(manifest: bytes) -> str:
    """By which the next step names a manifest."""
    return sha256(manifest).hexdigest()


def _check(fields: Fields, step: Step) -> None:
    """OperatorError unless snapshot and segments follow each other from start to end."""
    if step.snapshot is not None and step.snapshot.offset != step.start:
        fields.refuse("start", f"{step.snapshot.offset}, where the snapshot ends")
    due = step.start
    for one in step.segments:
        if one.base != due or one.end <= one.base:
            raise OperatorError(
                f"{fields.place}: segments: offsets {one.base} to {one.end}, due is {due}"
            )
        due = one.end
    if due != step.end:
        fields.refuse("end", f"{due}, where the last segment ends")
    if not step.is_full and step.previous is None:
        fields.refuse("previous", "there for a step without a snapshot that does not begin at 0")


def _object_row(file: Object) -> dict[str, Any]:
    return {"name": file.name, "sizeBytes": file.size_bytes, "sha256": file.sha256}


def _object(fields: Fields, name: str) -> Object:
    if fields.text("name") != name:  # it becomes a file's name at a restore
        fields.refuse("name", name)
    size_bytes = fields.integer("sizeBytes", least=1, most=MAX_BACKUP_OBJECT_BYTES)
    return Object(name, size_bytes, _sha256(fields))


def _segment(fields: Fields) -> SegmentObject:
    base = fields.integer("base")
    return SegmentObject(base, fields.integer("end"), _object(fields, segment_file(base, LOG)))


def _sha256(fields: Fields) -> str:
    text = fields.text("sha256")
    if not _SHA256.fullmatch(text):
        fields.refuse("sha256", "64 hexadecimal digits")
    return text


def _step_name(fields: Fields) -> str:
    text = fields.text("step")
    if parse_name(text) is None:
        fields.refuse("step", "the name of a step")
    return text
