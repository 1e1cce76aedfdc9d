"""A Prometheus of Debian's as a process: what it scrapes, its rules, and what it is asked."""

from __future__ import annotations

import json
import shutil
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Mapping, Sequence
from typing import Any

from attrs import define, field

from tools.kafka.ports import LOOPBACK, free_ports
from tools.process import ServerProcess

TIMEOUT_S = 10.0


PACKAGES = {"prometheus": "prometheus", "promtool": "prometheus", "strace": "strace"}


class ProgramMissing(Exception):
    """A program is not installed; the message says which package has it."""


def program(name: str) -> str:
    """Where a program of Debian's is. ProgramMissing says what to install."""
    found = shutil.which(name)
    if found is None:
        raise ProgramMissing(f"{name} not found: on Debian, apt-get install {PACKAGES[name]}")
    return found


@define
class Sample:
    """One series of an answer: its labels and its value now."""

    labels: Mapping[str, str]
    value: float


@define(eq=False)
class Prometheus(ServerProcess):
    """It lives in ``directory`` and scrapes ``targets``, by job, every ``interval_ms``.

    ``rules`` is the text of its rules. Used as a context manager it is ready inside.
    """

    targets: Mapping[str, Sequence[str]] = field(factory=dict)
    rules: str = ""
    interval_ms: int = 500
    port: int = field(factory=lambda: free_ports(1)[0])

    def start(self) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        rules = self.directory / "rules.yml"
        rules.write_text(self.rules)
        interval = f"{self.interval_ms}ms"
        jobs = [
            {"job_name": job, "static_configs": [{"targets": list(targets)}]}
            for job, targets in self.targets.items()
        ]
        config = {
            "global": {
                "scrape_interval": interval,
                "scrape_timeout": interval,
                "evaluation_interval": interval,
            },
            "rule_files": [str(rules)],
            "scrape_configs": jobs,
        }
        self.config_file.write_text(json.dumps(config))
        self.launch(
            [
                program("prometheus"),
                f"--storage.tsdb.path={self.directory / 'tsdb'}",
                f"--web.listen-address={LOOPBACK}:{self.port}",
                "--log.level=warn",
                "--config.file",
            ]
        )

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def is_ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/-/ready", timeout=TIMEOUT_S) as answer:
                return bool(answer.status == 200)
        except OSError:
            return False

    def bring_up(self) -> None:
        self.start()
        self.wait_ready()

    def ask(self, path: str, **parameters: str | float) -> Any:
        """The data of an answer of its API; ValueError with its words where it refuses."""
        query = urllib.parse.urlencode(parameters)
        try:
            with urllib.request.urlopen(
                f"{self.url}/api/v1/{path}?{query}", timeout=TIMEOUT_S
            ) as answer:
                return json.load(answer)["data"]
        except urllib.error.HTTPError as error:
            raise ValueError(error.read().decode(errors="replace")) from None

    def query(self, text: str) -> list[Sample]:
        """Series and their values now."""
        rows = self.ask("query", query=text)["result"]
        return [Sample(row["metric"], float(row["value"][1])) for row in rows]

    def query_range(self, text: str, since_s: float, step_s: float) -> list[dict[str, Any]]:
        """Series and their values since then (Unix time in seconds), as Prometheus gives them."""
        found: list[dict[str, Any]] = self.ask(
            "query_range", query=text, start=since_s, end=time.time(), step=step_s
        )["result"]
        return found

    def firing(self) -> dict[str, dict[str, str]]:
        """Alerts that fire now: annotations by name."""
        return {
            one["labels"]["alertname"]: one["annotations"]
            for one in self.ask("alerts")["alerts"]
            if one["state"] == "firing"
        }
