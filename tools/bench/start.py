"""Process start to ready, and resident memory: our server beside Kafka's controller.

Ready means that DescribeQuorum is answered by a leader that knows its high watermark, asked
every 10 ms from the moment the process was started. Both start from a freshly formatted
directory and again from the one they left. The runs take turns, so that a noisy machine is
noisy for both.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from attrs import asdict, frozen

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tools.kafka import KafkaCluster, java_available
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode
from tools.quorum_state import describe_leader

ROUNDS = 5
POLL_S = 0.01
GIVE_UP_S = 60.0
SETTLE_S = 2.0
MIB = 1_048_576


@frozen
class Start:
    """One start of one server."""

    server: str
    directory: str
    ready_s: float
    resident_mib: float


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    chosen = parser.parse_args(arguments)
    why_no_java = java_available()
    if why_no_java is not None:
        print(f"{why_no_java}: our server alone", file=sys.stderr)
    starts: list[Start] = []
    for _ in range(chosen.rounds):
        with tempfile.TemporaryDirectory(prefix="metaquorum-start-") as scratch:
            starts.extend(our_starts(Path(scratch) / "ours"))
            if why_no_java is None:
                starts.extend(kafka_starts(Path(scratch) / "kafka"))
    rows = summary(starts)
    if chosen.output == "json":
        print(json.dumps({"starts": [asdict(one) for one in starts], "summary": rows}, indent=2))
    else:
        show(rows)
    return 0


def our_starts(directory: Path) -> list[Start]:
    """A start on a fresh directory and one on what it left."""
    node = OwnNode(directory)
    node.format()
    return [
        one_start("metaquorum", state, node, node.controller_port) for state in ("fresh", "data")
    ]


def kafka_starts(directory: Path) -> list[Start]:
    """The same for one controller of the real Kafka, with its default heap."""
    cluster = KafkaCluster(directory, controllers=1, brokers=0)
    node = cluster.nodes[1]
    node.heap_flags = ("-Xmx1g",)
    cluster.format()
    port = cluster.controller_ports[1]
    return [one_start("Kafka 4.3.1", state, node, port) for state in ("fresh", "data")]


def one_start(name: str, state: str, node: OwnNode | KafkaNode, port: int) -> Start:
    """Start, time until ready, let it settle, weigh it, stop it."""
    began = time.monotonic()
    node.start()
    try:
        while not leads(port):
            if time.monotonic() - began > GIVE_UP_S or node.pid is None:
                raise SystemExit(f"{name} did not get ready:\n{node.log_tail()}")
            time.sleep(POLL_S)
        ready_s = time.monotonic() - began
        time.sleep(SETTLE_S)
        resident_mib = node.resident_bytes() / MIB
    finally:
        node.stop()
    return Start(name, state, ready_s, resident_mib)


def leads(port: int) -> bool:
    """Whether a node leads at ``port``."""
    try:
        return describe_leader(LOOPBACK, port) is not None
    except (ConnectionFailed, PeerError):
        return False


def summary(starts: list[Start]) -> list[dict[str, object]]:
    """Median, least and most of each server and state of its directory."""
    rows: list[dict[str, object]] = []
    for key in dict.fromkeys((one.server, one.directory) for one in starts):
        of_key = [one for one in starts if (one.server, one.directory) == key]
        times = [one.ready_s for one in of_key]
        rows.append(
            {
                "server": key[0],
                "directory": key[1],
                "runs": len(of_key),
                "ready_s": round(statistics.median(times), 3),
                "ready_s_least": round(min(times), 3),
                "ready_s_most": round(max(times), 3),
                "resident_mib": round(statistics.median(one.resident_mib for one in of_key), 1),
            }
        )
    return rows


def show(rows: list[dict[str, object]]) -> None:
    """The summary as a table."""
    titles = ("server", "directory", "runs", "ready s [least-most]", "resident MiB")
    lines: list[tuple[str, ...]] = [titles]
    for row in rows:
        ready = f"{row['ready_s']} [{row['ready_s_least']}-{row['ready_s_most']}]"
        cells = (row["server"], row["directory"], row["runs"], ready, row["resident_mib"])
        lines.append(tuple(map(str, cells)))
    widths = [max(len(line[column]) for line in lines) for column in range(len(titles))]
    for line in lines:
        print("  ".join(cell.ljust(width) for cell, width in zip(line, widths)).rstrip())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
