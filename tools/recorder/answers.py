"""The answers of a node in a recording and in its replay, compared as far as time has no say.

Compared are error codes, epochs, leaders, votes, places where logs part, snapshots, and the
records of each kind in their order. Left out is what depends on the millisecond: high watermarks,
how records were cut into answers and batches, their timestamps, the features that a node knows
of so far, and which of the voters granted first; and what grows from build to build, the APIs and
features that a node offers.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from attrs import define, field, frozen

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.cli import frame_form
from metaquorum.cli.frame_records import spelled_batches
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
    "finalizedFeatures",
    "throttleTimeMs",
    "sessionId",
    "grantingVoters",
)
GROWING = ("apiKeys", "supportedFeatures")
UNORDERED = ("RegisterControllerRecord", "NoOpRecord")
"""Kinds that a node's own timers write, its own among those of others."""


@frozen
class Difference:
    """One answer that is another one now; ``us`` is when it was given in the recording.

    A difference in the records of all answers together has no connection and no correlation id.
    """

    us: int
    connection: int
    api: str
    recorded: str
    replayed: str
    correlation_id: int | None = None

    def __str__(self) -> str:
        return (
            f"{self.us / 1e6:.6f} s, connection {self.connection}, {self.api}:\n"
            f"  recorded {self.recorded}\n  replayed {self.replayed}"
        )


Given = dict[int, tuple[str, str]]
"""Records by offset: of what kind each is, and its epoch and content as text."""


@define(eq=False)
class Answers:
    """What ``node`` answered in the recording, and what it answers now."""

    recording: Recording
    node: int
    compared: int = 0
    _came: dict[tuple[int, int], Frame] = field(factory=dict)
    _wrote: Given = field(factory=dict)

    def came(self, frame: Frame) -> None:
        """The node has answered."""
        self._came[frame.connection, frame.correlation_id] = frame

    def wrote(self, segment: bytes) -> None:
        """This is in the node's log at the end."""
        for batch in spelled_batches(segment):
            _keep_records(batch, self._wrote)

    def differences(self) -> Iterator[Difference]:
        """Every answer of the recording that is missing now or says something else; then records.

        May be asked once.
        """
        before: Given = {}
        now: Given = {}
        for talk in self.recording.talks:
            if talk.to != self.node:
                continue
            for request in talk.requests:
                given = talk.responses.get(request.correlation_id)
                header = request.header
                if given is None or header is None:
                    continue
                self.compared += 1
                api = APIS[header.api_key].name
                recorded = json_text(_meaning(given, header.api_key, header.api_version, before))
                again = self._came.get((talk.number, request.correlation_id))
                replayed = "no answer"
                if again is not None:
                    meaning = _meaning(again, header.api_key, header.api_version, now)
                    replayed = json_text(meaning)
                if recorded != replayed:
                    place = (given.us, talk.number)
                    number = request.correlation_id
                    yield Difference(*place, api, recorded, replayed, number)
        # Followers ask from where they stood in the recording, so a record that now stands a place
        # later may fall between two of their fetches.
        for offset in before.keys() & self._wrote.keys():
            now.setdefault(offset, self._wrote[offset])
        yield from _other_records(before, now)


def _other_records(before: Given, now: Given) -> Iterator[Difference]:
    """Where the records of a kind are no longer the same, one after the other."""
    recorded, replayed = _by_kind(before), _by_kind(now)
    for kind in sorted(recorded):
        for number, (one, other) in enumerate(zip(recorded[kind], replayed.get(kind, []))):
            if one != other:
                yield Difference(0, -1, f"{kind} {number}", one, other)
                break


def _by_kind(records: Given) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for offset in sorted(records):
        kind, text = records[offset]
        found.setdefault(kind, []).append(text)
    for kind in UNORDERED:
        found.get(kind, []).sort()
    return found


def _meaning(frame: Frame, api_key: int, version: int, records: Given) -> Any:
    """What an answer says apart from times; its records go to ``records``."""
    try:
        try:
            spelled = _spelled(frame, api_key, version)
        except (PeerError, EncodeError):
            if api_key != API_VERSIONS:
                raise
            spelled = _spelled(frame, api_key, 0)  # KIP-511
    except (PeerError, EncodeError, OperatorError):
        return frame.data[4:].hex()
    return _without_time(spelled, records)


def _spelled(frame: Frame, api_key: int, version: int) -> dict[str, Any]:
    given = frame_form.Given(APIS[api_key], version, frame_form.RESPONSE)
    return frame_form.bare_frame_json(frame.data, given, records=True)


def _without_time(value: Any, records: Given) -> Any:
    if isinstance(value, list):
        return [_without_time(one, records) for one in value]
    if not isinstance(value, dict):
        return value
    kept = {}
    for key, inner in value.items():
        if key == "records":
            for batch in inner or ():
                _keep_records(batch, records)
        elif key not in TIMELY and key not in GROWING:
            kept[key] = _without_time(inner, records)
    return kept


def _keep_records(batch: dict[str, Any], records: Given) -> None:
    for one in batch.get("records", ()):
        kind = one.get("controlType") or one.get("metadataRecord", {}).get("type", "record")
        said = _without_time(one.get("control", one.get("value")), {})
        records[one["offset"]] = kind, json_text([batch["partitionLeaderEpoch"], said])
