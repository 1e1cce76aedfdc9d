"""What a batch reader and a stream hand to Spark's executors."""

from __future__ import annotations

from pyspark.sql.datasource import InputPartition

from pyspark_metaquorum.ranges import Range


class RangePartition(InputPartition):
    """One range as Spark hands it to an executor."""

    def __init__(self, value: Range) -> None:
        super().__init__(value)
        self.value: Range = value
