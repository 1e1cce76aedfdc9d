"""``metaquorum frame``: requests and responses to JSON and back.

For people with a packet capture and a question, and for checkers. The body is Kafka's own JSON
form; unknown tags have none and are left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from typing import Any, Final

import click
from attrs import frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.bytes_text import FORMS, bytes_text, numbered_lines, read_bytes
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
from metaquorum.wire.json_form import from_json, json_text, to_json
from metaquorum.wire.registry import Api, Codec

EXAMPLES = """\b
Examples:
  xxd -p -c0 request.bin | metaquorum frame decode
  echo 0000000c00000000... | metaquorum frame decode --api Vote --version 2 --direction response
  metaquorum frame decode < frames.txt | metaquorum frame encode
"""
REQUEST, RESPONSE = DIRECTIONS = ("request", "response")
_HEADER_BYTES: Final = 4  # key and version


@frozen
class Told:
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


def guess_direction(told: Told, data: bytes) -> str:
    """A request, unless the frame does not begin with the key and version that were told."""
    if told.direction is not None:
        return told.direction
    if told.api is None or told.version is None:
        return REQUEST
    head = told.api.key.to_bytes(2, "big") + told.version.to_bytes(2, "big")
    return REQUEST if data[:_HEADER_BYTES] == head else RESPONSE


def frame_json(data: bytes, told: Told) -> dict[str, Any]:
    """One frame as values for JSON; PeerError for a damaged one, OperatorError where one must
    be told more."""
    data = without_size(data)
    if guess_direction(told, data) == REQUEST:
        header, at = read_request_header(data)
        api, version = APIS[header.api_key], header.api_version
        _check_told(told, api, version)
        shown = {"correlationId": header.correlation_id, "clientId": header.client_id}
        return _frame_json(REQUEST, api, version, shown, request_codec(api.key), data, at)
    if told.api is None or told.version is None:
        raise OperatorError("a response does not say what it is: give --api and --version")
    api, version = told.api, told.version
    correlation, at = read_response_header(data, api.key, version)
    shown = {"correlationId": correlation}
    return _frame_json(RESPONSE, api, version, shown, response_codec(api.key), data, at)


def _check_told(told: Told, api: Api, version: int) -> None:
    if told.api is not None and told.api.key != api.key:
        raise OperatorError(f"--api {told.api.name}, but the frame is of {api.name}")
    if told.version is not None and told.version != version:
        raise OperatorError(f"--version {told.version}, but the frame is of version {version}")


def _frame_json(
    direction: str,
    api: Api,
    version: int,
    header: dict[str, Any],
    codec: Codec,
    data: bytes,
    at: int,
) -> dict[str, Any]:
    message, end = codec.get(data, at, version)
    found = {
        "api": api.name,
        "apiKey": api.key,
        "version": version,
        "direction": direction,
        "header": header,
        "body": to_json(codec, message, version),
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


def frame_bytes(spelled: Mapping[str, Any], told: Told) -> bytes:
    """The frame with its size; ``spelled`` is what ``frame_json`` gave, or a body alone.

    JsonFormError or EncodeError for a body that is none; OperatorError where one must be told more.
    """
    whole = spelled if "body" in spelled and "direction" in spelled else {"body": spelled}
    name = whole.get("apiKey", whole.get("api"))
    api = told.api if name is None else find_api(str(name))
    version = whole.get("version", told.version)
    direction = whole.get("direction", told.direction)
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


@click.group(epilog=EXAMPLES)
def frame() -> None:
    """Turn requests and responses into JSON, and JSON into them."""


_api = click.option("--api", "api_text", metavar="NAME|KEY", help="The API, such as Vote or 52.")
_version = click.option("--version", type=click.IntRange(0, 32_767), help="The API's version.")
_direction = click.option("--direction", type=click.Choice(DIRECTIONS), help="Guessed if absent.")


@frame.command(epilog=EXAMPLES)
@_api
@_version
@_direction
@click.option("--form", type=click.Choice(FORMS), help="How bytes are spelled; guessed if absent.")
def decode(
    api_text: str | None, version: int | None, direction: str | None, form: str | None
) -> None:
    """Turn frames on standard input, one a line in hex or base64, into JSON.

    A size before the frame may be there or not. Requests say what they are; responses do not, so
    they need --api and --version.
    """
    told = Told(None if api_text is None else find_api(api_text), version, direction)
    for number, text in numbered_lines(sys.stdin.buffer):
        data = read_bytes(text, number, form)
        try:
            click.echo(json_text(frame_json(data, told)))
        except (PeerError, EncodeError, OperatorError) as why:
            raise OperatorError(f"line {number}: {why}") from None


@frame.command(epilog=EXAMPLES)
@_api
@_version
@_direction
@click.option("--form", type=click.Choice(FORMS), default="hex", show_default=True)
def encode(api_text: str | None, version: int | None, direction: str | None, form: str) -> None:
    """Turn JSON on standard input, one frame a line, into frames with their sizes.

    A line is what decode prints, or a body alone with --api, --version and --direction.
    """
    told = Told(None if api_text is None else find_api(api_text), version, direction)
    for number, text in numbered_lines(sys.stdin.buffer):
        try:
            spelled = json.loads(text)
            if not isinstance(spelled, dict):
                raise OperatorError("expected a JSON object")
            click.echo(bytes_text(frame_bytes(spelled, told), form))
        except (ValueError, RecursionError, EncodeError, OperatorError) as why:
            raise OperatorError(f"line {number}: {why}") from None
