"""What administrators ask about topics and partitions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaquorum.wire.enveloping import Asker
from metaquorum.wire.generated import (
    alter_partition_reassignments_request,
    create_partitions_request,
    create_topics_request,
    delete_topics_request,
    elect_leaders_request,
    list_partition_reassignments_request,
)
from tools.differential.commands import Ask, Draw, Made
from tools.differential.fake_brokers import BROKERS
from tools.differential.side import Side

NAMES = ("a", "b", "c.d", "c_d", "e", "f", "__consumer_offsets", "__transaction_state")
BAD_NAMES = ("", ".", "..", "a b", "x" * 250, "__cluster_metadata")
TIMEOUT_MS = 10_000
MOST_REPLICAS = 3
CONFIGS = (
    ("min.insync.replicas", ("1", "2", "3", "+2", "0", "x")),
    ("unclean.leader.election.enable", ("true", "false", "TRUE", "maybe")),
    (
        "cleanup.policy",
        ("compact", "delete", "compact,delete", "delete, compact", "delete,delete", "neither"),
    ),
    ("retention.ms", ("-1", "5", " 77 ", "1000000", "-2")),
    ("no.such.key", ("1",)),
)
ASKERS: tuple[Asker | None, ...] = (
    Asker("User:ANONYMOUS", "127.0.0.1"),
    Asker("User:ANONYMOUS", "10.0.0.1"),
    Asker("User:alice", "127.0.0.1"),
    Asker("User:alice", "10.0.0.1"),
    Asker("User:bob", "127.0.0.1"),
)


def create_topics(draw: Draw) -> Ask:
    """One topic or two, placed by the controller or by hand."""
    wire = create_topics_request
    version = draw.version(19)
    topics = [_topic(draw) for _ in range(draw.random.choice((1, 1, 1, 2)))]
    validate_only = draw.seldom(0.1)
    asker = draw.asker(ASKERS)
    is_placed = not validate_only and any(not one.assignments for one in topics)

    def request(some: Sequence[Any], only: bool) -> Made:
        return lambda side: wire.CreateTopicsRequest(list(some), TIMEOUT_MS, only)

    def as_placed(side: Side, answer: Any) -> Made | None:
        taken = {one.name for one in answer.topics if one.error_code == 0}
        made = []
        for one in topics:
            if one.name in taken:
                numbers = range(_count(side, one.name))
                hands = [
                    wire.CreatableReplicaAssignment(number, _replicas(side, one.name, number))
                    for number in numbers
                ]
                made.append(wire.CreatableTopic(one.name, -1, -1, hands, one.configs))
        return request(made, False) if made else None

    return Ask(
        f"create {[(one.name, one.num_partitions, one.replication_factor) for one in topics]}",
        *(19, version, request(topics, validate_only), asker),
        as_placed if is_placed else None,
        request(topics, True),
    )


def _topic(draw: Draw) -> Any:
    wire = create_topics_request
    name = draw.random.choice(BAD_NAMES if draw.seldom(0.08) else NAMES)
    configs = []
    for key, values in CONFIGS:
        if draw.seldom(0.15):
            good = values[: max(1, len(values) - 2)]
            chosen = values if draw.seldom(0.1) else good
            if key != "no.such.key" or draw.seldom(0.1):
                configs.append(wire.CreatableTopicConfig(key, draw.random.choice(chosen)))
    if draw.seldom(0.03):
        configs.append(wire.CreatableTopicConfig("retention.ms", None))
    count, factor = draw.random.randint(1, 4), draw.random.randint(1, MOST_REPLICAS)
    if draw.seldom(0.5):
        if draw.seldom(0.1):
            count = draw.random.choice((-1, 0, -2))
        if draw.seldom(0.1):
            factor = draw.random.choice((-1, 0, -2, 6, 300))
        return wire.CreatableTopic(name, count, factor, [], configs)
    numbers = list(range(count))
    if draw.seldom(0.05):
        numbers[-1] += 1
    hands = [wire.CreatableReplicaAssignment(one, _chosen(draw, factor)) for one in numbers]
    wrong = draw.seldom(0.03)
    return wire.CreatableTopic(name, count if wrong else -1, -1, hands, configs)


def _chosen(draw: Draw, factor: int) -> list[int]:
    """Replicas by hand, seldom ones that cannot be."""
    active = [one for one in BROKERS if draw.view.brokers.get(one) is not None]
    if draw.seldom(0.04) or len(active) < factor:
        return draw.random.choice(([101, 101], [99], [], [101, 102, 103, 104]))
    return draw.random.sample(active, factor)


def _count(side: Side, topic: str) -> int:
    found = side.view.topics.get(side.topic_id(topic))
    assert found is not None
    return found.partition_count


def _replicas(side: Side, topic: str, number: int) -> list[int]:
    found = side.partition(topic, number)
    assert found is not None
    return list(found.replicas)


def delete_topics(draw: Draw) -> Ask:
    """By name, or by id where the version has it."""
    wire = delete_topics_request
    version = draw.version(20)
    names = [draw.topic(absent=0.2) for _ in range(draw.random.choice((1, 1, 1, 2)))]
    by_id = version >= 6 and draw.seldom(0.5)
    both = version >= 6 and draw.seldom(0.05)
    twice = version >= 6 and not both and draw.seldom(0.05)

    def make(side: Side) -> Any:
        if version < 6:
            return wire.DeleteTopicsRequest(topic_names=names, timeout_ms=TIMEOUT_MS)
        rows = []
        for name in names:
            row = wire.DeleteTopicState(name)
            if by_id or both:
                row.topic_id = side.topic_id(name)
                row.name = name if both else None
            rows.append(row)
        if twice:
            other = wire.DeleteTopicState(names[0]) if by_id else wire.DeleteTopicState(None)
            if not by_id:
                other.topic_id = side.topic_id(names[0])
            rows.append(other)
        return wire.DeleteTopicsRequest(topics=rows, timeout_ms=TIMEOUT_MS)

    return Ask(f"delete {names}", 20, version, make, draw.asker(ASKERS))


def delete_topic(name: str) -> Ask:
    """One topic goes."""
    wire = delete_topics_request
    return Ask(
        *(f"delete {name}", 20, 6),
        lambda side: wire.DeleteTopicsRequest([wire.DeleteTopicState(name)], [], TIMEOUT_MS),
    )


def create_partitions(draw: Draw) -> Ask | None:
    """A topic grows.

    Not one whose partitions have different numbers of replicas: Kafka takes that of any of them.
    """
    wire = create_partitions_request
    name = draw.topic()
    topic_id = draw.view.topic_ids.get(name)
    topic = None if topic_id is None else draw.view.topics.get(topic_id)
    numbers = {len(one.replicas) for other, _, one in draw.partitions() if other == name}
    if len(numbers) > 1:
        return None
    first = 1 if topic is None else topic.partition_count
    count = first + draw.random.choice((1, 1, 1, 2, 0, -1) if first < 7 else (0, -1))
    hands = None
    if draw.seldom(0.5) and topic_id is not None:
        one = draw.view.partitions.get((topic_id, 0))
        factor = 1 if one is None else min(len(one.replicas), MOST_REPLICAS)
        hands = [
            wire.CreatePartitionsAssignment(_chosen(draw, factor))
            for _ in range(max(0, count - first) + draw.random.choice((0,) * 9 + (1,)))
        ]
    validate_only = draw.seldom(0.1)

    def request(assigned: Any, only: bool) -> Made:
        row = wire.CreatePartitionsTopic(name, count, assigned)
        return lambda side: wire.CreatePartitionsRequest([row], TIMEOUT_MS, only)

    def as_placed(side: Side, answer: Any) -> Made | None:
        if answer.results[0].error_code:
            return None
        assigned = [
            wire.CreatePartitionsAssignment(_replicas(side, name, number))
            for number in range(first, count)
        ]
        return request(assigned, False)

    return Ask(
        *(f"{name} grows to {count}: {hands}", 37, draw.version(37), request(hands, validate_only)),
        draw.asker(ASKERS),
        as_placed if hands is None and not validate_only else None,
        request(hands, True),
    )


def elect(draw: Draw) -> Ask:
    """Preferred or unclean elections, of some partitions or of all."""
    wire = elect_leaders_request
    version = draw.version(43)
    kind = draw.random.choice((0, 1)) if version else 0
    names = list(dict.fromkeys(draw.topic() for _ in range(2)))
    rows = [wire.TopicPartitions(name, list(range(draw.random.randint(1, 5)))) for name in names]
    request = wire.ElectLeadersRequest(kind, None if draw.seldom(0.3) else rows, TIMEOUT_MS)
    return Ask(f"elect {kind} {names}", 43, version, lambda side: request, draw.asker(ASKERS))


def reassign(draw: Draw) -> Ask:
    """Moves begin, or are cancelled."""
    wire = alter_partition_reassignments_request
    version = draw.version(45)
    name = draw.topic()
    numbers = draw.random.sample(range(6), draw.random.randint(1, 3))
    rows = [wire.ReassignablePartition(one, _target(draw, name, one)) for one in numbers]
    fields: dict[str, Any] = {}
    if version >= 1:
        fields["allow_replication_factor_change"] = draw.seldom(0.8)
    request = wire.AlterPartitionReassignmentsRequest(
        timeout_ms=TIMEOUT_MS, topics=[wire.ReassignableTopic(name, rows)], **fields
    )
    what = f"reassign {name} {[(one.partition_index, one.replicas) for one in rows]}"
    return Ask(what, 45, version, lambda side: request, draw.asker(ASKERS))


def _target(draw: Draw, topic: str, number: int) -> list[int] | None:
    """Replicas to end with; what ours does otherwise on purpose (decision 234) is left out.

    A running move is only cancelled, and not without an ISR. No replica is taken away that is only
    eligible, and none that a move added leaves no room for.
    """
    old = draw.side.partition(topic, number)
    if old is None:
        return draw.random.choice(([101], None))
    if old.adding_replicas or old.removing_replicas:
        return None if old.isr else [999]
    first = draw.side.partition(topic, 0)
    most = MOST_REPLICAS if number == 0 or first is None else len(first.replicas)
    least = most if number == 0 else 1
    known = [one for one in BROKERS if draw.view.brokers.get(one) is not None]
    if len(known) < most:
        return None
    some = draw.random.sample(known, draw.random.randint(least, most))
    return draw.random.choice((some, some, some, some, None, [101, 101], [999], []))


def list_moves(draw: Draw) -> Ask:
    """The moves that are under way, of some partitions or of all."""
    wire = list_partition_reassignments_request
    rows = [wire.ListPartitionReassignmentsTopics(draw.topic(), list(range(4)))]
    request = wire.ListPartitionReassignmentsRequest(TIMEOUT_MS, None if draw.seldom(0.5) else rows)
    return Ask("list moves", 46, 0, lambda side: request, draw.asker(ASKERS))
