"""The tables of a report, with a Spark for as long as it takes where they are not Parquet."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.report.landed_tables import LandedTables, about_tables


@contextlib.contextmanager
def open_tables(directory: str, settings: Mapping[str, str]) -> Iterator[LandedTables]:
    """The tables in a directory. Raises OperatorError.

    ``settings`` are of the Spark that reads Delta and Iceberg.
    """
    stored = about_tables(directory)["format"]
    if stored == "parquet":
        yield LandedTables.open(directory)
        return
    if find_spec("pyspark") is None:
        raise OperatorError(
            f"{directory} is in {stored}, which Spark reads: pip install 'metaquorum[spark]'"
        )
    from pyspark_metaquorum.pipeline.session import open_session
    from pyspark_metaquorum.pipeline.spark_failure import as_operator_error
    from pyspark_metaquorum.pipeline.table_format import settings_for, table_format
    from pyspark_metaquorum.pipeline.target import Target

    spark = open_session(None, {**settings_for(stored), **settings})
    try:
        format, target = table_format(spark, stored), Target(spark, directory)

        def read(name: str, columns: list[str] | None) -> Any:
            with as_operator_error(target.path(name)):
                rows = format.read(target, name, None)
                return (rows if columns is None else rows.select(*columns)).toArrow()

        yield LandedTables.open(directory, read)
    finally:
        spark.stop()
