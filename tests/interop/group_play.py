"""One seeded play of requests about groups, put to any server: what each answer says, in short.

Ids of members differ from server to server, so members are named, and each side remembers the ids
that it gave. Nobody ever waits for another member: a group has one member at a time.
"""

from __future__ import annotations

from random import Random
from typing import Any

from attrs import define, field

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import (
    consumer_group_describe_request,
    consumer_group_heartbeat_request,
    delete_groups_request,
    describe_groups_request,
    error_codes,
    heartbeat_request,
    join_group_request,
    leave_group_request,
    list_groups_request,
    offset_commit_request,
    offset_delete_request,
    offset_fetch_request,
    sync_group_request,
)

GROUPS = ("a", "b", "c")
JOIN, SYNC, BEAT, LEAVE, COMMIT, FETCH = 11, 14, 12, 13, 8, 9
DESCRIBE, LIST, DELETE, DELETE_OFFSETS, CONSUMER_BEAT, CONSUMER_DESCRIBE = 15, 16, 42, 47, 68, 69

Step = tuple[Any, ...]


def play(seed: int, steps: int) -> list[Step]:
    """So many steps; what may be refused is asked for as well."""
    chance = Random(seed)
    made: list[Step] = []
    for _ in range(steps):
        group = chance.choice(GROUPS)
        kind = chance.choice(
            ["join"] * 3
            + ["sync"] * 3
            + ["beat", "beat", "commit", "commit", "fetch", "leave", "describe", "list"]
            + ["delete", "forget", "enter", "enter", "step", "step", "quit", "tell"]
        )
        off = chance.choice([0, 0, 0, 0, 1, -1])
        made.append((kind, group, off, chance.choice([False, False, True])))
    return made


