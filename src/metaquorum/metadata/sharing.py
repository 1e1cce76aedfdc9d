"""Equal small tuples kept once: a million partitions have few different lists of replicas."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.limits import MAX_SHARED_VALUES


class Sharing:
    """A bounded memory of tuples that were seen; what it forgot is merely kept once more."""

    __slots__ = ("_seen",)

    def __init__(self) -> None:
        self._seen: dict[Any, Any] = {}

    @property
    def remembered(self) -> int:
        """How many values are remembered now."""
        return len(self._seen)

    def nodes(self, ids: Sequence[NodeId]) -> tuple[NodeId, ...]:
        """``ids`` as a tuple, the same object for equal lists while it is remembered."""
        if not ids:
            return ()
        wanted = tuple(ids)
        found: tuple[NodeId, ...] | None = self._seen.get(wanted)
        return self._remember(wanted) if found is None else found

    def uuids(self, ids: Sequence[Uuid]) -> tuple[Uuid, ...]:
        """The same for ids of directories; the ids themselves are shared too."""
        if not ids:
            return ()
        wanted = tuple(ids)
        found: tuple[Uuid, ...] | None = self._seen.get(wanted)
        if found is not None:
            return found
        seen = self._seen
        return self._remember(tuple(seen.setdefault(one, one) for one in map(bytes, wanted)))

    def _remember(self, wanted: tuple[Any, ...]) -> tuple[Any, ...]:
        if len(self._seen) >= MAX_SHARED_VALUES:
            self._seen.clear()
        self._seen[wanted] = wanted
        return wanted
