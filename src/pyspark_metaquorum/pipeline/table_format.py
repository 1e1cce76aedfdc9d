"""How tables are stored: plain Parquet, or Delta or Iceberg where the session has it.

Parquet is written beside and renamed into place, which is one step on local disks, HDFS and ABFS.
On object stores a rename is a copy: there Delta and Iceberg are right, whose commits are their own
(Iceberg's, in a catalog that is a directory, by renaming one file).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from pyspark_metaquorum.pipeline.committed_tables import Delta, Iceberg
from pyspark_metaquorum.pipeline.parquet_tables import Parquet
from pyspark_metaquorum.pipeline.target import Target

_EXTENSIONS: Final = {"delta": "io.delta", "iceberg": "org.apache.iceberg"}
_SETTINGS: Final = {
    "delta": {
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        # Of its own accord it reads its log of commits, here a few lines, in fifty tasks.
        "spark.databricks.delta.snapshotPartitions": "2",
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
