"""Ids of members, as Kafka makes them: a name that people know, a dash, and a uuid.

The name comes from the client, and has as many bytes as a string of the protocol may have. Where
the id would have more, Kafka fails while it encodes its answer, with UNKNOWN_SERVER_ERROR.
"""

from __future__ import annotations

from collections.abc import Callable

from metaquorum.base.errors import UNKNOWN_SERVER_ERROR, RequestError
from metaquorum.base.ids import Uuid
from metaquorum.wire.primitives import MAX_TEXT_BYTES


def new_member_id(draw: Callable[[], Uuid], name: str) -> str:
    """An id that no member had before; RequestError where it would not fit a string."""
    text = draw().hex()
    parts = (text[:8], text[8:12], text[12:16], text[16:20], text[20:])
    made = f"{name}-{'-'.join(parts)}"
    if len(made.encode()) > MAX_TEXT_BYTES:
        raise RequestError(
            UNKNOWN_SERVER_ERROR, "the client id or group.instance.id is too long for a member id"
        )
    return made
