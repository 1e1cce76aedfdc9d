"""Snapshots of a million partitions: load time, memory, and what writing one does to the loop.

Loads a checkpoint of KIP-630's cluster (100,000 topics of ten, three replicas, 100 brokers) in a
fresh process, beside Kafka's own load of the same file into its metadata image. Then a node serves
from that directory, a client appends and fetches, and a task that wants to run every millisecond
notes by how much it came late: without a snapshot, and while one is written, in turn, three times;
the median of the differences counts.
"""

from __future__ import annotations

import argparse
import gc
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import trio

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.client.connection import Connection
from metaquorum.config.node_config import NodeConfig
from metaquorum.metadata.snapshot_reader import StateLoading
from metaquorum.metadata.state import Provenance
from metaquorum.node.assembly import assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.lifecycle import node_started
from metaquorum.observe.events import EventLog
from metaquorum.runtime.loop import collector
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.snapshot_check import checked_batches
from metaquorum.wire.generated import alter_client_quotas_request, fetch_request
from tools.kafka import jars, java_available, jvm
from tools.kafka.helper import compiled
from tools.kafka.ports import LOOPBACK, free_ports
from tools.large_state import LargeState, arguments, chosen_state, write_directory

GOAL_LOAD_S = 6.0
GOAL_STATE_MB = 320.0
GOAL_GAP_MS = 20.0
ROUNDS = 3
TICK_S = 0.001
IDLE_S = 4.0
WRITES = 3
KAFKA_FLAGS = ("-Xmx1500m", "-XX:+UseSerialGC")
Gap = tuple[float, float]
SOURCE = Path(__file__).parents[1] / "java/SnapshotImage.java"


def resident_mb() -> float:
    """What this process has in memory now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * 4096 / 1e6


def load(file: str) -> dict[str, float]:
    """Load a checkpoint as a node does at its start; to be called in a fresh process."""
    opened = PosixDisk().open(file, writable=False)
    before = resident_mb()
    was_on = collector.pause()
    began, began_cpu = time.perf_counter(), time.process_time()
    loading = StateLoading(checked_batches(opened), Provenance(1, 1, 0))
    state = loading.whole()
    took_s, cpu_s = time.perf_counter() - began, time.process_time() - began_cpu
    collector.resume(loading.records, was_on=was_on)
    records = loading.records
    del loading
    gc.collect()
    partitions = len(state.committed().partitions)
    return {
        "seconds": took_s,
        "cpu_seconds": cpu_s,
        "state_mb": resident_mb() - before,
        "records": records,
        "partitions": partitions,
    }


def append_and_fetch(port: int) -> None:
    """A client that changes quotas and reads the log's end, until it is killed."""
    quotas, fetches = alter_client_quotas_request, fetch_request
    topic = fetches.FetchTopic(
        topic=METADATA_TOPIC,
        partitions=[fetches.FetchPartition(0, fetch_offset=0, partition_max_bytes=65_536)],
    )
    with Connection.open(LOOPBACK, port) as connection:
        for number in range(10**9):
            op = [quotas.OpData("producer_byte_rate", float(number + 1), False)]
            entry = quotas.EntryData([quotas.EntityData("user", f"user{number % 50}")], op)
            connection.ask(49, 1, quotas.AlterClientQuotasRequest([entry], False))
            connection.ask(1, 11, fetches.FetchRequest(max_wait_ms=1, topics=[topic]))
            time.sleep(0.002)


async def tick(gaps: list[tuple[float, float]]) -> None:
    """Note how late each turn came, and how much of that this thread worked, in milliseconds."""
    while True:
        due, worked = trio.current_time() + TICK_S, time.thread_time()
        await trio.sleep_until(due)
        late = (trio.current_time() - due) * 1_000
        gaps.append((late, (time.thread_time() - worked) * 1_000))


async def idle_and_writing(node: Any) -> tuple[Gap, Gap, float]:
    """The longest gap of an idle while, that of writing a snapshot, and how long this took.

    They alternate, so that what else the machine does meanwhile is in both.
    """
    idle = await longest_gap(lambda: trio.sleep(IDLE_S))
    began = time.perf_counter()
    writing = await longest_gap(lambda: node.snapshots.write("bench"))
    return idle, writing, time.perf_counter() - began


async def longest_gap(work: Any) -> Gap:
    """The longest gap while ``work`` runs, and the loop's longest work without a pause."""
    gaps: list[tuple[float, float]] = []
    async with trio.open_nursery() as nursery:
        nursery.start_soon(tick, gaps)
        await work()
        nursery.cancel_scope.cancel()
    return max(late for late, _ in gaps), max(worked for _, worked in gaps)


