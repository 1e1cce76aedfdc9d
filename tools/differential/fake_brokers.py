"""What fake brokers ask: registrations, heartbeats, ISRs of the partitions that they lead."""

from __future__ import annotations

from typing import Any

from metaquorum.metadata.tables.topics import Partition
from metaquorum.wire.generated import (
    allocate_producer_ids_request,
    alter_partition_request,
    assign_replicas_to_dirs_request,
    broker_heartbeat_request,
    broker_registration_request,
    unregister_broker_request,
)
from tools.differential.commands import Ask, Draw
from tools.differential.side import UNKNOWN_TOPIC, Side
from tools.kafka.ports import LOOPBACK

BROKERS = (101, 102, 103, 104, 105)
RACKS = {101: "a", 102: "a", 103: "b", 104: "b", 105: "c"}
LIVES = 4
DIRECTORIES = 2
FEATURES = {
    "metadata.version": (7, 33),
    "kraft.version": (0, 1),
    "group.version": (0, 1),
    "transaction.version": (0, 2),
    "eligible.leader.replicas.version": (0, 1),
    "share.version": (0, 2),
    "streams.version": (0, 1),
}


def directory(broker_id: int, number: int) -> bytes:
    """The id of a log directory."""
    return bytes([broker_id, number]) * 8


def directories(draw: Draw, broker_id: int) -> list[bytes]:
    """The log directories of a broker, and one that it does not have."""
    known = draw.view.brokers.get(broker_id)
    return [*(() if known is None else known.log_dirs), directory(broker_id, 255)]


def incarnation(broker_id: int, life: int) -> bytes:
    """The incarnation id of one start of a broker."""
    return bytes([broker_id, 128 + life]) * 8


def register(draw: Draw) -> Ask | None:
    """A broker that starts, as it was or as another process, seldom with something wrong."""
    broker_id = draw.random.choice(BROKERS)
    known = draw.view.brokers.get(broker_id)
    if known is not None and known.in_controlled_shutdown:
        # A controller of Kafka would forget that it shuts down (decision 231).
        is_stuck = broker_id in draw.stuck
        return None if is_stuck or draw.seldom(0.5) else unregistration(broker_id)
    if known is not None and broker_id in draw.stuck:
        return registration(draw, broker_id, known.incarnation_id, names_epoch=False)
    new = incarnation(broker_id, draw.random.randrange(LIVES))
    life = new if known is None or draw.seldom(0.5) else known.incarnation_id
    # A process that names its predecessor after an orderly stop need not wait (decision 230).
    names_epoch = known is not None and not known.fenced and draw.seldom(0.5)
    return registration(draw, broker_id, life, names_epoch=names_epoch, faults=draw.seldom(0.2))


def registration(
    draw: Draw, broker_id: int, life: bytes, *, names_epoch: bool, faults: bool = False
) -> Ask:
    """The start of a broker; ``names_epoch``: it knows the epoch of its last registration."""
    wire = broker_registration_request
    version = draw.version(62, least=2) if faults else draw.versions[62][1]
    features = dict(FEATURES)
    fields: dict[str, Any] = {
        "rack": RACKS[broker_id],
        "log_dirs": _log_dirs(draw, broker_id),
        "listeners": [wire.Listener("PLAINTEXT", LOOPBACK, 9_000 + broker_id, 0)],
    }
    what = "a broker registers"
    if faults:
        faulty: tuple[tuple[str, dict[str, Any], dict[str, tuple[int, int]]], ...] = (
            ("no directory", {"log_dirs": []}, {}),
            ("a directory twice", {"log_dirs": [directory(broker_id, 0)] * 2}, {}),
            ("another's directory", {"log_dirs": [directory(101, 0), directory(102, 0)]}, {}),
            ("no rack", {"rack": None}, {}),
            ("too old", {}, {"metadata.version": (7, 20)}),
            ("no group.version", {}, {"group.version": (0, 0)}),
            ("another feature", {}, {"some.feature": (1, 2)}),
            ("another cluster", {"cluster_id": "another"}, {}),
            ("from ZooKeeper", {"is_migrating_zk_broker": True}, {}),
        )
        what, changes, levels = draw.random.choice(faulty)
        fields |= changes
        features |= levels
    if version < 2:
        fields.pop("log_dirs")
    if version < 1:
        fields.pop("is_migrating_zk_broker", None)

    def make(side: Side) -> Any:
        given = {"cluster_id": side.cluster_id, **fields}
        if version >= 3 and names_epoch:
            given["previous_broker_epoch"] = side.broker_epoch(broker_id)
        return wire.BrokerRegistrationRequest(
            broker_id=broker_id,
            incarnation_id=life,
            features=[wire.Feature(name, *levels) for name, levels in features.items()],
            **given,
        )

    return Ask(f"{what}: {broker_id}", 62, version, make, broker_id=broker_id)


