"""Who leads, in the reason of every refusal that only says that this node does not.

NOT_CONTROLLER has no field for a leader, but most answers have one for a text. A node that stops
names its successor so, once it knows one; itself it does not name, as it is not to be asked.
"""

from __future__ import annotations

from metaquorum.base.errors import RequestError
from metaquorum.config.listeners import bracketed
from metaquorum.server.contract.services import Services
from metaquorum.wire.generated import error_codes

_ELSEWHERE = (error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER)


def reason_with_leader(error: RequestError, services: Services, listener: str) -> str | None:
    """The error's reason; where it sends the asker elsewhere, with whom to ask.

    The leader is named as it is reached on the ``listener`` on which the request came.
    """
    if error.code not in _ELSEWHERE:
        return error.reason
    said = "" if error.reason is None else f"{error.reason}; "
    return said + _leader_text(services, listener)


def _leader_text(services: Services, listener: str) -> str:
    leader = services.leader()
    if leader.leader_id is None:
        return f"no leader of epoch {leader.epoch} is known here"
    if leader.leader_id == services.node_id:
        return "no other node leads yet"
    endpoint = services.endpoints(listener).get(leader.leader_id)
    place = "" if endpoint is None else f", at {bracketed(endpoint.host)}:{endpoint.port}"
    return f"node {leader.leader_id} leads epoch {leader.epoch}{place}"
