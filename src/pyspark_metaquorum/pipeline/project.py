"""A project for Spark Declarative Pipelines: a spec, and a file of definitions to begin with."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Final

from metaquorum.base.errors import OperatorError

SPEC_FILE: Final = "spark-pipeline.yml"
DEFINITIONS_FILE: Final = "transformations/metadata_log.py"
# Static settings of Spark's are refused in a spec: the catalog that lasts is told on the way in.
LASTING_CATALOG: Final = "spark.sql.catalogImplementation=hive"
_SPEC: Final = """\
name: {name}
# Where the streams remember how far they are.
storage: {storage}
configuration:
  spark.sql.session.timeZone: UTC
libraries:
  - glob:
      include: transformations/**
"""
_DEFINITIONS: Final = '''\
"""The metadata log as tables. Tables of your own may read them, in this file or beside it."""

from pyspark.sql import SparkSession

from pyspark_metaquorum.declarative import define_tables

define_tables(SparkSession.active(), {source}, growth_every={growth_every})
'''


def write_project(directory: str, source: str, name: str, growth_every: str) -> tuple[Path, ...]:
    """Write a project for the log of ``source``; the files that it consists of.

    Raises OperatorError, and touches nothing, where there is a project already.
    """
    place = Path(os.path.abspath(directory))
    texts = {
        place / SPEC_FILE: _SPEC.format(
            name=json.dumps(name), storage=json.dumps((place / "storage").as_uri())
        ),
        place / DEFINITIONS_FILE: _DEFINITIONS.format(
            source=json.dumps(source), growth_every=json.dumps(growth_every)
        ),
    }
    for path in texts:
        if path.exists():
            raise OperatorError(f"{path} is there already")
    for path, text in texts.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return tuple(texts)
