"""Directories and files: what is read of them, in which parts, and what is said of bad ones."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.storage.preallocation import LOOKS, MARK, held_back
from pyspark_metaquorum.log_bytes import Fault, PlacedBatch, batches_between
from pyspark_metaquorum.log_directory import plan
from pyspark_metaquorum.options import SourceOptions
from pyspark_metaquorum.pipeline.source_name import is_quorum
from pyspark_metaquorum.ranges import read_range
from tests.spark.made_log import batch, write_checkpoint, write_segment


def names_of(path: Path, **options: str) -> list[str]:
    """The topics of all ranges in order; what is wrong in angle brackets."""
    chosen = SourceOptions.read({"path": str(path), **options})
    found = []
    for one in plan(str(path), chosen.partition_bytes):
        for part in read_range(one, chosen):
            for row in part.to_pylist():
                if row["problem"] is not None:
                    found.append(f"<{row['problem']}>")
                elif row["topic_record"] is not None:
                    found.append(row["topic_record"]["name"])
    return found


def test_readers_of_a_quorum_are_secured_as_the_file_of_keys_says(tmp_path: Path) -> None:
    keys = tmp_path / "client.properties"
    keys.write_text(
        "security.protocol=SASL_PLAINTEXT\nsasl.mechanism=PLAIN\nsasl.jaas.config="
        "org.apache.kafka.common.security.plain.PlainLoginModule required "
        'username="a" password="s3cret";\n'
    )
    chosen = SourceOptions.read({"servers": "h:1", "commandConfig": str(keys)})
    login = chosen.open(chosen.servers).security.login
    assert login is not None
    assert (login.user, login.mechanism) == ("a", "PLAIN")
    assert "s3cret" not in repr(chosen)
    assert SourceOptions.read({"servers": "h:1"}).open(chosen.servers).security.login is None


def test_servers_take_every_form_of_an_address() -> None:
    text = "SASL_SSL://h:9092, CONTROLLER://[::1]:2,::1:3"
    chosen = SourceOptions.read({"servers": text})
    assert chosen.servers == (("h", 9092), ("::1", 2), ("::1", 3))
    assert chosen.source == "h:9092,[::1]:2,[::1]:3"
    assert is_quorum(text)


@pytest.mark.parametrize("path", ["s3://bucket/log", "hdfs://name:9000", "/a:1", "a:1/b", "a"])
def test_a_path_is_no_list_of_servers(path: str) -> None:
    assert not is_quorum(path)


def test_segments_are_read_in_the_order_of_their_offsets(tmp_path: Path) -> None:
    write_segment(tmp_path, 4, [batch(4, ["e"])])
    write_segment(tmp_path, 0, [batch(0, ["a", "b"]), batch(2, ["c", "d"])])
    assert names_of(tmp_path) == ["a", "b", "c", "d", "e"]
    assert names_of(tmp_path, startingOffset="1", endingOffset="4") == ["b", "c", "d"]


def test_the_directory_above_will_do_and_one_file_too(tmp_path: Path) -> None:
    inside = tmp_path / "__cluster_metadata-0"
    segment = write_segment(inside, 0, [batch(0, ["a"])])
    (tmp_path / "meta.properties").write_text("version=1\n")
    assert names_of(tmp_path) == names_of(inside) == names_of(segment) == ["a"]


def test_a_cut_log_starts_with_the_oldest_snapshot_that_reaches_it(
    tmp_path: Path,
) -> None:
    write_segment(tmp_path, 10, [batch(10, ["k", "l"]), batch(12, ["m"])])
    write_checkpoint(tmp_path, OffsetAndEpoch(1, 5), ["too", "old"])
    write_checkpoint(tmp_path, OffsetAndEpoch(1, 11), ["state", "k"])
    write_checkpoint(tmp_path, OffsetAndEpoch(1, 12), ["state", "k", "l"])
    assert names_of(tmp_path) == ["state", "k", "l", "m"]
    first = next(iter(plan(str(tmp_path))))
    assert first.snapshot == OffsetAndEpoch(1, 11)


def test_a_whole_log_needs_no_snapshot_and_zero_checkpoint_is_none(tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a"])])
    write_checkpoint(tmp_path, OffsetAndEpoch(0, 0), ["bootstrap"])
    write_checkpoint(tmp_path, OffsetAndEpoch(1, 1), ["a"])
    assert names_of(tmp_path) == ["a"]


def test_only_checkpoints_give_the_state_of_the_newest(tmp_path: Path) -> None:
    write_checkpoint(tmp_path, OffsetAndEpoch(1, 5), ["old"])
    write_checkpoint(tmp_path, OffsetAndEpoch(2, 9), ["new"])
    assert names_of(tmp_path) == ["new"]


@pytest.mark.parametrize("index_every", [0, 3])
def test_a_large_segment_is_cut_where_batches_begin(tmp_path: Path, index_every: int) -> None:
    batches = [batch(number, [f"t{number}"]) for number in range(60)]
    write_segment(tmp_path, 0, batches, index_every=index_every)
    ranges = plan(str(tmp_path), 1_000)
    assert len(ranges) > 3
    edges = [one.start for one in ranges] + [ranges[-1].end]
    assert edges == sorted(edges) and edges[-1] == sum(map(len, batches))
    assert names_of(tmp_path, partitionBytes="1000") == [f"t{number}" for number in range(60)]


def test_an_index_that_lies_is_not_believed(tmp_path: Path) -> None:
    batches = [batch(number, [f"t{number}"]) for number in range(60)]
    path = write_segment(tmp_path, 0, batches, index_every=5)
    index = bytearray(path.with_suffix(".index").read_bytes())
    for at in range(7, len(index), 16):
        index[at] ^= 3
    path.with_suffix(".index").write_bytes(bytes(index))
    assert names_of(tmp_path, partitionBytes="500") == [f"t{number}" for number in range(60)]


def test_room_that_was_reserved_is_no_fault(tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a"]), bytes(5_000)])
    assert names_of(tmp_path) == ["a"]


def test_preallocation_behind_its_mark_is_no_fault(tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a"]), MARK, bytes(5_000)])
    assert names_of(tmp_path) == ["a"]
    write_segment(tmp_path, 0, [batch(0, ["a"]), b"x" * 8, b"x" + MARK[9:], bytes(5_000)])
    assert len(names_of(tmp_path)) == 2


@pytest.mark.parametrize(
    "then", ["a batch has come", "the last has come", "it was given back", "it is written into"]
)
def test_room_that_changes_between_two_looks_is_no_fault(then: str) -> None:
    first, second, third = (batch(n, [f"t{n}"]) for n in range(3))
    begun, _ = held_back([second, third], MARK)
    room = bytes(5_000)
    size = len(first) + (len(second) - 7 if then == "the last has come" else len(MARK + room))
    contents = {
        "a batch has come": [first + MARK + room, first + second + MARK + room],
        "the last has come": [first + MARK + room, first + second + room],
        "it was given back": [first + MARK + room, first],
        "it is written into": [first + begun + room, first + second + third + MARK + room],
    }[then]
    reads: list[int] = []

    def read(position: int, count: int) -> bytes:
        content = contents[min(len(reads), len(contents) - 1)]
        content = content[:size] if not reads else content
        reads.append(position)
        return content[position : position + count]

    found = list(batches_between(read, 0, size, size))
    wanted = {"it was given back": 1, "it is written into": 3}.get(then, 2)
    assert [one.position for one in found] == [len(first) * n for n in range(wanted)]
    assert all(isinstance(one, PlacedBatch) for one in found)


def test_a_reader_may_meet_room_as_often_as_there_are_batches() -> None:
    batches = [batch(n, [f"t{n}"]) for n in range(3 * LOOKS)]
    size = sum(map(len, batches)) + 5_000
    reads: list[int] = []

    def one_more_at_each_second_look(position: int, count: int) -> bytes:
        if count == len(MARK):
            reads.append(position)
        content = b"".join(batches[: len(reads)]) + MARK
        return content.ljust(size, b"\0")[position : position + count]

    found = list(batches_between(one_more_at_each_second_look, 0, size, size))
    assert len(found) == len(batches)
    assert all(isinstance(one, PlacedBatch) for one in found)


def test_a_write_that_is_not_finished_is_the_end_of_the_log(tmp_path: Path) -> None:
    first = batch(0, ["a"])
    begun, _ = held_back([batch(1, ["b"]), batch(2, ["c"])], MARK)
    write_segment(tmp_path, 0, [first, begun, bytes(5_000)])
    assert names_of(tmp_path) == ["a"]


def test_a_torn_tail_is_said_with_its_place(tmp_path: Path) -> None:
    first, second = batch(0, ["a"]), batch(1, ["b"])
    write_segment(tmp_path, 0, [first, second[:-4]])
    wanted = f"<byte {len(first)}: cut off: a batch of {len(second)} bytes, {len(second) - 4}"
    got = names_of(tmp_path)
    assert got[0] == "a" and got[1].startswith(wanted) and len(got) == 2


def test_a_rotten_batch_is_said_and_what_follows_is_read(tmp_path: Path) -> None:
    rotten = bytearray(batch(1, ["b"]))
    rotten[-2] ^= 1
    first = batch(0, ["a"])
    write_segment(tmp_path, 0, [first, bytes(rotten), batch(2, ["c"])])
    before, problem, after = names_of(tmp_path)
    assert (before, after) == ("a", "c")
    assert problem.startswith(f"<byte {len(first)}: ") and "checksum" in problem.lower()


def test_foreign_bytes_are_said_and_end_the_file(tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a"]), b"something else entirely" * 9])
    before, problem = names_of(tmp_path)
    assert before == "a" and problem.startswith("<byte ")


@pytest.mark.parametrize(
    ("files", "why"),
    [
        ({}, "neither a segment nor a checkpoint"),
        ({"notes.txt": b"x"}, "neither a segment nor a checkpoint"),
        ({f"{7:020d}.log": batch(7, ["h"])}, "no checkpoint reaches it"),
    ],
)
def test_a_directory_without_a_readable_log_is_refused_by_name(
    tmp_path: Path, files: dict[str, bytes], why: str
) -> None:
    for name, content in files.items():
        (tmp_path / name).write_bytes(content)
    with pytest.raises(OperatorError, match=why) as refused:
        plan(str(tmp_path))
    assert str(tmp_path) in str(refused.value)


@pytest.mark.parametrize("path", ["nowhere/at/all", "gopher://no/such/scheme"])
def test_a_place_that_is_not_there_is_refused_by_name(tmp_path: Path, path: str) -> None:
    where = path if "://" in path else str(tmp_path / path)
    with pytest.raises(OperatorError) as refused:
        plan(where)
    assert where in str(refused.value)


def test_batches_come_whole_through_any_window() -> None:
    data = b"".join(batch(number, [f"t{number}"] * 50) for number in range(30))

    def read(position: int, count: int) -> bytes:
        return data[position : position + count]

    found = list(batches_between(read, 0, len(data), len(data), window_bytes=100))
    assert b"".join(one.data for one in found if isinstance(one, PlacedBatch)) == data
    assert not any(isinstance(one, Fault) for one in found)


def test_a_checkpoint_without_its_footer_is_said(tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path, OffsetAndEpoch(1, 5), ["a"], footer=False)
    name, problem = names_of(path)
    assert name == "a" and "no snapshot footer" in problem
    assert f"byte {path.stat().st_size}" in problem


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({}, "either path"),
        ({"path": "x", "servers": "h:1"}, "either path"),
        ({"path": "x", "startingOffset": "soon"}, "startingOffset"),
        ({"path": "x", "rowsPerBatch": "0"}, "rowsPerBatch"),
        ({"path": "x", "raw": "some"}, "raw is one of"),
        ({"path": "x", "kinds": "a"}, "unknown option kinds"),
        ({"servers": "nonsense"}, "HOST:PORT"),
        ({"path": "x", "types": "Nothing"}, "no record type"),
    ],
)
def test_options_that_mean_nothing_are_refused_in_words(options: dict[str, str], why: str) -> None:
    with pytest.raises(OperatorError, match=why):
        SourceOptions.read(options)


def test_the_collector_rests_while_records_are_decoded_and_no_longer(tmp_path: Path) -> None:
    write_segment(tmp_path, 0, [batch(0, ["a"]), batch(1, ["b"])])
    chosen = SourceOptions.read({"path": str(tmp_path), "rowsPerBatch": "1"})
    (one,) = plan(str(tmp_path))
    gc.enable()  # whatever ran in this process before
    during = [gc.isenabled() for _ in read_range(one, chosen)]
    assert (during, gc.isenabled()) == ([False, False], True)