async def serve(directory: Path, port: int) -> dict[str, Any]:
    """A node over the directory, its client, and both measurements."""
    config, _ = NodeConfig.of(
        {
            "process.roles": "controller",
            "node.id": "1",
            "controller.quorum.bootstrap.servers": f"{LOOPBACK}:{port}",
            "controller.listener.names": "CONTROLLER",
            "listeners": f"CONTROLLER://{LOOPBACK}:{port}",
            "log.dirs": str(directory),
        },
        "bench",
    )
    opened = DataDirectory.open(config)
    collector.set_thresholds()
    lines: list[str] = []
    async with trio.open_nursery() as root:
        node = assemble(config, opened, EventLog(lines.append, TrioClock().wall_ms), seed=1)
        await node_started(node, root)
        while not node.driver.controller.is_active:
            await trio.sleep(0.05)
        client = subprocess.Popen([sys.executable, __file__, "--client", str(port)])
        try:
            await trio.sleep(2)
            rounds = [await idle_and_writing(node) for _ in range(WRITES)]
        finally:
            client.kill()
            client.wait()
        written = node.driver.replica.log.snapshots[-1]
        root.cancel_scope.cancel()
    opened.release()
    return {
        "idle_gaps_ms": [idle for (idle, _), _, _ in rounds],
        "writing_gaps_ms": [writing for _, (writing, _), _ in rounds],
        "writing_work_ms": max(worked for _, (_, worked), _ in rounds),
        "seconds": median(took_s for _, _, took_s in rounds),
        "bytes": written[1],
    }


def child(*words: str) -> dict[str, Any]:
    """What a fresh process of this program printed."""
    ran = subprocess.run(
        [sys.executable, __file__, *words], stdout=subprocess.PIPE, text=True, check=True
    )
    found: dict[str, Any] = json.loads(ran.stdout.splitlines()[-1])
    return found


def kafka_loads(file: Path) -> list[float]:
    """Seconds of each of Kafka's loads in one process, the first one cold."""
    libs = jars.libs()
    words = jvm.command(
        libs, "SnapshotImage", flags=KAFKA_FLAGS, class_path=(compiled(SOURCE, libs),)
    )
    ran = subprocess.run(
        [*words, "load", str(file), str(ROUNDS)], stdout=subprocess.PIPE, text=True, check=True
    )
    return [float(line.split()[0]) / 1_000 for line in ran.stdout.splitlines()]


def measure(state: LargeState, rounds: int) -> dict[str, Any]:
    """Everything, in a directory that goes afterwards."""
    with tempfile.TemporaryDirectory(prefix="metaquorum-snapshot-") as scratch:
        (port,) = free_ports(1)
        directory = Path(scratch) / "node"
        file = write_directory(directory, state, host=LOOPBACK, port=port)
        loads = [child("--load", str(file)) for _ in range(rounds)]
        why_no_java = java_available()
        return {
            "records": state.records,
            "file_mb": file.stat().st_size / 1e6,
            "load_s": min(one["seconds"] for one in loads),
            "load_cpu_s": min(one["cpu_seconds"] for one in loads),
            "state_mb": max(one["state_mb"] for one in loads),
            "kafka_load_s": kafka_loads(file) if why_no_java is None else why_no_java,
            "serving": child("--serve", str(directory), "--port", str(port)),
        }


def is_measured(figures: dict[str, Any]) -> bool:
    """Print the figures with their goals; whether all are met."""
    serving = figures["serving"]
    idle, writing = serving["idle_gaps_ms"], serving["writing_gaps_ms"]
    extra = median(busy - still for busy, still in zip(writing, idle, strict=True))
    print(f"checkpoint: {figures['records']} records, {figures['file_mb']:.1f} MB")
    kafka = figures["kafka_load_s"]
    if not isinstance(kafka, str):
        kafka = ", ".join(f"{seconds:.2f}" for seconds in kafka) + " s (one process, cold first)"
    print(f"  load, Kafka's metadata image   {kafka}")
    rows = (
        ("load, best of fresh processes", figures["load_s"], GOAL_LOAD_S, "s"),
        ("memory of the state", figures["state_mb"], GOAL_STATE_MB, "MB"),
        ("longest gap while writing, less idle", extra, GOAL_GAP_MS, "ms"),
    )
    for what, value, goal, unit in rows:
        verdict = "met" if value <= goal else "NOT MET"
        print(f"  {what:38} {value:8.2f} {unit}, at most {goal:g}: {verdict}")
    print(
        f"  (load: {figures['load_cpu_s']:.2f} s of a processor; the loop's longest work while "
        f"writing: {serving['writing_work_ms']:.2f} ms of one)"
    )
    print(
        f"  (idle {_listed(idle)} ms, writing {_listed(writing)} ms; "
        f"a snapshot took {serving['seconds']:.1f} s, {serving['bytes'] / 1e6:.1f} MB)"
    )
    return all(value <= goal for _, value, goal, _ in rows)


def _listed(values: list[float]) -> str:
    return ", ".join(f"{value:.2f}" for value in values)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("-o", "--output", choices=["table", "json"], default="table")
    parser.add_argument("--rounds", type=int, default=ROUNDS)
    for hidden in ("--load", "--serve", "--port", "--client"):
        parser.add_argument(hidden, help=argparse.SUPPRESS)
    arguments(parser)
    chosen = parser.parse_args()
    if chosen.load:
        print(json.dumps(load(chosen.load)))
    elif chosen.client:
        append_and_fetch(int(chosen.client))
    elif chosen.serve:
        print(json.dumps(trio.run(serve, Path(chosen.serve), int(chosen.port))))
    else:
        figures = measure(chosen_state(chosen), chosen.rounds)
        if chosen.output == "json":
            print(json.dumps(figures, indent=2))
            return 0
        return 0 if is_measured(figures) else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
