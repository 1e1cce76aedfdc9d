"""A state with brokers and partitions, as plans are given it, for tests of plans."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from attrs import define, field

from metaquorum.controller.config import ControllerConfig
from metaquorum.controller.contacts import BrokerContacts
from metaquorum.controller.context import PlanContext
from metaquorum.controller.outcome import InTurns, Outcome
from metaquorum.metadata.state import MetadataState
from metaquorum.metadata.tables.topics import Partition
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.testing.every_record import made, uuid


def directory(broker_id: int, number: int = 0) -> bytes:
    """The id of a log directory of a broker."""
    return bytes([broker_id, number]) * 8


@define
class Cluster:
    """What a controller knows; records are replayed at once, and ``written`` keeps them."""

    config: ControllerConfig = field(factory=lambda: ControllerConfig(node_id=100))
    state: MetadataState = field(factory=MetadataState)
    contacts: BrokerContacts = field(factory=BrokerContacts)
    written: list[MetadataRecord] = field(factory=list)

    @classmethod
    def of(
        cls, brokers: Iterable[int], *, level: int = 30, elr: bool = True, **config: Any
    ) -> Cluster:
        """Unfenced brokers at this level of metadata.version."""
        cluster = cls(ControllerConfig(node_id=100, **config))
        cluster.replay(made("FeatureLevel", name="metadata.version", feature_level=level))
        if elr:
            feature = "eligible.leader.replicas.version"
            cluster.replay(made("FeatureLevel", name=feature, feature_level=1))
        for broker_id in brokers:
            cluster.register(broker_id)
        return cluster

    @property
    def context(self) -> PlanContext:
        """What a plan is given now."""
        state = self.state
        return PlanContext(state.live(), state.end_offset, 0, self.config, self.contacts)

    def replay(self, *records: MetadataRecord) -> None:
        """As if the records had just been appended."""
        for record in records:
            self.state.replay(record, self.state.end_offset, 1, 0)
        self.state.close_batch()

    def register(self, broker_id: int, *, fenced: bool = False, directories: int = 1) -> None:
        """A broker with epoch 1000 + its id, and so many log directories."""
        dirs = [directory(broker_id, number) for number in range(directories)]
        self.replay(
            made(
                *("RegisterBroker", 4),
                broker_id=broker_id,
                incarnation_id=uuid(f"life {broker_id}"),
                broker_epoch=1_000 + broker_id,
                fenced=fenced,
                log_dirs=dirs,
            )
        )

    def fence(self, broker_id: int, change: int = 1) -> None:
        """Fence the broker; -1 unfences it."""
        self.replay(
            made(
                "BrokerRegistrationChange",
                broker_id=broker_id,
                broker_epoch=1_000 + broker_id,
                fenced=change,
            )
        )

    def topic(self, name: str, *partitions: Sequence[int], **fields: Any) -> bytes:
        """A topic with a partition for each list of replicas, all in sync under the first."""
        self.replay(made("Topic", name=name, topic_id=uuid(name)))
        for number, replicas in enumerate(partitions):
            given = {
                "replicas": list(replicas),
                "isr": list(replicas),
                "leader": replicas[0],
                "leader_epoch": 5,
                "partition_epoch": 9,
                "directories": [directory(one) for one in replicas],
            }
            own = {"partition_id": number, "topic_id": uuid(name)}
            self.replay(made("Partition", 2, **(own | given | fields)))
        return uuid(name)

    def set(self, topic: str, key: str, value: str) -> None:
        """Set a configuration of a topic."""
        self.replay(made("Config", resource_type=2, resource_name=topic, name=key, value=value))

    def partition(self, topic: str, number: int = 0) -> Partition:
        """A partition as it is now."""
        found = self.state.live().partitions.get((uuid(topic), number))
        assert found is not None
        return found

    def write(self, records: Iterable[MetadataRecord]) -> None:
        """What the core does with records of a plan."""
        records = list(records)
        self.written += records
        self.replay(*records)

    def carry_out(self, outcome: Outcome | InTurns) -> Any:
        """Write what a plan wants, in turns if it does, and return its reply."""
        if isinstance(outcome, Outcome):
            self.write(outcome.records)
            return outcome.reply
        try:
            while True:
                self.write(next(outcome.turns))
        except StopIteration as end:
            return end.value
