"""The tables of a pipeline's directory, read without Spark."""

from __future__ import annotations

import json
from typing import Any, Final

import pyarrow as pa
import pyarrow.dataset as dataset
from attrs import field, frozen

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.file_system import Place

_ABOUT: Final = "_tables.json"
_TIME: Final = pa.timestamp("us", "UTC")


@frozen
class LandedTables:
    """What there is to report: ``about`` says of which end of the log; tables are Arrow's."""

    place: Place
    about: dict[str, Any] = field(eq=False)

    @classmethod
    def open(cls, directory: str) -> LandedTables:
        """The tables in a directory, a path or a URI. Raises OperatorError if there are none."""
        place = Place.of(directory)
        names = place.names()
        if names is None or _ABOUT not in names:
            raise OperatorError(
                f"{directory}: no tables: `metaquorum pipeline run --to {directory}` makes them"
            )
        with place.child(_ABOUT).open() as file:
            about = json.loads(file.read())
        if about["format"] != "parquet":
            raise OperatorError(f"{directory} is in {about['format']}: a report reads Parquet")
        return cls(place, about)

    def table(self, name: str, columns: list[str] | None = None) -> Any:
        """One table, or some of its columns. Raises OperatorError."""
        place = self.place.child(name)
        try:
            found = dataset.dataset(place.path, format="parquet", filesystem=place.system)
            return _in_utc(found.to_table(columns=columns))
        except (pa.ArrowException, OSError) as error:
            raise OperatorError(f"{place.uri}: {error}") from None

    def count(self, name: str) -> int:
        """How many rows a table has."""
        return int(self.table(name, []).num_rows)


def _in_utc(table: Any) -> Any:
    """Times of any form, as older writers of Parquet have them, as microseconds in UTC."""
    fields = [
        one.with_type(_TIME) if pa.types.is_timestamp(one.type) else one for one in table.schema
    ]
    return table.cast(pa.schema(fields), safe=False)
