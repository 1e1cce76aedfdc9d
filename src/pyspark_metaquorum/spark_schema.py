"""The schema of the rows in Spark's own types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pyarrow as pa
from pyspark.sql import types as spark

from pyspark_metaquorum.columns import arrow_schema
from pyspark_metaquorum.record_type import RecordType

_SCALARS: dict[Any, Any] = {
    pa.bool_(): spark.BooleanType(),
    pa.int8(): spark.ByteType(),
    pa.int16(): spark.ShortType(),
    pa.int32(): spark.IntegerType(),
    pa.int64(): spark.LongType(),
    pa.float64(): spark.DoubleType(),
    pa.string(): spark.StringType(),
    pa.binary(): spark.BinaryType(),
    pa.timestamp("us", "UTC"): spark.TimestampType(),
}


def spark_schema(types: Iterable[RecordType]) -> Any:
    """The schema of a table with a struct for each of these record types."""
    return spark_struct(arrow_schema(types))


def spark_struct(fields: Any) -> Any:
    """An Arrow schema, or the fields of a struct, in Spark's types."""
    return spark.StructType([spark.StructField(one.name, _type(one.type)) for one in fields])


def _type(type: Any) -> Any:
    if pa.types.is_list(type):
        return spark.ArrayType(_type(type.value_type))
    if pa.types.is_struct(type):
        return spark_struct(type.fields)
    return _SCALARS[type]
