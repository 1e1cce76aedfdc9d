"""The task of a controller that joins the voters by itself (KIP-1186)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import trio
from attrs import define

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.observe.events import EventLog
from metaquorum.quorum.auto_join import AutoJoin
from metaquorum.quorum.messages import AddVoterRequest, RemoveVoterRequest
from metaquorum.quorum.voters import VoterHistory
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import AnyMessage, Message

LOOK_MS: Final = 100

ADD_RAFT_VOTER: Final = 80
REMOVE_RAFT_VOTER: Final = 81
WITH_EARLY_ANSWER: Final = 1

Send = Callable[[int, int, Message, Millis], Promise[AnyMessage]]
"""API key, version, wire request and deadline to a promise of the leader's answer."""


@define(eq=False)
class AutoJoinTask:
    """Asks the leader for what ``auto_join`` decides.

    The request goes to the leader on a connection of its own, so that waiting for an answer keeps
    no fetch from leaving. ``request_timeout_ms`` is how long that is.
    """

    auto_join: AutoJoin
    clock: Clock
    log: EventLog
    voters: Callable[[], VoterHistory]
    leader: Callable[[], LeaderAndEpoch]
    send: Send
    cluster_id: str
    request_timeout_ms: Millis

    async def run(self) -> None:
        """Join whenever the voters do not have this replica; ends by cancellation."""
        while True:
            wanted = self.auto_join.decide(self.voters(), self.leader(), self.clock.now_ms())
            if isinstance(wanted, RemoveVoterRequest):
                await self._remove(wanted)
            elif wanted is not None:
                await self._add(wanted)
            await trio.sleep(LOOK_MS / 1_000)

    async def _remove(self, wanted: RemoveVoterRequest) -> None:
        from metaquorum.wire.generated.remove_raft_voter_request import RemoveRaftVoterRequest

        request = RemoveRaftVoterRequest(
            self.cluster_id, wanted.key.id, wanted.key.directory_id or b""
        )
        code, text = await self._ask(REMOVE_RAFT_VOTER, 0, request)
        self._tell("auto-join-removed-old-directory", code, text)

    async def _add(self, wanted: AddVoterRequest) -> None:
        from metaquorum.wire.generated import add_raft_voter_request as wire

        request = wire.AddRaftVoterRequest(
            cluster_id=self.cluster_id,
            timeout_ms=self.request_timeout_ms,
            voter_id=wanted.key.id,
            voter_directory_id=wanted.key.directory_id or b"",
            listeners=[wire.Listener(one.listener, one.host, one.port) for one in wanted.endpoints],
            ack_when_committed=wanted.ack_when_committed,
        )
        code, text = await self._ask(ADD_RAFT_VOTER, WITH_EARLY_ANSWER, request)
        if code == error_codes.UNSUPPORTED_VERSION:  # Kafka before 4.2: it answers after the commit
            request.ack_when_committed = True
            code, text = await self._ask(ADD_RAFT_VOTER, 0, request)
        self._tell("auto-join-added", code, text)

    async def _ask(self, api_key: int, version: int, request: Message) -> tuple[int, str | None]:
        deadline = self.clock.now_ms() + self.request_timeout_ms
        answer = self.send(api_key, version, request, deadline)
        try:
            response = await result_of(answer)
        except RequestError as error:
            return error.code, error.reason
        return response.error_code, response.error_message

    def _tell(self, event: str, code: int, text: str | None) -> None:
        if code == error_codes.NONE:
            self.log.info(event, leader=self.leader().leader_id)
        else:
            name = error_codes.NAMES.get(code, str(code))
            self.log.info("auto-join-refused", error=name, why=text or "")
