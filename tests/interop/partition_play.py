"""Random changes of partitions, asked of a controller of Kafka, and held against our own plans.

Fake brokers speak to a real controller. Before each request the state that its log says is given
to our plan of the same request; what ours would write and answer is compared with what Kafka wrote
and answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any

from attrs import define, field

from metaquorum.client.connection import Connection
from metaquorum.controller import commands
from metaquorum.controller.managers import (
    alter_partition,
    leader_elections,
    reassignments,
    replica_directories,
)
from metaquorum.controller.partitions.of_brokers import leaves_isrs, loses_directories, takes_up
from metaquorum.metadata.origin import NO_ORIGIN
from metaquorum.metadata.sharing import Sharing
from metaquorum.metadata.tables.topics import Partition, PartitionKey, partition_after
from metaquorum.metadata.versions import DIRECTORIES_FROM, partition_version
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import (
    alter_partition_reassignments_request,
    alter_partition_request,
    assign_replicas_to_dirs_request,
    broker_heartbeat_request,
    broker_registration_request,
    create_topics_request,
    elect_leaders_request,
    incremental_alter_configs_request,
    list_partition_reassignments_request,
)
from tests.interop.controller_writes import FEATURES
from tools.differential.followed_log import FollowedLog
from tools.kafka.ports import LOOPBACK

PARTITION_CHANGE = 5
BROKERS = (101, 102, 103, 104)
TOPICS = ("a", "b", "c")
FAR = 1 << 40


def directory(broker_id: int, number: int) -> bytes:
    return bytes([broker_id, number]) * 8


@define
class Play:
    """One controller of Kafka, its fake brokers, and the state that its log says."""

    port: int
    cluster_id: str
    random: Random
    epochs: dict[int, int] = field(factory=dict)
    done: list[str] = field(factory=list)
    log: FollowedLog = field(init=False)
    connection: Connection = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.log = FollowedLog(self.port)
        self.connection = Connection.open(LOOPBACK, self.port, timeout_ms=20_000)

    def ask(self, api_key: int, version: int, request: Any) -> Any:
        return self.connection.ask(api_key, version, request)

    def begin(self) -> None:
        for broker_id in BROKERS:
            self.register(broker_id)
            self.beat(broker_id)
        self.follow()
        for name in TOPICS:
            self.create(name)

    def register(self, broker_id: int) -> None:
        wire = broker_registration_request
        answer = self.ask(
            *(62, 4),
            wire.BrokerRegistrationRequest(
                broker_id=broker_id,
                cluster_id=self.cluster_id,
                incarnation_id=self.random.randbytes(16),
                listeners=[wire.Listener("PLAINTEXT", LOOPBACK, 9092, 0)],
                features=[wire.Feature(name, *levels) for name, levels in FEATURES.items()],
                log_dirs=[directory(broker_id, number) for number in range(2)],
            ),
        )
        assert answer.error_code == 0, answer
        self.epochs[broker_id] = answer.broker_epoch

    def beat(self, broker_id: int, **wants: Any) -> Any:
        return self.ask(
            *(63, 1),
            broker_heartbeat_request.BrokerHeartbeatRequest(
                broker_id, self.epochs[broker_id], FAR, **wants
            ),
        )

    def create(self, name: str) -> None:
        wire = create_topics_request
        assignments = [
            wire.CreatableReplicaAssignment(
                number, self.random.sample(BROKERS, 1 + TOPICS.index(name))
            )
            for number in range(6)
        ]
        configs = [wire.CreatableTopicConfig("min.insync.replicas", str(self.random.randint(1, 3)))]
        topics = [wire.CreatableTopic(name, -1, -1, assignments, configs)]
        answer = self.ask(19, 7, wire.CreateTopicsRequest(topics, 10_000, False))
        assert answer.topics[0].error_code == 0, answer
        self.follow()

    def follow(self) -> list[MetadataRecord]:
        """Replay what the controller wrote since, and return it."""
        return self.log.follow()

    @property
    def ours(self) -> Cluster:
        """The state that the log says."""
        return self.log.state

    @property
    def partitions(self) -> dict[PartitionKey, Partition]:
        return dict(self.ours.state.live().partitions.items())

    # One change each: what it was, our records, and Kafka's.

    def step(self) -> None:
        verbs = (
            *(self.shrink_or_grow, self.shrink_or_grow, self.shrink_or_grow, self.fence),
            *(self.unfence, self.unfence, self.elect, self.reassign, self.assign),
            *(self.lose_directory, self.shut_down, self.allow_unclean),
        )
        verb = self.random.choice(verbs)
        level = self.ours.state.live().features.metadata_version
        if verb in (self.assign, self.lose_directory) and level < DIRECTORIES_FROM:
            return
        self.done.append(verb.__name__)
        verb()

    def compare(self, ours: Sequence[MetadataRecord]) -> None:
        """What Kafka wrote makes of each partition what our records would have made of it."""
        before = self.partitions
        theirs = [one for one in self.follow() if one.type == PARTITION_CHANGE]
        version = partition_version(self.ours.state.live().features.metadata_version)
        assert {one.version for one in (*ours, *theirs)} <= {version}
        if _outcome(before, ours) != _outcome(before, theirs):
            places = "\n".join(
                f"{before[key]}\n  ours {_outcome(before, ours).get(key)}"
                f"\n  Kafka's {_outcome(before, theirs).get(key)}"
                for key in before
                if _outcome(before, ours).get(key) != _outcome(before, theirs).get(key)
            )
            active = [one for one in BROKERS if self.is_active(one)]
            raise AssertionError(f"{self.done[-3:]}, active {active}:\n{places}")

    def is_active(self, broker_id: int) -> bool:
        return self.ours.context.is_active(broker_id)

    def carried(self, turns: Iterable[Sequence[MetadataRecord]]) -> list[MetadataRecord]:
        return [record for records in turns for record in records]

    def fence(self) -> None:
        broker_id = self.random.choice(BROKERS)
        if not self.is_active(broker_id):
            return
        ours = self.carried(leaves_isrs(self.ours.context, broker_id))
        assert self.beat(broker_id, want_fence=True).is_fenced
        self.compare(ours)

    def unfence(self) -> None:
        broker_id = self.random.choice(BROKERS)
        broker = self.ours.state.live().brokers.get(broker_id)
        assert broker is not None
        if not broker.fenced or broker.in_controlled_shutdown:
            return
        ours = self.carried(takes_up(self.ours.context, broker_id))
        self.beat(broker_id)
        self.compare(ours)

    def shut_down(self) -> None:
        """Once in four times; one that shut down is gone for the rest of the play."""
        broker_id = BROKERS[-1]
        if not self.is_active(broker_id) or self.random.randrange(8):
            return
        ours = self.carried(leaves_isrs(self.ours.context, broker_id))
        self.beat(broker_id, want_shut_down=True)
        self.compare(ours)

    def lose_directory(self) -> None:
        broker_id = self.random.choice(BROKERS[2:])
        if not self.is_active(broker_id) or self.random.randrange(4):
            return
        broker = self.ours.state.live().brokers.get(broker_id)
        assert broker is not None
        if len(broker.log_dirs) < 2:
            return
        lost = broker.log_dirs[1]
        ours = self.carried(loses_directories(self.ours.context, broker_id, frozenset({lost})))
        self.beat(broker_id, offline_log_dirs=[lost])
        self.compare(ours)

    def allow_unclean(self) -> None:
        wire = incremental_alter_configs_request
        value = self.random.choice(("true", "false", "false"))
        config = wire.AlterableConfig("unclean.leader.election.enable", 0, value)
        topic = wire.AlterConfigsResource(2, self.random.choice(TOPICS), [config])
        self.ask(44, 1, wire.IncrementalAlterConfigsRequest([topic], False))
        self.compare(())

    def shrink_or_grow(self) -> None:
        wire = alter_partition_request
        led = [(key, one) for key, one in self.partitions.items() if one.leader > 0]
        if not led:
            return
        key, old = self.random.choice(led)
        isr = self.random.choice(
            (
                [one for one in old.replicas if self.is_active(one)],
                [old.leader, *(one for one in old.isr[:1] if one != old.leader)],
                self.random.sample(old.replicas, self.random.randint(1, len(old.replicas))),
                [old.leader],
            )
        )
        row = wire.PartitionData(
            partition_index=key[1],
            leader_epoch=old.leader_epoch + self.random.choice((0, 0, 0, 0, 0, 1, -1)),
            partition_epoch=old.partition_epoch + self.random.choice((0, 0, 0, 0, 0, 1, -1)),
            new_isr_with_epochs=[
                wire.BrokerState(one, self.random.choice((self.epochs[one],) * 4 + (-1, 3)))
                for one in isr
            ],
            leader_recovery_state=self.random.choice((0, 0, 0, old.leader_recovery_state)),
        )
        sender = self.random.choice((old.leader,) * 6 + BROKERS[:1])
        topic = wire.TopicData(topic_id=key[0], partitions=[row])
        request = wire.AlterPartitionRequest(sender, self.epochs[sender], [topic])
        outcome = alter_partition.plan_alter(self.ours.context, commands.AlterPartition(request, 3))
        answer = self.ask(56, 3, request)
        self.compare(outcome.records)
        if set(old.elr) <= set(old.replicas):
            assert _listed(answer) == _listed(outcome.reply), f"{old}: {request}"

    def elect(self) -> None:
        wire = elect_leaders_request
        kind = self.random.choice((0, 1))
        names = self.random.sample(TOPICS, 2)
        wanted = [wire.TopicPartitions(name, list(range(8))) for name in names]
        request = wire.ElectLeadersRequest(kind, self.random.choice((wanted, None)), 10_000)
        outcome = leader_elections.plan_elect(self.ours.context, commands.ElectLeaders(request, 2))
        is_clean = all(set(one.elr) <= set(one.replicas) for one in self.partitions.values())
        answer = self.ask(43, 2, request)
        self.compare(outcome.records)
        if is_clean:  # else ours takes such replicas away, which Kafka would not
            assert _rows(answer) == _rows(outcome.reply), request

    def reassign(self) -> None:
        wire = alter_partition_reassignments_request
        name = self.random.choice(TOPICS)
        rows = [
            wire.ReassignablePartition(number, self.target(name, number))
            for number in self.random.sample(range(7), 2)
        ]
        request = wire.AlterPartitionReassignmentsRequest(
            10_000, self.random.random() < 0.8, [wire.ReassignableTopic(name, rows)]
        )
        outcome = reassignments.plan_alter(
            self.ours.context, commands.AlterPartitionReassignments(request)
        )
        answer = self.ask(45, 1, request)
        self.compare(outcome.records)
        assert _moves(answer) == _moves(outcome.reply), request
        listing = list_partition_reassignments_request.ListPartitionReassignmentsRequest(10_000)
        listed = reassignments.plan_list(
            self.ours.context, commands.ListPartitionReassignments(listing)
        )
        assert _running(self.ask(46, 0, listing)) == _running(listed.reply)

    def target(self, topic: str, number: int) -> list[int] | None:
        """Replicas to end with.

        What ours does otherwise on purpose (decision 234) is left out. A running move is only
        cancelled, and not without an ISR. A replica that is eligible without being one is not added
        again. No partition gets more replicas than number 0.
        """
        topic_id = self.ours.state.live().topic_ids.get(topic)
        old = self.partitions.get((topic_id or b"", number))
        if old is not None and (old.adding_replicas or old.removing_replicas):
            return None if old.isr else [999]
        if old is not None and not set(old.elr) <= set(old.replicas):
            return [999]
        most = TOPICS.index(topic) + 1
        some = self.random.sample(BROKERS, self.random.randint(1, most) if number else most)
        return self.random.choice((some, some, some, None, [101, 101], [999]))

    def assign(self) -> None:
        wire = assign_replicas_to_dirs_request
        broker_id = self.random.choice(BROKERS)
        topic_id, number = self.random.choice(list(self.partitions))
        where = directory(broker_id, self.random.randrange(2))
        broker = self.ours.state.live().brokers.get(broker_id)
        if broker is None or where not in broker.log_dirs:
            return
        topic = wire.TopicData(topic_id, [wire.PartitionData(number)])
        request = wire.AssignReplicasToDirsRequest(
            broker_id, self.epochs[broker_id], [wire.DirectoryData(where, [topic])]
        )
        outcome = replica_directories.plan_assign(
            self.ours.context, commands.AssignReplicasToDirs(request)
        )
        answer = self.ask(73, 0, request)
        self.compare(outcome.records)
        assert answer.directories[0].topics[0].partitions[0].error_code == (
            outcome.reply.directories[0].topics[0].partitions[0].error_code
        )


def _outcome(
    before: Mapping[PartitionKey, Partition], records: Iterable[MetadataRecord]
) -> dict[PartitionKey, tuple[object, ...]]:
    """Partitions after the records, those that they change."""
    now = dict(before)
    for one in records:
        key = (bytes(one.message.topic_id), one.message.partition_id)
        now[key] = partition_after(now[key], one.message, NO_ORIGIN, Sharing())
    changed = {key: _compared(one) for key, one in now.items()}
    return {key: one for key, one in changed.items() if one != _compared(before[key])}


def _compared(one: Partition) -> tuple[object, ...]:
    """What has to be equal.

    Kafka keeps replicas that were taken away as eligible ones until a later change, here they go at
    once. An offline directory costs Kafka two records. So partition epochs may differ.
    """
    elr = tuple(sorted(set(one.elr).intersection(one.replicas)))
    return (
        *(one.replicas, one.directories, one.isr, one.removing_replicas, one.adding_replicas),
        *(elr, one.last_known_elr, one.leader, one.leader_recovery_state, one.leader_epoch),
    )


def _listed(answer: Any) -> list[Any]:
    """Every field of every row."""
    fields = (
        *("partition_index", "error_code", "leader_id", "leader_epoch"),
        *("leader_recovery_state", "partition_epoch"),
    )
    rows = [
        (bytes(topic.topic_id), list(one.isr), *(getattr(one, name) for name in fields))
        for topic in answer.topics
        for one in topic.partitions
    ]
    return [answer.error_code, *rows]


def _rows(answer: Any) -> dict[str, list[tuple[int, int]]]:
    return {
        topic.topic: sorted((one.partition_id, one.error_code) for one in topic.partition_result)
        for topic in answer.replica_election_results
    }


def _moves(answer: Any) -> list[Any]:
    return [
        (topic.name, one.partition_index, one.error_code)
        for topic in answer.responses
        for one in topic.partitions
    ]


def _running(answer: Any) -> dict[str, list[Any]]:
    return {
        topic.name: sorted(
            (one.partition_index, *map(list, (one.replicas, one.adding_replicas)))
            for one in topic.partitions
        )
        for topic in answer.topics
    }
