"""An older Spark in an environment of its own, for what is not published for the newest yet."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import venv
from pathlib import Path
from typing import Any

from attrs import frozen

ROOT = Path(__file__).resolve().parents[2]
RELEASE = "4.1"
INSTALL_DEADLINE_S = 900
READ_DEADLINE_S = 300


@frozen
class OtherSpark:
    """Programs of that environment."""

    directory: Path

    @classmethod
    def installed(cls) -> OtherSpark:
        """Made once, below ``build``; the package in it is made anew from this tree each time."""
        directory = ROOT / "build" / f"spark-{RELEASE}"
        other = cls(directory)
        if not other.program("python").exists():
            venv.create(directory, with_pip=True)
        pip: list[str | Path] = [other.program("python"), "-m", "pip", "install", "--quiet"]
        pip += ["--disable-pip-version-check", f"pyspark=={RELEASE}.*", f"{ROOT}[spark]"]
        subprocess.run(pip, check=True, timeout=INSTALL_DEADLINE_S)
        same: list[str | Path] = [*pip[:-2], "--force-reinstall", "--no-deps", str(ROOT)]
        subprocess.run(same, check=True, timeout=INSTALL_DEADLINE_S)
        return other

    @property
    def environment(self) -> dict[str, str]:
        """For its programs. Jars are looked for in a home of its own.

        Maven leaves descriptions without jars in the user's; where Spark finds such a one it asks
        nobody else, and fails.
        """
        home = self.directory / "home"
        home.mkdir(exist_ok=True)
        return {**os.environ, "JDK_JAVA_OPTIONS": f"-Duser.home={home}", "PYTHONPATH": ""}

    def program(self, name: str) -> Path:
        """A program that was installed there."""
        return self.directory / "bin" / name

    def rows(self, lake: Path, stored: str, settings: dict[str, str]) -> dict[str, list[str]]:
        """All rows of all tables of a pipeline's directory, each table in an order of its own."""
        line = [str(self.program("python")), __file__, str(lake), stored, json.dumps(settings)]
        done = subprocess.run(
            line, capture_output=True, env=self.environment, timeout=READ_DEADLINE_S, check=True
        )
        told: dict[str, list[str]] = json.loads(done.stdout)
        return told


def _tell(lake: str, stored: str, settings: dict[str, str]) -> dict[str, Any]:
    from pyspark_metaquorum.pipeline.derived import NAMES
    from pyspark_metaquorum.pipeline.landing import BRONZE, KEY
    from pyspark_metaquorum.pipeline.session import open_session
    from pyspark_metaquorum.pipeline.table_format import settings_for, table_format
    from pyspark_metaquorum.pipeline.target import Target

    spark = open_session(None, {**settings_for(stored), **settings})
    target, tables = Target(spark, Path(lake).as_uri()), table_format(spark, stored)
    return {
        name: sorted(tables.read(target, name, None).drop(KEY).toJSON().collect())
        for name in (BRONZE, *NAMES)
    }


if __name__ == "__main__":
    json.dump(_tell(sys.argv[1], sys.argv[2], json.loads(sys.argv[3])), sys.stdout)
