"""Where a field stands in an encoded message: where two that differ in it alone differ."""

from __future__ import annotations

from typing import Final

NOWHERE: Final = -1


def first_difference(one: bytes, other: bytes) -> int:
    """The first place where two messages differ; NOWHERE if the shorter begins the longer."""
    return next((at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), NOWHERE)
