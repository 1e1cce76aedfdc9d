"""Paths of any file system that Arrow reads: local ones, and URIs (``s3://``, ``hdfs://``, ...).

For the others that Spark knows there is ``pyspark_metaquorum.binary_files``, where Spark itself
reads the files.
"""

from __future__ import annotations

import os
from typing import Any

import pyarrow as pa
from attrs import frozen
from pyarrow import fs

from metaquorum.base.errors import OperatorError


@frozen
class Place:
    """A path on a file system; ``uri`` is what the user wrote, for messages."""

    uri: str
    system: Any
    path: str

    @classmethod
    def of(cls, uri: str) -> Place:
        """The place that a path or URI names. Raises OperatorError when no file system knows it."""
        if "://" not in uri and not uri.startswith("file:"):
            return cls(uri, fs.LocalFileSystem(), os.path.abspath(uri))
        try:
            system, path = fs.FileSystem.from_uri(uri)
        except (pa.ArrowException, OSError, ValueError) as error:
            raise OperatorError(f"{uri}: {error}") from None
        return cls(uri, system, path)

    def child(self, name: str) -> Place:
        """What has this name inside."""
        return Place(f"{self.uri.rstrip('/')}/{name}", self.system, f"{self.path}/{name}")

    @property
    def name(self) -> str:
        """The last part of the path."""
        return self.path.rstrip("/").rpartition("/")[2]

    def names(self) -> dict[str, int] | None:
        """The files inside with their sizes in bytes, folders with -1; None for a file itself.

        Raises OperatorError when nothing is there.
        """
        try:
            (info,) = self.system.get_file_info([self.path])
            if info.type == fs.FileType.NotFound:
                raise OperatorError(f"{self.uri}: there is no such file or directory")
            if info.type == fs.FileType.File:
                return None
            found = self.system.get_file_info(fs.FileSelector(self.path))
        except OSError as error:
            raise OperatorError(f"{self.uri}: {error}") from None
        sizes = {one.base_name: one.size if one.is_file else -1 for one in found}
        return dict(sorted(sizes.items()))

    def size_bytes(self) -> int:
        """How long the file is."""
        (info,) = self.system.get_file_info([self.path])
        return int(info.size or 0)

    def open(self) -> Any:
        """The file, for reading at any position. Raises OperatorError."""
        try:
            return self.system.open_input_file(self.path)
        except OSError as error:
            raise OperatorError(f"{self.uri}: {error}") from None
