"""Frames as values for JSON, and back: what ``metaquorum frame`` prints and takes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from attrs import evolve, frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.limits import MAX_FRAME_BYTES
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.frames import SIZE_BYTES
from metaquorum.wire.generated.index import APIS, request_codec, response_codec
from metaquorum.wire.headers import (
    RequestHeader,
    put_request_header,
    put_response_header,
    read_request_header,
    read_response_header,
)
from metaquorum.wire.json_form import from_json, to_json
from metaquorum.wire.registry import Api, Codec

REQUEST, RESPONSE = DIRECTIONS = ("request", "response")


@frozen
class Given:
    """What the command line says about the frames."""

    api: Api | None
    version: int | None
    direction: str | None


def find_api(text: str) -> Api:
    """The API of this key or name; OperatorError if there is none."""
    if text.isascii() and text.isdigit() and int(text) in APIS:
        return APIS[int(text)]
    wanted = text.lower().removesuffix("request").removesuffix("response")
    for api in APIS.values():
        if api.name.lower() == wanted:
            return api
    raise OperatorError(f"--api {text}: there is no such API")


def without_size(data: bytes) -> bytes:
    """The frame without the size before it, if that is there."""
    size = int.from_bytes(data[:SIZE_BYTES], "big", signed=True)
    has_size = len(data) >= SIZE_BYTES and size == len(data) - SIZE_BYTES
    return data[SIZE_BYTES:] if has_size else data


def split_frames(data: bytes) -> list[bytes]:
    """The frames of a stretch of a stream, each without its size; one that has none as it is."""
    found = []
    at = 0
    while len(data) - at >= SIZE_BYTES:
        size = int.from_bytes(data[at : at + SIZE_BYTES], "big", signed=True)
        if not 0 < size <= min(MAX_FRAME_BYTES, len(data) - at - SIZE_BYTES):
            break
        at += SIZE_BYTES + size
        found.append(data[at - size : at])
    return found if found and at == len(data) else [data]


def wrong_size(data: bytes) -> str:
    """A remark if a request stands behind a size that is not its own: one that was cut, most often.

    Empty if the bytes do not look like that.
    """
    size, rest = int.from_bytes(data[:SIZE_BYTES], "big", signed=True), data[SIZE_BYTES:]
    if size == len(rest):
        return ""
    try:
        read_request_header(rest)
    except (PeerError, EncodeError):
        return ""
    return f"; if a size stands before the frame, it says {size} bytes, and {len(rest)} follow"


def frame_json(data: bytes, given: Given, *, records: bool = False) -> dict[str, Any]:
    """One frame, with its size or without, as values for JSON; with ``records`` batches too.

    PeerError for a damaged one, OperatorError where an option is missing.
    """
    data = without_size(data)
    if given.direction is None:
        given = evolve(given, direction=_direction(given, data))
    return bare_frame_json(data, given, records=records)


def _direction(given: Given, data: bytes) -> str:
    """A request says what it is. What cannot be one is a response, if the API is given."""
    if given.api is None or given.version is None:
        return REQUEST
    fitting = [one for one in DIRECTIONS if _fits(evolve(given, direction=one), data)]
    if len(fitting) > 1:
        raise OperatorError("it can be read as a request and as a response: give --direction")
    if fitting:
        return fitting[0]
    head = given.api.key.to_bytes(2, "big") + given.version.to_bytes(2, "big")
    return REQUEST if data.startswith(head) else RESPONSE


def _fits(given: Given, data: bytes) -> bool:
    """Whether the frame can be read so, to its last byte."""
    try:
        return "leftOverBytes" not in bare_frame_json(data, given)
    except (PeerError, EncodeError, OperatorError):
        return False


def bare_frame_json(data: bytes, given: Given, *, records: bool = False) -> dict[str, Any]:
    """The same for a frame without size, in the direction that is given."""
    if given.direction == REQUEST:
        header, at = read_request_header(data)
        api, version = APIS[header.api_key], header.api_version
        _check_given(given, api, version)
        shown = {"correlationId": header.correlation_id, "clientId": header.client_id}
        codec = request_codec(api.key)
        return _frame_json(REQUEST, api, version, shown, codec, data, at, records)
    if given.api is None or given.version is None:
        raise OperatorError("a response does not say what it is: give --api and --version")
    api, version = given.api, given.version
    correlation, at = read_response_header(data, api.key, version)
    shown = {"correlationId": correlation}
    codec = response_codec(api.key)
    return _frame_json(RESPONSE, api, version, shown, codec, data, at, records)


def _check_given(given: Given, api: Api, version: int) -> None:
    if given.api is not None and given.api.key != api.key:
        raise OperatorError(f"--api {given.api.name}, but the frame is of {api.name}")
    if given.version is not None and given.version != version:
        raise OperatorError(f"--version {given.version}, but the frame is of version {version}")


def _frame_json(
    direction: str,
    api: Api,
    version: int,
    header: dict[str, Any],
    codec: Codec,
    data: bytes,
    at: int,
    records: bool,
) -> dict[str, Any]:
    message, end = codec.get(data, at, version)
    body = to_json(codec, message, version)
    if records:
        from metaquorum.cli.frame_records import spell_records

        spell_records(body, codec, message, version)
    found = {
        "api": api.name,
        "apiKey": api.key,
        "version": version,
        "direction": direction,
        "header": header,
        "body": body,
    }
    if end != len(data):
        found["leftOverBytes"] = len(data) - end
    return found


def _read_header(spelled: object) -> tuple[int, str | None]:
    """Correlation id and client id; 0 and None where they are not said."""
    if not isinstance(spelled, dict):
        raise OperatorError("header: expected an object")
    correlation, client = spelled.get("correlationId", 0), spelled.get("clientId")
    if not isinstance(correlation, int) or not -(1 << 31) <= correlation < 1 << 31:
        raise OperatorError("header.correlationId: expected an int32")
    if client is not None and not isinstance(client, str):
        raise OperatorError("header.clientId: expected a text or null")
    return correlation, client


def frame_bytes(spelled: Mapping[str, Any], given: Given) -> bytes:
    """The frame with its size; ``spelled`` is what ``frame_json`` gave, or a body alone.

    JsonFormError or EncodeError for a body that is none; OperatorError where an option is missing.
    """
    whole = spelled if "body" in spelled and "direction" in spelled else {"body": spelled}
    name = whole.get("apiKey", whole.get("api"))
    api = given.api if name is None else find_api(str(name))
    version = whole.get("version", given.version)
    direction = whole.get("direction", given.direction)
    if api is None or not isinstance(version, int) or direction not in DIRECTIONS:
        raise OperatorError("a body alone needs --api, --version and --direction")
    correlation, client = _read_header(whole.get("header", {}))
    parts: list[Any] = []
    if direction == REQUEST:
        put_request_header(parts, RequestHeader(api.key, version, correlation, client))
        codec = request_codec(api.key)
    else:
        put_response_header(parts, api.key, version, correlation)
        codec = response_codec(api.key)
    data = b"".join(parts) + codec.encode(from_json(codec, whole["body"], version), version)
    return len(data).to_bytes(SIZE_BYTES, "big") + data
