"""An operator's client in virtual time: topics come, grow, move, are elected for, and go."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any, Final

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.ids import NodeId
from metaquorum.controller import commands
from metaquorum.controller.managers.configs import SET
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.configs import TOPIC
from metaquorum.testing.simulator.asking import Answer, Asker, fresh_uuid
from metaquorum.testing.simulator.brokers import Fleet
from metaquorum.testing.simulator.cluster_log import MIN_INSYNC_REPLICAS, UNCLEAN
from metaquorum.wire.generated import alter_partition_reassignments_request as move_form
from metaquorum.wire.generated import create_topics_request as topic_form
from metaquorum.wire.generated import elect_leaders_request as election_form
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_partitions_request import (
    CreatePartitionsRequest,
    CreatePartitionsTopic,
)
from metaquorum.wire.generated.delete_topics_request import DeleteTopicState
from metaquorum.wire.generated.unregister_broker_request import UnregisterBrokerRequest

TOPICS: Final = 6
MOST_PARTITIONS: Final = 5
ELECTION_VERSION: Final = 2
PREFERRED, UNCLEANLY = 0, 1


@define(eq=False)
class Admin:
    """One operator, who asks for one thing after the other."""

    fleet: Fleet
    random: Random
    asker: Asker
    pause_ms: Millis

    def begin(self) -> None:
        """Ask for something, and again after a while."""
        if not self.fleet.calm:
            view = self._shown()
            if view is not None:
                ask = self.random.choice(_ASKS)
                ask(self, view)
            self.fleet.agenda.after(self.random.randrange(2 * self.pause_ms * 1_000), self.begin)

    def _shown(self) -> StateView | None:
        """What a node that is up shows as committed."""
        node = self.fleet.nodes[self.asker.leader]
        if not node.is_up:
            self.asker.look_elsewhere()
            return None
        view: StateView = node.running.driver.controller.state.committed()
        return view

    def _name(self) -> str:
        return f"t{self.random.randrange(TOPICS)}"

    def _send(self, command: Any, left: Callable[[Any], None]) -> None:
        self.asker.send(command, self._came, left)

    def _came(self, answer: Answer) -> None:
        if isinstance(answer, RequestError):
            self.fleet.refused(answer)

    def _row(self, what: str, code: int) -> bool:
        self.fleet.row_told(what, code)
        return code == error_codes.NONE

    def _brokers(self, view: StateView, count: int) -> tuple[NodeId, ...]:
        """So many registered brokers, or as many as there are."""
        known = sorted(one for one, _ in view.brokers.items())
        return tuple(self.random.sample(known, min(count, len(known))))

    # What may be asked for.

    def _create(self, view: StateView) -> None:
        log, name = self.fleet.log, self._name()
        configs = []
        if self.random.randrange(3) == 0:
            least = str(self.random.choice((1, 2, 2, 3)))
            configs.append(topic_form.CreatableTopicConfig(MIN_INSYNC_REPLICAS, least))
        if self.random.randrange(5) == 0:
            configs.append(topic_form.CreatableTopicConfig(UNCLEAN, "true"))
        count, factor = self.random.randint(1, 3), self.random.randint(1, 3)
        assignments = []
        if self.random.randrange(3) == 0:
            for number in range(count):
                replicas = self._brokers(view, factor)
                assignments.append(topic_form.CreatableReplicaAssignment(number, replicas))
            count = factor = -1
        topic = topic_form.CreatableTopic(name, count, factor, assignments, configs)
        topic_id = fresh_uuid(self.random)

        def left(reply: Any) -> None:
            if self._row("create", reply.topics[0].error_code):
                found = log.created.get(bytes(reply.topics[0].topic_id))
                log.told(f"topic {name}", found == name)

        request = topic_form.CreateTopicsRequest([topic])
        self._send(commands.CreateTopics(request, (topic_id,), self.random.getrandbits(32)), left)

    def _grow(self, view: StateView) -> None:
        log, name = self.fleet.log, self._name()
        topic_id = view.topic_ids.get(name)
        topic = None if topic_id is None else view.topics.get(topic_id)
        if topic is None or topic.partition_count >= MOST_PARTITIONS:
            return
        count = topic.partition_count + 1

        def left(reply: Any) -> None:
            if self._row("grow", reply.results[0].error_code):
                there = any(
                    log.created[key[0]] == name and key[1] == count - 1 for key in log.history
                )
                log.told(f"partition {count - 1} of topic {name}", there)

        request = CreatePartitionsRequest([CreatePartitionsTopic(name, count, None)])
        self._send(commands.CreatePartitions(request, self.random.getrandbits(32)), left)

    def _delete(self, view: StateView) -> None:
        log = self.fleet.log
        topic_id = view.topic_ids.get(self._name())
        if topic_id is None or self.random.randrange(2):
            return

        def left(reply: Any) -> None:
            if self._row("delete", reply.responses[0].error_code):
                log.told(f"the deletion of {topic_id.hex()}", topic_id in log.deleted)

        self._send(commands.DeleteTopics((DeleteTopicState(None, topic_id),)), left)

    def _elect(self, view: StateView) -> None:
        kind, name = PREFERRED, self._name()
        if self.random.randrange(5) == 0:
            kind = UNCLEANLY
            self.fleet.log.forced.add(name)
        topic_id = view.topic_ids.get(name)
        topic = None if topic_id is None else view.topics.get(topic_id)
        numbers = range(0 if topic is None else topic.partition_count)
        wanted = [election_form.TopicPartitions(name, list(numbers))]

        def left(reply: Any) -> None:
            for one in reply.replica_election_results:
                for row in one.partition_result:
                    self._row("elect", row.error_code)

        request = election_form.ElectLeadersRequest(kind, wanted)
        self._send(commands.ElectLeaders(request, ELECTION_VERSION), left)

    def _move(self, view: StateView) -> None:
        log, name = self.fleet.log, self._name()
        topic_id = view.topic_ids.get(name)
        topic = None if topic_id is None else view.topics.get(topic_id)
        if topic is None or topic_id is None:
            return
        number = self.random.randrange(topic.partition_count)
        target = None
        if self.random.randrange(4):
            target = self._brokers(view, self.random.randint(1, 3))
            if not target:
                return

        def left(reply: Any) -> None:
            row = reply.responses[0].partitions[0]
            if self._row("move", row.error_code) and target is not None:
                seen = log.history.get((topic_id, number), {}).values()
                there = any(set(target) <= set(was.partition.replicas) for was in seen)
                log.told(f"the move of {name} {number} to {target}", there)

        asked = move_form.ReassignablePartition(number, target)
        request = move_form.AlterPartitionReassignmentsRequest(
            topics=[move_form.ReassignableTopic(name, [asked])]
        )
        self._send(commands.AlterPartitionReassignments(request), left)

    def _configure(self, view: StateView) -> None:
        log, name = self.fleet.log, self._name()
        key, value = self.random.choice(
            (
                (MIN_INSYNC_REPLICAS, str(self.random.randint(1, 3))),
                (UNCLEAN, self.random.choice(("true", "false", "false"))),
            )
        )
        change = commands.ConfigChange(TOPIC, name, ((key, SET, value),))

        def left(reply: Any) -> None:
            if self._row("configure", reply[0][0]):
                log.told(f"{key}={value} of {name}", (TOPIC, name, key, value) in log.settings)

        self._send(commands.AlterConfigs((change,), tuple(self.fleet.nodes)), left)

    def _forget(self, view: StateView) -> None:
        """Unregister a broker that is gone, as far as anybody can tell."""
        gone = [one for one, known in view.brokers.items() if known.fenced and not self._lives(one)]
        if not gone or self.random.randrange(2):
            return
        request = UnregisterBrokerRequest(gone[0])

        def left(reply: Any) -> None:
            self._row("forget", reply.error_code)

        self._send(commands.UnregisterBroker(request), left)

    def _lives(self, broker_id: NodeId) -> bool:
        return self.fleet.current(broker_id) is not None


_ASKS: Final[tuple[Callable[[Admin, StateView], None], ...]] = (
    *(Admin._create,) * 4,
    *(Admin._grow,) * 2,
    Admin._delete,
    *(Admin._elect,) * 2,
    *(Admin._move,) * 3,
    *(Admin._configure,) * 2,
    Admin._forget,
)
