"""The rights of one asker: the authoriser is asked each time, each refusal is logged and counted.

A refusal is one line, through the gate that keeps floods out of the log, and one more in the
metric. Names come from the peer, so they are quoted and cut.
"""

from __future__ import annotations

from attrs import define, frozen

from metaquorum.base.errors import RequestError, short_reason
from metaquorum.base.quoting import quoted
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.access.authorise import REFUSALS, Authoriser, Right
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.request import Origin, Request, Rights
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import AnyMessage


@define(eq=False)
class Refusals:
    """Where refusals are noted."""

    note: NoteGate
    count: int = 0

    def add(self, line: str) -> None:
        """One more."""
        self.count += 1
        self.note(short_reason(line))


@frozen
class AskersRights(Rights):
    """Of the client at ``origin``, asking for the API of that name."""

    authoriser: Authoriser
    origin: Origin
    api: str
    refusals: Refusals

    @property
    def are_guarded(self) -> bool:
        """Whether access rules mean anything."""
        return self.authoriser.is_on

    def may(
        self, operation: Operation, resource_type: ResourceType, name: str, *, noted: bool = True
    ) -> bool:
        """As ``Rights.may``."""
        origin = self.origin
        if self.authoriser.allows(origin.principal, origin.host, operation, resource_type, name):
            return True
        if noted:
            place = f"{origin.peer} on {origin.listener.name}"
            self.refusals.add(
                f"{self.api} of {quoted(origin.principal)} at {place} "
                f"refused: no right to {operation.name} the {resource_type.name} {quoted(name)}"
            )
        return False


def check_proven(origin: Origin) -> None:
    """RequestError unless tokens may be asked for over this connection (KIP-48).

    Who proved nothing has nothing to hand on, and a token may not beget others.
    """
    if origin.is_by_token or not origin.is_proven:
        why = "who came by a token" if origin.is_by_token else "who has not authenticated"
        raise RequestError(
            error_codes.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED, f"{why} may not ask for tokens"
        )


def check_right(request: Request[AnyMessage], right: Right) -> None:
    """RequestError with the code of the refusal unless the whole request is allowed."""
    if right is Right.NONE or right is Right.ROWS:
        return
    kind = right.resource_type
    name = CLUSTER_NAME if kind is ResourceType.CLUSTER else request.message.group_id
    if not request.rights.may(right.operation, kind, name):
        raise RequestError(REFUSALS[kind])
