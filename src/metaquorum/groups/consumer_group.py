"""One group of KIP-848 as the log has it, and the records that change it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from attrs import define

from metaquorum.groups.assignors import ASSIGNORS, UNIFORM, Reader, TopicPartition
from metaquorum.groups.context import Context
from metaquorum.groups.reconciling import Holding, Partitions, Progress
from metaquorum.groups.rows import record_of, struct_of, tombstone_of
from metaquorum.records.group_record import (
    CONSUMER_CURRENT,
    CONSUMER_GROUP,
    CONSUMER_MEMBER,
    CONSUMER_REGEX,
    CONSUMER_TARGET,
    CONSUMER_TARGET_MEMBER,
    GroupRecord,
)

LEFT_FOR_NOW: Final = -2
"""The epoch of a static member that is away and is to come back (KIP-848)."""


@define(eq=False)
class ConsumerGroup:
    """A view of the rows; it holds nothing itself and is good for one step."""

    context: Context
    id: str

    def _value(self, kind: int, *key: str) -> Any:
        return self.context.state.value(self.id, kind, *key)

    @property
    def epoch(self) -> int:
        """Raised whenever members or what they read change."""
        kept = self._value(CONSUMER_GROUP)
        return 0 if kept is None else int(kept.epoch)

    @property
    def assignment_epoch(self) -> int:
        """The group's epoch that the target assignment was made for."""
        kept = self._value(CONSUMER_TARGET)
        return 0 if kept is None else int(kept.assignment_epoch)

    def member(self, member_id: str) -> Any:
        """What a member said of itself; None if it is none."""
        return self._value(CONSUMER_MEMBER, member_id)

    def members(self) -> dict[str, Any]:
        """All of them, in the order in which they first came."""
        kept = self.context.state.values(self.id, CONSUMER_MEMBER)
        return {str(key[1]): stored for key, stored in kept}

    def count(self) -> int:
        """How many members there are."""
        return len(self.context.state.values(self.id, CONSUMER_MEMBER))

    def static_member(self, instance_id: str) -> str | None:
        """The member that has that name."""
        members = self.members().items()
        return next((id for id, stored in members if stored.instance_id == instance_id), None)

    def holding(self, member_id: str) -> Holding:
        """What a member has."""
        kept = self._value(CONSUMER_CURRENT, member_id)
        if kept is None:
            return Holding()
        return Holding(
            kept.member_epoch,
            kept.previous_member_epoch,
            Progress(kept.state),
            pairs(kept.assigned_partitions),
            pairs(kept.partitions_pending_revocation),
        )

    def target(self, member_id: str) -> Partitions:
        """What a member is to have."""
        kept = self._value(CONSUMER_TARGET_MEMBER, member_id)
        return frozenset() if kept is None else pairs(kept.topic_partitions)

    def taken(self, but_for: str) -> Partitions:
        """What others have, or have yet to give up."""
        found: set[TopicPartition] = set()
        for key, kept in self.context.state.values(self.id, CONSUMER_CURRENT):
            if key[1] != but_for:
                found |= pairs(kept.assigned_partitions)
                found |= pairs(kept.partitions_pending_revocation)
        return frozenset(found)

    def phase(self) -> str:
        """The name of its state, as clients see it."""
        members = self.members()
        if not members:
            return "Empty"
        if self.epoch > self.assignment_epoch:
            return "Assigning"
        epoch = self.assignment_epoch
        for member_id in members:
            holding = self.holding(member_id)
            is_away = holding.epoch == LEFT_FOR_NOW
            if not is_away and (holding.epoch != epoch or holding.progress is not Progress.STABLE):
                return "Reconciling"
        return "Stable"

    # --- what its members read -------------------------------------------------------------

    def topics_of(self, stored: Any) -> list[str]:
        """The topics that exist and that a member reads, by name or by pattern."""
        names = dict.fromkeys(stored.subscribed_topic_names)
        if stored.subscribed_topic_regex:
            kept = self._value(CONSUMER_REGEX, stored.subscribed_topic_regex)
            names.update(dict.fromkeys(() if kept is None else kept.topics))
        return [name for name in names if name in self.context.config.topics]

    def is_subscribed(self, topic: str) -> bool:
        """Whether any member reads it."""
        members = self.members().values()
        return any(
            topic in stored.subscribed_topic_names or topic in self.topics_of(stored)
            for stored in members
        )

    def assignor(self, members: Iterable[Any]) -> str:
        """The one that most members ask for; uniform if none does."""
        votes: dict[str, int] = {}
        for stored in members:
            if stored.server_assignor in ASSIGNORS:
                votes[stored.server_assignor] = votes.get(stored.server_assignor, 0) + 1
        return max(votes, key=lambda name: votes[name], default=UNIFORM)

    def reader(self, member_id: str, stored: Any, topics: Sequence[str]) -> Reader:
        """A member as assignors see it."""
        known = self.context.config.topics
        return Reader(
            member_id,
            stored.instance_id or member_id,
            frozenset(known[name].id for name in topics),
            self.target(member_id),
        )

    # --- records ---------------------------------------------------------------------------

    def epoch_record(self, epoch: int) -> GroupRecord:
        """The group is at that epoch."""
        return record_of(CONSUMER_GROUP, self.id, epoch=epoch)

    def member_record(self, member_id: str, stored: Any) -> GroupRecord:
        """What a member says of itself."""
        record = tombstone_of(CONSUMER_MEMBER, self.id, member_id)
        record.value = stored
        return record

    def target_record(self, member_id: str, target: Partitions) -> GroupRecord:
        """What a member is to have."""
        shares = [
            struct_of(CONSUMER_TARGET_MEMBER, "TopicPartition", topic_id=topic, partitions=indexes)
            for topic, indexes in by_topic(target)
        ]
        return record_of(CONSUMER_TARGET_MEMBER, self.id, member_id, topic_partitions=shares)

    def assigned_record(self, epoch: int, wall_ms: int) -> GroupRecord:
        """The targets are made for that epoch."""
        return record_of(
            CONSUMER_TARGET, self.id, assignment_epoch=epoch, assignment_timestamp=wall_ms
        )

    def holding_record(self, member_id: str, holding: Holding) -> GroupRecord:
        """What a member has."""
        return record_of(
            CONSUMER_CURRENT,
            *(self.id, member_id),
            member_epoch=holding.epoch,
            previous_member_epoch=holding.previous_epoch,
            state=int(holding.progress),
            assigned_partitions=_listed(holding.assigned),
            partitions_pending_revocation=_listed(holding.revoking),
        )

    def regex_record(self, text: str, topics: Sequence[str], wall_ms: int) -> GroupRecord:
        """Which topics a pattern means."""
        return record_of(CONSUMER_REGEX, self.id, text, topics=topics, version=0, timestamp=wall_ms)

    def removal(self, member_id: str) -> list[GroupRecord]:
        """What ends a member, and its pattern if no other has it."""
        kinds = (CONSUMER_CURRENT, CONSUMER_TARGET_MEMBER, CONSUMER_MEMBER)
        state = self.context.state
        records = [
            tombstone_of(kind, self.id, member_id)
            for kind in kinds
            if state.value(self.id, kind, member_id) is not None
        ]
        stored = self.member(member_id)
        if stored is not None and stored.subscribed_topic_regex:
            records += self.regex_removal(member_id, stored.subscribed_topic_regex)
        return records

    def regex_removal(self, member_id: str, text: str) -> Iterator[GroupRecord]:
        """What ends a pattern that nobody but this member has."""
        others = (stored for id, stored in self.members().items() if id != member_id)
        if all(stored.subscribed_topic_regex != text for stored in others):
            yield tombstone_of(CONSUMER_REGEX, self.id, text)


def pairs(topics: Iterable[Any]) -> Partitions:
    """Topics with their partitions, flat."""
    return frozenset((bytes(one.topic_id), index) for one in topics for index in one.partitions)


def by_topic(partitions: Partitions) -> list[tuple[bytes, list[int]]]:
    """Topics with their partitions, in order."""
    topics: dict[bytes, list[int]] = {}
    for topic, index in sorted(partitions):
        topics.setdefault(topic, []).append(index)
    return list(topics.items())


def _listed(partitions: Partitions) -> list[Any]:
    return [
        struct_of(
            CONSUMER_CURRENT,
            "TopicPartitions",
            topic_id=topic,
            partitions=indexes,
            assignment_epochs=None,
        )
        for topic, indexes in by_topic(partitions)
    ]
