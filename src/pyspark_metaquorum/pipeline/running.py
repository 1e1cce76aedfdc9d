"""One run: land what is new, make the tables, and with ``follow`` go on."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from attrs import asdict, define, field, frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.client.connection import ConnectionFailed
from metaquorum.client.metadata_log import LogDiverged
from pyspark_metaquorum.pipeline.derived import ERRORS
from pyspark_metaquorum.pipeline.faults import without_known
from pyspark_metaquorum.pipeline.landing import Bronze, Landing
from pyspark_metaquorum.pipeline.merging import NEIGHBOURS, Merger
from pyspark_metaquorum.pipeline.origin import Origin
from pyspark_metaquorum.pipeline.publishing import Published, Publisher
from pyspark_metaquorum.pipeline.spark_failure import as_operator_error
from pyspark_metaquorum.pipeline.table_format import TableFormat
from pyspark_metaquorum.pipeline.target import Target

Say = Callable[[str], None]


@frozen
class Pace:
    """How often a pipeline that follows lands, and makes its tables anew, in seconds."""

    every_s: float
    refresh_s: float


@define(eq=False)
class Pipeline:
    """A log on its way into a target. ``say`` gets the progress, ``tell`` what was done."""

    target: Target
    origin: Origin
    source: str
    format: TableFormat
    say: Say
    tell: Callable[[dict[str, Any]], None]
    neighbours: int = NEIGHBOURS
    bronze: Bronze = field(init=False)
    merger: Merger = field(init=False)
    publisher: Publisher = field(init=False)
    landings: list[Landing] = field(init=False)

    def __attrs_post_init__(self) -> None:
        self.bronze = Bronze(self.target, self.format)
        self.merger = Merger(self.bronze, self.neighbours)
        self.publisher = Publisher(self.target, self.format)
        made = self.publisher.published()
        if made is not None and made.format != self.format.name:
            raise OperatorError(
                f"{self.target.uri} is in {made.format}: it cannot go on in {self.format.name}"
            )
        with as_operator_error("what an interrupted run left could not be finished"):
            self.merger.recover()
            self.publisher.recover()
        self.landings = self.bronze.landings()
        if self.landings:
            self.say(f"{self.target.uri} has the log up to offset {self.end} already")

    @property
    def end(self) -> Offset:
        """Up to where the log has landed."""
        return self.landings[-1].end if self.landings else 0

    def once(self) -> Published:
        """Land what there is now, then make the tables. Raises OperatorError.

        A quorum's log grows all the time: what comes after the first question is left alone.
        """
        last = self.landings[-1] if self.landings else None
        end = self.origin.end(last)
        while self.land(end) and end is not None and self.end < end:
            pass
        return self.refresh()

    def follow(self, pace: Pace) -> None:
        """Go on until interrupted. A quorum without a leader is waited for."""
        self.once()
        refreshed = time.monotonic()
        while True:
            time.sleep(pace.every_s)
            try:
                self.land()
            except LogDiverged:
                raise
            except (OperatorError, ConnectionFailed) as error:
                self.say(f"{error}; trying again")
            if time.monotonic() - refreshed >= pace.refresh_s:
                began = time.monotonic()
                self.refresh()
                # At most half of the time is spent on tables, however large they are.
                refreshed = 2 * time.monotonic() - began - pace.refresh_s
                refreshed = max(refreshed, began)

    def land(self, end: Offset | None = None) -> Landing | None:
        """Land one stretch of what is new, up to ``end``; None if nothing is."""
        began = time.monotonic()
        last = self.landings[-1] if self.landings else None
        rows = self.origin.new_rows(self.target.spark, last, end)
        if rows is None:
            return None
        if any(one.problems for one in self.landings):
            rows = without_known(rows, self.bronze.read())
        with as_operator_error(f"nothing landed from offset {self.end}"):
            landing = self.bronze.land(rows, self.end)
        if landing is None:
            return None
        self.landings.append(landing)
        took = time.monotonic() - began
        self.say(
            f"landed offsets {landing.first} to {landing.end - 1}: {landing.rows} records, "
            f"{took:.1f} s"
            + (f"; {landing.problems} could not be read" if landing.problems else "")
        )
        self.tell({"landed": asdict(landing)})
        return landing

    def merge(self) -> None:
        """Make few large landings of many small ones, if there are that many."""
        count, began = len(self.landings), time.monotonic()
        with as_operator_error("no landings were merged"):
            self.landings = self.merger.merge(self.landings)
        if len(self.landings) != count:
            took = time.monotonic() - began
            self.say(f"merged {count} landings to {len(self.landings)}, {took:.1f} s")

    def refresh(self) -> Published:
        """Make the tables of what has landed, unless they are of that already."""
        if not self.landings:
            raise OperatorError(f"{self.source}: there is no record in it")
        made = self.publisher.published()
        records = sum(one.rows for one in self.landings)
        if made is not None and made.records == records and made.landed_end == self.end:
            self.say(f"tables are of offset {made.end} already")
            return made
        self.merge()
        began = time.monotonic()
        with as_operator_error("no tables were made"):
            made = self.publisher.publish(self.bronze.read(), self.landings, self.source)
        self.say(
            f"{len(made.tables)} tables at offset {made.end}, {time.monotonic() - began:.1f} s"
        )
        if made.end < made.landed_end:
            where = self.target.path(ERRORS)
            self.say(f"the log cannot be replayed beyond offset {made.end}: see {where}")
        self.tell({"tables": asdict(made)})
        return made
