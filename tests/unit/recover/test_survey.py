"""What a survey says of directories: whole, torn, rotten, cut, half lost."""

from __future__ import annotations

import json

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import DamageKind, Survey
from metaquorum.recover.survey_json import survey_of, survey_to_json
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.recover.lost_disks import NOW_MS, epoch_start, topics, write_node

LOG = f"/n1/{METADATA_DIRECTORY}/00000000000000000000.log"
FIRST = epoch_start(0, 1, 1, (1, 2, 3), (1, 2), named=True)
SECOND = topics(3, 1, "a", "b")
THIRD = epoch_start(5, 4, 2, (1, 2, 3), (2, 3))
FOURTH = topics(6, 4, "c")
BATCHES = (FIRST, SECOND, THIRD, FOURTH)


def a_node() -> SimDisk:
    disk = SimDisk()
    write_node(disk, 1, BATCHES, epoch=5)
    return disk


def survey(disk: SimDisk) -> Survey:
    return survey_directory(disk, "/n1", NOW_MS)


def changed(disk: SimDisk, content: bytes, *, without: tuple[str, ...] = ()) -> Survey:
    files = {
        path: body for path, body in disk.files().items() if not path.endswith(without or ("?",))
    }
    return survey(SimDisk.holding(files | {LOG: content}))


def kinds(found: Survey) -> list[DamageKind]:
    return [one.kind for one in found.damages]


def test_a_whole_directory_is_told_with_all_that_it_proves() -> None:
    disk = a_node()
    before = disk.files()
    found = survey(disk)
    assert disk.files() == before
    assert not found.damages
    assert (found.end.offset, found.end.epoch, found.log_start) == (7, 4, 0)
    assert [(run.epoch, run.start, run.end) for run in found.stretches[0].runs] == [
        (1, 0, 5),
        (4, 5, 7),
    ]
    assert [one.offset for one in found.voters] == [2]
    assert [(one.end, one.epoch) for one in found.committed] == [(3, 1), (6, 4)]
    assert [one.words for one in found.changes] == [
        "topic a created",
        "topic b created",
        "topic c created",
    ]
    assert found.kraft_version == 1
    assert found.highest_epoch == 5


def test_a_survey_is_the_same_after_its_file_was_written_and_read() -> None:
    found = survey(a_node())
    assert survey_of(json.dumps(survey_to_json(found)), "s.json") == found


def test_reading_goes_on_behind_a_rotten_batch() -> None:
    rotten = bytearray(b"".join(BATCHES))
    rotten[len(FIRST) + 70] ^= 1
    found = changed(a_node(), bytes(rotten))
    assert kinds(found) == [DamageKind.ROT, DamageKind.MISSING]
    assert [(one.start, one.end) for one in found.stretches] == [(0, 3), (5, 7)]
    damage = found.damages[0]
    assert (damage.position, damage.size_bytes, damage.offset) == (len(FIRST), len(SECOND), 3)
    assert found.shows_its_end


def test_an_end_that_cannot_be_read_may_have_been_acknowledged() -> None:
    rotten = bytearray(b"".join(BATCHES))
    rotten[-1] ^= 1
    found = changed(a_node(), bytes(rotten), without=(".snapshot",))
    assert kinds(found) == [DamageKind.TAIL]
    assert not found.shows_its_end


def test_zeros_at_the_end_were_never_acknowledged() -> None:
    found = changed(a_node(), b"".join(BATCHES) + bytes(500))
    assert kinds(found) == [DamageKind.UNFINISHED]
    assert found.shows_its_end


def test_an_index_that_knows_more_shows_that_the_log_was_cut() -> None:
    found = changed(a_node(), b"".join(BATCHES[:2]))
    assert DamageKind.BEHIND in kinds(found)
    assert not found.shows_its_end


def test_an_epoch_that_rotted_is_seen_by_the_batches_around_it() -> None:
    rotten = bytearray(b"".join((*BATCHES, topics(7, 4, "d"))))
    at = len(FIRST) + len(SECOND) + len(THIRD)
    rotten[at + 15] = 9  # outside of the checksum
    found = changed(a_node(), bytes(rotten))
    assert DamageKind.ROT in kinds(found)
    assert found.end.epoch == 4


def test_a_small_file_that_is_gone_is_damage() -> None:
    content = b"".join(BATCHES)
    found = changed(a_node(), content, without=("quorum-state", "meta.properties"))
    assert kinds(found) == [DamageKind.FILE, DamageKind.FILE]
    assert found.node_id is None
    assert found.election is None


def test_the_node_can_be_named_where_its_identity_is_gone() -> None:
    files = {p: b for p, b in a_node().files().items() if not p.endswith("meta.properties")}
    disk = SimDisk.holding(files)
    assert survey_directory(disk, "/n1", NOW_MS, node_id=1).node_id == 1


def test_a_survey_of_another_node_than_was_said_is_refused() -> None:
    with pytest.raises(OperatorError, match=r"says node\.id=1, and node 2 was asked for"):
        survey_directory(a_node(), "/n1", NOW_MS, node_id=2)


def test_a_directory_without_a_metadata_log_is_refused() -> None:
    disk = SimDisk.holding({"/other/file": b"x"})
    with pytest.raises(OperatorError, match="neither a log directory"):
        survey_directory(disk, "/other", NOW_MS)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"kind": "x"}, "it is no metaquorum survey"),
        ({"version": 2}, "version 2, known is 1"),
        ({"takenMs": -1}, "takenMs is -1, and should be a whole number"),
        ({"isRunning": 1}, "isRunning is 1, and should be true or false"),
        ({"stretches": [[]]}, "lists that have at least one run"),
        ({"stretches": 7}, "stretches is 7, and should be a list"),
        ({"damages": [{"kind": "odd"}]}, r"damages\[0\]: kind is 'odd'"),
        ({"directoryId": "short"}, "directoryId is 'short', and should be a uuid"),
        ({"quorumState": []}, "quorumState: it is no JSON object"),
    ],
)
def test_a_survey_that_is_none_is_refused_with_its_place(
    change: dict[str, object], why: str
) -> None:
    content = survey_to_json(survey(a_node())) | change
    with pytest.raises(OperatorError, match=why):
        survey_of(json.dumps(content), "s.json")


def test_a_survey_that_is_no_json_is_refused() -> None:
    with pytest.raises(OperatorError, match=r"s\.json: it is no JSON"):
        survey_of("{", "s.json")
