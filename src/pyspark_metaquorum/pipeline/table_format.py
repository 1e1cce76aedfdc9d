"""How tables are stored: plain Parquet, or Delta or Iceberg where the session has it.

Parquet is written beside and renamed into place, which is one step on local disks, HDFS and ABFS.
On object stores a rename is a copy: there Delta and Iceberg are right, whose commits are their own
(Iceberg's, in a catalog that is a directory, by renaming one file).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from attrs import field, frozen
from pyspark.sql import functions as F

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from pyspark_metaquorum.pipeline.target import MERGED, STAGING, Target

_EXTENSIONS: Final = {"delta": "io.delta", "iceberg": "org.apache.iceberg"}
_SETTINGS: Final = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
    },
    "iceberg": {
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions"
    },
}
# Both are published anew for every release of Spark, some time after it.
_PACKAGES: Final = {
    "delta": "io.delta:delta-spark_{}_2.13",
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-{}_2.13",
}


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

    def stage_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> int:
        """Make one part of several, beside where that is needed; how many rows it has."""

    def put_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> None:
        """Put it in the place of the several, as part of the first number; may be repeated."""

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

    def stage_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> int:
        reader = target.spark.read.schema(schema)
        parts = reader.parquet(*[target.path(_part(name, key, one)) for one in numbers])
        staged = target.path(_part(MERGED, key, numbers[0]))
        parts.coalesce(1).write.mode("overwrite").parquet(staged)
        return int(target.spark.read.schema(schema).parquet(staged).count())

    def put_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> None:
        staged = _part(MERGED, key, numbers[0])
        if target.exists(staged):  # else it is in its place already
            for one in numbers:
                target.delete(_part(name, key, one))
            target.put(staged, _part(name, key, numbers[0]))
        target.delete(MERGED)

    def write(self, target: Target, name: str, rows: Any) -> None:
        rows.write.mode("overwrite").parquet(target.path(f"{STAGING}/tables/{name}"))


@frozen
class Delta:
    """A part is replaced, and a table too, in one commit."""

    name: str = field(default="delta", init=False)

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.read.format(self.name).load(target.path(name))

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool:
        return self._is_there(target, name) and bool(self._of(target, name, key, number).head(1))

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        keyed = rows.withColumn(key, F.lit(number).cast("long"))
        writer = keyed.write.format(self.name).partitionBy(key)
        if self._is_there(target, name):
            writer = writer.option("replaceWhere", f"{key} = {number}")
        writer.mode("overwrite").save(target.path(name))

    def read_part(self, target: Target, name: str, schema: Any, key: str, number: Offset) -> Any:
        return self._of(target, name, key, number)

    def _of(self, target: Target, name: str, key: str, number: Offset) -> Any:
        return self.read(target, name, None).where(F.col(key) == number)

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None:
        self.write_part(target, name, self._of(target, name, key, number).limit(0), key, number)

    def stage_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> int:
        return int(self._among(target, name, key, numbers).count())

    def put_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> None:
        # The same rows again where it has been done already.
        rows = self._among(target, name, key, numbers)
        rows = rows.withColumn(key, F.lit(numbers[0]).cast("long")).coalesce(1)
        writer = rows.write.format(self.name).partitionBy(key).mode("overwrite")
        writer = writer.option("replaceWhere", f"{key} BETWEEN {numbers[0]} AND {numbers[-1]}")
        writer.save(target.path(name))

    def _among(self, target: Target, name: str, key: str, numbers: Sequence[Offset]) -> Any:
        return self.read(target, name, None).where(F.col(key).between(numbers[0], numbers[-1]))

    def write(self, target: Target, name: str, rows: Any) -> None:
        writer = rows.write.format(self.name).mode("overwrite")
        writer.option("overwriteSchema", "true").save(target.path(name))

    def _is_there(self, target: Target, name: str) -> bool:
        """Whether the table has a commit: files alone are what a crash left of its first one."""
        return any(one.endswith(".json") for one in target.names(f"{name}/_delta_log"))


@frozen
class Iceberg:
    """The same in a catalog that is nothing but the target's directory."""

    name: str = field(default="iceberg", init=False)

    def read(self, target: Target, name: str, schema: Any) -> Any:
        return target.spark.table(_in_catalog(target, name))

    def has_part(self, target: Target, name: str, key: str, number: Offset) -> bool:
        return self._is_there(target, name) and bool(self._of(target, name, key, number).head(1))

    def write_part(self, target: Target, name: str, rows: Any, key: str, number: Offset) -> None:
        writer = rows.withColumn(key, F.lit(number).cast("long")).writeTo(_in_catalog(target, name))
        if self._is_there(target, name):
            writer.overwrite(F.col(key) == number)
        else:
            writer.using(self.name).partitionedBy(F.col(key)).create()

    def read_part(self, target: Target, name: str, schema: Any, key: str, number: Offset) -> Any:
        return self._of(target, name, key, number)

    def _of(self, target: Target, name: str, key: str, number: Offset) -> Any:
        return self.read(target, name, None).where(F.col(key) == number)

    def drop_part(self, target: Target, name: str, key: str, number: Offset) -> None:
        self.write_part(target, name, self._of(target, name, key, number).limit(0), key, number)

    def stage_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> int:
        return int(self._among(target, name, key, numbers).count())

    def put_merged(
        self, target: Target, name: str, schema: Any, key: str, numbers: Sequence[Offset]
    ) -> None:
        # The same rows again where it has been done already.
        rows = self._among(target, name, key, numbers)
        rows = rows.withColumn(key, F.lit(numbers[0]).cast("long")).coalesce(1)
        place = F.col(key)
        writer = rows.writeTo(_in_catalog(target, name))
        writer.overwrite((place >= numbers[0]) & (place <= numbers[-1]))

    def _among(self, target: Target, name: str, key: str, numbers: Sequence[Offset]) -> Any:
        return self.read(target, name, None).where(F.col(key).between(numbers[0], numbers[-1]))

    def write(self, target: Target, name: str, rows: Any) -> None:
        rows.writeTo(_in_catalog(target, name)).using(self.name).createOrReplace()

    def _is_there(self, target: Target, name: str) -> bool:
        return bool(target.spark.catalog.tableExists(_in_catalog(target, name)))


