"""The voter set and its history in the log: a record counts once it is appended (KIP-853)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from attrs import evolve, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value
from metaquorum.quorum.types import (
    HIGHEST_KRAFT_VERSION,
    ZERO_SNAPSHOT,
    Control,
    KRaftVersionControl,
    ReplicaKey,
    SnapshotId,
    Voter,
    VotersControl,
)

FROM_ZERO_CHECKPOINT: Offset = -1
"""The place in history of what the bootstrap checkpoint said: before every record."""


def _by_id(voters: Iterable[Voter]) -> tuple[Voter, ...]:
    return tuple(sorted(voters, key=lambda voter: voter.id))


@value
class VoterSet:
    """Who may vote and be counted, ascending by id; ids are unique.

    ``majority`` is how many of them decide.
    """

    voters: tuple[Voter, ...] = field(default=(), converter=_by_id)
    majority: int = field(init=False, eq=False, repr=False)
    _known: dict[NodeId, Voter] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        for one, next_one in zip(self.voters, self.voters[1:]):
            if one.id == next_one.id:
                raise InvariantViolated(f"voter id {one.id} is there twice")
        object.__setattr__(self, "majority", len(self.voters) // 2 + 1)
        object.__setattr__(self, "_known", {voter.id: voter for voter in self.voters})

    def __iter__(self) -> Iterator[Voter]:
        return iter(self.voters)

    def __len__(self) -> int:
        return len(self.voters)

    def __str__(self) -> str:
        return ", ".join(str(voter.id) for voter in self.voters)

    @property
    def keys(self) -> tuple[ReplicaKey, ...]:
        """The voters' keys, ascending by id."""
        return tuple(voter.key for voter in self.voters)

    def by_id(self, node_id: NodeId) -> Voter | None:
        """The voter with this id, whatever its directory."""
        return self._known.get(node_id)

    def is_voter(self, key: ReplicaKey) -> bool:
        """Whether this key, directory included where one is stored, belongs to a voter."""
        voter = self._known.get(key.id)
        if voter is None:
            return False
        stored = voter.key.directory_id  # the ids are equal, the rest is ``ReplicaKey.covers``
        return stored is None or stored == key.directory_id

    def is_only_voter(self, key: ReplicaKey) -> bool:
        """Whether this key alone decides."""
        return len(self.voters) == 1 and self.is_voter(key)

    def with_voter(self, voter: Voter) -> VoterSet:
        """This set with one voter added, or replaced when its id is there already."""
        return VoterSet((*(one for one in self.voters if one.id != voter.id), voter))

    def without(self, key: ReplicaKey) -> VoterSet:
        """This set with one voter removed, which must be in it and not be the last one."""
        if key not in self.keys:
            raise InvariantViolated(f"{key} is no voter")
        if len(self.voters) == 1:
            raise InvariantViolated(f"{key} is the last voter")
        return VoterSet(tuple(one for one in self.voters if one.key != key))

    def overlaps(self, other: VoterSet) -> bool:
        """Whether two sets differ by at most one voter added and one removed."""
        added = sum(1 for key in other.keys if key not in self.keys)
        removed = sum(1 for key in self.keys if key not in other.keys)
        return added <= 1 and removed <= 1


@value
class VoterHistory:
    """Voter sets and kraft.version by the offset of the record that said so.

    ``static`` are the voters of ``controller.quorum.voters``: they answer only while no record is
    known. Entries of the zero checkpoint stand at offset -1.
    """

    static: VoterSet | None = None
    sets: tuple[tuple[Offset, VoterSet], ...] = ()
    versions: tuple[tuple[Offset, int], ...] = ()

    @classmethod
    def build(
        cls,
        static: VoterSet | None,
        snapshot: SnapshotId | None,
        snapshot_controls: Iterable[Control],
        log_controls: Iterable[Control],
    ) -> VoterHistory:
        """The history after the newest snapshot and then the whole log were read.

        Records of the zero checkpoint count as older than every offset, those of another snapshot
        as if they stood at its last offset.
        """
        history = cls(static)
        if snapshot is not None:
            at = FROM_ZERO_CHECKPOINT if snapshot == ZERO_SNAPSHOT else snapshot.offset - 1
            for control in snapshot_controls:
                history = history.with_control(Control(at, control.value))
        for control in log_controls:
            if snapshot is None or control.offset >= snapshot.offset:
                history = history.with_control(control)
        return history

    @property
    def latest(self) -> VoterSet:
        """The voters to count with now, committed or not."""
        if self.sets:
            return self.sets[-1][1]
        return self.static if self.static is not None else VoterSet()

    @property
    def latest_offset(self) -> Offset | None:
        """Where the latest voter set was written; None while the static voters answer."""
        return self.sets[-1][0] if self.sets else None

    @property
    def kraft_version(self) -> int:
        """The kraft.version in force now; 0 while no record says otherwise."""
        return self.versions[-1][1] if self.versions else 0

    @property
    def version_offset(self) -> Offset | None:
        """Where the kraft.version in force was written; None while no record says it."""
        return self.versions[-1][0] if self.versions else None

    def may_campaign(self, key: ReplicaKey, high_watermark: Offset | None) -> bool:
        """Whether ``key`` is a voter, or was one before a change that may not be committed yet."""
        if self.latest.is_voter(key):
            return True
        if len(self.sets) < 2:
            return False
        at, before = self.sets[-1][0], self.sets[-2][1]
        return before.is_voter(key) and (high_watermark is None or at >= high_watermark)

    def refusal(self, controls: Iterable[Control]) -> str | None:
        """Why the control records of one batch cannot follow; None when they can.

        A leader that lets such a batch into its log is broken; its followers do not take it.
        """
        sets, level = self.sets, self.kraft_version
        before = sets[-1][1] if sets and sets[-1][0] >= 0 else None
        named = bool(sets)
        for control in controls:
            value = control.value
            if isinstance(value, KRaftVersionControl):
                if not level <= value.level <= HIGHEST_KRAFT_VERSION:
                    return f"kraft.version {value.level} after {level}"
                level = value.level
            elif isinstance(value, VotersControl):
                ids = {voter.id for voter in value.voters}
                if not ids or len(ids) < len(value.voters):
                    return "no voters, or one twice"
                voters = VoterSet(value.voters)
                if before is not None and not before.overlaps(voters):
                    return f"the voters {voters} after {before}: no majority of both would overlap"
                before, named = voters, True
        return "kraft.version 1 without voters" if level >= 1 and not named else None

    def with_control(self, control: Control) -> VoterHistory:
        """This history after one more control record was appended or read."""
        value = control.value
        if isinstance(value, VotersControl):
            return self._with_set(control.offset, VoterSet(value.voters))
        if isinstance(value, KRaftVersionControl):
            kept = tuple(entry for entry in self.versions if entry[0] < control.offset)
            return evolve(self, versions=(*kept, (control.offset, value.level)))
        return self

    def _with_set(self, offset: Offset, voters: VoterSet) -> VoterHistory:
        kept = tuple(entry for entry in self.sets if entry[0] < offset)
        if kept and kept[-1][0] >= 0 and not kept[-1][1].overlaps(voters):
            raise InvariantViolated(
                f"the voters at offset {offset} differ from those at {kept[-1][0]} by more than "
                "one voter: no majority of both would overlap"
            )
        return evolve(self, sets=(*kept, (offset, voters)))

    def truncated(self, end: Offset) -> VoterHistory:
        """This history after the log was cut at ``end``."""
        return evolve(
            self,
            sets=tuple(entry for entry in self.sets if entry[0] < end),
            versions=tuple(entry for entry in self.versions if entry[0] < end),
        )
