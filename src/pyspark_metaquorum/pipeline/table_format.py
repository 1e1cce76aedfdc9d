"""How tables are stored: plain Parquet, or Delta where the session has it.

Parquet is written beside and renamed into place, which is one step on local disks, HDFS and ABFS.
On object stores a rename is a copy: there Delta is the right one, whose commits are its own.
"""

from __future__ import annotations

from typing import Any, Final, Protocol

from attrs import field, frozen
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from pyspark_metaquorum.pipeline.target import STAGING, Target

_EXTENSIONS: Final = {"delta": "io.delta"}


class TableFormat(Protocol):
    """Tables at paths; those of bronze are made of parts, each with a number as its key."""

    @property
    def name(self) -> str: ...

    def read(self, target: Target, name: str, schema: Any) -> Any: ...

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool: ...

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        """Write a part whole, in the place of what a crash may have left of it."""

    def read_part(
        self, target: Target, name: str, schema: Any, key: str, number: Offset
    ) -> Any: ...

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None: ...

    def write(self, target: Target, name: str, rows: Any) -> None:
        """Write a table whole; Parquet goes to ``_staging`` and waits for the others there."""


@frozen
class Parquet:
    """A directory a table, a directory inside it a part."""

    name: str = field(default="parquet", init=False)

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.read.schema(schema).parquet(target.path(name))

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool:
        return target.exists(_part(name, key, number))

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        staged = f"{STAGING}/{_part(name, key, number)}"
        rows.write.mode("overwrite").parquet(target.path(staged))
        target.put(staged, _part(name, key, number))

    def read_part(self, target: Target, name: str, schema: Any, key: str, number: Offset) -> Any:
        return target.spark.read.schema(schema).parquet(target.path(_part(name, key, number)))

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None:
        target.delete(_part(name, key, number))

    def write(self, target: Target, name: str, rows: Any) -> None:
        rows.write.mode("overwrite").parquet(target.path(f"{STAGING}/tables/{name}"))


@frozen
class Transactional:
    """Delta: a part is replaced, and a table too, in one commit."""

    name: str

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.read.format(self.name).load(target.path(name))

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool:
        return target.exists(name) and bool(self._of(target, name, key, number).head(1))

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        keyed = rows.withColumn(key, F.lit(number).cast("long"))
        writer = keyed.write.format(self.name).partitionBy(key)
        if target.exists(name):
            writer = writer.option("replaceWhere", f"{key} = {number}")
        writer.mode("overwrite").save(target.path(name))

    def read_part(self, target: Target, name: str, schema: Any, key: str, number: Offset) -> Any:
        return self._of(target, name, key, number)

    def _of(self, target: Target, name: str, key: str, number: Offset) -> Any:
        whole = target.spark.read.format(self.name).load(target.path(name))
        return whole.where(F.col(key) == number)

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None:
        self.write_part(target, name, self._of(target, name, key, number).limit(0), key, number)

    def write(self, target: Target, name: str, rows: Any) -> None:
        writer = rows.write.format(self.name).mode("overwrite")
        writer.option("overwriteSchema", "true").save(target.path(name))


def _part(name: str, key: str, number: Offset) -> str:
    return f"{name}/{key}={number:020d}"


def table_format(spark: Any, asked: str) -> TableFormat:
    """The format of this name; ``auto`` takes what the session has been extended with.

    Raises OperatorError for one that the session does not have.
    """
    extensions = spark.conf.get("spark.sql.extensions", "") or ""
    has = [name for name, mark in _EXTENSIONS.items() if mark in extensions]
    if asked == "parquet" or (asked == "auto" and not has):
        return Parquet()
    if asked == "auto":
        return Transactional(has[0])
    if asked not in has:
        raise OperatorError(
            f"this Spark has no {asked}: give its package and extension by --conf "
            f"(spark.jars.packages, spark.sql.extensions), or take parquet"
        )
    return Transactional(asked)
