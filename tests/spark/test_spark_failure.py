"""What a failed job of Spark's becomes, in one line."""

from __future__ import annotations

from pyspark_metaquorum.pipeline.spark_failure import sentence

IN_A_WORKER = """An error occurred while calling o52.parquet.
: org.apache.spark.SparkException: Job aborted.
Traceback (most recent call last):
  File "worker.py", line 1, in main
metaquorum.base.errors.OperatorError: 00000000000000000000.log: cut at byte 61

\tat org.apache.spark.api.python.BasePythonRunner
"""
IN_THE_JVM = """An error occurred while calling o94.save.
: org.apache.spark.SparkException: the directory is not empty
\tat org.apache.spark.sql.DataFrameWriter.save
"""


def test_an_error_of_ours_is_told_in_its_own_words() -> None:
    assert sentence(IN_A_WORKER) == "00000000000000000000.log: cut at byte 61"


def test_a_jvm_error_is_reported_by_its_first_meaningful_line() -> None:
    assert sentence(IN_THE_JVM) == "org.apache.spark.SparkException: the directory is not empty"
    assert sentence("[PATH_NOT_FOUND] no such path.\nmore") == "[PATH_NOT_FOUND] no such path."
