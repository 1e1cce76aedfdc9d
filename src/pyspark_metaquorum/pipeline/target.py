"""The directory that a pipeline fills, on any file system that Spark writes to.

    DIR/bronze/landing=<offset>/     every record as it is, one landing after the other
    DIR/history/<table>/             every version of every row, with valid-from and valid-to
    DIR/report/<table>/              churn, sessions, epochs, audits, mix, growth, movers
    DIR/errors/                      what could not be read, with file and place
    DIR/_landings/<offset>.json      what each landing holds, written when it is there
    DIR/_merging.json, _merged/      landings that are about to become one
    DIR/_tables.json                 up to where in the log the tables are

What begins with an underscore is no data, for Spark as for most others. All that is written is
made beside (``_staging``) and put in its place by renaming, so that nobody ever reads a half of it.
"""

from __future__ import annotations

import json
from typing import Any, Final

from attrs import define, field

STAGING: Final = "_staging"
MERGED: Final = "_merged"
LANDINGS: Final = "_landings"
TABLES_FILE: Final = "_tables.json"


@define(eq=False)
class Target:
    """Files below one directory, by their path in it. ``spark`` is a session with a JVM."""

    spark: Any
    uri: str
    _jvm: Any = field(init=False)
    _system: Any = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._jvm = self.spark._jvm
        # Spark's own default is a form that other readers take for times without a zone.
        self.spark.conf.set("spark.sql.parquet.outputTimestampType", "TIMESTAMP_MICROS")
        configuration = self.spark._jsc.hadoopConfiguration()
        self._system = self._path("").getFileSystem(configuration)

    def path(self, name: str) -> str:
        """The URI of something inside."""
        return f"{self.uri.rstrip('/')}/{name}" if name else self.uri

    def exists(self, name: str) -> bool:
        """Whether it is there."""
        return bool(self._system.exists(self._path(name)))

    def names(self, name: str) -> list[str]:
        """What is in a directory, in order; nothing if there is none."""
        if not self.exists(name):
            return []
        return sorted(one.getPath().getName() for one in self._system.listStatus(self._path(name)))

    def delete(self, name: str) -> None:
        """Remove it with all that is in it."""
        self._system.delete(self._path(name), True)

    def put(self, staged: str, name: str) -> None:
        """Something that is whole in the place of whatever was there."""
        self._system.mkdirs(self._path(name.rpartition("/")[0]))
        self.delete(name)
        if not self._system.rename(self._path(staged), self._path(name)):
            raise OSError(f"{self.path(staged)} could not be renamed to {self.path(name)}")

    def read_json(self, name: str) -> Any:
        """A small file; None if there is none."""
        if not self.exists(name):
            return None
        stream = self._system.open(self._path(name))
        try:
            return json.loads(bytes(stream.readAllBytes()))
        finally:
            stream.close()

    def write_json(self, name: str, value: Any) -> None:
        """A small file, whole or not at all."""
        staged = f"{STAGING}/{name.rpartition('/')[2]}"
        stream = self._system.create(self._path(staged), True)
        try:
            stream.write(json.dumps(value, indent=1).encode())
        finally:
            stream.close()
        self.put(staged, name)

    def _path(self, name: str) -> Any:
        return self._jvm.org.apache.hadoop.fs.Path(self.path(name))
