"""The tables as Spark Declarative Pipelines keep them, beside those of ``pipeline run``."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pyspark
import pytest
from pyspark.sql import DataFrame, SparkSession

from metaquorum.cli.main import run
from pyspark_metaquorum.pipeline.derived import NAMES
from pyspark_metaquorum.pipeline.landing import KEY
from pyspark_metaquorum.pipeline.origin import origin_of
from pyspark_metaquorum.pipeline.parquet_tables import Parquet
from pyspark_metaquorum.pipeline.project import LASTING_CATALOG
from pyspark_metaquorum.pipeline.running import Pipeline
from pyspark_metaquorum.pipeline.target import Target
from tests.spark.test_tables import a_cluster, written
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

DEADLINE_S = 400
PROGRAM = Path(sys.executable).parent / "spark-pipelines"
# A run is short: what the JVM gains by compiling well comes too late. These are no words on the
# command line, of which Spark keeps only some when there are many.
QUICK = (
    "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -Dspark.ui.enabled=false "
    "-Dspark.sql.shuffle.partitions=2 -Dspark.driver.host=127.0.0.1"
)


def declared(project: Path, command: str) -> None:
    """A command of ``spark-pipelines``, in the directory of a project."""
    line = [PROGRAM, "--remote", "local[2]", "--conf", LASTING_CATALOG, command]
    environment = {"SPARK_HOME": str(Path(pyspark.__file__).parent), "SPARK_LOCAL_IP": "127.0.0.1"}
    environment |= {"PYSPARK_PYTHON": sys.executable, "PYSPARK_DRIVER_PYTHON": sys.executable}
    environment |= {"JDK_JAVA_OPTIONS": QUICK}
    done = subprocess.run(
        line,
        cwd=project,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=DEADLINE_S,
        check=False,
    )
    assert done.returncode == 0 and "Run is COMPLETED" in done.stdout, done.stdout + done.stderr


def project_for(source: str, directory: Path) -> Path:
    """The project that ``pipeline init`` writes."""
    line = ["pipeline", "init", str(directory), "--from", source, "--growth-every", "1 second"]
    assert run(line) == 0
    return directory


def table(spark: SparkSession, project: Path, name: str) -> DataFrame:
    """A table of a project, from where its catalog keeps it."""
    return spark.read.parquet(str(project / "spark-warehouse" / name.replace("/", "_")))


def rows(found: DataFrame) -> list[str]:
    """All rows in an order of their own."""
    return sorted(found.toJSON().collect())


def made_by_pipeline(spark: SparkSession, source: str, lake: Path, end: int) -> Pipeline:
    """``pipeline run``'s tables of the same log up to an offset."""
    origin = origin_of(source, most=1_000_000, timeout_ms=5_000)
    target = Target(spark, lake.as_uri())
    made = Pipeline(target, origin, source, Parquet(), lambda text: None, lambda value: None)
    while made.end < end:
        assert made.land(end) is not None
    made.refresh()
    return made


def same_tables(spark: SparkSession, project: Path, lake: Path) -> None:
    """Every table has the rows that ``pipeline run`` gives it."""
    bronze = spark.read.parquet(str(lake / "bronze")).drop(KEY)
    assert rows(table(spark, project, "bronze")) == rows(bronze)
    different = [
        name
        for name in NAMES
        if rows(table(spark, project, name)) != rows(spark.read.parquet(str(lake / name)))
    ]
    assert different == []
    assert len(rows(table(spark, project, "report/growth"))) > 0


@pytest.mark.timeout(2 * DEADLINE_S)
def test_runs_append_newly_committed_records_and_make_the_same_tables(
    spark: SparkSession, own: OwnNode, tmp_path: Path
) -> None:
    project = project_for(own.bootstrap_controller, tmp_path / "project")
    with QuotaWriter.open(own.port) as writer:
        writer.set("first", "producer_byte_rate", 1.0)
        declared(project, "run")
        writer.set("second", "producer_byte_rate", 2.0)
        declared(project, "run")
    offsets = [row["offset"] for row in table(spark, project, "bronze").select("offset").collect()]
    assert sorted(offsets) == list(range(len(offsets)))
    quotas = table(spark, project, "history_quotas").count()
    assert quotas == 2
    made_by_pipeline(spark, own.bootstrap_controller, tmp_path / "lake", len(offsets))
    same_tables(spark, project, tmp_path / "lake")


@pytest.mark.soak
@pytest.mark.timeout(3 * DEADLINE_S)
def test_a_directory_is_read_anew_by_every_run(spark: SparkSession, tmp_path: Path) -> None:
    log, made = tmp_path / "log", a_cluster()
    written(log, made)
    project = project_for(str(log), tmp_path / "project")
    declared(project, "dry-run")
    assert not (project / "spark-warehouse" / "bronze").exists()
    for _ in range(2):
        declared(project, "run")
    made_by_pipeline(spark, str(log), tmp_path / "lake", len(made.values))
    same_tables(spark, project, tmp_path / "lake")
