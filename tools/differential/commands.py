"""What is asked: one request, made for each side with the ids and epochs of that side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence, Set
from random import Random
from typing import Any

from attrs import frozen

from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.topics import Partition
from metaquorum.wire.enveloping import Asker
from tools.differential.side import Side

Made = Callable[[Side], Any]
"""The request as it is for one side."""


@frozen
class Ask:
    """One request. ``is_placed``: brokers for its partitions are chosen by chance.

    A request that is placed is asked of Kafka first; ours is asked for the same with
    ``validate_only``, then for what Kafka placed, which ``as_placed`` makes out of Kafka's state
    and the topics that it took. ``asker`` None: the one who asks sends it without an envelope.
    ``broker_id`` is the broker that is registered or forgotten.
    """

    what: str
    api_key: int
    version: int
    make: Made
    asker: Asker | None = None
    as_placed: Callable[[Side, Any], Made | None] | None = None
    validated: Made | None = None
    broker_id: int | None = None


@frozen
class Draw:
    """What a command is drawn from: chance, the state, and the versions that both serve.

    ``spoilt`` are log directories that had partitions of topics that are deleted: when one of them
    goes offline a controller of Kafka 4.3.1 fails, as it still looks for the topics. ``stuck`` are
    brokers by whose registration it failed, for the same reason.
    """

    random: Random
    side: Side
    versions: Mapping[int, tuple[int, int]]
    spoilt: Set[bytes] = frozenset()
    stuck: Set[int] = frozenset()

    @property
    def view(self) -> StateView:
        """The state of one of the two; that of the other is the same but for ids and epochs."""
        return self.side.view

    def version(self, api_key: int, least: int = 0) -> int:
        """Any version that both serve, the newest most often."""
        lowest, highest = self.versions[api_key]
        if self.random.random() < 0.6:
            return highest
        return self.random.randint(max(lowest, least), highest)

    def seldom(self, chance: float) -> bool:
        """Whether this time."""
        return self.random.random() < chance

    def topics(self) -> list[str]:
        """The topics that there are."""
        return sorted(topic.name for _, topic in self.view.topics.items())

    def topic(self, absent: float = 0.1) -> str:
        """A topic that is there, in most cases."""
        topics = self.topics()
        if not topics or self.seldom(absent):
            return self.random.choice(("absent", "", "a b", "__cluster_metadata", "a" * 250))
        return self.random.choice(topics)

    def partitions(self) -> list[tuple[str, int, Partition]]:
        """Every partition: topic, number, and how it is."""
        names = {topic_id: topic.name for topic_id, topic in self.view.topics.items()}
        return sorted(
            (names[topic_id], number, one)
            for (topic_id, number), one in self.view.partitions.items()
        )

    def asker(self, askers: Sequence[Asker | None]) -> Asker | None:
        """Half of the requests come as they are."""
        return None if self.seldom(0.5) else self.random.choice(askers)

    def is_active(self, broker_id: int) -> bool:
        """Whether the broker is registered, not fenced and not shutting down."""
        broker = self.view.brokers.get(broker_id)
        return broker is not None and not broker.fenced and not broker.in_controlled_shutdown
