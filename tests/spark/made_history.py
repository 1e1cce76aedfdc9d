"""A small cluster's history, record by record, and the rows that the source would make of it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from attrs import define, field

from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.wire.generated.index import RECORDS, record_codec
from pyspark_metaquorum.tables.replaying import LogRow

TIME_MS = 1_700_000_000_000
STEP_MS = 60_000
_NUMBERS = {row.name.removesuffix("Record"): number for number, row in RECORDS.items()}


def encoded(name: str, /, **fields: Any) -> bytes:
    """A metadata record of this type with these fields, in its newest version."""
    number = _NUMBERS[name]
    codec: Any = record_codec(number)
    message = getattr(codec, codec.NAME)(**fields)
    return encode_metadata_record(number, message, codec.HIGHEST_VERSION)


def topic_id(number: int) -> bytes:
    """An id that is told from others by its number."""
    return bytes([0x40 + number]) * 16


@define
class MadeHistory:
    """Records one after the other, a minute apart, in epoch 1."""

    values: list[bytes] = field(factory=list)

    def add(self, name: str, /, **fields: Any) -> int:
        """One more record; returns its offset."""
        self.values.append(encoded(name, **fields))
        return len(self.values) - 1

    def rows(self) -> list[LogRow]:
        """The records as the tables take them."""
        return [
            LogRow(offset, 1, TIME_MS + STEP_MS * offset, None, None, value)
            for offset, value in enumerate(self.values)
        ]


def snapshot_rows(end: int, values: Iterable[bytes], contained_ms: int) -> list[LogRow]:
    """A snapshot of these records that ends at ``end``: its header first."""
    header = LogRow(0, 1, contained_ms, (end, 1), contained_ms, None)
    return [
        header,
        *[
            LogRow(place, 1, contained_ms, (end, 1), None, value)
            for place, value in enumerate(values, start=1)
        ],
    ]


def partition(number: int, of: int = 1, /, **fields: Any) -> dict[str, Any]:
    """The fields of a partition on brokers 1, 2 and 3."""
    usual: dict[str, Any] = {
        "partition_id": number,
        "topic_id": topic_id(of),
        "replicas": [1, 2, 3],
        "isr": [1, 2, 3],
        "leader": 1,
        "leader_epoch": 0,
        "partition_epoch": 0,
        "directories": [bytes(15) + bytes([9])] * 3,
    }
    return usual | fields
