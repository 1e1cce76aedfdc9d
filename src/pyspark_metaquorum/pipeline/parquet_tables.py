"""Plain Parquet: a table is a directory, and a part of it a directory inside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from attrs import field, frozen

from metaquorum.base.offsets import Offset
from pyspark_metaquorum.pipeline.target import MERGED, STAGING, Target


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


def _part(name: str, key: str, number: Offset) -> str:
    return f"{name}/{key}={number:020d}"
