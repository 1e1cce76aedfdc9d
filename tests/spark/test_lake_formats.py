"""Delta and Iceberg for real: killed on the way, gone on with, and equal to Parquet's tables.

Both are published for a release of Spark some time after it, so an older Spark runs them.
"""

from __future__ import annotations

import json
import signal
import subprocess
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pyspark_metaquorum.pipeline.derived import NAMES
from pyspark_metaquorum.pipeline.landing import BRONZE, KEY
from tests.spark.other_spark import OtherSpark
from tests.spark.test_declarative import made_by_pipeline, rows
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

DEADLINE_S = 1_200
LANDING_ROWS = 20
USERS = 16 * LANDING_ROWS  # so many landings that some are merged
PACKAGES = {
    "delta": "io.delta:delta-spark_4.1_2.13:4.4.0",
    "iceberg": "org.apache.iceberg:iceberg-spark-runtime-4.1_2.13:1.12.0",
}


@pytest.fixture(scope="module")
def other() -> OtherSpark:
    return OtherSpark.installed()


def start(other: OtherSpark, own: OwnNode, lake: Path, stored: str) -> subprocess.Popen[bytes]:
    """A run that lands in many small steps."""
    line = [other.program("metaquorum"), "pipeline", "run", "--from", own.bootstrap_controller]
    line += ["--to", lake, "--format", stored, "--rows-per-landing", str(LANDING_ROWS)]
    line += ["--conf", f"spark.jars.packages={PACKAGES[stored]}", "-o", "json"]
    line += ["--master", "local[2]"]
    return subprocess.Popen(
        line, env=other.environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )


@pytest.mark.soak
@pytest.mark.timeout(4 * DEADLINE_S)
@pytest.mark.parametrize("stored", ["delta", "iceberg"])
def test_a_killed_run_goes_on_and_ends_with_the_tables_of_parquet(
    spark: SparkSession, own: OwnNode, tmp_path: Path, other: OtherSpark, stored: str
) -> None:
    lake = tmp_path / "lake"
    with QuotaWriter.open(own.port) as writer:
        for number in range(USERS):
            writer.set(f"user-{number}", "producer_byte_rate", 1.0 + number)
    process = start(other, own, lake, stored)
    assert process.stdout is not None
    told = [process.stdout.readline() for _ in range(3)]
    process.send_signal(signal.SIGKILL)  # while the fourth is being made
    _, said = process.communicate()
    assert all(told), said.decode()
    assert [json.loads(one)["landed"]["rows"] for one in told] == [LANDING_ROWS] * 3

    out, said = start(other, own, lake, stored).communicate(timeout=DEADLINE_S)
    assert out, said.decode()
    made = json.loads(out.splitlines()[-1])["tables"]
    assert made["format"] == stored and b"merged" in said, said.decode()
    found = other.rows(lake, stored, {"spark.jars.packages": PACKAGES[stored]})
    offsets = sorted(json.loads(row)["offset"] for row in found[BRONZE])
    assert offsets == list(range(made["end"]))

    made_by_pipeline(spark, own.bootstrap_controller, tmp_path / "parquet", made["end"])
    parquet = {name: rows(spark.read.parquet(str(tmp_path / "parquet" / name))) for name in NAMES}
    landed = spark.read.parquet(str(tmp_path / "parquet" / BRONZE)).drop(KEY)
    assert found[BRONZE] == rows(landed)
    assert [name for name in NAMES if found[name] != parquet[name]] == []
    assert len(found["history/quotas"]) == USERS

    page = tmp_path / "report.html"
    line = [other.program("metaquorum"), "pipeline", "report", lake, "--out", page]
    line += ["--conf", f"spark.jars.packages={PACKAGES[stored]}"]
    subprocess.run(line, env=other.environment, check=True, capture_output=True, timeout=DEADLINE_S)
    assert "<svg" in page.read_text()
