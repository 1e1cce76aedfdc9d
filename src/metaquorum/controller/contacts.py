"""What the active controller knows of brokers that no record tells: it begins anew in each epoch.

Kafka keeps the same in its BrokerHeartbeatManager.
"""

from __future__ import annotations

from attrs import define, field

from metaquorum.base.ids import NodeId


@define
class BrokerContacts:
    """Soft state of all brokers.

    ``_leaving``: how many changes in turns are under way that fence, shut down or unregister a
    broker. Its registration says so only after the last turn, and until then nothing may be placed
    on it.
    """

    _leaving: dict[NodeId, int] = field(factory=dict)

    def is_leaving(self, broker_id: NodeId) -> bool:
        """Whether a change is being written that takes the broker out of service."""
        return broker_id in self._leaving

    def began_to_leave(self, broker_id: NodeId) -> None:
        """The first turn of such a change is about to be taken."""
        self._leaving[broker_id] = self._leaving.get(broker_id, 0) + 1

    def has_left(self, broker_id: NodeId) -> None:
        """The last turn was taken, or the change was given up."""
        count = self._leaving[broker_id] - 1
        if count:
            self._leaving[broker_id] = count
        else:
            del self._leaving[broker_id]
