"""One Spark session for the whole run: it costs more than all tests together."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from tools.own_node import OwnNode


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """A local session on two threads, with nothing listening but Spark's own loopback ports."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    found = (
        SparkSession.builder.master("local[2]")
        .appName("metaquorum-tests")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "2")
        .config("spark.sql.session.timeZone", "UTC")
        .config(
            "spark.python.authenticate.socketTimeout", "60s"
        )  # a worker starts slowly amid JVMs
        .config("spark.driver.extraJavaOptions", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        .getOrCreate()
    )
    yield found
    found.stop()


@pytest.fixture
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[OwnNode]:
    """A quorum of one node of ours."""
    with OwnNode(tmp_path_factory.mktemp("own")) as one:
        yield one
