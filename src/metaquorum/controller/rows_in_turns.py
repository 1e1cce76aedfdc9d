"""Plans of requests of many rows: one batch for a few of them, turns for more.

Each row has its own result, so nobody is promised that all rows are written together.
"""

from __future__ import annotations

from metaquorum.base.limits import RECORDS_PER_TURN
from metaquorum.controller.outcome import InTurns, Outcome, Turns
from metaquorum.records.metadata_record import MetadataRecord


def outcome_of(turns: Turns, rows: int, most: int = RECORDS_PER_TURN) -> Outcome | InTurns:
    """The plan of a request of so many rows, whose ``turns`` yield after ``most`` rows."""
    if rows > most:
        return InTurns(turns)
    records: list[MetadataRecord] = []
    try:
        while True:
            records += next(turns)
    except StopIteration as end:
        return Outcome(tuple(records), end.value)
