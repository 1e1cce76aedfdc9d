"""The metadata log on Spark: a data source, tables, and a pipeline.

Spark finds ``format("kraft_metadata")`` by itself, as this package is named ``pyspark_*`` and
offers ``DefaultSource``.
"""

from __future__ import annotations

from typing import Any

__all__ = ["DefaultSource"]


def __getattr__(name: str) -> Any:
    """``DefaultSource`` on demand: executors that only decode need not load Spark's classes."""
    if name == "DefaultSource":
        from pyspark_metaquorum.source import KraftMetadataSource

        return KraftMetadataSource
    raise AttributeError(name)
