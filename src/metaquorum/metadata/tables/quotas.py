"""Client quotas: who is limited, and how far (KIP-546, KIP-612)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from metaquorum.metadata.tables.traced import Traced

QuotaEntity = tuple[tuple[str, str | None], ...]
"""Pairs of entity type and name sorted by type; the name None is the type's default entity."""

Quotas = Traced[float]
"""Quota key to value; never edited, never empty in the table."""

NO_QUOTAS: Final[Quotas] = Traced()


def quota_entity(parts: Iterable[tuple[str, str | None]]) -> QuotaEntity:
    """The one form of an entity, whatever order its parts came in."""
    entity = tuple(parts)
    return entity if len(entity) < 2 else tuple(sorted(entity, key=_type))


def _type(part: tuple[str, str | None]) -> str:
    return part[0]
