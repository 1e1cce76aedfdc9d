"""Why no setting can be changed by a request: those of the log belong to it, a node's to its file.

Shared by AlterConfigs and IncrementalAlterConfigs.
"""

from __future__ import annotations

from typing import Final

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.server import topics
from metaquorum.wire.generated import error_codes

TOPIC: Final = 2


def refusal_of(kind: int, name: str) -> tuple[int, str]:
    """The code and the words for a resource of this type and name.

    The metadata topic is cleaned by snapshots and its settings can only be read (KIP-630, Public
    Interfaces); topics beside it there are none. Everything else is read from a node's file at
    its start.
    """
    if kind != TOPIC:
        told = "settings of nodes here are those of their files, and no request changes them"
        return error_codes.INVALID_REQUEST, told
    if name == METADATA_TOPIC:
        told = f"the settings of {METADATA_TOPIC}, cleanup.policy among them, can only be read"
        return error_codes.INVALID_CONFIG, told
    code = topics.unknown_topic(name)
    impossible = code == error_codes.INVALID_TOPIC_EXCEPTION
    return code, f"{name!r} cannot be a topic's name" if impossible else f"no topic {name!r}"
