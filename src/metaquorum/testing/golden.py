"""The golden frames: what Kafka's own classes wrote, kept in ``tests/wire/golden``."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from attrs import frozen

from metaquorum.testing import values
from metaquorum.testing.schemas import MessageText, all_messages

GOLDEN = Path(__file__).parents[3] / "tests/wire/golden"
# What the variant ``tags`` adds to the variant ``empty``.
UNKNOWN = [(values.FIRST_UNKNOWN_TAG, b"\x00\xff"), (values.FIRST_UNKNOWN_TAG + 1, b"")]


@frozen
class GoldenFrame:
    """One message body, its bytes, and Kafka's JSON form of it."""

    schema: MessageText
    version: int
    variant: str
    data: bytes
    spelled: dict[str, object]

    def __str__(self) -> str:
        return f"{self.schema.name} v{self.version} {self.variant}"

    @property
    def value(self) -> values.Value:
        """What the bytes mean."""
        value = values.from_kafka_json(self.schema, self.version, self.spelled)
        if self.variant == "tags":
            value[values.UNKNOWN_TAGS] = list(UNKNOWN)
        return value


def file_of(schema: MessageText) -> Path:
    """Where the frames of one message are kept."""
    return GOLDEN / f"{schema.module.rpartition('.')[2]}.txt"


@cache
def frames(schema: MessageText) -> tuple[GoldenFrame, ...]:
    """All frames of one message, by version, then by variant."""
    file = file_of(schema)
    if not file.exists():
        raise FileNotFoundError(f"{file.name}: write it with python -m tools.java.golden_frames")
    return tuple(_read(schema, file.read_text(encoding="utf-8")))


def all_frames() -> Iterator[GoldenFrame]:
    """Every golden frame there is."""
    for schema in all_messages():
        yield from frames(schema)


def _read(schema: MessageText, text: str) -> Iterator[GoldenFrame]:
    for line in text.splitlines():
        version, variant, data, spelled = line.split(" ", 3)
        data = "" if data == "-" else data
        yield GoldenFrame(schema, int(version), variant, bytes.fromhex(data), json.loads(spelled))
