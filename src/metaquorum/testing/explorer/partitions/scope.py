"""The scopes of partitions: one hazard each, small enough to be exhausted."""

from __future__ import annotations

from attrs import field, frozen

from metaquorum.base.ids import NodeId


@frozen
class PartitionScope:
    """A small cluster, and how often each kind of thing may happen to it.

    ``partitions`` are the replicas of each, all in sync under the first at the beginning.
    ``budget`` names kinds of actions (``actions.KINDS``). ``directories``: each broker has so many,
    and its replicas are in the first. ``steps`` bounds the length of a story, 0 does not.
    """

    name: str
    hazard: str
    budget: dict[str, int] = field(hash=False)
    brokers: tuple[NodeId, ...] = (1, 2)
    partitions: tuple[tuple[NodeId, ...], ...] = ((1, 2),)
    has_elr: bool = True
    min_insync_replicas: int = 1
    may_be_unclean: bool = False
    directories: int = 1
    steps: int = 0
    states_max: int = 60_000


QUICK: tuple[PartitionScope, ...] = (
    PartitionScope(
        "killed-brokers",
        "brokers are silent, killed and come back, and nobody may lead without all records",
        {"expire": 1, "kill": 2, "register": 2, "beat": 2, "turn": 99},
    ),
    PartitionScope(
        "killed-brokers-without-elr",
        "the same where the last replica in sync has to stay so",
        {"expire": 1, "kill": 1, "register": 2, "beat": 2, "turn": 99},
        has_elr=False,
    ),
    PartitionScope(
        "late-isr-changes",
        "a leader's request arrives after others changed what it knew",
        {"ask": 2, "deliver": 2, "expire": 1, "kill": 1, "register": 1, "beat": 2, "turn": 99},
    ),
    PartitionScope(
        "fail-over-between-turns",
        "the controller fails over in the middle of changes of two partitions",
        {"fail-over": 2, "expire": 1, "beat": 1, "stop": 1, "turn": 99},
        partitions=((1, 2), (2, 1)),
    ),
    PartitionScope(
        "stopping-brokers",
        "brokers stop in order, give up waiting, and come back before they were fenced",
        {"stop": 2, "give-up": 1, "register": 1, "beat": 1, "turn": 99},
    ),
    PartitionScope(
        "unclean-elections",
        "a topic allows unclean elections, and an operator asks for them",
        {"expire": 1, "kill": 1, "register": 1, "beat": 1, "elect": 1, "turn": 99},
        may_be_unclean=True,
    ),
    PartitionScope(
        "lost-directories",
        "a broker loses the log directory of its replicas",
        {"lose": 1, "expire": 1, "beat": 2, "ask": 1, "deliver": 1, "elect": 1, "turn": 99},
        directories=2,
    ),
)

DEEP: tuple[PartitionScope, ...] = (
    PartitionScope(
        "three-brokers-two-partitions",
        "everything at once over three brokers and two partitions, up to nine steps",
        {
            "expire": 2,
            "kill": 2,
            "register": 2,
            "beat": 4,
            "turn": 99,
            "ask": 2,
            "deliver": 2,
            "stop": 2,
            "fail-over": 1,
            "elect": 1,
        },
        brokers=(1, 2, 3),
        partitions=((1, 2, 3), (2, 3, 1)),
        min_insync_replicas=2,
        steps=9,
        states_max=400_000,
    ),
)

ALL: tuple[PartitionScope, ...] = QUICK + DEEP
