"""The voters of a restored quorum, as its command line names them."""

from __future__ import annotations

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import MAX_VOTERS
from metaquorum.cli.format_plan import java_host, parse_initial_controllers
from metaquorum.cli.recover_files import draw_uuid
from metaquorum.config.key import BadValue
from metaquorum.config.listeners import parse_host_port
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter


def new_voters(
    node_id: NodeId, standalone: str | None, initial: str | None, listener: str
) -> tuple[Voter, ...]:
    """One of the two options; OperatorError says what is wrong."""
    if (standalone is None) == (initial is None):
        raise OperatorError("give one of --standalone and --initial-controllers")
    if initial is not None:
        voters = parse_initial_controllers(initial, listener)
        if len(voters) > MAX_VOTERS:
            raise OperatorError(f"{len(voters)} voters, at most {MAX_VOTERS} there may be")
        return voters
    try:
        place = parse_host_port(standalone or "")
    except BadValue as error:
        raise OperatorError(f"--standalone: {error}") from None
    endpoint = Endpoint(listener, java_host(place.host), place.port)
    return (Voter(ReplicaKey(node_id, draw_uuid()), (endpoint,), 0, 1),)