@define
class Side:
    """One server, and what it said that later requests need.

    Epochs are told as whether there is one: Kafka 4.3 raises a group's twice with its first member.
    """

    connection: Connection
    topic: str
    classic: dict[str, tuple[str, int]] = field(factory=dict)
    consumer: dict[str, int] = field(factory=dict)

    def run(self, step: Step) -> Any:
        """The answer to one step, without what differs from server to server."""
        kind, group, off, odd = step
        return getattr(self, f"_{kind}")(group, off, odd)

    def _ask(self, key: int, version: int, message: Any) -> Any:
        return self.connection.ask(key, version, message)

    # --- classic -----------------------------------------------------------------------------

    def _join(self, group: str, off: int, odd: bool) -> Any:
        codec = join_group_request
        member, _ = self.classic.get(group, ("", 0))
        kind = "other" if odd and off else "consumer"
        metadata = b"\x00\x00\x00\x00\x00\x01" + len(self.topic).to_bytes(2, "big")
        metadata += self.topic.encode() + b"\xff\xff\xff\xff"
        asked = codec.JoinGroupRequest(
            group, 30_000 if off >= 0 else 10, 60_000, member, None, kind
        )
        asked.protocols = [codec.JoinGroupRequestProtocol("range", metadata)]
        told = self._ask(JOIN, 9, asked)
        if told.error_code == 79:
            asked.member_id = told.member_id
            told = self._ask(JOIN, 9, asked)
        if told.error_code == 0:
            self.classic[group] = (told.member_id, told.generation_id)
        elif told.error_code == 25:
            self.classic.pop(group, None)
        leads = told.leader == told.member_id
        return told.error_code, told.generation_id, told.protocol_name, leads, len(told.members)

    def _sync(self, group: str, off: int, odd: bool) -> Any:
        codec = sync_group_request
        member, generation = self.classic.get(group, ("nobody", 1))
        asked = codec.SyncGroupRequest(group, generation + off, member, None, "consumer", "range")
        asked.protocol_name = "roundrobin" if odd and off == 1 else "range"
        asked.assignments = [codec.SyncGroupRequestAssignment(member, b"mine")]
        told = self._ask(SYNC, 5, asked)
        return told.error_code, bytes(told.assignment), told.protocol_name

    def _beat(self, group: str, off: int, odd: bool) -> Any:
        member, generation = self.classic.get(group, ("nobody", 1))
        asked = heartbeat_request.HeartbeatRequest(group, generation + off, member)
        return self._ask(BEAT, 4, asked).error_code

    def _leave(self, group: str, off: int, odd: bool) -> Any:
        codec = leave_group_request
        member, _ = self.classic.pop(group, ("nobody", 1))
        asked = codec.LeaveGroupRequest(group, members=[codec.MemberIdentity(member)])
        if odd:
            asked.members = [*asked.members, codec.MemberIdentity("stranger")]
        told = self._ask(LEAVE, 5, asked)
        return told.error_code, [one.error_code for one in told.members]

    # --- offsets -----------------------------------------------------------------------------

    def _commit(self, group: str, off: int, odd: bool) -> Any:
        codec = offset_commit_request
        member, generation = self.classic.get(group, ("", -1))
        if group in self.consumer:
            member, generation = f"member-{group}", self.consumer[group]
        if odd:
            member, generation = "", -1
        rows = [codec.OffsetCommitRequestPartition(0, 10 + off, 1, -1, "text")]
        topic = codec.OffsetCommitRequestTopic(self.topic, partitions=rows)
        asked = codec.OffsetCommitRequest(group, generation + max(off, 0), member, topics=[topic])
        told = self._ask(COMMIT, 9, asked)
        return [one.error_code for topic in told.topics for one in topic.partitions]

    def _fetch(self, group: str, off: int, odd: bool) -> Any:
        codec = offset_fetch_request
        topics = [codec.OffsetFetchRequestTopics(self.topic, partition_indexes=[0])]
        asked = codec.OffsetFetchRequestGroup(group, topics=None if odd else topics)
        (told,) = self._ask(FETCH, 9, codec.OffsetFetchRequest(groups=[asked])).groups
        rows = [
            (one.committed_offset, one.committed_leader_epoch, one.metadata, one.error_code)
            for topic in told.topics
            for one in topic.partitions
        ]
        return told.error_code, rows

    def _forget(self, group: str, off: int, odd: bool) -> Any:
        codec = offset_delete_request
        topic = codec.OffsetDeleteRequestTopic(self.topic, [codec.OffsetDeleteRequestPartition(0)])
        told = self._ask(DELETE_OFFSETS, 0, codec.OffsetDeleteRequest(group, [topic]))
        rows = [one.error_code for topic in told.topics for one in topic.partitions]
        return told.error_code, rows

    # --- whole groups ------------------------------------------------------------------------

    def _describe(self, group: str, off: int, odd: bool) -> Any:
        asked = describe_groups_request.DescribeGroupsRequest([group])
        (told,) = self._ask(DESCRIBE, 6, asked).groups
        rows = [(bytes(one.member_assignment), one.client_host) for one in told.members]
        shown = (told.group_state, told.protocol_type, told.protocol_data, rows)
        return told.error_code, shown

    def _list(self, group: str, off: int, odd: bool) -> Any:
        asked = list_groups_request.ListGroupsRequest(["stable"] if odd else [], [])
        told = self._ask(LIST, 5, asked)
        return sorted(
            (one.group_id, one.protocol_type, one.group_state, one.group_type)
            for one in told.groups
        )

    def _delete(self, group: str, off: int, odd: bool) -> Any:
        asked = delete_groups_request.DeleteGroupsRequest([group])
        codes = [one.error_code for one in self._ask(DELETE, 2, asked).results]
        # Kafka remembers for a while a group whose last offset was deleted; here it is gone.
        return [0 if code == error_codes.GROUP_ID_NOT_FOUND else code for code in codes]

    def end(self) -> None:
        """Nobody is in any group any more, and no group is left."""
        for group in GROUPS:
            self._leave(group, 0, False)
            self._consumer_beat(group, -1)
            self._delete(group, 0, False)

    # --- KIP-848 -----------------------------------------------------------------------------

    def _consumer_beat(self, group: str, epoch: int, **fields: Any) -> Any:
        codec = consumer_group_heartbeat_request
        asked = codec.ConsumerGroupHeartbeatRequest(group, f"member-{group}", epoch)
        for name, value in fields.items():
            setattr(asked, name, value)
        told = self._ask(CONSUMER_BEAT, 1, asked)
        if told.error_code == 0 and told.member_epoch > 0:
            self.consumer[group] = told.member_epoch
        elif told.error_code == 0:
            self.consumer.pop(group, None)
        shares = None
        if told.assignment is not None:
            shares = [list(one.partitions) for one in told.assignment.topic_partitions]
        is_in_step = told.member_epoch > 0
        return told.error_code, is_in_step, told.heartbeat_interval_ms, shares

    def _enter(self, group: str, off: int, odd: bool) -> Any:
        fields: dict[str, Any] = {"rebalance_timeout_ms": 60_000, "topic_partitions": []}
        fields["subscribed_topic_names"] = [self.topic] if off >= 0 else []
        if odd and off:
            fields["server_assignor"] = "range" if off > 0 else "none"
        return self._consumer_beat(group, 0, **fields)

    def _step(self, group: str, off: int, odd: bool) -> Any:
        return self._consumer_beat(group, self.consumer.get(group, 1) + 7 * abs(off))

    def _quit(self, group: str, off: int, odd: bool) -> Any:
        return self._consumer_beat(group, -2 if odd else -1)

    def _tell(self, group: str, off: int, odd: bool) -> Any:
        asked = consumer_group_describe_request.ConsumerGroupDescribeRequest([group])
        (told,) = self._ask(CONSUMER_DESCRIBE, 1, asked).groups
        rows = [(one.member_id, one.member_type) for one in told.members]
        is_assigned = told.group_epoch == told.assignment_epoch
        return told.error_code, (told.group_state, is_assigned, told.assignor_name), rows
