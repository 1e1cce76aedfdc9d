"""The last changes of role of a node, with what each was for: the story that ``explain`` tells."""

from __future__ import annotations

from collections import deque
from typing import Any, Final

from attrs import asdict, define, field, frozen

MAX_ROLE_CHANGES: Final = 1_000
"""Kept in memory, about 300 bytes each. A quorum at peace has none for weeks."""


@frozen
class RoleChange:
    """One change: when (ms since 1970), from and to what, and why.

    ``leader`` is who leads ``epoch`` as this node knows it, None for nobody; ``log_end_offset``
    and ``log_end_epoch`` tell how far its log reached.
    """

    wall_ms: int
    before: str
    after: str
    epoch_before: int
    epoch: int
    leader: int | None
    log_end_offset: int
    log_end_epoch: int
    why: str


@define
class RoleChanges:
    """The last ``MAX_ROLE_CHANGES`` of one node; older ones are counted."""

    node_id: int
    forgotten: int = 0
    _kept: deque[RoleChange] = field(factory=lambda: deque(maxlen=MAX_ROLE_CHANGES))

    def add(self, change: RoleChange) -> None:
        """Remember one more, in place of the oldest once the memory is full."""
        if len(self._kept) == MAX_ROLE_CHANGES:
            self.forgotten += 1
        self._kept.append(change)

    def __len__(self) -> int:
        return len(self._kept)

    def facts(self, last: int = MAX_ROLE_CHANGES) -> dict[str, Any]:
        """The newest ``last`` of them, oldest first, as what JSON can hold."""
        kept = list(self._kept)[-last:] if last > 0 else []
        return {
            "node": self.node_id,
            "kept": len(self._kept),
            "forgotten": self.forgotten,
            "changes": [asdict(one) for one in kept],
        }
