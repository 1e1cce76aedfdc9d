"""The requests and responses of a capture as JSON: each response read as its request's.

A response does not say what it is. Its correlation id leads to the request, which does.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from attrs import frozen

from metaquorum.base.errors import PeerError
from metaquorum.cli.capture_packets import read_segments
from metaquorum.cli.capture_streams import CapturedFrame, Connection, Direction, connections
from metaquorum.cli.frame_form import REQUEST, RESPONSE, Given, bare_frame_json
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.headers import RequestHeader, read_request_header

_CORRELATION_BYTES = 4
_API_VERSIONS = 18


@frozen
class Line:
    """One frame of a capture; ``fault`` is why it could not be read, ``spelled`` what is known."""

    time_us: int
    spelled: dict[str, Any]
    fault: str | None = None


@frozen
class Reading:
    """All frames by time, and a word about every connection that was not read to its end."""

    lines: list[Line]
    remarks: list[str]


def read_capture(path: str, *, records: bool = False) -> Reading:
    """The frames of all connections that speak the protocol; OperatorError as ``read_segments``."""
    lines: list[Line] = []
    remarks: list[str] = []
    for one in connections(read_segments(path)):
        if not one.client.data and not one.server.data:
            continue
        first = next(one.client.frames(), None)
        if first is None or _header(first.data) is None:
            remarks.append(f"{one}: passed over, it does not begin with a request")
            continue
        lines += _lines(one, records)
        for side in (one.client, one.server):
            if (why := side.rest()) is not None:
                remarks.append(f"{side.source} > {side.destination}: {why}")
    return Reading(sorted(lines, key=lambda line: line.time_us), remarks)


def _lines(one: Connection, records: bool) -> Iterator[Line]:
    asked: dict[int, deque[RequestHeader]] = defaultdict(deque)
    for frame in one.client.frames():
        header = _header(frame.data)
        if header is not None:
            asked[header.correlation_id].append(header)
        yield _line(one.client, frame, Given(None, None, REQUEST), records)
    for frame in one.server.frames():
        correlation = int.from_bytes(frame.data[:_CORRELATION_BYTES], "big", signed=True)
        if not asked[correlation]:
            why = f"no request with correlation id {correlation} is in the capture"
            yield Line(frame.time_us, _place(one.server, frame) | _undecoded(frame), why)
            continue
        header = asked[correlation].popleft()
        api = APIS[header.api_key]
        line = _line(one.server, frame, Given(api, header.api_version, RESPONSE), records)
        if line.fault is not None and header.api_key == _API_VERSIONS:
            # A version that the server does not know is answered in version 0 (KIP-511).
            line = _line(one.server, frame, Given(api, 0, RESPONSE), records)
        yield line


def _line(side: Direction, frame: CapturedFrame, given: Given, records: bool) -> Line:
    place = _place(side, frame)
    try:
        return Line(frame.time_us, place | bare_frame_json(frame.data, given, records=records))
    except (PeerError, EncodeError) as why:
        return Line(frame.time_us, place | _undecoded(frame), str(why))


def _header(data: bytes) -> RequestHeader | None:
    """The header of what may be a request; None if it cannot be one."""
    try:
        header, _ = read_request_header(data)
    except PeerError:
        return None
    return header if header.api_key in APIS else None


def _undecoded(frame: CapturedFrame) -> dict[str, Any]:
    return {"undecoded": frame.data.hex()}


def _place(side: Direction, frame: CapturedFrame) -> dict[str, Any]:
    moment = datetime.fromtimestamp(frame.time_us // 1_000_000, UTC)
    return {
        "time": f"{moment:%Y-%m-%dT%H:%M:%S}.{frame.time_us % 1_000_000:06}Z",
        "source": str(side.source),
        "destination": str(side.destination),
    }
