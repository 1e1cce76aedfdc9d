"""What a plan is given besides its command: the state, the time, and what no record tells.

A plan reads; nothing that it is given may be changed by it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Offset
from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.controller.config import ControllerConfig
    from metaquorum.controller.contacts import BrokerContacts
    from metaquorum.metadata.tables.catalog import StateView
    from metaquorum.metadata.token_keys import TokenHmacs


@value
class PlanContext:
    """Of one step.

    ``view`` is the live state, uncommitted records included: it shows later changes too, so a plan
    in turns (``controller.outcome``) reads it anew in each turn. ``next_offset`` is where the first
    record of the outcome will be, unless it is cut into turns. ``now`` is the step's clock, and
    ``wall_ms`` the time in ms since 1970. ``token_hmacs`` is None where no secret of delegation
    tokens is set.
    """

    view: StateView
    next_offset: Offset
    now: Millis
    config: ControllerConfig
    contacts: BrokerContacts
    wall_ms: int = 0
    token_hmacs: TokenHmacs | None = None

    def is_active(self, broker_id: NodeId) -> bool:
        """Whether replicas of that broker may lead and be in sync.

        It is registered, not fenced, not in controlled shutdown, and not about to become either of
        these by a change that is being written in turns.
        """
        broker = self.view.brokers.get(broker_id)
        return (
            broker is not None
            and not broker.fenced
            and not broker.in_controlled_shutdown
            and not self.contacts.is_leaving(broker_id)
        )
