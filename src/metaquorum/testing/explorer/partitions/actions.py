"""What can happen to a small cluster, in words that say all of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from attrs import frozen

from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET
from metaquorum.controller import commands
from metaquorum.metadata.tables.topics import NO_LEADER, RECOVERED
from metaquorum.testing.explorer.partitions.cluster import Cluster
from metaquorum.testing.explorer.partitions.world import (
    ALIVE,
    KILLED,
    STOPPED,
    TOPIC,
    TOPIC_ID,
    InFlight,
    directory,
)
from metaquorum.wire.generated import alter_partition_request as isr_form
from metaquorum.wire.generated import broker_registration_request as registration_form
from metaquorum.wire.generated.broker_heartbeat_request import BrokerHeartbeatRequest
from metaquorum.wire.generated.elect_leaders_request import ElectLeadersRequest, TopicPartitions

CLUSTER_ID: Final = "AAAAAAAAAAAAAAAAAAAAGg"
ANOTHER = 0xFF
"""In the incarnations of processes that were not there at the beginning."""

ISR_VERSION, ELECTION_VERSION, UNCLEAN = 3, 2, 1
_FEATURES = (("metadata.version", 1, 34), ("eligible.leader.replicas.version", 0, 1))


@frozen
class Action:
    """One thing that happens: to a broker, a partition of it, another broker, as far as needed."""

    kind: str
    broker: NodeId = 0
    number: int = 0
    other: NodeId = 0

    def words(self) -> str:
        """For people."""
        return _WORDS[self.kind].format(self=self)


_WORDS: Final[Mapping[str, str]] = {
    "turn": "the controller takes the next turn",
    "fail-over": "another controller leads",
    "expire": "the session of broker {self.broker} expires",
    "kill": "broker {self.broker} is killed",
    "register": "broker {self.broker} starts, after its session",
    "beat": "broker {self.broker} beats",
    "stop": "broker {self.broker} beats and wants to stop",
    "give-up": "broker {self.broker} ends in order without being told to",
    "lose": "broker {self.broker} loses its first log directory",
    "ask": "broker {self.broker} wants broker {self.other} in or out of the ISR of {self.number}",
    "deliver": "the request for an ISR arrives",
    "elect": "an operator wants a leader of {self.number}, clean or not",
}


def possible(cluster: Cluster) -> Iterator[Action]:
    """All that can happen now, in one order."""
    for kind, rest in sorted(cluster.budget.items()):
        if rest:
            yield from _POSSIBLE[kind](cluster)


def apply(cluster: Cluster, action: Action) -> None:
    """Let it happen; Violation if a rule breaks."""
    cluster.budget[action.kind] -= action.kind != "turn"
    cluster.begin(action.kind, action.broker)
    _APPLY[action.kind](cluster, action)


def _alive(cluster: Cluster) -> list[NodeId]:
    return [one for one, process in cluster.processes.items() if process.state == ALIVE]


def _of_alive(kind: str) -> Callable[[Cluster], Iterator[Action]]:
    def found(cluster: Cluster) -> Iterator[Action]:
        return (Action(kind, one) for one in _alive(cluster))

    return found


def _turns(cluster: Cluster) -> Iterator[Action]:
    if cluster.is_busy:
        yield Action("turn")


def _expiries(cluster: Cluster) -> Iterator[Action]:
    for one, broker in cluster.brokers.items():
        if not broker.fenced:
            yield Action("expire", one)


def _registrations(cluster: Cluster) -> Iterator[Action]:
    for one, process in cluster.processes.items():
        if process.state != ALIVE:
            yield Action("register", one)


def _asks(cluster: Cluster) -> Iterator[Action]:
    """An alive leader asks for one more or one less; no request is on its way.

    Who comes in fetches from the leader, so its log directory is there.
    """
    if cluster.in_flight is not None:
        return
    for key, one in cluster.partitions.items():
        if one.leader == NO_LEADER or cluster.processes[one.leader].state != ALIVE:
            continue
        for other in one.replicas:
            process = cluster.processes[other]
            keeps_up = process.state == ALIVE and not process.offline
            if other != one.leader and (other in one.isr or keeps_up):
                yield Action("ask", one.leader, key[1], other)


def _deliveries(cluster: Cluster) -> Iterator[Action]:
    if cluster.in_flight is not None:
        yield Action("deliver")


def _elections(cluster: Cluster) -> Iterator[Action]:
    for key, one in cluster.partitions.items():
        if one.leader == NO_LEADER:
            yield Action("elect", 0, key[1])


def _losses(cluster: Cluster) -> Iterator[Action]:
    return (Action("lose", one) for one in _alive(cluster) if not cluster.processes[one].offline)


def _fail_overs(cluster: Cluster) -> Iterator[Action]:
    yield Action("fail-over")


_POSSIBLE: Final[Mapping[str, Callable[[Cluster], Iterator[Action]]]] = {
    "turn": _turns,
    "fail-over": _fail_overs,
    "expire": _expiries,
    "kill": _of_alive("kill"),
    "register": _registrations,
    "beat": _of_alive("beat"),
    "stop": _of_alive("stop"),
    "give-up": _of_alive("give-up"),
    "lose": _losses,
    "ask": _asks,
    "deliver": _deliveries,
    "elect": _elections,
}
KINDS: Final = tuple(_POSSIBLE)


def _turn(cluster: Cluster, action: Action) -> None:
    cluster.turn()


def _fail_over(cluster: Cluster, action: Action) -> None:
    cluster.fail_over()


def _expire(cluster: Cluster, action: Action) -> None:
    cluster.silence(action.broker)
    cluster.turn()


def _kill(cluster: Cluster, action: Action) -> None:
    cluster.becomes(action.broker, state=KILLED)


def _give_up(cluster: Cluster, action: Action) -> None:
    cluster.becomes(action.broker, state=STOPPED)


def _lose(cluster: Cluster, action: Action) -> None:
    cluster.becomes(action.broker, offline=(0,))


def _register(cluster: Cluster, action: Action) -> None:
    broker_id = action.broker
    process = cluster.processes[broker_id]
    before = process.epoch if process.state == STOPPED else NO_OFFSET
    known = cluster.brokers.get(broker_id)
    request = registration_form.BrokerRegistrationRequest(
        broker_id=broker_id,
        cluster_id=CLUSTER_ID,
        incarnation_id=bytes([broker_id, ANOTHER - cluster.processes_started]) * 8,
        listeners=[],
        features=[registration_form.Feature(*one) for one in _FEATURES],
        rack=None,
        log_dirs=[directory(broker_id, at) for at in range(cluster.scope.directories)],
        previous_broker_epoch=before,
    )
    cluster.silence(broker_id)
    cluster.processes_started += 1
    if known is None or known.epoch != before:
        cluster.registering = broker_id

    def registered(reply: Any) -> None:
        cluster.becomes(broker_id, state=ALIVE, epoch=reply.broker_epoch, offline=())
        cluster.registering = None

    cluster.ask(commands.RegisterBroker(request, CLUSTER_ID, 0), registered)


def _heartbeat(cluster: Cluster, broker_id: NodeId, wants_stop: bool) -> commands.BrokerHeartbeat:
    process = cluster.processes[broker_id]
    lost = [directory(broker_id, number) for number in process.offline]
    return commands.BrokerHeartbeat(
        BrokerHeartbeatRequest(broker_id, process.epoch, cluster.end - 1, False, wants_stop, lost)
    )


def _beat(cluster: Cluster, action: Action) -> None:
    cluster.ask(_heartbeat(cluster, action.broker, False), lambda reply: None)


def _stop(cluster: Cluster, action: Action) -> None:
    def told(reply: Any) -> None:
        if reply.should_shut_down:
            cluster.told_to_stop(action.broker)
            cluster.becomes(action.broker, state=STOPPED)

    cluster.ask(_heartbeat(cluster, action.broker, True), told)


def _ask(cluster: Cluster, action: Action) -> None:
    one = cluster.partitions[TOPIC_ID, action.number]
    isr = [other for other in one.isr if other != action.other]
    if action.other not in one.isr:
        isr.append(action.other)
    epochs = tuple((other, cluster.processes[other].epoch) for other in isr)
    cluster.in_flight = InFlight(
        *(action.broker, cluster.processes[action.broker].epoch, action.number),
        *(one.leader_epoch, one.partition_epoch, epochs),
    )


def _deliver(cluster: Cluster, action: Action) -> None:
    asked = cluster.in_flight
    assert asked is not None
    partition = isr_form.PartitionData(
        asked.number,
        asked.leader_epoch,
        new_isr_with_epochs=[isr_form.BrokerState(*one) for one in asked.isr],
        leader_recovery_state=RECOVERED,
        partition_epoch=asked.partition_epoch,
    )
    topic = isr_form.TopicData(topic_id=TOPIC_ID, partitions=[partition])
    request = isr_form.AlterPartitionRequest(asked.sender, asked.sender_epoch, [topic])
    cluster.ask(commands.AlterPartition(request, ISR_VERSION), lambda reply: None)
    cluster.in_flight = None


def _elect(cluster: Cluster, action: Action) -> None:
    cluster.may_be_unclean = True
    request = ElectLeadersRequest(UNCLEAN, [TopicPartitions(TOPIC, [action.number])])
    cluster.ask(commands.ElectLeaders(request, ELECTION_VERSION), lambda reply: None)
    cluster.may_be_unclean = False


_APPLY: Final[Mapping[str, Callable[[Cluster, Action], None]]] = {
    "turn": _turn,
    "fail-over": _fail_over,
    "expire": _expire,
    "kill": _kill,
    "register": _register,
    "beat": _beat,
    "stop": _stop,
    "give-up": _give_up,
    "lose": _lose,
    "ask": _ask,
    "deliver": _deliver,
    "elect": _elect,
}
