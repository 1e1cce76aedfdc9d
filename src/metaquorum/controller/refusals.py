"""What the active controller answers where a command is not carried out, or not known to be."""

from __future__ import annotations

from metaquorum.base.errors import RequestError, UnexpectedError
from metaquorum.controller.log import Refused
from metaquorum.wire.generated import error_codes


def error_of(refused: Refused) -> RequestError:
    """The answer for an append that the quorum did not take."""
    if refused.cause is not None:
        return UnexpectedError(refused.cause)
    code = refused.code
    if code == error_codes.NOT_LEADER_OR_FOLLOWER:
        return not_controller(None)
    if code == error_codes.RECORD_LIST_TOO_LARGE:
        return RequestError(code, "the change needs more than one batch; ask for it in parts")
    return RequestError(code, "the change was not written")


def not_controller(leader_id: int | None) -> RequestError:
    """The answer of a node that is not the active controller; who leads, if that is known."""
    hint = "" if leader_id is None else f"; node {leader_id} is"
    return RequestError(error_codes.NOT_CONTROLLER, f"this node is not the active controller{hint}")


def in_doubt(is_repeated: bool, leader_id: int | None) -> RequestError:
    """Of a change that is in the log, and whose fate the next leader decides.

    NOT_CONTROLLER, by which it may be asked for elsewhere, only where that does no harm.
    """
    if is_repeated:
        return not_controller(leader_id)
    hint = "" if leader_id is None else f"; node {leader_id} leads now"
    return RequestError(
        error_codes.REQUEST_TIMED_OUT,
        f"leadership ended before the change was committed; it may still be{hint}",
    )
