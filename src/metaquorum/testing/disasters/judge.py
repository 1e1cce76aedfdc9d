"""What must hold of a recovery, whatever happened to the disks.

Below the bound nothing that was acknowledged is missing. What could be kept is kept. A crash of
``apply`` anywhere lets it go on, and ``undo`` leaves the files that were there, byte for byte.
"""

from __future__ import annotations

from random import Random

from attrs import define, frozen

from metaquorum.base.errors import InvariantViolated, OperatorError
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.data_directory import DataDirectory
from metaquorum.quorum.types import Endpoint
from metaquorum.recover.applying import apply_plan, undo
from metaquorum.recover.log_reading import log_batches
from metaquorum.recover.plan import NodePlan, Plan
from metaquorum.recover.plan_json import plan_of, plan_to_json
from metaquorum.recover.planning import make_plan
from metaquorum.recover.reading import survey_directory
from metaquorum.recover.survey import Survey
from metaquorum.recover.survey_json import survey_of, survey_to_json
from metaquorum.recover.wishes import A_MAJORITY_IS_THERE, NewVoter, Wishes
from metaquorum.storage import meta_properties
from metaquorum.storage.names import METADATA_DIRECTORY, snapshot_file
from metaquorum.storage.snapshot_check import checked_batches
from metaquorum.storage.snapshot_files import list_snapshots
from metaquorum.testing.disasters.disaster import Disaster
from metaquorum.testing.disasters.quorum import Entry, directory_of, topic_value
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.wire.json_form import json_text

NOW_MS = 1_800_000_000_000
PLAN_ID = "p1a2n"
CLUSTER = "4L6g3nShT-eMCtK--X86sw"
CRASHES_PER_SEED = 4


class Broken(AssertionError):
    """A rule that does not hold."""


@frozen
class Judged:
    """What a seed came to: whether there was a plan, whether all was kept."""

    planned: bool
    kept_all: bool = False
    repaired: bool = False


@define(eq=False)
class Recovered:
    """A disk after ``apply``: which committed records it has."""

    disk: SimDisk
    root: str

    @property
    def partition(self) -> str:
        return f"{self.root}/{METADATA_DIRECTORY}"

    def has(self) -> tuple[Offset, dict[Offset, bytes]]:
        """Where its snapshot ends, and its log by offsets of batches."""
        snapshots = list_snapshots(self.disk, self.partition)
        end = snapshots[-1].offset if snapshots else 0
        log = log_batches(self.disk, self.partition, 0, 1 << 62)
        return end, {header.base_offset: content for header, content in log}


def judge(seed: int, *, crash: bool = True) -> Judged:
    """Play the disaster of a seed; raises Broken."""
    disaster = Disaster.drawn(seed)
    try:
        return _judged(disaster, crash=crash)
    except (AssertionError, LookupError, OperatorError, InvariantViolated) as error:
        raise Broken(f"{disaster.told()}: {type(error).__name__}: {error}") from error


def _judged(disaster: Disaster, *, crash: bool) -> Judged:
    disks = [one for one in disaster.disks if one.files]
    disk = SimDisk.holding({path: body for one in disks for path, body in one.files.items()})
    before = disk.files()
    surveys = []
    for one in disks:
        try:
            found = survey_directory(
                disk, one.root, NOW_MS, node_id=_node_to_say(disk, one.root, one.node_id)
            )
        except OperatorError:
            continue
        text = json_text(survey_to_json(found))
        surveys.append((one, survey_of(text, "survey")))
        assert surveys[-1][1] == found, "a survey is another after it was written and read"
    assert disk.files() == before, "a survey wrote"
    readable = _keepable(disaster, [survey for _, survey in surveys])
    stale = frozenset(at for at, (one, _) in enumerate(surveys) if one.is_stale)
    try:
        plan = make_plan(
            [survey for _, survey in surveys],
            Wishes(
                voters=_wanted(disaster, [one.node_id for one, _ in surveys]),
                stale=stale,
                cluster_id=CLUSTER,
                although=frozenset((A_MAJORITY_IS_THERE,)),
            ),
            NOW_MS,
            PLAN_ID,
            _drawer(),
        )
    except OperatorError as error:
        assert not readable or not surveys, f"no plan, though records could be kept: {error}"
        return Judged(False)
    plan_again = plan_of(json_text(plan_to_json(plan)), "plan")
    assert plan_again == plan, "a plan is another after it was written and read"
    node = plan.node(plan.leader_id)
    assert node is not None
    _apply_and_judge(disaster, disk, plan, node, readable, before, crash=crash)
    broken = plan.history.kept_from_damage is not None
    return Judged(True, plan.loss.from_offset is None, len(plan.history.pieces) > 1 or broken)


def _wanted(disaster: Disaster, there: list[int]) -> tuple[NewVoter, ...]:
    ids = sorted(set(there) - set(disaster.quorum.observers)) or [9]
    return tuple(NewVoter(one, Endpoint("CONTROLLER", f"new{one}", 9093)) for one in ids)


def _node_to_say(disk: SimDisk, root: str, node_id: int) -> int | None:
    return None if meta_properties.read(disk, root) is not None else node_id


def _drawer() -> _Drawer:
    return _Drawer()


@define
class _Drawer:
    """Directory ids in order."""

    number: int = 0

    def __call__(self) -> Uuid:
        self.number += 1
        return directory_of(99, self.number)


