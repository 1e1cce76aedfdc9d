"""A recording's files: bounded by bytes and age, and readable whatever a kill left of them."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest
from attrs import define, field
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.errors import OperatorError
from metaquorum.flight.evidence import (
    KINDS,
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    ControllerRegistered,
    Described,
    Evidence,
    FeatureSet,
    LeaderElected,
    NotDescribed,
    Outcome,
    Probed,
    ReplicaSeen,
    VotersSet,
    Wrote,
)
from metaquorum.flight.limits import LEAST_RING_BYTES, MAX_LINE_BYTES
from metaquorum.flight.ring import LOCK, Ring, segment_name, segments_of
from metaquorum.flight.ring_reading import MAX_REMARKS, RingReading, resumed

MADE = {
    "offset": 4,
    "epoch": 1,
    "time_ms": 9,
    "took_ms": 0,
    "node_id": 1,
    "leader_id": 2,
    "voters": [1],
    "replicas": [{}],
    "outcome": "new",
    "fenced": None,
}
"""Fields that items have; none of them is whole."""
HOUR_MS = 3_600_000
NOW_MS = 1_795_250_000_000
ONE_OF_EACH: list[Evidence] = [
    Wrote(0, 5, 1, NOW_MS, NOW_MS + 2_000, 5, 500, NOW_MS + 700),
    LeaderElected(5, 2, NOW_MS, 3, (1, 2, 3), (3, 1)),
    VotersSet(6, 2, NOW_MS, (1, 2, 3)),
    ControllerRegistered(7, 2, NOW_MS, 1, "abc"),
    BrokerRegistered(8, 2, NOW_MS, 101, "def", True, "localhost:9092", False),
    BrokerChanged(9, 2, NOW_MS, 101, None, True, 4),
    BrokerRemoved(10, 2, NOW_MS, 101),
    FeatureSet(11, 2, NOW_MS, "metadata.version", 25),
    Described(NOW_MS, 12, 3, 2, 11, NOW_MS + 5, (ReplicaSeen(1, True, 0, 300, -1),)),
    NotDescribed(NOW_MS, "no-answer"),
    Probed(NOW_MS, 2, 1, "controller", Outcome.HANGS, True),
]


@define
class Clock:
    now_ms: int = NOW_MS

    def __call__(self) -> int:
        return self.now_ms


@define
class Known:
    """What the headers of segments say."""

    cluster_id: str = "CLUSTER"
    brokers: list[dict[str, Any]] = field(factory=list)
    position: int = 17

    def __call__(self) -> dict[str, Any]:
        return {
            "cluster_id": self.cluster_id,
            "position": self.position,
            "epoch": 2,
            "brokers": self.brokers,
        }


def opened(directory: Path, **changes: Any) -> Ring:
    options = {
        "retention_bytes": LEAST_RING_BYTES,
        "retention_ms": HOUR_MS,
        "now_ms": Clock(),
        "known": Known(),
        **changes,
    }
    return Ring.open(directory, **options)


def read(directory: Path) -> tuple[list[Evidence], RingReading, list[str]]:
    said: list[str] = []
    reading = RingReading(directory, said.append)
    return list(reading.items()), reading, said


def test_every_kind_of_evidence_is_read_as_it_was_written(tmp_path: Path) -> None:
    assert {type(one) for one in ONE_OF_EACH} == set(KINDS.values())
    with opened(tmp_path) as ring:
        ring.put(*ONE_OF_EACH)
    items, reading, said = read(tmp_path)
    assert (items, said, reading.cluster_id) == (ONE_OF_EACH, [], "CLUSTER")


def test_a_kill_at_any_byte_leaves_all_lines_before_it(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(*ONE_OF_EACH[:4])
    ((_, path),) = segments_of(tmp_path)
    whole = path.read_bytes()
    header = whole.index(b"\n") + 1
    for size in range(len(whole) + 1):
        path.write_bytes(whole[:size])
        items, reading, said = read(tmp_path)
        assert items == ONE_OF_EACH[: max(0, whole[header:size].count(b"\n"))]
        is_torn = size > 0 and not whole[:size].endswith(b"\n")
        assert (reading.torn_lines, len(said)) == (is_torn, is_torn)
        assert reading.damaged_lines == 0


def test_a_start_after_a_kill_begins_another_segment(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[0])
    with segments_of(tmp_path)[0][1].open("ab") as file:
        file.write(b'{"kind":"wro')
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[1])
    items, reading, said = read(tmp_path)
    assert items == ONE_OF_EACH[:2]
    assert (reading.torn_lines, reading.damaged_lines) == (1, 0)
    assert "flight-0000000001.jsonl, line 3: 12 bytes of an unfinished line" in said[0]


def test_the_oldest_segments_go_when_there_is_no_room(tmp_path: Path) -> None:
    count = 40_000
    with opened(tmp_path) as ring:
        for number in range(count):
            ring.put(NotDescribed(number, "x" * 200))
            assert ring.size_bytes <= LEAST_RING_BYTES
    assert sum(path.stat().st_size for _, path in segments_of(tmp_path)) <= LEAST_RING_BYTES
    items, reading, said = read(tmp_path)
    times = [one.time_ms for one in items if isinstance(one, NotDescribed)]
    assert times == list(range(times[0], count)) and 0 < times[0] < 3 * count // 4
    assert said == [] and len(reading.headers) > 10


def test_segments_that_are_too_old_go(tmp_path: Path) -> None:
    clock = Clock()
    with opened(tmp_path, now_ms=clock) as ring:
        for _ in range(50):
            ring.put(NotDescribed(clock.now_ms, "x"))
            clock.now_ms += HOUR_MS // 10
    items, _, _ = read(tmp_path)
    ages_ms = [clock.now_ms - one.time_ms for one in items if isinstance(one, NotDescribed)]
    assert len(ages_ms) >= 10 and max(ages_ms) <= HOUR_MS + HOUR_MS // 5


def test_a_directory_is_recorded_into_by_one_process(tmp_path: Path) -> None:
    with opened(tmp_path), pytest.raises(OperatorError, match="another process records into it"):
        opened(tmp_path)
    opened(tmp_path).close()


def test_a_directory_with_other_files_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "server.properties").write_text("")
    with pytest.raises(OperatorError, match=r"server\.properties, which is of no recording"):
        opened(tmp_path)
    assert sorted(one.name for one in tmp_path.iterdir()) == ["server.properties"]


def test_lines_that_cannot_be_read_are_told_and_counted(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(*ONE_OF_EACH[:2])
    lines = (tmp_path / segment_name(1)).read_bytes().splitlines(keepends=True)
    bad = [b"no JSON\n", b"[]\n", b'{"kind":"voters-set","offset":"x"}\n', b"\0" * 40 + b"\n"]
    (tmp_path / segment_name(1)).write_bytes(b"".join([*lines[:2], *bad, lines[2]]))
    items, reading, said = read(tmp_path)
    assert items == ONE_OF_EACH[:2]
    assert reading.damaged_lines == len(said) == 4
    assert "line 3: it is no JSON" in said[0] and "line 5: offset is 'x'" in said[2]


def test_very_many_bad_lines_are_not_all_told(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[0])
    with (tmp_path / segment_name(1)).open("ab") as file:
        file.write(b"?\n" * 1_000)
        file.write(b"x" * (MAX_LINE_BYTES + 10) + b"\n")
    _, reading, said = read(tmp_path)
    assert len(said) == MAX_REMARKS and reading.damaged_lines >= 1_001


@settings(max_examples=300, deadline=None)
@given(
    st.lists(
        st.binary(max_size=60)
        | st.sampled_from([json.dumps({"kind": kind, **MADE}).encode() for kind in KINDS])
        | st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
            lambda inner: (
                st.lists(inner, max_size=3)
                | st.dictionaries(st.sampled_from(["kind", *MADE]), inner, max_size=4)
            ),
            max_leaves=8,
        ).map(lambda content: json.dumps(content).encode()),
        max_size=6,
    )
)
def test_any_bytes_are_read_or_passed_over(lines: list[bytes]) -> None:
    with tempfile.TemporaryDirectory() as name:
        (Path(name) / segment_name(1)).write_bytes(b"\n".join(lines))
        items, reading, said = read(Path(name))
        assert len(items) + reading.damaged_lines <= len(b"\n".join(lines).split(b"\n"))
        assert len(said) >= min(1, reading.damaged_lines)


def test_kinds_of_a_later_release_are_passed_over(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[0])
    with (tmp_path / segment_name(1)).open("ab") as file:
        file.write(b'{"kind":"something-new","more":1}\n')
    items, reading, said = read(tmp_path)
    assert (items, reading.damaged_lines, said) == (ONE_OF_EACH[:1], 0, [])


def test_a_recording_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    line = b'{"kind":"metaquorum-flight","version":2}\n'
    (tmp_path / segment_name(1)).write_bytes(line)
    with pytest.raises(OperatorError, match="line 1: version 2, known is 1"):
        read(tmp_path)


def test_segments_of_two_clusters_are_refused(tmp_path: Path) -> None:
    for name in ("ONE", "OTHER"):
        with opened(tmp_path, known=Known(name)) as ring:
            ring.put(ONE_OF_EACH[0])
    with pytest.raises(OperatorError, match="it is of cluster OTHER, what is before it of ONE"):
        read(tmp_path)


def test_a_recorder_goes_on_where_the_last_one_was(tmp_path: Path) -> None:
    assert resumed(tmp_path / "none", print) is None
    broker = ONE_OF_EACH[4]
    with opened(tmp_path) as ring:
        ring.put(broker, Wrote(20, 33, 4, NOW_MS, NOW_MS, 13), NotDescribed(NOW_MS, "x"))
    found = resumed(tmp_path, print)
    assert found is not None
    assert (found.cluster_id, found.position, found.epoch) == ("CLUSTER", 33, 4)
    assert found.brokers == (broker,)


def test_a_header_is_enough_to_go_on_from(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(NotDescribed(NOW_MS, "x"))
    found = resumed(tmp_path, print)
    assert found is not None and (found.position, found.epoch) == (17, 2)


def test_a_disk_that_is_full_is_told_and_the_rest_is_readable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = os.write
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[0])
        monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:10]))
        with pytest.raises(OSError, match="no space left"):
            ring.put(ONE_OF_EACH[1])
        monkeypatch.undo()
        ring.put(ONE_OF_EACH[2])
    items, reading, _ = read(tmp_path)
    assert items == [ONE_OF_EACH[0], ONE_OF_EACH[2]] and reading.torn_lines == 1


def test_the_lock_is_no_segment(tmp_path: Path) -> None:
    with opened(tmp_path) as ring:
        ring.put(ONE_OF_EACH[0])
        assert (tmp_path / LOCK).exists()
        assert [number for number, _ in segments_of(tmp_path)] == [1]
