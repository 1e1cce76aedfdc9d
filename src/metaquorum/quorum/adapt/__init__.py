"""The border between the core and the wire: the only part of this room that knows generated code.

Requests and responses of one API are translated by one module each, loaded when first met.
``batches`` turns encoded batches into what the core sees, and control records into batches.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any

from metaquorum.quorum.adapt.batches import (
    built_batch,
    control_of,
    make_control_batch,
    read_batches,
    stamp,
)
from metaquorum.quorum.adapt.forms import AnswerContext, Settled
from metaquorum.quorum.messages import Request, Response

_MODULES = {
    1: "fetch",
    55: "describe_quorum",
    59: "fetch_snapshot",
}

SERVED: tuple[int, ...] = tuple(_MODULES)
"""Api keys whose requests the core answers."""


def read_request(api_key: int, version: int, request: Any, cluster_id: str) -> Request | Settled:
    """What the core is asked, or the answer at once when the form of the request is wrong.

    Cluster id and shape (one topic, one partition, the metadata log's) are looked at here, as
    they are the same for every replica state (facts raft 2.6).
    """
    reader = _module(api_key).read_request
    message: Request | Settled = reader(version, request, cluster_id)
    return message


def write_response(
    api_key: int, version: int, request: Any, response: Response, context: AnswerContext
) -> Any:
    """The wire form of the core's answer to ``request``; slices are resolved on the way."""
    return _module(api_key).write_response(version, request, response, context)


def _module(api_key: int) -> Any:
    return import_module(f"metaquorum.quorum.adapt.{_MODULES[api_key]}")


__all__ = [
    "SERVED",
    "AnswerContext",
    "Settled",
    "built_batch",
    "control_of",
    "make_control_batch",
    "read_batches",
    "read_request",
    "stamp",
    "write_response",
]
