"""Asks the leader of a quorum to add or remove a voter (KIP-853).

A request whose answer did not come may have been carried out, so it is not sent again: the
operator is informed, and ``describe`` shows what became of it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from attrs import define

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.ids import Uuid
from metaquorum.client.connection import Connection, ConnectionFailed
from metaquorum.client.leader_question import Elsewhere, LeaderQuestion, controller_hint, error_text
from metaquorum.config.listeners import Listener
from metaquorum.wire.generated import error_codes

ADD_RAFT_VOTER: Final = 80
REMOVE_RAFT_VOTER: Final = 81
_TRY_ELSEWHERE = (error_codes.NOT_LEADER_OR_FOLLOWER, error_codes.NOT_CONTROLLER)


@define
class VoterQuestion(LeaderQuestion):
    """The question whether a node may vote, or may no longer."""

    def add(self, node_id: int, directory_id: Uuid, endpoints: Sequence[Listener]) -> None:
        """Make a node a voter; OperatorError says why it is none."""
        from metaquorum.wire.generated import add_raft_voter_request as wire

        listeners = [wire.Listener(one.name, one.host, one.port) for one in endpoints]
        request = wire.AddRaftVoterRequest(
            None, self.request_timeout_ms, node_id, directory_id, listeners
        )
        self.put(partial(self._ask, ADD_RAFT_VOTER, request), "added the controller")

    def remove(self, node_id: int, directory_id: Uuid) -> None:
        """Let a voter be one no longer; OperatorError says why it still is."""
        from metaquorum.wire.generated.remove_raft_voter_request import RemoveRaftVoterRequest

        request = RemoveRaftVoterRequest(None, node_id, directory_id)
        self.put(partial(self._ask, REMOVE_RAFT_VOTER, request), "removed the controller")

    def _ask(self, api_key: int, request: Any, connection: Connection) -> None:
        cluster = self.describe_cluster(connection)
        version = connection.best_version(api_key)
        place = f"{connection.host}:{connection.port}"
        try:
            answer = connection.ask(api_key, version, request)
        except (ConnectionFailed, PeerError) as error:
            raise OperatorError(
                f"{error}; whether the change was made is not known, describe the quorum to see"
            ) from None
        if answer.error_code in _TRY_ELSEWHERE:
            why = error_text(answer.error_code, answer.error_message)
            raise Elsewhere(why, controller_hint(cluster))
        if answer.error_code != error_codes.NONE:
            raise OperatorError(f"{place}: {error_text(answer.error_code, answer.error_message)}")
