"""A pipeline ready to run: its session, its target, and the lock that keeps others out."""

from __future__ import annotations

import contextlib
import fcntl
import os
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.pipeline.origin import origin_of
from pyspark_metaquorum.pipeline.running import Pipeline, Say
from pyspark_metaquorum.pipeline.session import LOCAL, open_session
from pyspark_metaquorum.pipeline.table_format import settings_for, table_format
from pyspark_metaquorum.pipeline.target import Target


@contextlib.contextmanager
def open_pipeline(
    source: str,
    directory: str,
    *,
    master: str | None,
    settings: Mapping[str, str],
    format_name: str,
    most: int,
    timeout_ms: int,
    command_config: str | None = None,
    say: Say,
    tell: Callable[[dict[str, Any]], None],
) -> Iterator[Pipeline]:
    """The pipeline from a source to a directory. Raises OperatorError, PeerError.

    The source is looked at before Spark is started, and Spark is stopped afterwards.
    """
    origin = origin_of(source, most=most, timeout_ms=timeout_ms, command_config=command_config)
    with _locked(directory):
        began = time.monotonic()
        spark = open_session(master, {**settings_for(format_name), **settings})
        try:
            took = time.monotonic() - began
            say(f"Spark {spark.version} on {master or LOCAL} is ready, {took:.1f} s")
            target = Target(spark, _uri(directory, master))
            yield Pipeline(target, origin, source, table_format(spark, format_name), say, tell)
        finally:
            spark.stop()


def _uri(directory: str, master: str | None) -> str:
    """A local directory by its URI; what a cluster is given it reads in its own way."""
    if "://" in directory or not (master or LOCAL).startswith("local"):
        return directory
    return Path(os.path.abspath(directory)).as_uri()


@contextlib.contextmanager
def _locked(directory: str) -> Iterator[None]:
    """One pipeline at a time in a local directory. Raises OperatorError."""
    if "://" in directory:
        yield
        return
    os.makedirs(directory, exist_ok=True)
    with open(os.path.join(directory, "_lock"), "w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise OperatorError(f"{directory}: another pipeline is writing there") from None
        yield
