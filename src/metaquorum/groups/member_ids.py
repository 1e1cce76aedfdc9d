"""Ids of members, as Kafka makes them: a name that people know, a dash, and a uuid."""

from __future__ import annotations

from collections.abc import Callable

from metaquorum.base.ids import Uuid


def new_member_id(draw: Callable[[], Uuid], name: str) -> str:
    """An id that no member had before."""
    text = draw().hex()
    parts = (text[:8], text[8:12], text[12:16], text[16:20], text[20:])
    return f"{name}-{'-'.join(parts)}"