_CATALOG: Final = "metaquorum_target"


def _in_catalog(target: Target, name: str) -> str:
    """The name of a table. Spark makes a catalog when it is first asked for, out of settings."""
    settings = target.spark.conf
    prefix = f"spark.sql.catalog.{_CATALOG}"
    settings.set(prefix, "org.apache.iceberg.spark.SparkCatalog")
    settings.set(f"{prefix}.type", "hadoop")
    settings.set(f"{prefix}.warehouse", target.uri)
    settings.set(f"{prefix}.cache-enabled", "false")
    return ".".join((_CATALOG, *[f"`{part}`" for part in name.split("/")]))


def _part(name: str, key: str, number: Offset) -> str:
    return f"{name}/{key}={number:020d}"


def settings_for(asked: str) -> dict[str, str]:
    """The settings by which a session is extended for a format; the jars are the user's to give."""
    return dict(_SETTINGS.get(asked, {}))


def table_format(spark: Any, asked: str) -> TableFormat:
    """The format of this name; ``auto`` takes what the session has been extended with.

    Raises OperatorError for one that the session does not have.
    """
    if asked == "auto":
        extensions = spark.conf.get("spark.sql.extensions", "") or ""
        found = [name for name, mark in _EXTENSIONS.items() if mark in extensions]
        asked = found[0] if found else "parquet"
    if asked != "parquet" and not _has_class(spark, _SETTINGS[asked]["spark.sql.extensions"]):
        release = ".".join(spark.version.split(".")[:2])
        package = _PACKAGES[asked].format(release)
        raise OperatorError(
            f"this Spark {spark.version} has no {asked}: give its jars by --conf "
            f"spark.jars.packages={package}:VERSION if there is one for this Spark, or take parquet"
        )
    return _FORMATS[asked]


def _has_class(spark: Any, name: str) -> bool:
    from py4j.protocol import Py4JJavaError

    try:
        spark._jvm.java.lang.Thread.currentThread().getContextClassLoader().loadClass(name)
    except Py4JJavaError:
        return False
    return True


_FORMATS: Final[dict[str, TableFormat]] = {
    "parquet": Parquet(),
    "delta": Delta(),
    "iceberg": Iceberg(),
}
