"""The targets notice: a reader with a planted fault is found out by inputs that are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.groups import joins
from metaquorum.records.control import ControlRecord
from metaquorum.records.errors import CorruptBatch
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.storage import missing_snapshots
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_check import BadSnapshot
from metaquorum.testing.fuzz import (
    control_records,
    epoch_file,
    log_recovery,
    messages,
    messages_as_json,
    meta_properties,
    metadata_records,
    quorum_state,
    record_batches,
    request_headers,
    snapshot_files,
)
from metaquorum.testing.fuzz.promise import PromiseBroken, refused_at, refused_file
from metaquorum.testing.fuzz.targets import TARGETS, kept_inputs, one_input_of
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.frames import FrameBuffer, FrameReader
from metaquorum.wire.headers import RequestHeader


def loses_the_last(feed: Callable[..., list[memoryview]]) -> Callable[..., list[memoryview]]:
    return lambda self, data: feed(self, data)[:-1]


def loses_a_byte(take: Callable[..., bytes]) -> Callable[..., bytes]:
    return lambda self, size: take(self, size)[:-1]


def gives_nothing_back(connection: Connection) -> None:
    connection.state = CLOSED


def counts_one_more(recover: Callable[..., Any]) -> Callable[..., Any]:
    def recovered(*arguments: Any) -> Any:
        found = recover(*arguments)
        found.scan.batches += 1
        return found

    return recovered


def always_bad(*_: Any) -> Any:
    raise BadSnapshot("elsewhere", 0, "for no reason")


def far_off(*_: Any) -> Any:
    raise CorruptBatch("for no reason", 10_000_000)


def loses_the_refusal(*arguments: Any) -> Any:
    raise arguments[-1]


class Forgetful:
    """A codec that writes everything as zeros."""

    def __init__(self, codec: Any) -> None:
        self.codec = codec

    def __getattr__(self, name: str) -> Any:
        return getattr(self.codec, name)

    def encode(self, message: object, version: int) -> bytes:
        return bytes(len(self.codec.encode(message, version)))


FAULTS: list[tuple[str, Any, str, Any]] = [
    ("frames", FrameReader, "feed", loses_the_last(FrameReader.feed)),
    ("server_connection", FrameBuffer, "take", loses_a_byte(FrameBuffer.take)),
    ("server_connection", Connection, "close", gives_nothing_back),
    (
        "request_headers",
        request_headers,
        "read_request_header",
        lambda b: (RequestHeader(3, 0, 1), 0),
    ),
    (
        "messages",
        messages,
        "request_codec",
        lambda k, real=messages.request_codec: Forgetful(real(k)),
    ),
    ("messages_as_json", messages_as_json.json_form, "json_text", lambda _: '{"no": "message"}'),
    ("metadata_records", metadata_records, "encode_metadata_record", lambda *_: b"\x01\x00\x00"),
    ("record_batches", record_batches, "decompress", far_off),
    ("control_records", control_records, "read_control", lambda _: ControlRecord(1, 2, None)),
    ("log_recovery", log_recovery, "recover", counts_one_more(log_recovery.recover)),
    ("quorum_state", quorum_state, "decode", lambda *_: ElectionStateData(1 << 31)),
    ("meta_properties", meta_properties, "encode", lambda _: b""),
    ("epoch_file", epoch_file, "encode_epochs", lambda _: b""),
    ("snapshot_files", snapshot_files, "verify_snapshot", always_bad),
    (
        "answers_built_from_requests",
        joins,
        "new_member_id",
        lambda draw, name: f"{name}-{draw().hex():0>36}",
    ),
    ("handlers_and_plans_that_raise", Pipeline, "_failed", loses_the_refusal),
    ("producer_logs", missing_snapshots, "write_producers", lambda *_: None),
]


def test_a_fault_is_planted_for_every_target() -> None:
    assert {target for target, *_ in FAULTS} == set(TARGETS)


@pytest.mark.parametrize(("target", "where", "name", "fault"), FAULTS)
def test_a_planted_fault_is_found(
    target: str, where: Any, name: str, fault: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(where, name, fault)
    one_input = one_input_of(target)
    with pytest.raises(Exception):  # noqa: B017  # the promise's own error, or the fault's
        for _, data in kept_inputs(target):
            one_input(data)


def test_a_refusal_must_name_a_place_within_the_bytes_and_a_reason() -> None:
    assert refused_at(DecodeError("Message.field", 4, "cut off"), 4) is False
    assert refused_at(CorruptBatch("cut off", 0), 4) is False
    for why in (DecodeError("Message", 5, "cut off"), CorruptBatch("cut off", -1)):
        with pytest.raises(PromiseBroken, match="the place is within the 4 bytes"):
            refused_at(why, 4)
    with pytest.raises(PromiseBroken, match="says why"):
        refused_at(CorruptBatch(""), 4)


def test_a_refusal_must_name_the_file() -> None:
    assert refused_file(OperatorError("/log/file: no epoch"), "/log/file") is False
    with pytest.raises(PromiseBroken, match="names /log/file"):
        refused_file(OperatorError("no epoch"), "/log/file")


def test_a_target_that_there_is_not_is_refused_by_name() -> None:
    with pytest.raises(KeyError, match="dogs is no target; there are frames, "):
        one_input_of("dogs")
