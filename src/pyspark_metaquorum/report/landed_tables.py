"""The tables of a pipeline's directory: Parquet is read without Spark, all else by it."""

from __future__ import annotations

import json
from typing import Any, Final, Protocol

import pyarrow as pa
import pyarrow.dataset as dataset
from attrs import field, frozen

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.file_system import Place

_ABOUT: Final = "_tables.json"
_TIME: Final = pa.timestamp("us", "UTC")


class TableReader(Protocol):
    """Reads one table of a directory, or some of its columns, into Arrow's form."""

    def __call__(self, name: str, columns: list[str] | None) -> Any:
        """Raises OperatorError."""


@frozen
class LandedTables:
    """What there is to report: ``about`` says of which end of the log; tables are Arrow's."""

    place: Place
    about: dict[str, Any] = field(eq=False)
    reader: TableReader = field(eq=False)

    @classmethod
    def open(cls, directory: str, reader: TableReader | None = None) -> LandedTables:
        """The tables in a directory, a path or a URI; Parquet needs no reader from outside.

        Raises OperatorError if there are none.
        """
        place = Place.of(directory)
        about = about_tables(directory)
        return cls(place, about, reader or _Files(place))

    def table(self, name: str, columns: list[str] | None = None) -> Any:
        """One table, or some of its columns. Raises OperatorError."""
        return _in_utc(self.reader(name, columns))

    def count(self, name: str) -> int:
        """How many rows a table has."""
        return int(self.reader(name, []).num_rows)


def about_tables(directory: str) -> dict[str, Any]:
    """What a directory says of its tables. Raises OperatorError if there are none."""
    place = Place.of(directory)
    names = place.names()
    if names is None or _ABOUT not in names:
        raise OperatorError(
            f"{directory}: no tables: `metaquorum pipeline run --to {directory}` makes them"
        )
    with place.child(_ABOUT).open() as file:
        found: dict[str, Any] = json.loads(file.read())
    return found


@frozen
class _Files:
    """Parquet below a place."""

    place: Place

    def __call__(self, name: str, columns: list[str] | None) -> Any:
        place = self.place.child(name)
        try:
            found = dataset.dataset(place.path, format="parquet", filesystem=place.system)
            return found.to_table(columns=columns)
        except (pa.ArrowException, OSError) as error:
            raise OperatorError(f"{place.uri}: {error}") from None


def _in_utc(table: Any) -> Any:
    """Times of any form, as older writers of Parquet have them, as microseconds in UTC."""
    fields = [
        one.with_type(_TIME) if pa.types.is_timestamp(one.type) else one for one in table.schema
    ]
    return table.cast(pa.schema(fields), safe=False)
