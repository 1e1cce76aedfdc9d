"""The task that keeps this node registered with the active controller (KIP-919)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final, Protocol

import trio
from attrs import define

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.controller.registration import Registrar
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:  # only a node with registrations loads the codecs
    from metaquorum.wire.generated.controller_registration_request import (
        ControllerRegistrationRequest,
    )
    from metaquorum.wire.generated.controller_registration_response import (
        ControllerRegistrationResponse,
    )

LOOK_MS: Final = 20  # how often a node that is not registered looks whether it can be
KNOWN_LOOK_MS: Final = 1_000  # and one that is, whether it still is
ANSWER_MS: Final = 5_000


class SendRegistration(Protocol):
    """Takes a registration to the active controller."""

    def __call__(
        self, request: ControllerRegistrationRequest, deadline_ms: Millis, /
    ) -> Promise[ControllerRegistrationResponse]:
        """A promise of its answer."""


@define(eq=False)
class RegistrationTask:
    """Looks at the committed state and the leader, and registers when ``registrar`` says so.

    ``leader`` names nobody who has not committed anything of the epoch; ``has_written`` tells
    whether a metadata record of its is among that.
    """

    registrar: Registrar
    clock: Clock
    log: EventLog
    committed: Callable[[], StateView]
    leader: Callable[[], LeaderAndEpoch]
    has_written: Callable[[LeaderAndEpoch], bool]
    send: SendRegistration

    async def run(self) -> None:
        """Keep it so; ends by cancellation."""
        while True:
            view, now = self.committed(), self.clock.now_ms()
            leader = self.leader()
            has_written = self.has_written(leader)
            if self.registrar.next_attempt_ms(view, leader, now, has_written=has_written) <= now:
                await self._register(now)
            pause_ms = KNOWN_LOOK_MS if self.is_settled else LOOK_MS
            await trio.sleep(pause_ms / 1_000)

    @property
    def is_settled(self) -> bool:
        """Whether the committed state shows this life of the node."""
        view = self.committed()
        return view.features.metadata_version > 0 and self.registrar.is_known(view)

    async def _register(self, now: Millis) -> None:
        answer = self.send(self.registrar.request(self.committed()), now + ANSWER_MS)
        try:
            response = await result_of(answer)
            code, reason = response.error_code, response.error_message
        except RequestError as error:
            code, reason = error.code, error.reason
        now = self.clock.now_ms()
        if code == error_codes.NONE:
            self.registrar.accepted(now)
            self.log.info("controller-registered", leader=self.leader().leader_id)
        else:
            self.registrar.failed(now)
            name = error_codes.NAMES.get(code, str(code))
            self.log.warn("controller-not-registered", error=name, why=reason)
