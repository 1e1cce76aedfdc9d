"""History and report tables, made anew of what has landed and put in place together.

All of them are of one and the same end of the log. In Parquet they are made beside, and renamed
when the last one is whole; a crash between two renames is noticed and finished by the next run.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from attrs import asdict, frozen

from metaquorum.base.offsets import Epoch, Offset
from pyspark_metaquorum.pipeline.derived import CHANGES, NAMES, derived
from pyspark_metaquorum.pipeline.faults import readable_until
from pyspark_metaquorum.pipeline.landing import Landing
from pyspark_metaquorum.pipeline.table_format import TableFormat
from pyspark_metaquorum.pipeline.target import STAGING, TABLES_FILE, Target
from pyspark_metaquorum.tables.all_changes import all_changes

_AT_ONCE: Final = 4
_STRETCHES: Final = ("1 second", "10 seconds", "1 minute", "10 minutes", "1 hour", "1 day")
_STRETCH_MS: Final = (1_000, 10_000, 60_000, 600_000, 3_600_000, 86_400_000)
_MOST_STRETCHES: Final = 400


@frozen
class Published:
    """The tables that are in place: up to where in the log, and out of what.

    ``end`` is below ``landed_end`` where the log cannot be replayed any further.
    """

    end: Offset
    landed_end: Offset
    epoch: Epoch
    records: int
    problems: int
    first_ms: int | None
    last_ms: int | None
    source: str
    format: str
    tables: tuple[str, ...]


@frozen
class Publisher:
    """Makes the tables of a target."""

    target: Target
    format: TableFormat

    def published(self) -> Published | None:
        """What is in place."""
        found = self.target.read_json(TABLES_FILE)
        if found is None:
            return None
        return Published(**(found | {"tables": tuple(found["tables"])}))

    def recover(self) -> None:
        """Finish what a crash interrupted, then clear away the rest of it."""
        found = self.target.read_json(f"{STAGING}/tables/_whole.json")
        if found is not None:
            self._put(Published(**(found | {"tables": tuple(found["tables"])})))
        self.target.delete(STAGING)

    def publish(self, log: Any, landings: list[Landing], source: str) -> Published:
        """Make all tables out of the landed log."""
        last = landings[-1]
        problems = sum(one.problems for one in landings)
        until = readable_until(log) if problems else None
        self.target.delete(f"{STAGING}/tables")
        told_path = f"{STAGING}/{CHANGES}"
        all_changes(log, until).write.mode("overwrite").parquet(self.target.path(told_path))
        told = self.target.spark.read.parquet(self.target.path(told_path))
        times = [one.first_ms for one in landings if one.first_ms is not None]
        ends = [one.last_ms for one in landings if one.last_ms is not None]
        first_ms, last_ms = min(times, default=None), max(ends, default=None)
        stretch = _stretch(first_ms, last_ms)

        def write(name: str) -> None:
            self.format.write(self.target, name, derived(name, log, told, stretch))

        with ThreadPoolExecutor(_AT_ONCE) as pool:
            done = [pool.submit(write, name) for name in NAMES]
            for one in done:
                one.result()
        made = Published(
            last.end if until is None else min(until, last.end),
            last.end,
            last.epoch,
            sum(one.rows for one in landings),
            problems,
            first_ms,
            last_ms,
            source,
            self.format.name,
            NAMES,
        )
        self.target.write_json(f"{STAGING}/tables/_whole.json", asdict(made))
        self._put(made)
        return made

    def _put(self, made: Published) -> None:
        """Rename what is staged into place; what is not staged any more has been already."""
        for name in made.tables:
            staged = f"{STAGING}/tables/{name}"
            if self.target.exists(staged):
                self.target.put(staged, name)
        self.target.write_json(TABLES_FILE, asdict(made))
        self.target.delete(f"{STAGING}/tables")


def _stretch(first_ms: int | None, last_ms: int | None) -> str:
    """How long a row of the growth table is, so that there are not too many."""
    span_ms = 0 if first_ms is None or last_ms is None else last_ms - first_ms
    for name, length_ms in zip(_STRETCHES, _STRETCH_MS):
        if span_ms <= length_ms * _MOST_STRETCHES:
            return name
    return _STRETCHES[-1]
