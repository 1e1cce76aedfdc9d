"""Many small landings become one, or a pipeline that follows would leave a file every few seconds.

As many neighbours as there must be, of one level, become one landing of the next level: a row is
written again once a level, and a level more is many times the rows. A landing that would be too
large is left as it is.

What is to be merged is first made whole beside, then written down in ``_merging.json``, then put
in place. Killed before it is written down, nothing has happened; killed after it, the next run
goes on with the putting in place, of which every step may be done twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from attrs import asdict, frozen

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.pipeline.landing import BRONZE, KEY, Bronze, Landing
from pyspark_metaquorum.pipeline.target import LANDINGS

NEIGHBOURS: Final = 16
MERGED_ROWS: Final = 1_000_000
_PLAN: Final = "_merging.json"


def merged(landings: Sequence[Landing]) -> Landing:
    """What neighbours are together."""
    first, last = landings[0], landings[-1]
    return Landing(
        first.first,
        last.end,
        last.epoch,
        sum(one.rows for one in landings),
        sum(one.problems for one in landings),
        first.snapshot_end,
        min((one.first_ms for one in landings if one.first_ms is not None), default=None),
        max((one.last_ms for one in landings if one.last_ms is not None), default=None),
        first.level + 1,
    )


def due(landings: Sequence[Landing], neighbours: int) -> Sequence[Landing] | None:
    """The first neighbours that are to become one; None if there are none."""
    for begin in range(len(landings) - neighbours + 1):
        found = landings[begin : begin + neighbours]
        is_one_level = all(one.level == found[0].level for one in found)
        is_one_stretch = all(one.snapshot_end is None for one in found[1:])
        if is_one_level and is_one_stretch and sum(one.rows for one in found) <= MERGED_ROWS:
            return found
    return None


@frozen
class Merger:
    """Merges landings of a target."""

    bronze: Bronze
    neighbours: int = NEIGHBOURS

    def recover(self) -> None:
        """Finish the merge that a crash interrupted."""
        plan = self.bronze.target.read_json(_PLAN)
        if plan is not None:
            self._finish(plan)

    def merge(self, landings: list[Landing]) -> list[Landing]:
        """The landings that there are afterwards. Raises OperatorError, with nothing changed."""
        while (found := due(landings, self.neighbours)) is not None:
            one = merged(found)
            numbers = [each.first for each in found]
            bronze = self.bronze
            rows = bronze.format.stage_merged(bronze.target, BRONZE, bronze.schema(), KEY, numbers)
            if rows != one.rows:
                raise OperatorError(
                    f"{bronze.target.path(BRONZE)}: the landings from offset {one.first} to "
                    f"{one.end} hold {rows} records, and {one.rows} had landed"
                )
            plan = {"numbers": numbers, "landing": asdict(one)}
            bronze.target.write_json(_PLAN, plan)
            self._finish(plan)
            landings = self.bronze.landings()
        return landings

    def _finish(self, plan: dict[str, Any]) -> None:
        first, *others = plan["numbers"]
        target = self.bronze.target
        self.bronze.format.put_merged(target, BRONZE, self.bronze.schema(), KEY, plan["numbers"])
        target.write_json(f"{LANDINGS}/{first:020d}.json", plan["landing"])
        for number in others:
            target.delete(f"{LANDINGS}/{number:020d}.json")
        target.delete(_PLAN)
