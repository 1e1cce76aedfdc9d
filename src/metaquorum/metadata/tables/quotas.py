"""Client quotas: who is limited, and how far (KIP-546, KIP-612)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

QuotaEntity = tuple[tuple[str, str | None], ...]
"""Pairs of entity type and name sorted by type; the name None is the type's default entity."""

Quotas = Mapping[str, float]
"""Quota key to value; never edited, never empty in the table."""

NO_QUOTAS: Quotas = {}


def quota_entity(parts: Iterable[tuple[str, str | None]]) -> QuotaEntity:
    """The one form of an entity, whatever order its parts came in."""
    return tuple(sorted(parts, key=lambda part: part[0]))


def with_quota(quotas: Quotas | None, key: str, value: float) -> Quotas:
    """``quotas`` after ``key`` was set."""
    return {**(quotas or {}), key: value}


def without_quota(quotas: Quotas | None, key: str) -> Quotas:
    """``quotas`` after ``key`` was taken away; it need not have been there."""
    return {other: value for other, value in (quotas or {}).items() if other != key}
