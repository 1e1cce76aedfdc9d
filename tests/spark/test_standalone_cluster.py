"""The pipeline on a cluster of Spark's own kind: a master, and a worker that runs the tasks."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pyarrow.dataset as arrow
import pyspark
import pytest

from metaquorum.client.metadata_log import MetadataLogReader
from tools.kafka.ports import LOOPBACK, free_ports, wait_listening
from tools.own_node import METAQUORUM, OwnNode
from tools.quota_writer import QuotaWriter

HOME = Path(pyspark.__file__).parent
DEADLINE_S = 300
USERS = 50


@pytest.fixture
def master(tmp_path: Path) -> Iterator[str]:
    """The URL of a master with one worker of two threads."""
    port, page, worker_page = free_ports(3)
    url = f"spark://{LOOPBACK}:{port}"
    environment = {**os.environ, "SPARK_HOME": str(HOME), "SPARK_LOCAL_IP": LOOPBACK}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_NO_DAEMONIZE": "1"}
    daemons: dict[str, list[object]] = {
        "master.Master": ["--port", port, "--webui-port", page],
        "worker.Worker": [url, "--cores", 2, "--memory", "1g", "--webui-port", worker_page],
    }
    running = []
    daemons["worker.Worker"] += ["--work-dir", tmp_path / "work"]
    try:
        for name, words in daemons.items():
            line = [str(HOME / "bin" / "spark-class"), f"org.apache.spark.deploy.{name}"]
            line += ["--host", LOOPBACK, *map(str, words)]
            with open(tmp_path / f"{name}.log", "wb") as log:
                running.append(subprocess.Popen(line, env=environment, stdout=log, stderr=log))
            wait_listening(port, DEADLINE_S)
        yield url
    finally:
        for process in reversed(running):
            process.terminate()
            process.wait()


@pytest.mark.soak
@pytest.mark.timeout(3 * DEADLINE_S)
def test_tasks_of_a_cluster_land_the_log_of_a_live_quorum(
    own: OwnNode, tmp_path: Path, master: str
) -> None:
    lake = tmp_path / "lake"
    with QuotaWriter.open(own.port) as writer:
        for number in range(USERS):
            writer.set(f"user-{number}", "producer_byte_rate", 1.0 + number)
    line = [str(METAQUORUM), "pipeline", "run", "--from", own.bootstrap_controller]
    line += ["--to", lake.as_uri(), "--master", master]
    line += ["--conf", f"spark.driver.host={LOOPBACK}", "--conf", "spark.cores.max=2"]
    line += ["--conf", "spark.sql.shuffle.partitions=2"]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": LOOPBACK}
    done = subprocess.run(
        line, env=environment, capture_output=True, text=True, timeout=DEADLINE_S, check=False
    )
    assert done.returncode == 0, done.stderr
    assert f"on {master} is ready" in done.stderr
    assert any((tmp_path / "work").glob("app-*/*/stderr"))  # the worker had executors
    reader = MetadataLogReader([(LOOPBACK, own.controller_port)])
    expected = [(one.offset, one.type) for one in reader.records()]
    table = arrow.dataset(lake / "bronze", format="parquet").to_table(["offset", "type"])
    found = sorted(zip(*(column.to_pylist() for column in table.columns)))
    assert found == expected[: len(found)] and len(found) > USERS
    quotas = arrow.dataset(lake / "history" / "quotas", format="parquet").to_table()
    assert quotas.num_rows == USERS
