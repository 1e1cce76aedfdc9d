"""The pipeline's tables for Spark Declarative Pipelines: ``spark-pipelines run`` keeps them.

A file of transformations calls ``define_tables``; what it defines can be read by the pipeline's
other definitions as any table of theirs. ``metaquorum pipeline init`` writes such a project.

The names are those of the directory that ``metaquorum pipeline run`` fills, with an underscore
where that has a slash (``history_topics``), and the rows are made by the same functions. A live
quorum's ``bronze`` is a streaming table: a run appends what was committed since the last one. Files
do not say what is committed, so theirs is a materialized view, made anew by each run.
"""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.errors import OperatorError
from pyspark_metaquorum.pipeline.derived import CHANGES, NAMES, derived
from pyspark_metaquorum.pipeline.faults import readable
from pyspark_metaquorum.pipeline.landing import BRONZE
from pyspark_metaquorum.pipeline.source_name import is_quorum
from pyspark_metaquorum.tables.all_changes import all_changes, as_told

HOURLY: Final = "1 hour"


def define_tables(
    spark: Any,
    source: str,
    *,
    prefix: str = "",
    growth_every: str = HOURLY,
    format: str | None = None,
    options: dict[str, str] | None = None,
) -> None:
    """Define ``bronze``, ``changes``, history, report and errors of a log in the pipeline at hand.

    ``source`` is ``host:port,...`` of controllers, or a path or URI of files that Arrow reads.
    ``prefix`` goes before each table's name, so that one pipeline may hold several logs;
    ``growth_every`` is how long a row of the growth table is, in Spark's words; ``format`` how the
    tables are stored (the catalog's own way by default); ``options`` are further options of the
    source. Raises OperatorError where this Spark has no declarative pipelines.
    """
    try:
        from pyspark import pipelines
    except ImportError as error:
        raise OperatorError(
            f"Spark's declarative pipelines are not installed ({error}): "
            "pip install 'metaquorum[spark]'"
        ) from None
    bronze, changes = f"{prefix}{BRONZE}", f"{prefix}{CHANGES}"
    _define_bronze(pipelines, spark, source, bronze, format, options or {})

    def make_changes() -> Any:
        return all_changes(readable(spark.table(bronze)))

    pipelines.materialized_view(
        name=changes, format=format, comment="Every change of every table, before and after."
    )(make_changes)
    for name in NAMES:

        def make(name: str = name) -> Any:
            told = as_told(spark.table(changes))
            return derived(name, spark.table(bronze), told, growth_every)

        table = f"{prefix}{name.replace('/', '_')}"
        pipelines.materialized_view(name=table, format=format)(make)


def _define_bronze(
    pipelines: Any,
    spark: Any,
    source: str,
    name: str,
    format: str | None,
    options: dict[str, str],
) -> None:
    comment = f"Every record of the metadata log of {source}, as it is."

    def stream() -> Any:
        reader = spark.readStream.format("kraft_metadata").option("servers", source)
        return reader.option("raw", "always").options(**options).load()

    def batch() -> Any:
        reader = spark.read.format("kraft_metadata").option("raw", "always")
        return reader.options(**options).load(source)

    if is_quorum(source):
        pipelines.table(name=name, format=format, comment=comment)(stream)
    else:
        pipelines.materialized_view(name=name, format=format, comment=comment)(batch)
