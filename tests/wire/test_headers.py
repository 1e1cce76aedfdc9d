"""The headers before every message, against Kafka's own bytes and a second reading."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.testing import construct_reading, golden, values
from metaquorum.testing.schemas import MessageText, all_messages, message
from metaquorum.wire.headers import (
    CONTROLLED_SHUTDOWN_KEY,
    RequestHeader,
    put_request_header,
    put_response_header,
    read_request_header,
    read_response_header,
)
from metaquorum.wire.primitives import DecodeError

REQUESTS = [schema for schema in all_messages() if schema.kind == "request"]
EACH_REQUEST = pytest.mark.parametrize("schema", REQUESTS, ids=lambda schema: schema.name)
API_VERSIONS_KEY = 18
CLIENT_IDS = (None, "", "raft-client-1", "ü" * 100)
TAGS = ((7, b"\x01"), (values.FIRST_UNKNOWN_TAG, b""))


def written(put: Any, *arguments: Any) -> bytes:
    parts: list[Any] = []
    put(parts, *arguments)
    return b"".join(parts)


def second_reading(header: RequestHeader, flexible: bool) -> bytes:
    value: values.Value = {
        "requestApiKey": header.api_key,
        "requestApiVersion": header.api_version,
        "correlationId": header.correlation_id,
        "clientId": header.client_id,
    }
    if header.unknown_tags:
        value[values.UNKNOWN_TAGS] = list(header.unknown_tags)
    return construct_reading.build(message("RequestHeader"), 2 if flexible else 1, value)


@EACH_REQUEST
def test_request_headers_follow_from_key_and_version(schema: MessageText) -> None:
    assert schema.api_key is not None
    for version in schema.versions:
        if (schema.api_key, version) == (CONTROLLED_SHUTDOWN_KEY, 0):
            continue
        flexible = schema.is_flexible(version)
        for client_id in CLIENT_IDS:
            for tags in ((), TAGS) if flexible else ((),):
                header = RequestHeader(schema.api_key, version, -5, client_id, tags)
                data = written(put_request_header, header)
                assert data == second_reading(header, flexible)
                assert read_request_header(data + b"body") == (header, len(data))


def test_the_first_controlled_shutdown_has_the_oldest_header() -> None:
    data = written(put_request_header, RequestHeader(CONTROLLED_SHUTDOWN_KEY, 0, 9, "lost"))
    value = {"requestApiKey": CONTROLLED_SHUTDOWN_KEY, "requestApiVersion": 0, "correlationId": 9}
    assert data == construct_reading.build(message("RequestHeader"), 0, value)
    header = RequestHeader(CONTROLLED_SHUTDOWN_KEY, 0, 9, None)
    assert read_request_header(data + b"body") == (header, len(data))


@EACH_REQUEST
def test_response_headers_follow_from_key_and_version(schema: MessageText) -> None:
    assert schema.api_key is not None
    for version in schema.versions:
        flexible = schema.is_flexible(version) and schema.api_key != API_VERSIONS_KEY
        value = {"correlationId": 77}
        expected = construct_reading.build(message("ResponseHeader"), int(flexible), value)
        data = written(put_response_header, schema.api_key, version, 77)
        assert data == expected
        assert read_response_header(data, schema.api_key, version) == (77, len(data))


@pytest.mark.parametrize("frame", golden.frames(message("RequestHeader")), ids=str)
def test_headers_that_kafka_wrote_are_read_once_they_name_a_known_api(
    frame: golden.GoldenFrame,
) -> None:
    if frame.version == 0:  # only ever stood before ControlledShutdown 0
        with pytest.raises(DecodeError):
            read_request_header(frame.data)
        return
    flexible = frame.version == 2
    # The frames hold numbers of no API: here they become Produce, with or without tags.
    api_version = 9 if flexible else 3
    data = b"\0\0" + api_version.to_bytes(2, "big") + frame.data[4:]
    header, end = read_request_header(data)
    assert end == len(data)
    assert header.client_id == frame.value["clientId"]
    assert header.correlation_id == frame.value["correlationId"]
    assert list(header.unknown_tags) == frame.value.get(values.UNKNOWN_TAGS, [])


@EACH_REQUEST
def test_damaged_request_headers_give_a_header_or_a_place(schema: MessageText) -> None:
    assert schema.api_key is not None
    version = schema.versions.high
    tags = TAGS if schema.is_flexible(version) else ()
    data = written(put_request_header, RequestHeader(schema.api_key, version, 1, "me", tags))
    for cut in range(len(data)):
        with pytest.raises(DecodeError) as refused:
            read_request_header(data[:cut])
        assert 0 <= refused.value.at <= cut
        assert refused.value.path.startswith("RequestHeader")
    for at in range(len(data)):
        for flip in (0x01, 0x80, 0xFF):
            damaged = bytearray(data)
            damaged[at] ^= flip
            try:
                _, end = read_request_header(bytes(damaged))
            except DecodeError as why:
                assert 0 <= why.at <= len(data)
            else:
                assert end <= len(data)


@pytest.mark.parametrize("api_version", [-1, 6, 99, 32_767])
def test_api_versions_of_any_version_can_be_read_far_enough_to_answer(api_version: int) -> None:
    head = (18).to_bytes(2, "big") + api_version.to_bytes(2, "big", signed=True)
    header, _ = read_request_header(head + b"\0\0\0\x09\0\x02me" + b"\0\xff\xff")
    assert (header.api_key, header.api_version) == (18, api_version)
    assert (header.correlation_id, header.client_id) == (9, "me")


@pytest.mark.parametrize(("api_key", "api_version"), [(999, 0), (-1, 0), (1, 19), (3, -1)])
def test_unknown_keys_and_versions_are_refused_by_name(api_key: int, api_version: int) -> None:
    head = b"".join(n.to_bytes(2, "big", signed=True) for n in (api_key, api_version))
    with pytest.raises(DecodeError, match=str(api_version if api_key in (1, 3) else api_key)):
        read_request_header(head + b"\0\0\0\x09\0\x02me")
