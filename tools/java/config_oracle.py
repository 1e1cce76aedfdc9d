"""What Kafka's own classes read out of texts of a configuration, one answer a question.

    python -m tools.java.config_oracle tests/unit/config/data/kafka_readings.json

reads the file, asks Kafka again, and writes the answers beside the questions. To add a question,
write it with any answer. ``ConfigOracle.java`` is the other side; it is compiled at first use.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from attrs import define, field

from tools.kafka import helper, jars, jvm

SOURCE = Path(__file__).with_name("ConfigOracle.java")
# Kafka looks up the hosts of voters at once: an empty file of hosts answers without the network.
FLAGS = (*jvm.SHORT_LIVED_FLAGS, "-Djdk.net.hosts.file=/dev/null")


class RefusedByKafka(Exception):
    """Kafka's class threw an exception; the text is its name and message."""


@define
class ConfigOracle(helper.JavaProgram):
    """The Java process; use it as a context manager."""

    version: str = jars.KAFKA_VERSION
    environ: Mapping[str, str] = field(factory=dict)

    def _start(self) -> subprocess.Popen[str]:
        libs = jars.libs(self.version)
        return helper.started(
            SOURCE, libs, flags=FLAGS, environ=self.environ, stderr=subprocess.DEVNULL
        )

    def read(self, what: str, text: str) -> Any:
        """What the class for ``what`` makes of a text; RefusedByKafka for an exception."""
        return self._ask({"what": what, "text": text})

    def read_properties(self, what: str, properties: Mapping[str, str]) -> Any:
        """The same of a whole file."""
        return self._ask({"what": what, "properties": dict(properties)})

    def _ask(self, question: Mapping[str, Any]) -> Any:
        reply = json.loads(self._exchange(json.dumps(question) + "\n"))
        if "error" in reply:
            raise RefusedByKafka(reply["error"])
        return reply["value"]

    def answer(self, what: str, question: str | Mapping[str, str]) -> Any:
        """The value, None where Kafka refuses."""
        try:
            if isinstance(question, str):
                return self.read(what, question)
            return self.read_properties(what, question)
        except RefusedByKafka:
            return None


def answered(readings: Mapping[str, Any], version: str = jars.KAFKA_VERSION) -> dict[str, Any]:
    """The same questions with the answers of a release of Kafka."""
    base: dict[str, str] = readings["base of node"]
    reply: dict[str, Any] = {"base of node": base}
    with ConfigOracle(version) as oracle:
        for what in (name for name in readings if name != "base of node"):
            reply[what] = [
                [asked, oracle.answer(what, {**base, **asked} if what == "node" else asked)]
                for asked, _ in readings[what]
            ]
    return reply


def main(path: str) -> None:
    """Write the answers into the file of questions, a line each."""
    reply = answered(json.loads(Path(path).read_text(encoding="utf-8")))
    lines = [f'"base of node": {json.dumps(reply.pop("base of node"))}']
    for what, rows in reply.items():
        shown = ",\n".join(json.dumps(row, ensure_ascii=True) for row in rows)
        lines.append(f'"{what}": [\n{shown}\n]')
    Path(path).write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1])
