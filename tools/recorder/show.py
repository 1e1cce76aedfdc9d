"""A recording in words: one decoded frame a line, as ``metaquorum frame decode`` spells it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.frame_form import RESPONSE, Given, bare_frame_json
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.json_form import json_text
from tools.recorder.answers import API_VERSIONS
from tools.recorder.recording import REQUEST, Frame, Recording, Talk


def shown(recording: Recording, *, records: bool = False) -> Iterator[str]:
    """A line for each frame in the order of time; ``records`` spells the batches inside, too."""
    talks = {talk.number: talk for talk in recording.talks}
    for frame in recording.frames:
        talk = talks[frame.connection]
        asker = talk.client_id or "somebody"
        way = (asker, f"node {talk.to}") if frame.way == REQUEST else (f"node {talk.to}", asker)
        spelled = _spelled(talk, frame, records)
        yield f"{frame.us / 1e6:10.6f} #{frame.connection} {way[0]} > {way[1]} {spelled}"


def _spelled(talk: Talk, frame: Frame, records: bool) -> str:
    if frame.way == REQUEST:
        return _text(frame, [Given(None, None, REQUEST)], records)
    asked = next(
        (one.header for one in talk.requests if one.correlation_id == frame.correlation_id), None
    )
    if asked is None:
        return f"an answer to nothing: {frame.data.hex()}"
    versions = [asked.api_version] + ([0] if asked.api_key == API_VERSIONS else [])  # KIP-511
    given = [Given(APIS[asked.api_key], version, RESPONSE) for version in versions]
    return _text(frame, given, records)


def _text(frame: Frame, ways: list[Given], records: bool) -> str:
    for given in ways:
        try:
            found: dict[str, Any] = bare_frame_json(frame.data, given, records=records)
        except (PeerError, EncodeError, OperatorError, KeyError):
            continue
        return f"{found['api']} v{found['version']} {found['direction']} " + json_text(
            {"header": found["header"], "body": found["body"]}
        )
    return f"cannot be read: {frame.data.hex()}"
