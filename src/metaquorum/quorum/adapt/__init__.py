"""The border between the core and the wire: only this part of the package knows generated code.

Requests and responses of one API are translated by one module each, loaded when first met; those
of Vote, BeginQuorumEpoch and EndQuorumEpoch, which are alike, by one for all three.
``batches`` turns encoded batches into what the core sees, and control records into batches.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final

from metaquorum.base.memo import Memo
from metaquorum.base.offsets import Offset
from metaquorum.quorum.adapt.batches import (
    built_batch,
    control_of,
    make_control_batch,
    read_batches,
    stamp,
)
from metaquorum.quorum.adapt.forms import (
    INCONSISTENT_CLUSTER_ID,
    INVALID_REQUEST,
    AnswerContext,
    Settled,
)
from metaquorum.quorum.messages import (
    BROKER_NOT_AVAILABLE,
    ApiVersionsRequest,
    BeginEpochRequest,
    EndEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    Hint,
    Request,
    Response,
    UpdateVoterRequest,
    VoteRequest,
)
from metaquorum.wire.generated.index import APIS
from metaquorum.wire.message import evolve

DESCRIBE_QUORUM = 55
MAX_ID_CHARS = 60  # of a text of the peer in a line of the log

_MODULES = {
    1: "fetch",
    52: "epochs",
    53: "epochs",
    54: "epochs",
    55: "describe_quorum",
    59: "fetch_snapshot",
    80: "add_voter",
    81: "remove_voter",
    82: "update_voter",
}

_MODULES_OF_OURS = {18: "api_versions"}
"""What the core asks, while others are answered without it."""

_KEYS: dict[type, int] = {
    FetchRequest: 1,
    ApiVersionsRequest: 18,
    VoteRequest: 52,
    BeginEpochRequest: 53,
    EndEpochRequest: 54,
    FetchSnapshotRequest: 59,
    UpdateVoterRequest: 82,
}

SERVED: tuple[int, ...] = tuple(_MODULES)
"""Api keys of the requests that the core answers."""


def read_request(api_key: int, version: int, request: Any, cluster_id: str) -> Request | Settled:
    """What the core is asked, or the answer at once when the form of the request is wrong.

    Cluster id and shape (one topic, one partition, the metadata log's) are looked at here, as
    they are the same for every replica state.
    """
    reader = _IMPORTED[api_key].read_request
    message: Request | Settled = reader(version, request, cluster_id)
    return message


def fetch_mover(version: int, first: FetchRequest) -> Callable[[Offset, Offset], FetchRequest]:
    """What ``read_request`` makes of Fetches like the first but for their place and watermark."""
    made: Callable[[Offset, Offset], FetchRequest] = _IMPORTED[_KEYS[FetchRequest]].mover(
        version, first
    )
    return made


def fetch_answer_template(version: int, context: AnswerContext) -> Any:
    """An ``AnswerTemplate`` for one follower, which asks in this version."""
    return _IMPORTED[_KEYS[FetchRequest]].AnswerTemplate(version, context)


def write_response(
    api_key: int, version: int, request: Any, response: Response, context: AnswerContext
) -> Any:
    """The wire form of the core's answer to ``request``; slices are resolved on the way."""
    return _IMPORTED[api_key].write_response(version, request, response, context)


def settled_response(api_key: int, settled: Settled, hint: Hint, context: AnswerContext) -> Any:
    """The answer that needed no core, with the leader named where the API has room for it."""
    if api_key in (_KEYS[UpdateVoterRequest], _KEYS[FetchSnapshotRequest]):
        return _IMPORTED[api_key].named(settled.response, hint, context)
    return settled.response


def not_open_yet(settled: Settled) -> Settled:
    """The answer about a log that this node will open: BROKER_NOT_AVAILABLE, to be asked again.

    Voters that are up already ask for it, and INVALID_REQUEST would be their mistake.
    """
    if settled.response.error_code != INVALID_REQUEST:
        return settled
    return Settled(evolve(settled.response, error_code=BROKER_NOT_AVAILABLE))


def settled_complaint(api_key: int, request: Any, settled: Settled, source: str) -> str | None:
    """The line for a request whose form alone is wrong; None where nothing is wrong with it.

    Who describes a partition that there is none of is no replica, and the answer says so.
    """
    if api_key == DESCRIBE_QUORUM:
        return None
    error, name = settled.response.error_code, APIS[api_key].name
    if error == INCONSISTENT_CLUSTER_ID:
        meant = repr(str(request.cluster_id)[:MAX_ID_CHARS])
        return f"{name}, from {source}: INCONSISTENT_CLUSTER_ID; it is meant for cluster {meant}"
    code = "INVALID_REQUEST" if error == INVALID_REQUEST else "UNKNOWN_TOPIC_OR_PARTITION"
    return f"{name}, from {source}: {code}; it is not about the metadata log alone"


def write_request(version: int, message: Request, cluster_id: str) -> Any:
    """The wire form of a request of our own; ``api_key_of`` says which API it belongs to."""
    return _IMPORTED[api_key_of(message)].write_request(version, message, cluster_id)


def read_response(api_key: int, version: int, response: Any, listener: str) -> Response:
    """What the core is answered; ``listener`` is the name of the controller listener."""
    message: Response = _IMPORTED[api_key].read_response(version, response, listener)
    return message


def api_key_of(message: Request) -> int:
    """The API of a request that replicas send each other."""
    return _KEYS[type(message)]


def _imported(api_key: int) -> Any:
    name = _MODULES.get(api_key) or _MODULES_OF_OURS[api_key]
    module = import_module(f"metaquorum.quorum.adapt.{name}")
    return module.APIS[api_key] if name == "epochs" else module


_IMPORTED: Final = Memo(_imported)


__all__ = [
    "SERVED",
    "AnswerContext",
    "Settled",
    "api_key_of",
    "built_batch",
    "control_of",
    "make_control_batch",
    "read_batches",
    "read_request",
    "read_response",
    "settled_complaint",
    "settled_response",
    "stamp",
    "write_request",
    "write_response",
]
