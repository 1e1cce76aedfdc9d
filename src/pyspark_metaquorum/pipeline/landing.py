"""Bronze: every record of the log, landed once.

A landing is a stretch of the log and bears the offset at which it begins; the next one begins
where it ends. So a landing that a crash cut short is made again in the same place, and one that
was whole but not yet written down is found and not made again: no record is lost, none is there
twice. What a landing holds is counted in what was written, and a stretch with a hole is refused.
"""

from __future__ import annotations

from typing import Any, Final

from attrs import asdict, frozen
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import NO_EPOCH, Epoch, Offset
from pyspark_metaquorum.columns import record_types
from pyspark_metaquorum.pipeline.table_format import TableFormat
from pyspark_metaquorum.pipeline.target import LANDINGS, Target
from pyspark_metaquorum.spark_schema import spark_schema

BRONZE: Final = "bronze"
KEY: Final = "landing"


@frozen
class Landing:
    """A stretch of the log that has landed, up to ``end`` (not included), which is of ``epoch``.

    ``snapshot_end`` is the end of the snapshot that stands for its beginning, if there is one;
    ``first_ms`` and ``last_ms`` are the earliest and latest time in it; ``level`` is how often
    it has been merged out of smaller ones.
    """

    first: Offset
    end: Offset
    epoch: Epoch
    rows: int
    problems: int
    snapshot_end: Offset | None
    first_ms: int | None
    last_ms: int | None
    level: int = 0


@frozen
class Bronze:
    """The landed records of a target."""

    target: Target
    format: TableFormat

    def landings(self) -> list[Landing]:
        """All that are there, in order."""
        names = [name for name in self.target.names(LANDINGS) if name.endswith(".json")]
        return [Landing(**self.target.read_json(f"{LANDINGS}/{name}")) for name in names]

    def read(self) -> Any:
        """Every row that has landed."""
        return self.format.read(self.target, BRONZE, self.schema().add(KEY, "long"))

    def schema(self) -> Any:
        """The columns of a landing."""
        return spark_schema(record_types())

    def land(self, rows: Any, first: Offset) -> Landing | None:
        """Land the rows of the log from ``first`` on; None if there are none.

        Raises OperatorError if the log has a hole.
        """
        if not self.format.has_part(self.target, BRONZE, KEY, first):
            self.format.write_part(self.target, BRONZE, rows, KEY, first)
        part = self.format.read_part(self.target, BRONZE, rows.schema, KEY, first)
        landing, different = _landing_of(part, first)
        if landing is None:
            self.format.drop_part(self.target, BRONZE, KEY, first)
            return None
        begin = first if landing.snapshot_end is None else landing.snapshot_end
        if landing.problems == 0 and different != landing.end - begin:
            self.format.drop_part(self.target, BRONZE, KEY, first)
            raise OperatorError(
                f"the log from offset {begin} to {landing.end} has a hole, or a record twice: "
                "nothing of it has been landed"
            )
        self.target.write_json(f"{LANDINGS}/{first:020d}.json", asdict(landing))
        return landing


def _landing_of(part: Any, first: Offset) -> tuple[Landing | None, int]:
    """What a landing holds, counted (None for nothing), and how many offsets of the log."""
    in_log = F.col("snapshot_offset").isNull()
    placed = in_log & (F.col("offset") >= first)
    found = part.agg(
        F.count("*").alias("rows"),
        F.count_distinct(F.when(placed, F.col("offset"))).alias("different"),
        F.count(F.when(placed, F.col("offset"))).alias("placed"),
        F.count("problem").alias("problems"),
        F.max(F.when(placed, F.struct("offset", "epoch"))).alias("last"),
        F.max(F.struct("snapshot_offset", "snapshot_epoch")).alias("snapshot"),
        F.min(F.when(placed, F.unix_millis("timestamp"))).alias("first_ms"),
        F.max(F.when(placed, F.unix_millis("timestamp"))).alias("last_ms"),
    ).first()
    if found["rows"] == 0:
        return None, 0
    end, epoch = first, NO_EPOCH
    snapshot_end = found["snapshot"]["snapshot_offset"]
    if snapshot_end is not None:
        end, epoch = snapshot_end, found["snapshot"]["snapshot_epoch"]
    if found["last"] is not None and found["last"]["offset"] >= end:
        end, epoch = found["last"]["offset"] + 1, found["last"]["epoch"]
    landing = Landing(
        first,
        end,
        epoch,
        found["rows"],
        found["problems"],
        snapshot_end,
        found["first_ms"],
        found["last_ms"],
    )
    # A record that is there twice is as wrong as one that is missing.
    return landing, found["different"] if found["different"] == found["placed"] else -1
