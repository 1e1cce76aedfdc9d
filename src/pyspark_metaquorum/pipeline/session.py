"""The Spark session of a pipeline: a local one, or one on a cluster."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from metaquorum.base.errors import OperatorError

LOCAL: Final = "local[*]"
_LOGGING: Final = Path(__file__).with_name("log4j2.properties")
# A run is short and its work is in Python: what the JVM gains by compiling well comes too late.
_QUICK: Final = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
_SETTINGS: Final = {
    "spark.ui.enabled": "false",
    "spark.sql.session.timeZone": "UTC",
    # Rows come in Arrow batches: larger ones than Spark's own make fewer round trips.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "10000",
}
_LOCAL_SETTINGS: Final = {
    "spark.sql.shuffle.partitions": "8",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
}


def open_session(master: str | None, settings: Mapping[str, str]) -> Any:
    """A session on ``master`` (a local Spark by default) with these settings.

    Raises OperatorError where Spark or Java are missing, or Spark does not start.
    """
    try:
        from pyspark.errors import PySparkException
        from pyspark.sql import SparkSession
    except ImportError as error:
        raise OperatorError(
            f"Spark is not installed ({error.name}): pip install 'metaquorum[spark]'"
        ) from None
    chosen = master or LOCAL
    if chosen.startswith("sc://"):
        raise OperatorError("--master takes a cluster's URL: a Spark Connect server will not do")
    home = os.environ.get("JAVA_HOME")
    if shutil.which("java", path=f"{home}/bin" if home else None) is None:
        raise OperatorError("Spark needs Java 17 or later: there is no java on the path")
    is_local = chosen.startswith("local")
    if is_local:
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(chosen).appName("metaquorum pipeline")
    java = f"-Dlog4j2.configurationFile={_LOGGING.as_uri()}"
    builder = builder.config("spark.driver.extraJavaOptions", f"{java} {_QUICK}")
    builder = builder.config("spark.ui.showConsoleProgress", str(sys.stderr.isatty()).lower())
    for name, value in {**_SETTINGS, **(_LOCAL_SETTINGS if is_local else {}), **settings}.items():
        builder = builder.config(name, value)
    try:
        return builder.getOrCreate()
    except (PySparkException, OSError) as error:
        raise OperatorError(f"Spark does not start on {chosen}: {_first_line(error)}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]
