"""What is said of one tiered segment: ``manifest.json``, written when all of its parts are there.

A segment without a manifest is not in the store. The text depends on the segment alone, so that
the same upload writes the same bytes.
"""

from __future__ import annotations

import json
from typing import Any, Final

from attrs import asdict, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Epoch, Offset

MANIFEST: Final = "manifest.json"
VERSION: Final = 1
SEGMENT: Final = "segment"
OFFSETS: Final = "offset-index"
TIMES: Final = "time-index"
ABORTED: Final = "transaction-index"  # only where a transaction was aborted
EPOCHS: Final = "leader-epochs"
PRODUCERS: Final = "producer-snapshot"
REQUIRED: Final = (SEGMENT, OFFSETS, TIMES, EPOCHS, PRODUCERS)


@frozen
class Part:
    """One object of a segment: ``kind`` is what it is, ``name`` its file beside the manifest.

    ``regenerated`` is set of a producer snapshot that was not there and was made out of the log.
    """

    kind: str
    name: str
    size_bytes: int
    sha256: str
    regenerated: bool = False


@frozen
class Manifest:
    """One segment: offsets from ``base_offset`` to ``end_offset``, which is not included.

    ``leader_epochs`` are those of its records, each with the first offset in this segment.
    """

    topic: str
    topic_id: str | None
    partition: int
    base_offset: Offset
    end_offset: Offset
    max_timestamp_ms: Millis
    leader_epochs: tuple[tuple[Epoch, Offset], ...]
    parts: tuple[Part, ...]


def segment_key(topic: str, topic_id: str | None, partition: int, base_offset: Offset) -> str:
    """Where the parts of a segment lie, with a slash at the end."""
    return f"{topic}/{topic_id or 'no-topic-id'}/{partition}/{base_offset:020d}/"


def encode_manifest(manifest: Manifest) -> bytes:
    """The file."""
    fields = {"version": VERSION, **asdict(manifest)}
    return (json.dumps(fields, indent=2) + "\n").encode()


def decode_manifest(where: str, content: bytes) -> Manifest:
    """A manifest out of its file; OperatorError names ``where`` it lies and what is wrong."""
    try:
        found: dict[str, Any] = json.loads(content)
        version = found.pop("version")
        if version != VERSION:
            raise OperatorError(f"{where}: version {version}, only version {VERSION} is known")
        found["parts"] = tuple(Part(**one) for one in found["parts"])
        found["leader_epochs"] = tuple(
            (int(epoch), int(offset)) for epoch, offset in found["leader_epochs"]
        )
        return Manifest(**found)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise OperatorError(f"{where}: no manifest: {error}") from None
