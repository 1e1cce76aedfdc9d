"""Records read together come out as each by itself does: all types and versions, whole or not."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.control import ControlType, encode_control
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.testing.schemas import message as schema_of
from metaquorum.testing.strategies import messages
from metaquorum.testing.values import build
from metaquorum.wire.generated import index, leader_change_message
from pyspark_metaquorum import decoding
from pyspark_metaquorum.column import Column
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.decoding import Decoder, decoded
from pyspark_metaquorum.generated.record_types import METADATA
from pyspark_metaquorum.record_type import Part
from pyspark_metaquorum.side_by_side import side_by_side
from tests import every_record

ENOUGH = 2 * decoding._FEW
VALUES = [*every_record.STATE, *(one for values in every_record.CHANGES for one in values)]
VERSIONS = [
    (number, version)
    for number in sorted(METADATA)
    for version in range(
        index.record_codec(number).LOWEST_VERSION, index.record_codec(number).HIGHEST_VERSION + 1
    )
]
# Neither lists of texts nor structures are read side by side.
ONE_BY_ONE = {
    "RegisterBrokerRecord",
    "RegisterControllerRecord",
    "ClientQuotaRecord",
    "DelegationTokenRecord",
}


def a_batch(values: list[bytes], base_offset: int = 0, **more: Any) -> bytes:
    """A batch of these values."""
    pairs = [(None, value) for value in values]
    return build_batch(pairs, timestamp_ms=1_700_000_000_123, base_offset=base_offset, **more)


def batches_of(values: list[bytes], records: int) -> list[bytes]:
    """The values in batches of so many."""
    return [
        a_batch(values[at : at + records], at, leader_epoch=at)
        for at in range(0, len(values), records)
    ]


def rows_of(batches: list[bytes], **settings: Any) -> list[dict[str, Any]]:
    """The rows of some batches, in Arrow batches that hold what they must."""
    placed = [(read_header(one), one) for one in batches]
    return plain_rows(decoded(placed, Decoder("here", **settings)))


def plain_rows(parts: Iterator[Any]) -> list[dict[str, Any]]:
    """Rows that can be compared: as text, where a number that is none equals itself."""
    found = []
    for part in parts:
        part.validate(full=True)
        found += part.to_pylist()
    return [{name: repr(value) for name, value in row.items()} for row in found]


def one_by_one(found: Callable[[], Any]) -> Any:
    """What comes of it if nothing is read side by side."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(decoding, "_FEW", 1 << 62)
        return found()


def assert_same(batches: list[bytes], **settings: Any) -> list[dict[str, Any]]:
    """Both ways give the same rows."""
    together = rows_of(batches, **settings)
    assert together == one_by_one(lambda: rows_of(batches, **settings))
    return together


@pytest.mark.parametrize(("number", "version"), VERSIONS)
@settings(max_examples=12, derandomize=True, deadline=None, database=None)
@given(data=st.data())
def test_any_records_of_a_type_come_out_the_same(
    number: int, version: int, data: st.DataObject
) -> None:
    schema = schema_of(METADATA[number].name)
    drawn = data.draw(st.lists(messages(schema, version), min_size=1, max_size=4))
    values = [encode_metadata_record(number, build(schema, one), version) for one in drawn]
    assert_same(batches_of(values * ENOUGH, 50))


@pytest.mark.parametrize(("number", "version"), VERSIONS)
def test_all_but_a_few_types_are_read_side_by_side(number: int, version: int) -> None:
    known = METADATA[number]
    way = side_by_side(f"metaquorum.wire.generated.{known.module}", version)
    assert (way is None) == (known.name in ONE_BY_ONE)
    if way is None:
        return
    value = encode_metadata_record(number, build(schema_of(known.name), {}), version)
    calls = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Decoder, "_fill", lambda *_: calls.append(1))
        rows_of([a_batch([value] * ENOUGH)])
    assert calls == []


def changed(value: bytes, random: Random) -> bytes:
    """A value with a few bytes changed, cut off or put in."""
    raw = bytearray(value)
    for _ in range(random.randrange(3)):
        at = random.randrange(len(raw))
        how = random.randrange(4)
        if how == 0:
            raw[at] = random.choice((0, 1, 2, 127, 128, 129, 255, random.randrange(256)))
        elif how == 1:
            raw[at:at] = random.randbytes(random.randrange(1, 4))
        elif how == 2 and len(raw) > 1:
            del raw[at : at + random.randrange(1, 3)]
        else:
            raw[at] ^= 1 << random.randrange(8)
        if not raw:
            break
    return bytes(raw)


@pytest.mark.parametrize("seed", range(40))
def test_values_that_were_changed_come_out_the_same(seed: int) -> None:
    random = Random(seed)
    chosen = random.choices(VALUES, k=6)
    values = [changed(random.choice(chosen), random) for _ in range(400)]
    assert_same(batches_of(values, 70), raw=random.choice(("unknown", "always", "never")))


@pytest.mark.parametrize("number", [2, 3, 5])
def test_every_byte_of_a_value_may_be_any_other(number: int) -> None:
    """Heads of fields above all: what is not as usual is left to the codec."""
    value = next(one for one in reversed(VALUES) if one[1] == number)
    values = [value] * ENOUGH
    for at in range(3, len(value)):
        for byte in {0, 1, 127, 128, 129, 255, value[at] ^ 1, (value[at] + 1) % 256}:
            values.append(value[:at] + bytes([byte]) + value[at + 1 :])
    assert_same(batches_of(values, 100))


