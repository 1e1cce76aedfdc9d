"""Members of a group as the protocols ask them to behave, at their best and at their worst."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from attrs import define, field

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.groups.commands import (
    CommitOffsets,
    ConsumerHeartbeat,
    FetchOffsets,
    Heartbeat,
    JoinGroup,
    LeaveGroup,
    SyncGroup,
)
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from metaquorum.wire.generated.heartbeat_request import HeartbeatRequest
from metaquorum.wire.generated.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from metaquorum.wire.generated.leave_group_request import MemberIdentity
from metaquorum.wire.generated.offset_commit_request import (
    OffsetCommitRequest,
    OffsetCommitRequestPartition,
    OffsetCommitRequestTopic,
)
from metaquorum.wire.generated.offset_fetch_request import (
    OffsetFetchRequestGroup,
    OffsetFetchRequestTopics,
)
from metaquorum.wire.generated.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from tests.simulation.group_day import LOST, REQUEST_TIMEOUT_MS, Ask, Day, Journal, Life, Pause
from tests.unit.groups.asking import subscription

HEARTBEAT_MS = 3_000
SESSION_MS = 10_000
NOWHERE = -1
MINE, NOTHING = b"partition 0", b""
REJOIN = (
    error_codes.REBALANCE_IN_PROGRESS,
    error_codes.ILLEGAL_GENERATION,
    error_codes.UNKNOWN_MEMBER_ID,
)
START_OVER = (error_codes.UNKNOWN_MEMBER_ID, error_codes.FENCED_MEMBER_EPOCH)
AGAIN = (
    error_codes.NOT_COORDINATOR,
    error_codes.COORDINATOR_NOT_AVAILABLE,
    error_codes.COORDINATOR_LOAD_IN_PROGRESS,
)
Steps = Generator[Ask | Pause, Any, Any]


def is_told_again(answer: Any) -> bool:
    """Whether the same question is to be put once more, a little later."""
    return answer is LOST or answer in AGAIN


@define(eq=False)
class Reader:
    """The half of a member that both protocols share: positions, records and commits.

    ``is_hasty``: it hangs now and then for longer than its session, and goes on as if nothing
    had been.
    """

    day: Day
    group: str
    is_hasty: bool = False
    member: str = ""
    term: int = -1
    position: int = NOWHERE
    heartbeat_at: int = 0

    @property
    def journal(self) -> Journal:
        return self.day.journal(self.group)

    def asked_of(self) -> tuple[str | None, int]:
        """As whom it asks for offsets: a member id and its epoch."""
        return None, -1

    def find_position(self) -> Steps:
        """Learn where to begin; False when it is not the owner any more."""
        topic = OffsetFetchRequestTopics(name=METADATA_TOPIC, partition_indexes=[0])
        while True:
            acknowledged = self.journal.acknowledged
            member, epoch = self.asked_of()
            row = OffsetFetchRequestGroup(self.group, member, epoch, [topic])
            answer = yield Ask(FetchOffsets([row]))
            if is_told_again(answer) or is_told_again(answer[0].error_code):
                yield Pause(100)
                continue
            if answer[0].error_code != error_codes.NONE:
                return False
            told = answer[0].topics[0].partitions[0].committed_offset
            self.position = max(told, 0)  # nothing committed: from the beginning
            self.journal.begins(self.position, acknowledged)
            return True

    def read_some(self) -> Steps:
        """Handle what there is, a little at a time."""
        chance = self.day.chance
        if self.is_hasty and chance.random() < 0.02:
            self.day.count("hangs")
            yield Pause(chance.choice([15_000, 60_000]))
        end = min(self.day.log_end, self.position + chance.choice([1, 5, 500]))
        if end > self.position:
            self.journal.reads(self.position, end)
            self.position = end

    def commit(self) -> Steps:
        """The code with which the position was committed."""
        row = OffsetCommitRequestPartition(0, self.position, committed_metadata="")
        topic = OffsetCommitRequestTopic(name=METADATA_TOPIC, partitions=[row])
        request = OffsetCommitRequest(self.group, self.term, self.member, None, topics=[topic])
        newest = self.journal.newest_term
        answer = yield Ask(CommitOffsets(request, 9))
        if isinstance(answer, int) or answer is LOST:
            return answer
        code = answer.topics[0].partitions[0].error_code
        if code == error_codes.NONE:
            self.day.count("commits")
            self.journal.commits(self.position, self.term, newest)
        return code


@define(eq=False)
class ClassicMember(Reader):
    """JoinGroup, SyncGroup, Heartbeat; the leader gives the partition to the first in order."""

    life: Life = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.life = self._live()

    def _live(self) -> Life:
        while True:
            joined = yield from self._join()
            is_mine = yield from self._sync(joined)
            if is_mine is None:
                continue
            if is_mine:
                self.journal.owns(self.member, self.term)
                yield from self.find_position()
            self.day.count("assignments")
            yield from self._stay(is_mine)

    def _join(self) -> Steps:
        while True:
            request = JoinGroupRequest(
                group_id=self.group,
                session_timeout_ms=SESSION_MS,
                rebalance_timeout_ms=60_000,
                member_id=self.member,
                protocol_type="consumer",
                protocols=[JoinGroupRequestProtocol("range", subscription(METADATA_TOPIC))],
            )
            command = JoinGroup(request, 9, "day", "/127.0.0.1")
            answer = yield Ask(command, REQUEST_TIMEOUT_MS if self.member else 5_000)
            if not isinstance(answer, int) and answer is not LOST:
                code = answer.error_code
                if code == error_codes.NONE:
                    self.member, self.term = answer.member_id, answer.generation_id
                    return answer
                if code == error_codes.MEMBER_ID_REQUIRED:
                    self.member = answer.member_id
                    continue
                if code == error_codes.UNKNOWN_MEMBER_ID:
                    self.member = ""
            elif answer == error_codes.UNKNOWN_MEMBER_ID:
                self.member = ""
            yield Pause(100)

    def _sync(self, joined: Any) -> Steps:
        """Whether the partition is its own; None to join again."""
        given = []
        if joined.leader == self.member:
            first = min(one.member_id for one in joined.members)
            given = [
                SyncGroupRequestAssignment(
                    one.member_id, MINE if one.member_id == first else NOTHING
                )
                for one in joined.members
            ]
        request = SyncGroupRequest(
            group_id=self.group,
            generation_id=self.term,
            member_id=self.member,
            protocol_type="consumer",
            protocol_name=joined.protocol_name,
            assignments=given,
        )
        answer = yield Ask(SyncGroup(request), 70_000)
        code = answer if isinstance(answer, int) else LOST if answer is LOST else answer.error_code
        if code == error_codes.NONE:
            self.heartbeat_at = self.day.now + HEARTBEAT_MS
            return bytes(answer.assignment) == MINE
        if code == error_codes.UNKNOWN_MEMBER_ID:
            self.member = ""
        yield Pause(100)
        return None

    def _stay(self, is_mine: bool) -> Steps:
        """Read and commit, until it has to join again."""
        while True:
            if self.day.now >= self.heartbeat_at:
                code = yield from self._heartbeat()
                if code in REJOIN:
                    if is_mine and code == error_codes.REBALANCE_IN_PROGRESS:
                        yield from self.commit()
                    break
            if is_mine:
                yield from self.read_some()
                if self.day.chance.random() < 0.3:
                    code = yield from self.commit()
                    if code in REJOIN:
                        break
            yield Pause(self.day.chance.choice([200, 1_000, HEARTBEAT_MS]))
        if code == error_codes.UNKNOWN_MEMBER_ID:
            self.member = ""

    def _heartbeat(self) -> Steps:
        request = HeartbeatRequest(self.group, self.term, self.member)
        answer = yield Ask(Heartbeat(request))
        self.heartbeat_at = self.day.now + HEARTBEAT_MS
        return answer if isinstance(answer, int) or answer is LOST else answer.error_code

    def farewell(self) -> Life:
        """What it says when it leaves in order."""
        yield Ask(LeaveGroup(self.group, [MemberIdentity(self.member)], 5))


@define(eq=False)
class ConsumerMember(Reader):
    """KIP-848: one request tells all, and the coordinator assigns."""

    life: Life = field(init=False)
    is_owner: bool = False
    is_all_told: bool = False
    is_owner_told: bool = False

    def __attrs_post_init__(self) -> None:
        self.life = self._live()
        self.member = f"member-{self.day.chance.getrandbits(64):016x}"
        self.term = 0

    def asked_of(self) -> tuple[str | None, int]:
        return self.member, self.term

    def _live(self) -> Life:
        while True:
            answer = yield Ask(self._heartbeat())
            if isinstance(answer, int) or answer is LOST or answer.error_code != error_codes.NONE:
                code = answer if isinstance(answer, int) or answer is LOST else answer.error_code
                self.is_all_told = False
                if code in START_OVER:
                    self.term, self.is_owner, self.position = 0, False, NOWHERE
                else:
                    assert is_told_again(code), code
                    yield Pause(200)
                continue
            self.is_all_told, self.term = True, answer.member_epoch
            if answer.assignment is not None:
                was_owner = self.is_owner
                self.is_owner = any(one.partitions for one in answer.assignment.topic_partitions)
                if was_owner and not self.is_owner:
                    yield from self.commit()
                elif self.is_owner and not was_owner:
                    self.day.count("assignments")
                if was_owner is not self.is_owner:
                    self.is_owner_told = False
                    self.position = NOWHERE
                    continue  # what it has now is told at once
            if self.is_owner:
                self.journal.owns(self.member, self.term)
                if self.position == NOWHERE:
                    yield from self.find_position()
            yield from self._read_until(self.day.now + answer.heartbeat_interval_ms)

    def _heartbeat(self) -> ConsumerHeartbeat:
        """All it has to say, or only what changed."""
        is_all, is_owned_too = not self.is_all_told, not (self.is_all_told and self.is_owner_told)
        mine = [TopicPartitions(METADATA_TOPIC_ID, [0])] if self.is_owner else []
        self.is_owner_told = True
        request = ConsumerGroupHeartbeatRequest(
            group_id=self.group,
            member_id=self.member,
            member_epoch=self.term,
            rebalance_timeout_ms=60_000 if is_all else -1,
            subscribed_topic_names=[METADATA_TOPIC] if is_all else None,
            topic_partitions=mine if is_owned_too else None,
        )
        return ConsumerHeartbeat(request, 1, "day", "/127.0.0.1", (METADATA_TOPIC,))

    def _read_until(self, ends: int) -> Steps:
        while self.day.now < ends:
            if self.position != NOWHERE:
                yield from self.read_some()
                if self.day.chance.random() < 0.3 and (yield from self.commit()) in START_OVER:
                    return
            yield Pause(min(self.day.chance.choice([200, 1_000, 3_000]), ends - self.day.now + 1))

    def farewell(self) -> Life:
        """What it says when it leaves in order."""
        request = ConsumerGroupHeartbeatRequest(self.group, self.member, -1)
        yield Ask(ConsumerHeartbeat(request, 1, "day", "/127.0.0.1", (METADATA_TOPIC,)))
