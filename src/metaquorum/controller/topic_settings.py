"""What a topic's setting is in force: where it is set, in Kafka's order of places.

Kafka's controller takes the topic's own value, then that of the broker entry with *its own* id,
then the entry of all brokers, then its file's, then the default.
"""

from __future__ import annotations

from typing import Final

from metaquorum.controller.context import PlanContext
from metaquorum.metadata.tables.configs import BROKER, TOPIC

MIN_INSYNC_REPLICAS: Final = "min.insync.replicas"
UNCLEAN_LEADER_ELECTION: Final = "unclean.leader.election.enable"

_EVERY_BROKER: Final = ""


def min_insync_replicas(context: PlanContext, topic: str) -> int:
    """How many replicas must be in sync for a write with acks=all."""
    found = _set_somewhere(context, topic, MIN_INSYNC_REPLICAS)
    return context.config.min_insync_replicas if found is None else int(found)


def elects_unclean(context: PlanContext, topic: str) -> bool:
    """Whether a replica that is not in sync may lead where nobody else can."""
    found = _set_somewhere(context, topic, UNCLEAN_LEADER_ELECTION)
    if found is None:
        return context.config.unclean_leader_election_enable
    return found.strip().lower() == "true"


def _set_somewhere(context: PlanContext, topic: str, key: str) -> str | None:
    places = ((TOPIC, topic), (BROKER, str(context.config.node_id)), (BROKER, _EVERY_BROKER))
    for place in places:
        settings = context.view.configs.get(place)
        if settings is not None and key in settings:
            return settings[key]
    return None
