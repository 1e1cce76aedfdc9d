"""What changes of partitions depend on, read from the state once for one turn."""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId, Uuid, uuid_text
from metaquorum.base.memo import Memo
from metaquorum.controller.context import PlanContext
from metaquorum.controller.partitions.change import Conditions, Election, TopicSettings
from metaquorum.controller.topic_configs import elects_unclean, min_insync_replicas
from metaquorum.metadata.tables.configs import TOPIC
from metaquorum.metadata.tables.features import ELIGIBLE_LEADER_REPLICAS_VERSION
from metaquorum.metadata.tables.nodes import Broker
from metaquorum.metadata.tables.topics import MIGRATING_DIRECTORY

UNASSIGNED_DIRECTORY: Final = bytes(15) + b"\x01"
LOST_DIRECTORY: Final = bytes(15) + b"\x02"


class Facts:
    """Good until records are replayed: a plan in turns makes new ones in each turn.

    ``gone`` is a broker that may not lead although its registration still allows it, ``coming`` one
    that may although it does not yet.
    """

    def __init__(
        self,
        context: PlanContext,
        *,
        gone: NodeId | None = None,
        coming: NodeId | None = None,
    ) -> None:
        self._context = context
        self._gone = gone
        self._coming = coming
        features = context.view.features
        self._active: Memo[NodeId, Broker | None] = Memo(self._active_broker)
        self._can_lead: Memo[tuple[NodeId, Uuid], bool] = Memo(self._is_in_service)
        self._settings: Memo[Uuid, TopicSettings] = Memo(self._settings_of)
        self._inherited: TopicSettings | None = None
        self.conditions = Conditions(
            can_lead=self.can_lead,
            default_directory=self.default_directory,
            settings_of=self.settings_of,
            metadata_version=features.metadata_version,
            has_elr=features.level(ELIGIBLE_LEADER_REPLICAS_VERSION) > 0,
        )

    def settings_of(self, topic_id: Uuid) -> TopicSettings:
        """The settings of that topic's partitions."""
        return self._settings[topic_id]

    def can_lead(self, broker_id: NodeId, directory: Uuid) -> bool:
        """Whether the broker is active and that log directory of it online."""
        return self._can_lead[broker_id, directory]

    def default_directory(self, broker_id: NodeId) -> Uuid:
        """Where the broker puts a replica: known if it has a single log directory (KIP-858)."""
        return default_directory(self._context.view.brokers.get(broker_id))

    def _is_in_service(self, replica: tuple[NodeId, Uuid]) -> bool:
        broker = self._active[replica[0]]
        return (
            broker is not None
            and is_online(broker, replica[1])
            and not self._context.contacts.is_offline(*replica)
        )

    def _active_broker(self, broker_id: NodeId) -> Broker | None:
        if broker_id == self._gone:
            return None
        if broker_id == self._coming or self._context.is_active(broker_id):
            return self._context.view.brokers.get(broker_id)
        return None

    def _settings_of(self, topic_id: Uuid) -> TopicSettings:
        topic = self._context.view.topics.get(topic_id)
        if topic is None:
            raise InvariantViolated(f"there is no topic with id {uuid_text(topic_id)}")
        if self._context.view.configs.get((TOPIC, topic.name)):
            return self._settings_by(topic.name)
        if self._inherited is None:  # of all topics without settings of their own
            self._inherited = self._settings_by(topic.name)
        return self._inherited

    def _settings_by(self, name: str) -> TopicSettings:
        is_unclean = elects_unclean(self._context, name)
        return TopicSettings(
            min_insync_replicas(self._context, name),
            Election.UNCLEAN if is_unclean else Election.ONLINE,
        )


def is_online(broker: Broker, directory: Uuid) -> bool:
    """Whether a replica in that log directory can be read.

    A replica that was not assigned yet counts as online; so does any of a broker that registered
    no directories, as brokers did before metadata.version 3.7-IV2.
    """
    if directory in (UNASSIGNED_DIRECTORY, MIGRATING_DIRECTORY):
        return True
    if directory == LOST_DIRECTORY:
        return False
    return not broker.log_dirs or directory in broker.log_dirs


def default_directory(broker: Broker | None) -> Uuid:
    """Where a broker puts a new replica: its only log directory, or one that is not known yet."""
    if broker is None or len(broker.log_dirs) > 1:
        return UNASSIGNED_DIRECTORY
    return broker.log_dirs[0] if broker.log_dirs else MIGRATING_DIRECTORY
