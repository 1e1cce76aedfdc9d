"""Which right the settings of a resource take (KIP-133): those of topics and groups their own.

Nodes, their loggers and client metrics belong to the cluster.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.errors import RequestError
from metaquorum.metadata.acl_codes import CLUSTER_NAME, Operation, ResourceType
from metaquorum.server.access.authorise import REFUSALS
from metaquorum.server.contract.request import Request
from metaquorum.wire.message import Message

TOPIC: Final = 2
GROUP: Final = 32


def check_config_right(
    request: Request[Message], operation: Operation, kind: int, name: str
) -> None:
    """RequestError with the code of the refusal unless ``operation`` is allowed."""
    guarded, named = ResourceType.CLUSTER, CLUSTER_NAME
    if kind == TOPIC:
        guarded, named = ResourceType.TOPIC, name
    elif kind == GROUP:
        guarded, named = ResourceType.GROUP, name
    if not request.rights.may(operation, guarded, named):
        raise RequestError(REFUSALS[guarded])
