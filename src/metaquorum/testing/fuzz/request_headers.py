"""Request headers and response headers, and back."""

from __future__ import annotations

from metaquorum.testing.fuzz.promise import promise, refused_at
from metaquorum.wire.errors import DecodeError
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.headers import (
    RequestHeader,
    put_request_header,
    read_request_header,
    read_response_header,
)
from metaquorum.wire.slices import Parts


def one_input(data: bytes) -> bool:
    """A frame as it follows its size; whether it begins with a request header."""
    try:
        header, at = read_request_header(memoryview(data))
    except DecodeError as why:
        return refused_at(why, len(data))
    promise(0 < at <= len(data), "the body begins within the frame")
    _check_round_trip(header)
    _check_response(data, header)
    return True


def _check_round_trip(header: RequestHeader) -> None:
    parts: Parts = []
    put_request_header(parts, header)
    written = b"".join(parts)  # type: ignore[arg-type]  # headers are bytes
    again, end = read_request_header(written)
    promise(again == header, "a header that was written again reads the same")
    known = APIS[header.api_key].lowest <= header.api_version <= APIS[header.api_key].highest
    promise(not known or end == len(written), "a header is read to its end")


def _check_response(data: bytes, header: RequestHeader) -> None:
    """The bytes from the correlation id on, as if they were the answer to that request."""
    answer = data[4:]
    try:
        correlation_id, at = read_response_header(answer, header.api_key, header.api_version)
    except DecodeError as why:
        refused_at(why, len(answer))
        return
    promise(correlation_id == header.correlation_id, "both headers have the same correlation id")
    promise(at <= len(answer), "the body begins within the answer")