def test_a_tag_that_seems_to_fit_with_a_longer_size_goes_to_the_codec() -> None:
    """A size of two bytes whose second might be taken for the head of what it announces."""
    change = every_record.value("PartitionChange", 1, partition_id=1, topic_id=bytes(16))
    directories = b"\x01\x08\x81\x09" + bytes(128)
    assert_same([a_batch([change] * ENOUGH + [change[:-1] + directories] * ENOUGH)])


def test_lengths_of_two_bytes_and_texts_that_are_not_ascii() -> None:
    names = ["a" * 126, "a" * 127, "a" * 249, "é", "", "b" * 3000, "\x7f"]
    values = [every_record.value("Topic", name=name, topic_id=bytes(16)) for name in names]
    values += [every_record.config(2, name, "k", name or None) for name in names]
    replicas = list(range(200))
    values.append(every_record.partition(1, replicas=replicas, isr=replicas[:127]))
    assert_same(batches_of(values * ENOUGH, 90))


def test_a_null_in_two_bytes_is_left_to_the_codec() -> None:
    setting = every_record.config(2, "name", "key", None)
    assert setting[-2:] == b"\0\0"
    assert_same([a_batch([setting] * ENOUGH + [setting[:-2] + b"\x80\0\0"] * ENOUGH)])


def odd_batches() -> list[bytes]:
    """Batches that only a walk from record to record reads, and some it cannot."""
    topic, *_ = every_record.TOPICS
    keys = [b"key", b"", bytes([2 + 2 * len(topic)])]  # the last looks like a value's length
    usual = a_batch([topic] * 60)
    assert usual[61] < 0x80, "one byte of length"

    def with_byte(at: int, byte: int) -> bytes:
        return usual[:at] + bytes([byte]) + usual[at + 1 :]

    leader = encode_control(ControlType.LEADER_CHANGE, leader_change_message.LeaderChangeMessage())
    return [
        *(build_batch([(key, topic)] * 60, timestamp_ms=5, base_offset=100) for key in keys),
        with_byte(61, usual[61] + 2),  # the first record is longer than its fields
        with_byte(61, usual[61] + 1),  # its length is negative
        with_byte(61 + 2, 2),  # its time is a millisecond later
        with_byte(61 + 3, 4),  # its offset is two further
        with_byte(61 + 5, usual[61 + 5] + 1),  # the length of its value is negative
        with_byte(len(usual) - 1, 2),  # the last record has a header, which is not there
        build_batch([leader], timestamp_ms=6, control=True),
        a_batch([b"", b"\x01", topic, topic[:2]] * 20),
        a_batch([topic] * 70, (1 << 63) - 70),
        a_batch([every_record.value("Topic", name="n" * 9000)] * 40),
        a_batch([topic] * 60, compression=1),
        a_batch([every_record.value("NoOp")] * 8_200),
    ]


def test_odd_batches_among_usual_ones_keep_their_places() -> None:
    batches = []
    for number, odd in enumerate(odd_batches()):
        batches += [odd, *batches_of(VALUES * (1 + number % 3), 30)]
    assert_same(batches)
    assert_same(batches, rows_per_batch=7)
    assert_same(batches, first=13, until=29)
    assert_same(batches, types=record_types(["TopicRecord", "FeatureLevelRecord"]), raw="always")


def test_a_range_leaves_snapshots_whole() -> None:
    batch = a_batch(VALUES)

    def found() -> list[dict[str, Any]]:
        decoder = Decoder("here", first=20, until=40)
        parts = [
            *decoder.take(read_header(batch), batch),
            *decoder.take(read_header(batch), batch, OffsetAndEpoch(3, 900)),
            *decoder.rest(),
        ]
        return plain_rows(iter(parts))

    rows = found()
    assert len(rows) == 20 + len(VALUES)
    assert rows == one_by_one(found)


@pytest.mark.parametrize("skipped", [0, 5])
def test_values_of_a_topic_come_out_the_same(skipped: int) -> None:
    values = [None, *VALUES, *VALUES]

    def found() -> list[dict[str, Any]]:
        decoder = Decoder("topic", raw="always")
        arrays = [
            pa.array(values, pa.large_binary()),
            pa.array(range(len(values)), pa.int64()),
            pa.array([7] * len(values), pa.int64()),
        ]
        decoder.take_values(*(one.slice(skipped) for one in arrays))
        return plain_rows(decoder.rest())

    rows = found()
    assert [int(row["offset"]) for row in rows] == list(range(skipped, len(values)))
    assert rows == one_by_one(found)


def test_more_values_than_arrow_can_count_are_refused() -> None:
    few, many = np.zeros(0, np.uint8), np.full(3, 1 << 30)
    part = Part("name", "string")
    with pytest.raises(OperatorError, match="3221225472 values in one Arrow batch"):
        Column(few, many).array(part, np.arange(3), 3)


def test_no_values_of_a_topic_are_no_rows() -> None:
    decoder = Decoder("topic")
    none = pa.array([], pa.int64())
    decoder.take_values(pa.array([], pa.binary()), none, none)
    assert list(decoder.rest()) == []
