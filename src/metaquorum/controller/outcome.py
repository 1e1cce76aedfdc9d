"""What a manager decides: the records to write, and the answer once they are committed."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

from metaquorum.base.value import value

if TYPE_CHECKING:
    from metaquorum.base.ids import NodeId
    from metaquorum.base.offsets import Offset
    from metaquorum.records.metadata_record import MetadataRecord


@value
class Outcome:
    """A plan. ``atomic``: the records must become one batch, so that all or none survive.

    A reply without records rests on what the plan has seen. It waits until all of that is
    committed, or only what lies below ``rests_on`` where the plan says so.
    """

    records: tuple[MetadataRecord, ...]
    reply: object = None
    atomic: bool = True
    rests_on: Offset | None = None


Turns = Generator["Sequence[MetadataRecord]", None, object]
"""Yields the records of one turn, and returns the reply."""


@value
class InTurns:
    """A plan whose records are too many for one step.

    ``turns`` is asked for some RECORDS_PER_TURN records at a time, which are written and replayed
    at once, each turn as one atomic batch. Between two turns other events are handled, so each turn
    plans on the state of its own moment. What was written stays written: if leadership ends, or a
    turn fails, a later plan has to find the rest still to be done. The reply is given once the
    records of all turns are committed.

    ``leaving`` are brokers on which nothing may be placed from now until the last turn.
    """

    turns: Turns
    leaving: frozenset[NodeId] = frozenset()