def _log_dirs(draw: Draw, broker_id: int) -> list[bytes]:
    """Those that it had, or new ones."""
    known = draw.view.brokers.get(broker_id)
    if known is not None and known.log_dirs and draw.seldom(0.6):
        return list(known.log_dirs)
    first = 0 if known is None else draw.random.randrange(1, 120)
    return [directory(broker_id, DIRECTORIES * first + one) for one in range(DIRECTORIES)]


def beat(draw: Draw) -> Ask:
    """A heartbeat, mostly of one that serves or wants to."""
    broker_id = draw.random.choice(BROKERS)
    version = draw.version(63)
    wants: dict[str, Any] = {}
    lags = draw.seldom(0.05)
    if draw.seldom(0.15):
        wants["want_fence"] = True
    # A fenced one that stops is fenced again by Kafka, and leaves ISRs (decision 231).
    if draw.is_active(broker_id) and draw.seldom(0.06):
        wants["want_shut_down"] = True
    where = draw.random.choice(directories(draw, broker_id))
    known = draw.view.brokers.get(broker_id)
    if known is not None and known.in_controlled_shutdown:
        # As above for any other change, and for one that is fenced as just said.
        what = {"want_fence": True} if known.fenced else {"want_shut_down": True}
        return heartbeat(broker_id, version, **what)
    stays = draw.is_active(broker_id) and not wants
    # With another change at once Kafka writes two records of a partition, or lets the broker lead
    # in the directory that it lost (decision 244).
    if version >= 1 and stays and where not in draw.spoilt and draw.seldom(0.08):
        wants["offline_log_dirs"] = [where]
    if version >= 2 and draw.seldom(0.08):
        wants["cordoned_log_dirs"] = [where][: draw.random.randint(0, 1)]
    return heartbeat(broker_id, version, lags=lags, is_stale=draw.seldom(0.03), **wants)


def heartbeat(
    broker_id: int, version: int, *, lags: bool = False, is_stale: bool = False, **wants: Any
) -> Ask:
    """One heartbeat of a broker that has applied all of the log, or none of it if it lags.

    A stale one names an epoch that the broker does not have.
    """

    def make(side: Side) -> Any:
        epoch = 1 if is_stale else side.broker_epoch(broker_id)
        offset = 0 if lags else side.log.next_offset
        return broker_heartbeat_request.BrokerHeartbeatRequest(broker_id, epoch, offset, **wants)

    what = (
        f"{broker_id} beats {wants or ''}{' lagging' if lags else ''}{' stale' if is_stale else ''}"
    )
    return Ask(what, 63, version, make)


def unregister(draw: Draw) -> Ask | None:
    """An administrator forgets a broker."""
    broker_id = draw.random.choice((*BROKERS, 99))
    return None if broker_id in draw.stuck else unregistration(broker_id)


def unregistration(broker_id: int) -> Ask:
    """A broker is forgotten."""
    request = unregister_broker_request.UnregisterBrokerRequest(broker_id)
    what = f"{broker_id} is unregistered"
    return Ask(what, 64, 0, lambda side: request, broker_id=broker_id)


def allocate(draw: Draw) -> Ask:
    """A broker needs producer ids."""
    broker_id, is_stale = draw.random.choice(BROKERS), draw.seldom(0.2)

    def make(side: Side) -> Any:
        epoch = 1 if is_stale else side.broker_epoch(broker_id)
        return allocate_producer_ids_request.AllocateProducerIdsRequest(broker_id, epoch)

    return Ask(f"{broker_id} allocates producer ids", 67, 0, make)


