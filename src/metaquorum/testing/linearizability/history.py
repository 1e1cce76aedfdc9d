"""What clients did and saw: operations on named registers, each with when it began and ended.

Times are integers of one clock (nanoseconds where a real clock gave them). An operation happened
at one instant between them. A write whose answer never came, or was an error that does not tell
whether the write was taken, is *unknown*: it happened at some time after it began, or never.
"""

from __future__ import annotations

import enum
from collections.abc import Sequence

from attrs import frozen

Value = float | None
"""What a register holds; None where nothing was written, or it was removed."""


class Kind(enum.Enum):
    """What an operation does."""

    WRITE = "write"
    READ = "read"


@frozen
class Operation:
    """One write of ``value``, or one read that returned it.

    ``returned_at`` is None for an unknown write. A read without an answer says nothing and has no
    place in a history.
    """

    client: str
    kind: Kind
    key: str
    value: Value
    invoked_at: int
    returned_at: int | None

    def __attrs_post_init__(self) -> None:
        if self.returned_at is None:
            if self.kind is Kind.READ:
                raise ValueError("a read without an answer tells nothing")
        elif self.returned_at < self.invoked_at:
            raise ValueError("an operation ended before it began")

    @property
    def is_write(self) -> bool:
        """Whether it changes the register."""
        return self.kind is Kind.WRITE


def by_key(operations: Sequence[Operation]) -> dict[str, list[Operation]]:
    """The operations of each register, registers in the order of their names.

    Linearizability is local: a history is linearizable when that of each register is (Herlihy
    and Wing 1990, section 3.3).
    """
    found: dict[str, list[Operation]] = {}
    for operation in operations:
        found.setdefault(operation.key, []).append(operation)
    return dict(sorted(found.items()))
