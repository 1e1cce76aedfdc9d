"""What an exporter costs: beside a million partitions, and the controllers that it asks.

    python tools/bench/exporter.py                    # our node with a million partitions
    python tools/bench/exporter.py --kafka 60         # Kafka's active controller, 60 s each way

The first: from the start of the process until it is ready, its memory, and scrapes of the text
that Prometheus asks for. The second: processor time of the active controller of three of Apache
Kafka's, alone and with one exporter that is scraped every 15 s, in turns.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from metaquorum.cli.metrics import fetch
from tools.bench.processor_time import processor_seconds
from tools.kafka import KafkaCluster
from tools.kafka.ports import LOOPBACK
from tools.large_state import CLUSTER_ID, arguments, chosen_state, write_directory
from tools.own_exporter import exporting
from tools.own_node import OwnNode
from tools.quorum_state import describe_leader

GOAL_READY_S, GOAL_MB, GOAL_SCRAPE_MS, GOAL_SHARE = 10.0, 350.0, 50.0, 0.01
SCRAPES = 200
NODE_READY_S = 180.0
SESSION_TIMEOUT_MS = "600000"
SCRAPE_EVERY_S = 15.0
ROUNDS = 3


def resident_mb(pid: int, name: str = "VmRSS") -> float:
    """Memory of a process: now, or the most that it had (``VmHWM``)."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024 / 1e6
    raise SystemExit(f"no {name} of process {pid}")


def large(chosen: argparse.Namespace) -> None:
    """A node of ours that holds a large state, and its exporter."""
    state = chosen_state(chosen)
    with tempfile.TemporaryDirectory(prefix="exporter-") as scratch:
        directory = Path(scratch)
        # Nobody plays the brokers: on a busy machine their fencing would be read as well.
        quiet = {"broker.session.timeout.ms": SESSION_TIMEOUT_MS}
        node = OwnNode(directory / "node", quiet, cluster_id=CLUSTER_ID)
        node.write_config()
        write_directory(node.data_directory, state, port=node.controller_port)
        try:
            node.start()
            node.wait_ready(NODE_READY_S)
            began = time.perf_counter()
            options = ("--per-topic",) if chosen.per_topic else ()
            with exporting(directory, node.bootstrap_controller, *options) as one:
                ready_s = time.perf_counter() - began
                pid = one.process.pid
                ready_cpu_s = processor_seconds(pid)
                took_ms = [_scrape_ms(one.url) for _ in range(SCRAPES)]
                shown = one.scrape()["kafka_controller_kafkacontroller_globalpartitioncount"]
                assert shown == state.topics * state.partitions
                print(f"{shown:,.0f} partitions, {len(fetch(one.url)[1]):,} characters a scrape")
                print(f"ready      {ready_s:8.1f} s   (goal {GOAL_READY_S:g})")
                print(f"           {ready_cpu_s:8.1f} s of a processor")
                print(f"memory     {resident_mb(pid):8.0f} MB  (goal {GOAL_MB:g})")
                print(f"most       {resident_mb(pid, 'VmHWM'):8.0f} MB")
                median_ms, most_ms = statistics.median(took_ms), max(took_ms)
                print(f"a scrape   {median_ms:8.1f} ms, at most {most_ms:.1f} ms of {SCRAPES}")
                scrape_cpu_ms = (processor_seconds(pid) - ready_cpu_s) * 1_000 / SCRAPES
                print(
                    f"           {scrape_cpu_ms:.1f} ms of a processor (goal {GOAL_SCRAPE_MS:g} ms)"
                )
        finally:
            node.kill()


def _scrape_ms(url: str) -> float:
    began = time.perf_counter()
    fetch(url)
    return (time.perf_counter() - began) * 1_000


def controllers(seconds: float) -> None:
    """Three controllers of Apache Kafka, with and without an exporter."""
    with tempfile.TemporaryDirectory(prefix="exporter-") as scratch:
        directory = Path(scratch)
        with KafkaCluster(directory, brokers=1) as cluster:
            pid = _leaders_pid(cluster)
            _used(pid, seconds / 2)  # the JVM's compilers come to rest
            shares: dict[str, list[float]] = {"alone": [], "with an exporter": []}
            for _ in range(ROUNDS):
                shares["alone"].append(_used(pid, seconds))
                with exporting(directory, cluster.bootstrap_controllers) as one:
                    shares["with an exporter"].append(_used(pid, seconds, one.url))
            assert _leaders_pid(cluster) == pid
    for name, found in shares.items():
        each = ", ".join(f"{100 * one:.2f}" for one in found)
        print(f"{name:<18} {100 * statistics.mean(found):6.2f} % of a core ({each})")
    more = statistics.mean(shares["with an exporter"]) - statistics.mean(shares["alone"])
    print(f"{'for the exporter':<18} {100 * more:6.2f} % of a core (goal {100 * GOAL_SHARE:g})")


def _leaders_pid(cluster: KafkaCluster) -> int:
    for node_id, port in cluster.controller_ports.items():
        if describe_leader(LOOPBACK, port) == node_id:
            pid = cluster.nodes[node_id].pid
            assert pid is not None
            return pid
    raise SystemExit("no controller leads")


def _used(pid: int, seconds: float, url: str | None = None) -> float:
    """The share of a core that a process takes for so long; ``url`` is scraped meanwhile."""
    before, ends = processor_seconds(pid), time.monotonic() + seconds
    while (left := ends - time.monotonic()) > 0:
        if url is not None:
            fetch(url)
        time.sleep(min(left, SCRAPE_EVERY_S))
    return (processor_seconds(pid) - before) / seconds


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--kafka", type=float, metavar="SECONDS", help="measure the controllers")
    parser.add_argument("--per-topic", action="store_true", help="with series of topics")
    arguments(parser)
    chosen = parser.parse_args()
    if chosen.kafka:
        controllers(chosen.kafka)
    else:
        large(chosen)


if __name__ == "__main__":
    main()