def alter_partition(draw: Draw) -> Ask | None:
    """A leader reports its ISRs, of one partition or of a few."""
    wire = alter_partition_request
    led = [one for one in draw.partitions() if one[2].leader >= 0]
    if not led:
        return None
    version = draw.version(56, least=2)
    first = draw.random.choice(led)
    sender = draw.random.choice((first[2].leader,) * 8 + BROKERS[:1])
    same = [one for one in led if one[2].leader == first[2].leader and one is not first]
    chosen = [first, *draw.random.sample(same, min(len(same), draw.random.choice((0, 0, 1, 2))))]
    rows = [(topic, number, _isr_row(draw, old)) for topic, number, old in chosen]
    is_stale = draw.seldom(0.03)

    def make(side: Side) -> Any:
        topics: dict[str, list[Any]] = {}
        for topic, number, (isr, deltas, recovery, odd) in rows:
            now = side.partition(topic, number)
            assert now is not None
            row = wire.PartitionData(
                number,
                leader_epoch=now.leader_epoch + deltas[0],
                partition_epoch=now.partition_epoch + deltas[1],
                leader_recovery_state=recovery,
            )
            if version >= 3:
                row.new_isr_with_epochs = [
                    wire.BrokerState(one, odd.get(one, side.broker_epoch(one))) for one in isr
                ]
            else:
                row.new_isr = isr
            topics.setdefault(topic, []).append(row)
        epoch = 1 if is_stale else side.broker_epoch(sender)
        return wire.AlterPartitionRequest(
            *(sender, epoch),
            [
                wire.TopicData(topic_id=side.topic_id(name), partitions=some)
                for name, some in topics.items()
            ],
        )

    return Ask(f"{sender} alters {rows}", 56, version, make)


def _isr_row(draw: Draw, old: Partition) -> tuple[list[int], tuple[int, int], int, dict[int, int]]:
    """The ISR, what is added to both epochs, the recovery state, and epochs of brokers that lie."""
    isr = draw.random.choice(
        (
            [one for one in old.replicas if draw.is_active(one)],
            [one for one in old.replicas if draw.is_active(one)],
            [old.leader, *(one for one in old.isr[:1] if one != old.leader)],
            draw.random.sample(old.replicas, draw.random.randint(1, len(old.replicas))),
            [old.leader],
            [*old.isr, 99],
            [*old.isr, old.leader],
        )
    )
    deltas = draw.random.choice((0,) * 12 + (1, -1)), draw.random.choice((0,) * 12 + (1, -1))
    recovery = draw.random.choice((0, 0, 0, 0, old.leader_recovery_state, 1))
    odd = {one: draw.random.choice((-1, 3)) for one in isr if draw.seldom(0.04)}
    return isr, deltas, recovery, odd


def assign(draw: Draw) -> Ask | None:
    """A broker says in which directories its replicas are."""
    wire = assign_replicas_to_dirs_request
    partitions = draw.partitions()
    if not partitions:
        return None
    broker_id = draw.random.choice(BROKERS)
    where = draw.random.choice(directories(draw, broker_id))
    some = draw.random.sample(partitions, min(len(partitions), draw.random.randint(1, 3)))
    odd = draw.random.choice((None, None, None, "topic", "partition"))
    is_stale = draw.seldom(0.05)

    def make(side: Side) -> Any:
        topics: dict[bytes, list[Any]] = {}
        for topic, number, _ in some:
            topics.setdefault(side.topic_id(topic), []).append(wire.PartitionData(number))
        if odd == "topic":
            topics[UNKNOWN_TOPIC] = [wire.PartitionData(0)]
        elif odd == "partition":
            next(iter(topics.values())).append(wire.PartitionData(77))
        rows = [wire.TopicData(one, numbers) for one, numbers in topics.items()]
        epoch = 1 if is_stale else side.broker_epoch(broker_id)
        return wire.AssignReplicasToDirsRequest(broker_id, epoch, [wire.DirectoryData(where, rows)])

    return Ask(f"{broker_id} assigns {[one[:2] for one in some]}", 73, 0, make)