def _apply_and_judge(
    disaster: Disaster,
    disk: SimDisk,
    plan: Plan,
    node: NodePlan,
    readable: Offset,
    before: dict[str, bytes],
    *,
    crash: bool,
) -> None:
    root = f"/n{node.node_id}"
    disk.make_directory(root)
    froms = {one.node_id: one.directory for one in plan.sources if one.node_id is not None}
    begun = len(disk.trace)
    apply_plan(disk, plan, node, root, froms)
    after = disk.files()
    recovered = Recovered(disk, root)
    _judge_records(disaster, plan, recovered, readable)
    _judge_snapshot(disaster.quorum.committed, recovered)
    _judge_start(plan, node, disk, root)
    undo(disk, root)
    assert disk.files() == before, "undo leaves other files"
    if not crash:
        return
    random = Random(disaster.seed)
    trace = disk.trace[begun:]
    moments = list(crashes(before, trace, most_cuts=2, first=random.randrange(len(trace))))
    for moment in random.sample(moments, min(CRASHES_PER_SEED, len(moments))):
        other = SimDisk.holding(moment.files)
        other.make_directory(root)
        if random.random() < 0.5:
            apply_plan(other, plan, node, root, froms)
            assert other.files() == after, f"applied again after a crash: {moment.story}"
            undo(other, root)
        elif other.exists(f"{root}/metaquorum-recovery.json"):
            undo(other, root)
        left = {path: body for path, body in other.files().items() if not path.endswith(".tmp")}
        assert left == before, f"undone after a crash: {moment.story}"


def _judge_records(disaster: Disaster, plan: Plan, recovered: Recovered, readable: Offset) -> None:
    snapshot_end, log = recovered.has()
    committed = disaster.quorum.committed
    lost = [
        one.base
        for one in committed
        if one.next_offset > snapshot_end and log.get(one.base) != one.payload
    ]
    bound = plan.loss.from_offset
    if lost:
        assert bound is not None and bound <= min(lost), (
            f"offset {min(lost)} was acknowledged and is lost, the bound is {bound}"
        )
    # Of less than a majority nobody can know which of two histories went on.
    decided = len(plan.counted) * 2 > len(plan.last_voters)
    if not decided and any(one.differs for one in plan.others):
        return
    assert not lost or min(lost) >= readable, (
        f"all below {readable} could be kept, and offset {min(lost)} is lost"
    )


def _judge_snapshot(committed: list[Entry], recovered: Recovered) -> None:
    """The snapshot that was taken over is of the committed state."""
    end, _ = recovered.has()
    if not end:
        return
    newest = list_snapshots(recovered.disk, recovered.partition)[-1]
    assert any(OffsetAndEpoch(e.epoch, e.next_offset) == newest for e in committed)
    file = recovered.disk.open(f"{recovered.partition}/{snapshot_file(newest)}", writable=False)
    whole = b"".join(content for _, content in checked_batches(file))
    for entry in committed:
        if entry.next_offset <= end:
            assert all(topic_value(name) in whole for name in entry.topics)


def _judge_start(plan: Plan, node: NodePlan, disk: SimDisk, root: str) -> None:
    """A node of ours starts on it: with the plan's voters, in its epoch."""
    identity = meta_properties.read(disk, root)
    assert identity is not None
    assert (identity.node_id, identity.cluster_id) == (node.node_id, plan.cluster_id)
    copy = SimDisk.holding(disk.files())
    opened = DataDirectory.over(copy, _config(plan, node, root), identity)
    assert opened.election.epoch == plan.epoch
    assert opened.election.leader_id == node.node_id
    history = opened.history_over(None)
    if plan.kraft_version:
        assert history.latest.voters == plan.voters
        assert history.latest.is_voter(opened.key)


def _config(plan: Plan, node: NodePlan, root: str) -> NodeConfig:
    return NodeConfig.of(
        {
            "process.roles": "controller",
            "node.id": str(node.node_id),
            "listeners": "CONTROLLER://localhost:9093",
            "controller.listener.names": "CONTROLLER",
            "controller.quorum.bootstrap.servers": "localhost:9093",
            "log.dirs": root,
        },
        "server.properties",
    )[0]


def _keepable(disaster: Disaster, surveys: list[Survey]) -> Offset:
    """Up to where the committed records are on the disks, one after the other, as they were.

    From one replica to the next there must be a batch that both have, or no new epoch: nothing
    else proves that they are of one history. A batch with broken ones on both sides does not count:
    its offset is in no checksum.
    """
    committed = disaster.quorum.committed
    ends = {one.next_offset for one in committed}
    logs = [
        b"".join(body for path, body in sorted(one.files.items()) if path.endswith(".log"))
        for one in disaster.disks
    ]
    start = max(
        (
            seen.snapshot.offset
            for survey in surveys
            for seen in survey.snapshots
            if seen.is_whole and seen.snapshot.offset in ends
        ),
        default=0,
    )
    kept = start
    before: set[int] | None = None
    epoch = None
    for number, entry in enumerate(committed):
        if entry.next_offset <= start:
            continue
        readers = {
            at for at, content in enumerate(logs) if _is_readable(committed, number, content)
        }
        joined = before is None or readers & before or entry.epoch == epoch
        if not readers or not joined:
            break
        kept, before, epoch = entry.next_offset, readers, entry.epoch
    return kept


def _is_readable(committed: list[Entry], number: int, content: bytes) -> bool:
    """Whether a log has a batch with one of its neighbours."""
    here = committed[number].payload
    pairs = [here] if number == 0 else [committed[number - 1].payload + here]
    pairs += [here + one.payload for one in committed[number + 1 : number + 2]]
    return any(pair in content for pair in pairs)
