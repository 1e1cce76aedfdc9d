"""What a broker's own partitions prove to have been committed."""

from __future__ import annotations

from metaquorum.recover.planning import make_plan
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import Survey
from metaquorum.recover.wishes import NewVoter, Wishes
from metaquorum.storage.partition_metadata import write_topic_id
from metaquorum.testing.disasters.quorum import directory_of
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.recover.lost_disks import (
    NOW_MS,
    epoch_start,
    partition,
    topic_id_of,
    topics,
    voter,
    write_node,
)

BROKER = 101
FIRST = epoch_start(0, 1, 1, (1, 2, 3), (1, 2), named=True)
LOG = (
    FIRST,
    *(topics(3, 1, "a"), partition(4, 1, "a")),
    *(topics(5, 1, "b"), partition(6, 1, "b")),
    *(topics(7, 1, "c"), partition(8, 1, "c")),
)


def surveyed(*made: str, of: str = "") -> Survey:
    """A broker that has the partitions of these topics, or of another one of their name."""
    disk = SimDisk()
    root = write_node(disk, BROKER, LOG, epoch=1)
    for name in made:
        disk.make_directory(f"{root}/{name}-0")
        write_topic_id(disk, f"{root}/{name}-0", topic_id_of(of or name))
    return survey_directory(disk, root, NOW_MS)


def proven(survey: Survey) -> int:
    return max(one.end for one in survey.committed)


def test_a_partition_that_was_made_proves_its_record() -> None:
    survey = surveyed("a", "b")
    assert proven(survey) == 7
    assert "the broker has made partition b-0" in [one.why for one in survey.committed]


def test_the_partition_of_another_topic_of_the_name_proves_nothing() -> None:
    assert proven(surveyed("b", of="z")) == proven(surveyed()) == 3


def test_a_directory_that_says_nothing_proves_nothing() -> None:
    disk = SimDisk()
    root = write_node(disk, BROKER, LOG, epoch=1)
    disk.make_directory(f"{root}/b-0")
    assert proven(survey_directory(disk, root, NOW_MS)) == 3
    disk = SimDisk.holding(disk.files() | {f"{root}/b-0/partition.metadata": b"version: 7"})
    assert proven(survey_directory(disk, root, NOW_MS)) == 3


def test_the_bound_is_behind_what_brokers_have_made() -> None:
    wishes = Wishes(voters=(NewVoter(1, voter(1).endpoints[0]),))
    found = make_plan([surveyed("a", "b")], wishes, NOW_MS, "abc", lambda: directory_of(50))
    assert found.loss.from_offset == 7
    assert [one.words for one in found.loss.beyond][:1] == ["topic c created"]
