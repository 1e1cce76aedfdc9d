"""Applying a plan and undoing it, through every crash of the machine."""

from __future__ import annotations

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.quorum.types import Endpoint
from metaquorum.recover.applying import apply_plan, undo
from metaquorum.recover.journal import JOURNAL
from metaquorum.recover.plan import NodePlan, Plan
from metaquorum.recover.planning import make_plan
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, NewVoter, Wishes
from metaquorum.storage import meta_properties, quorum_state
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.testing.disasters.quorum import directory_of
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.recover.lost_disks import (
    CLUSTER,
    NOW_MS,
    epoch_start,
    surveys_of,
    topics,
    write_node,
)

V = (1, 2, 3)
LOG = (epoch_start(0, 1, 1, V, (1, 2), named=True), topics(3, 1, "a"))


def a_disk(*, identity: bool = True) -> SimDisk:
    disk = SimDisk()
    write_node(disk, 1, LOG, epoch=3)
    files = disk.files()
    if not identity:
        del files["/n1/meta.properties"]
    return SimDisk.holding(files)


def a_plan(disk: SimDisk, *ids: int) -> Plan:
    survey = survey_directory(
        disk, "/n1", NOW_MS, node_id=None if disk.exists("/n1/meta.properties") else 1
    )
    wishes = Wishes(
        voters=tuple(NewVoter(one, Endpoint("CONTROLLER", f"n{one}", 1)) for one in ids or (1,)),
        cluster_id=CLUSTER,
        although=frozenset((A_MAJORITY_IS_THERE,)),
    )
    return make_plan([survey], wishes, NOW_MS, "abc", lambda: directory_of(55))


def node_of(plan: Plan, node_id: int = 1) -> NodePlan:
    found = plan.node(node_id)
    assert found is not None
    return found


def test_the_old_directory_is_kept_beside_the_new_one() -> None:
    disk = a_disk()
    before = disk.files()
    plan = a_plan(disk)
    done = apply_plan(disk, plan, node_of(plan), "/n1", {})
    old = f"/n1/{METADATA_DIRECTORY}.abcold-stray"
    assert done.old == old
    kept = {path.replace(old, f"/n1/{METADATA_DIRECTORY}"): b for path, b in disk.files().items()}
    assert all(kept[path] == content for path, content in before.items() if "meta." in path)
    after = survey_directory(disk, "/n1", NOW_MS)
    assert not after.damages
    assert after.end.epoch == plan.epoch
    assert [one.id for one in after.voters[-1].voters] == [1]
    state = quorum_state.read(disk, f"/n1/{METADATA_DIRECTORY}")
    assert state is not None and (state.epoch, state.leader_id) == (plan.epoch, 1)
    assert done.end == after.end.offset


def test_undo_leaves_the_files_that_were_there() -> None:
    disk = a_disk()
    before = disk.files()
    plan = a_plan(disk)
    apply_plan(disk, plan, node_of(plan), "/n1", {})
    undo(disk, "/n1")
    assert disk.files() == before


def test_undo_keeps_what_a_node_has_written_since() -> None:
    disk = a_disk()
    before = disk.files()
    plan = a_plan(disk)
    apply_plan(disk, plan, node_of(plan), "/n1", {})
    state = quorum_state.ElectionStateData(plan.epoch + 1)
    quorum_state.write(disk, f"/n1/{METADATA_DIRECTORY}", state)
    entry = undo(disk, "/n1")
    assert disk.exists(f"/n1/{entry.undone}")
    left = {path: body for path, body in disk.files().items() if entry.undone not in path}
    assert left == before


@pytest.mark.slow
@pytest.mark.parametrize("identity", [True, False])
def test_after_every_crash_it_goes_on_and_goes_back(identity: bool) -> None:
    disk = a_disk(identity=identity)
    before = disk.files()
    plan = a_plan(disk)
    node = node_of(plan)
    apply_plan(disk, plan, node, "/n1", {})
    after = disk.files()
    tried = 0
    for crash in crashes(before, disk.trace, most_cuts=4):
        on = SimDisk.holding(crash.files)
        apply_plan(on, plan, node, "/n1", {})
        assert on.files() == after, (crash.done, crash.story)
        back = SimDisk.holding(crash.files)
        if back.exists(f"/n1/{JOURNAL}"):
            undo(back, "/n1")
        left = {path: body for path, body in back.files().items() if not path.endswith(".tmp")}
        assert left == before, (crash.done, crash.story)
        tried += 1
    assert tried > 100


