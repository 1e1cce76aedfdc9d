"""When a controller makes itself known to the active one (KIP-919): pure decisions, no sending.

A node registers once for each start, as soon as the log shows a metadata.version that knows of
registrations and a leader to go to; again when the committed state shows something else of it, or
nothing (after UnregisterController, say). Refusals and failures make the pauses longer, up to two
minutes.

Another node that leads is asked once it has written something: one of Kafka's leads before its
controller is active, and logs an error for a registration that comes between the two. Active
controllers write every half second unless they are told not to, so who is silent for longer is
asked all the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import NEVER, Millis
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.nodes import Controller
from metaquorum.metadata.versions import CONTROLLER_REGISTRATION_FROM
from metaquorum.wire.generated import controller_registration_request as wire

FIRST_PAUSE_MS: Final = 100  # Kafka's, doubled with each failure
LONGEST_PAUSE_MS: Final = 120_000
SILENCE_MS: Final = 2_000  # four NoOps of Kafka's default idle interval
REPLAY_MS: Final = 1_000  # an accepted record should have come back through the log by then


@define
class Registrar:
    """What is to be known of this node, and when it is to be told next.

    ``completed`` adds to what is ``wanted`` what follows from the state that is looked at.
    """

    wanted: Controller
    completed: Callable[[StateView, Controller], Controller] = field(
        default=lambda view, wanted: wanted
    )
    _leader: LeaderAndEpoch = field(default=LeaderAndEpoch(None, -1))
    _not_before: Millis = 0
    _heard_by: Millis = 0
    _pause_ms: Millis = FIRST_PAUSE_MS

    def is_known(self, view: StateView) -> bool:
        """Whether the committed state shows this node as it is, or cannot show it at all."""
        if view.features.metadata_version < CONTROLLER_REGISTRATION_FROM:
            return True
        wanted = self.completed(view, self.wanted)
        return view.controllers.get(wanted.controller_id) == wanted

    def next_attempt_ms(
        self, view: StateView, leader: LeaderAndEpoch, now: Millis, *, has_written: bool
    ) -> Millis:
        """When to send the registration; NEVER while there is no need, or nobody to send it to.

        ``has_written`` tells whether a metadata record of the leader's epoch is committed.
        """
        if leader != self._leader:
            self._leader = leader
            is_other = leader.leader_id != self.wanted.controller_id
            self._not_before, self._heard_by = now, now + SILENCE_MS if is_other else now
            self._pause_ms = FIRST_PAUSE_MS
        if leader.leader_id is None or self.is_known(view):
            return NEVER
        return self._not_before if has_written else max(self._not_before, self._heard_by)

    def accepted(self, now: Millis) -> None:
        """The active controller has committed it; this node's state shows it in a moment."""
        self._not_before, self._pause_ms = now + REPLAY_MS, FIRST_PAUSE_MS

    def failed(self, now: Millis) -> None:
        """It was refused, or went unanswered: later again."""
        self._not_before = now + self._pause_ms
        self._pause_ms = min(self._pause_ms * 2, LONGEST_PAUSE_MS)

    def request(self, view: StateView) -> wire.ControllerRegistrationRequest:
        """The registration as it is sent to a controller with this state."""
        wanted = self.completed(view, self.wanted)
        return wire.ControllerRegistrationRequest(
            controller_id=wanted.controller_id,
            incarnation_id=wanted.incarnation_id,
            zk_migration_ready=wanted.zk_migration_ready,
            listeners=[
                wire.Listener(one.listener, one.host, one.port, one.security_protocol)
                for one in wanted.endpoints
            ],
            features=[wire.Feature(one.name, one.lowest, one.highest) for one in wanted.features],
        )
