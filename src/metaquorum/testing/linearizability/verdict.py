"""What a judge of a history may say."""

from __future__ import annotations

from attrs import frozen

from metaquorum.testing.linearizability.history import Operation, Value


@frozen
class Linearizable:
    """There is an order that explains every answer; ``most_open`` orders were open at once."""

    operations: int
    most_open: int


@frozen
class NotLinearizable:
    """No order explains ``stuck``: whatever happened before, the register cannot have been so.

    ``possible`` are the values that it may have held while ``stuck`` ran, and ``window`` what
    went on around it, oldest first.
    """

    key: str
    stuck: Operation
    possible: tuple[Value, ...]
    window: tuple[Operation, ...]


@frozen
class Undecided:
    """More orders were open at once than the limit allows; nothing is known of the history."""

    key: str
    open_orders: int


Verdict = Linearizable | NotLinearizable | Undecided
