"""Principals as Kafka writes them: a type, a colon, and a name that may have colons itself."""

from __future__ import annotations


def type_and_name(principal: str) -> tuple[str, str]:
    """``User`` and ``alice`` of ``User:alice``."""
    kind, _, name = principal.partition(":")
    return kind, name
