"""The answers of a node in a recording and in its replay, compared as far as time has no say.

Compared are error codes, epochs, leaders, votes, places where logs part, snapshots, and every
record by its offset. Left out is what depends on the millisecond: high watermarks, how records
were cut into answers and batches, their timestamps, and which of the voters granted first.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli.frame_form import RESPONSE, Told, bare_frame_json
from metaquorum.wire.errors import EncodeError
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.json_form import json_text
from tools.recorder.recording import Frame, Recording

API_VERSIONS = 18
TIMELY = (
    "correlationId",
    "highWatermark",
    "lastStableOffset",
    "finalizedFeaturesEpoch",
    "throttleTimeMs",
    "sessionId",
    "grantingVoters",
)


@frozen
class Difference:
    """One answer that is another one now; ``us`` is when it was given in the recording."""

    us: int
    connection: int
    api: str
    recorded: str
    replayed: str

    def __str__(self) -> str:
        return (
            f"{self.us / 1e6:.6f} s, connection {self.connection}, {self.api}:\n"
            f"  recorded {self.recorded}\n  replayed {self.replayed}"
        )


@define(eq=False)
class Answers:
    """What ``node`` answered in the recording, and what it answers now."""

    recording: Recording
    node: int
    compared: int = 0
    _came: dict[tuple[int, int], Frame] = field(factory=dict)
    _records: dict[int, str] = field(factory=dict)

    def came(self, frame: Frame) -> None:
        """The node has answered."""
        self._came[frame.connection, frame.correlation_id] = frame

    def differences(self) -> Iterator[Difference]:
        """Every answer of the recording that is missing now, or says something else."""
        began_us = self.recording.life(self.node).began_ms * 1_000 - self.recording.began_us
        for talk in self.recording.talks:
            if talk.to != self.node or talk.opened_us < began_us:
                continue
            for request in talk.requests:
                told = talk.responses.get(request.correlation_id)
                header = request.header
                if told is None or header is None:
                    continue
                self.compared += 1
                api = APIS[header.api_key].name
                recorded, before = _meaning(told, header.api_key, header.api_version)
                again = self._came.get((talk.number, request.correlation_id))
                if again is None:
                    yield Difference(told.us, talk.number, api, json_text(recorded), "no answer")
                    continue
                replayed, now = _meaning(again, header.api_key, header.api_version)
                if recorded != replayed:
                    texts = (json_text(recorded), json_text(replayed))
                    yield Difference(told.us, talk.number, api, *texts)
                yield from self._other_records(told, api, before)
                yield from self._other_records(told, api, now)

    def _other_records(
        self, told: Frame, api: str, records: dict[int, str]
    ) -> Iterator[Difference]:
        for offset, text in records.items():
            known = self._records.setdefault(offset, text)
            if known != text:
                yield Difference(told.us, told.connection, api, known, text)


def _meaning(frame: Frame, api_key: int, version: int) -> tuple[Any, dict[int, str]]:
    """What an answer says apart from times, and its records by offset."""
    try:
        try:
            spelled = _spelled(frame, api_key, version)
        except (PeerError, EncodeError):
            if api_key != API_VERSIONS:
                raise
            spelled = _spelled(frame, api_key, 0)  # KIP-511
    except (PeerError, EncodeError, OperatorError):
        return frame.data[4:].hex(), {}
    records: dict[int, str] = {}
    return _without_time(spelled, records), records


def _spelled(frame: Frame, api_key: int, version: int) -> dict[str, Any]:
    return bare_frame_json(frame.data, Told(APIS[api_key], version, RESPONSE), records=True)


def _without_time(value: Any, records: dict[int, str]) -> Any:
    if isinstance(value, list):
        return [_without_time(one, records) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, inner in value.items():
        if key == "records":
            for batch in inner or ():
                _keep_records(batch, records)
        elif key not in TIMELY:
            kept[key] = _without_time(inner, records)
    return kept


def _keep_records(batch: dict[str, Any], records: dict[int, str]) -> None:
    for one in batch.get("records", ()):
        said = _without_time(one.get("control", one.get("value")), records)
        records[one["offset"]] = json_text(
            [batch["partitionLeaderEpoch"], one.get("controlType"), said]
        )
