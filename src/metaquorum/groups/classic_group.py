"""One group of the classic protocol, as only its coordinator knows it: members, and who waits.

The members of a generation and what each was assigned are also in the log; that is what a group is
made of anew by the next coordinator. Who has joined the round that is under way is not.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum
from typing import Any, Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.controller.events import CommandId
from metaquorum.groups.rows import record_of, struct_of
from metaquorum.groups.subscriptions import subscribed_topics
from metaquorum.records.group_record import GROUP_METADATA, GroupRecord
from metaquorum.wire.generated import error_codes

CONSUMER_PROTOCOL: Final = "consumer"
NOBODY: Final = ""
_NO_GENERATION: Final = -1

Protocols = tuple[tuple[str, bytes], ...]
"""Names of the ways to assign that a member knows, best first, each with its metadata."""


class GroupPhase(Enum):
    """Where a group is; the values are the names that clients get."""

    EMPTY = "Empty"
    PREPARING = "PreparingRebalance"
    COMPLETING = "CompletingRebalance"
    STABLE = "Stable"


@define(eq=False)
class Member:
    """One member. ``join`` and ``sync`` are the requests of it that wait for their answers."""

    id: str
    instance_id: str | None
    client_id: str
    client_host: str
    session_timeout_ms: Millis
    rebalance_timeout_ms: Millis
    protocols: Protocols
    assignment: bytes = b""
    join: tuple[CommandId, int] | None = None
    sync: CommandId | None = None
    is_new: bool = True

    def metadata_of(self, protocol: str | None) -> bytes:
        """What it said for that protocol; nothing if it does not know it."""
        return next((data for name, data in self.protocols if name == protocol), b"")


@define(eq=False)
class ClassicGroup:
    """``pending`` have been given an id and are to join with it; ``unsynced`` have yet to sync."""

    id: str
    phase: GroupPhase = GroupPhase.EMPTY
    protocol_type: str = ""
    protocol: str | None = None
    leader: str = NOBODY
    generation: int = 0
    members: dict[str, Member] = field(factory=dict)
    statics: dict[str, str] = field(factory=dict)
    pending: dict[str, None] = field(factory=dict)
    unsynced: dict[str, None] = field(factory=dict)
    is_first_round: bool = False
    has_newcomers: bool = False
    delay_left_ms: Millis = 0

    @classmethod
    def of_row(cls, group_id: str, kept: Any) -> ClassicGroup:
        """The group as the log has it; ``kept`` None: nothing but offsets."""
        if kept is None:
            return cls(group_id)
        group = cls(group_id, GroupPhase.STABLE if kept.members else GroupPhase.EMPTY)
        group.protocol_type, group.protocol = kept.protocol_type, kept.protocol
        group.leader, group.generation = kept.leader or NOBODY, kept.generation
        for one in kept.members:
            member = Member(
                one.member_id,
                one.group_instance_id,
                one.client_id,
                one.client_host,
                one.session_timeout,
                one.rebalance_timeout if one.rebalance_timeout >= 0 else one.session_timeout,
                ((kept.protocol or "", bytes(one.subscription)),),
                bytes(one.assignment),
                is_new=False,
            )
            group.add(member)
        group.leader = kept.leader or group.leader
        return group

    def end(self) -> None:
        """Another object stands for the group now: who still holds this one finds nobody in it."""
        self.phase, self.generation, self.leader = GroupPhase.EMPTY, _NO_GENERATION, NOBODY
        for those in (self.members, self.statics, self.pending, self.unsynced):
            those.clear()

    # --- members ---------------------------------------------------------------------------

    def add(self, member: Member) -> None:
        """One more member; the first one leads."""
        if not self.members:
            self.leader = member.id
        self.members[member.id] = member
        if member.instance_id is not None:
            self.statics[member.instance_id] = member.id
        self.pending.pop(member.id, None)

    def remove(self, member_id: str) -> None:
        """One fewer; the longest-standing one leads if it was the leader."""
        gone = self.members.pop(member_id, None)
        self.unsynced.pop(member_id, None)
        self.pending.pop(member_id, None)
        if gone is not None and gone.instance_id is not None:
            self.statics.pop(gone.instance_id, None)
        if self.leader == member_id:
            self.leader = next(iter(self.members), NOBODY)

    def replace_static(self, old: Member, new_id: str) -> Member:
        """The same static member, back with another id and at the same place."""
        was_leader = self.leader == old.id
        members, self.members = self.members, {}
        for id, member in members.items():
            self.members[new_id if id == old.id else id] = member
        self.unsynced.pop(old.id, None)
        old.id = new_id
        if old.instance_id is not None:
            self.statics[old.instance_id] = new_id
        if was_leader:
            self.leader = new_id
        return old

    def checked_member(self, member_id: str, instance_id: str | None) -> Member:
        """The member of that id; RequestError if there is none, or another took its place."""
        if instance_id is not None:
            holder = self.statics.get(instance_id)
            if holder is None:
                raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
            if holder != member_id:
                raise RequestError(error_codes.FENCED_INSTANCE_ID)
        member = self.members.get(member_id)
        if member is None:
            raise RequestError(error_codes.UNKNOWN_MEMBER_ID)
        return member

    @property
    def joined(self) -> list[Member]:
        """Those who wait for the round to be complete."""
        return [member for member in self.members.values() if member.join is not None]

    @property
    def have_all_joined(self) -> bool:
        """Whether nobody is missing in the round."""
        return not self.pending and len(self.joined) == len(self.members)

    @property
    def rebalance_timeout_ms(self) -> Millis:
        """How long a round may take: as long as the slowest member may."""
        return max((one.rebalance_timeout_ms for one in self.members.values()), default=0)

    def elect(self) -> bool:
        """A leader among those who joined; False if only static members are left who did not."""
        leader = self.members.get(self.leader)
        if leader is not None and leader.join is not None:
            return True
        joined = self.joined
        if joined:
            self.leader = joined[0].id
        return bool(joined)

    # --- protocols -------------------------------------------------------------------------

    def accepts(self, protocol_type: str, protocols: Protocols) -> bool:
        """Whether a member that offers these can agree with all the others."""
        if not self.members:
            return bool(protocol_type) and bool(protocols)
        common = self._common()
        return protocol_type == self.protocol_type and any(name in common for name, _ in protocols)

    def elected_protocol(self) -> str:
        """The one that most members like best among those that all know; the leader breaks ties."""
        common = self._common()
        votes: dict[str, int] = {}
        for member in self.members.values():
            choice = next((name for name, _ in member.protocols if name in common), None)
            if choice is not None:
                votes[choice] = votes.get(choice, 0) + 1
        return max(votes, key=lambda name: votes[name], default="")

    def _common(self) -> dict[str, None]:
        lists = [dict.fromkeys(name for name, _ in one.protocols) for one in self.members.values()]
        return {name: None for name in lists[0] if all(name in other for other in lists)}

    def subscribed(self) -> list[str] | None:
        """The topics that its members read; None where that is not known."""
        if not self.members:
            return []
        if self.protocol_type != CONSUMER_PROTOCOL or self.protocol is None:
            return None
        found: dict[str, None] = {}
        for member in self.members.values():
            topics = subscribed_topics(member.metadata_of(self.protocol))
            if topics is None:
                return None
            found.update(dict.fromkeys(topics))
        return list(found)

    def is_subscribed(self, topic: str) -> bool:
        """Whether its members read ``topic``, or may."""
        topics = self.subscribed()
        return topics is None or topic in topics

    # --- the log ---------------------------------------------------------------------------

    def record(self, wall_ms: Millis, assignments: dict[str, bytes] | None = None) -> GroupRecord:
        """The generation as the log is to have it; without ``assignments`` as they are."""
        members: Sequence[Any] = [
            struct_of(
                GROUP_METADATA,
                "MemberMetadata",
                member_id=member.id,
                group_instance_id=member.instance_id,
                client_id=member.client_id,
                client_host=member.client_host,
                rebalance_timeout=member.rebalance_timeout_ms,
                session_timeout=member.session_timeout_ms,
                subscription=member.metadata_of(self.protocol),
                assignment=(
                    member.assignment if assignments is None else assignments.get(member.id, b"")
                ),
            )
            for member in self.members.values()
        ]
        return record_of(
            GROUP_METADATA,
            self.id,
            protocol_type=self.protocol_type,
            generation=self.generation,
            protocol=self.protocol,
            leader=self.leader or None,
            current_state_timestamp=wall_ms,
            members=members,
        )