@pytest.mark.slow
def test_a_crash_of_undo_lets_it_go_on() -> None:
    disk = a_disk(identity=False)
    before = disk.files()
    plan = a_plan(disk)
    apply_plan(disk, plan, node_of(plan), "/n1", {})
    after, begun = disk.files(), len(disk.trace)
    undo(disk, "/n1")
    for crash in crashes(after, disk.trace[begun:], most_cuts=4):
        back = SimDisk.holding(crash.files)
        if back.exists(f"/n1/{JOURNAL}"):
            undo(back, "/n1")
        assert back.files() == before, (crash.done, crash.story)


@pytest.mark.slow
def test_a_disk_that_is_full_anywhere_changes_nothing() -> None:
    refused = 0
    for free_bytes in range(0, 4_000, 150):
        disk = a_disk()
        before = disk.files()
        plan = a_plan(disk)
        disk.free_bytes = free_bytes
        try:
            apply_plan(disk, plan, node_of(plan), "/n1", {})
        except DiskFailed:
            refused += 1
            disk.free_bytes = None
            if disk.exists(f"/n1/{JOURNAL}"):
                undo(disk, "/n1")
            left = {p: b for p, b in disk.files().items() if not p.endswith(".tmp")}
            assert left == before, free_bytes
    assert refused > 5


def test_a_directory_that_changed_since_the_survey_is_refused() -> None:
    disk = a_disk()
    plan = a_plan(disk)
    path = f"/n1/{METADATA_DIRECTORY}/00000000000000000000.log"
    disk = SimDisk.holding(disk.files() | {path: b"".join((*LOG, topics(4, 1, "late")))})
    before = disk.files()
    with pytest.raises(OperatorError, match="is not as it was when node 1"):
        apply_plan(disk, plan, node_of(plan), "/n1", {})
    assert disk.files() == before


def test_a_plan_for_another_node_is_refused() -> None:
    disk = a_disk()
    plan = a_plan(disk, 1, 2)
    with pytest.raises(OperatorError, match="is of node 1, and node 2 was asked for"):
        apply_plan(disk, plan, node_of(plan, 2), "/n1", {1: "/n1"})


def test_another_recovery_in_the_directory_is_refused() -> None:
    disk = a_disk()
    plan = a_plan(disk)
    apply_plan(disk, plan, node_of(plan), "/n1", {})
    survey = surveys_of(disk, "/n1")
    wishes = Wishes(although=frozenset((A_MAJORITY_IS_THERE,)))
    other = make_plan(survey, wishes, NOW_MS, "def", lambda: directory_of(56))
    with pytest.raises(OperatorError, match="tells of another recovery, plan abc"):
        apply_plan(disk, other, node_of(other), "/n1", {})


def test_a_new_voter_needs_the_log_of_the_source() -> None:
    disk = a_disk()
    plan = a_plan(disk, 1, 7)
    disk.make_directory("/n7")
    with pytest.raises(OperatorError, match="say --from 1=DIR"):
        apply_plan(disk, plan, node_of(plan, 7), "/n7", {})
    apply_plan(disk, plan, node_of(plan, 7), "/n7", {1: "/n1"})
    identity = meta_properties.read(disk, "/n7")
    assert identity is not None and identity.node_id == 7
    assert identity.directory_id == directory_of(55)
    leader = dict(disk.files())
    apply_plan(disk, plan, node_of(plan, 1), "/n1", {})
    name = f"{METADATA_DIRECTORY}/00000000000000000000.log"
    assert disk.files()[f"/n1/{name}"] == leader[f"/n7/{name}"]


def test_nothing_to_undo_is_said() -> None:
    with pytest.raises(OperatorError, match="no recovery was applied there"):
        undo(a_disk(), "/n1")
