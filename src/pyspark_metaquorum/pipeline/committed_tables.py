"""Tables of a format with commits of its own: a part is replaced, and a table too, in one of them.

The key of a part is a column, by which the table is partitioned. A part that is written again, or
merged again, after a crash takes the place of itself.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any, Final

from attrs import field, frozen
from pyspark.sql import functions as F

from metaquorum.base.offsets import Offset
from pyspark_metaquorum.pipeline.target import Target

_CATALOG: Final = "metaquorum_target"


@frozen
class CommittedTables(ABC):
    """What such formats have in common, over four things that each does in its own way."""

    @abstractmethod
    def read(self, target: Target, name: str, schema: Any) -> Any: ...

    @abstractmethod
    def write(self, target: Target, name: str, rows: Any) -> None: ...

    @abstractmethod
    def _is_there(self, target: Target, name: str) -> bool: ...

    @abstractmethod
    def _create(self, target: Target, name: str, rows: Any, key: str) -> None: ...

    @abstractmethod
    def _replace(
        self, target: Target, name: str, rows: Any, key: str, first: Offset, last: Offset
    ) -> None:
        """Commit these rows in the place of the parts from ``first`` to ``last``."""

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool:
        if not self._is_there(target, name):
            return False
        return bool(self._among(target, name, key, number, number).head(1))

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        keyed = rows.withColumn(key, F.lit(number).cast("long"))
        if self._is_there(target, name):
            self._replace(target, name, keyed, key, number, number)
        else:
            self._create(target, name, keyed, key)

    def read_part(self, target: Target, name: str, schema: Any, key: str, number: Offset) -> Any:
        return self._among(target, name, key, number, number)

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None:
        nothing = self._among(target, name, key, number, number).limit(0)
        self._replace(target, name, nothing, key, number, number)

    def stage_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> int:
        return int(self._among(target, name, key, numbers[0], numbers[-1]).count())

    def put_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> None:
        first, last = numbers[0], numbers[-1]
        # The same rows again where it has been done already.
        rows = self._among(target, name, key, first, last)
        rows = rows.withColumn(key, F.lit(first).cast("long")).coalesce(1)
        self._replace(target, name, rows, key, first, last)

    def _among(self, target: Target, name: str, key: str, first: Offset, last: Offset) -> Any:
        return self.read(target, name, None).where(F.col(key).between(first, last))


@frozen
class Delta(CommittedTables):
    """A directory a table, with its log of commits in it."""

    name: str = field(default="delta", init=False)

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.read.format(self.name).load(target.path(name))

    def write(self, target: Target, name: str, rows: Any) -> None:
        writer = rows.write.format(self.name).mode("overwrite")
        writer.option("overwriteSchema", "true").save(target.path(name))

    def _is_there(self, target: Target, name: str) -> bool:
        """Whether the table has a commit: files alone are what a crash left of its first one."""
        return any(one.endswith(".json") for one in target.names(f"{name}/_delta_log"))

    def _create(self, target: Target, name: str, rows: Any, key: str) -> None:
        writer = rows.write.format(self.name).partitionBy(key).mode("overwrite")
        writer.save(target.path(name))

    def _replace(
        self, target: Target, name: str, rows: Any, key: str, first: Offset, last: Offset
    ) -> None:
        writer = rows.write.format(self.name).partitionBy(key).mode("overwrite")
        # Not BETWEEN, which Delta does not resolve (4.4.0).
        writer = writer.option("replaceWhere", f"{key} >= {first} AND {key} <= {last}")
        writer.save(target.path(name))


@frozen
class Iceberg(CommittedTables):
    """A table of a catalog that is nothing but the target's directory."""

    name: str = field(default="iceberg", init=False)

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.table(_in_catalog(target, name))

    def write(self, target: Target, name: str, rows: Any) -> None:
        rows.writeTo(_in_catalog(target, name)).using(self.name).createOrReplace()

    def _is_there(self, target: Target, name: str) -> bool:
        return bool(target.spark.catalog.tableExists(_in_catalog(target, name)))

    def _create(self, target: Target, name: str, rows: Any, key: str) -> None:
        writer = rows.writeTo(_in_catalog(target, name)).using(self.name)
        writer.partitionedBy(F.col(key)).create()

    def _replace(
        self, target: Target, name: str, rows: Any, key: str, first: Offset, last: Offset
    ) -> None:
        rows.writeTo(_in_catalog(target, name)).overwrite(F.col(key).between(first, last))


def _in_catalog(target: Target, name: str) -> str:
    """The name of a table. Spark makes a catalog when it is first asked for, out of settings."""
    settings = target.spark.conf
    prefix = f"spark.sql.catalog.{_CATALOG}"
    settings.set(prefix, "org.apache.iceberg.spark.SparkCatalog")
    settings.set(f"{prefix}.type", "hadoop")
    settings.set(f"{prefix}.warehouse", target.uri)
    settings.set(f"{prefix}.cache-enabled", "false")
    return ".".join((_CATALOG, *[f"`{part}`" for part in name.split("/")]))
