"""What Kafka's own dump-log shows of a file, in a form that ``metaquorum tail`` is held against."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.kafka import JavaHelper
from tools.process import until

RECORD = re.compile(r"^\| offset: (\d+) CreateTime: (\d+) .*headerKeys: \[\] (.*)$")
BATCH = re.compile(r"^baseOffset: (\d+) lastOffset: (\d+) .*partitionLeaderEpoch: (\d+)")


def camel(name: str) -> str:
    """``TOPIC_RECORD`` as the schema spells it: ``TopicRecord``."""
    special = {"NO_OP_RECORD": "NoOpRecord"}
    return special.get(name, "".join(word.capitalize() for word in name.split("_")))


def dumped(java: JavaHelper, path: Path) -> dict[int, dict[str, Any]]:
    """Offset -> epoch, time and, for data, type, version and data: what their dump-log shows."""
    done = java.tool("dump-log", "--cluster-metadata-decoder", "--files", path)
    assert done.exit_code == 0, done.stderr
    found: dict[int, dict[str, Any]] = {}
    epoch = -1
    for line in done.stdout.splitlines():
        if batch := BATCH.match(line):
            epoch = int(batch.group(3))
        elif record := RECORD.match(line):
            row: dict[str, Any] = {"epoch": epoch, "timestamp": int(record.group(2))}
            said = record.group(3)
            if said.startswith("payload: "):
                payload = json.loads(said.removeprefix("payload: "))
                row |= {"type": camel(payload["type"]), "version": payload["version"]}
                row["data"] = payload["data"]
            else:
                row["control"] = True
                row["data"] = json.loads(said[said.index("{") :])
            found[int(record.group(1))] = row
    return found


def dumped_until(java: JavaHelper, path: Path, offset: int) -> dict[int, dict[str, Any]]:
    """``dumped``, once the node has written that offset: others may have committed it before."""

    def written() -> dict[int, dict[str, Any]]:
        found = dumped(java, path)
        return found if max(found, default=-1) >= offset else {}

    return until(written, f"{path} has no record {offset}")


def comparable(rows: Sequence[Mapping[str, Any]]) -> dict[int, dict[str, Any]]:
    """The same out of ``metaquorum tail -o json``; offsets must rise by one."""
    offsets = [row["offset"] for row in rows]
    assert offsets == list(range(offsets[0], offsets[0] + len(offsets)))
    found: dict[int, dict[str, Any]] = {}
    for row in rows:
        assert "problem" not in row, row
        told = {"epoch": row["epoch"], "timestamp": row["timestamp"], "data": row["data"]}
        if row["control"]:
            told["control"] = True
        else:
            told |= {"type": row["type"], "version": row["version"]}
        found[row["offset"]] = told
    return found


def assert_no_fault(java: JavaHelper, directory: Path) -> None:
    """Kafka's dump-log finds every batch valid and every index entry right."""
    for path in sorted([*directory.glob("*.log"), *directory.glob("*.checkpoint")]):
        done = java.tool("dump-log", "--cluster-metadata-decoder", "--files", path)
        assert done.exit_code == 0, done.stderr
        assert "isvalid: false" not in done.stdout
        assert not re.search(r"invalid bytes|Error at|mismatch", done.stdout), done.stdout[-2000:]
    for path in sorted([*directory.glob("*.index"), *directory.glob("*.timeindex")]):
        done = java.tool("dump-log", "--files", path)
        assert done.exit_code == 0, done.stderr
        assert "ismatch" not in done.stdout, done.stdout
