"""``make pipeline``: a cluster of Apache Kafka lives a little, and becomes tables and a report.

One controller and one broker on loopback, two small JVMs; topics are made and grow, settings and
quotas change, the broker goes and comes back, the controller too. Then `metaquorum pipeline run`
lands the metadata log of the live quorum, and `metaquorum pipeline report` draws it.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from tools.kafka import KafkaCluster
from tools.kafka.cluster import FIRST_BROKER_ID
from tools.kafka.helper import JavaHelper
from tools.own_node import METAQUORUM
from tools.run_clients import RunFailed, say

DIRECTORY = Path(__file__).parents[1] / "build/pipeline"
TOPICS = {"orders": 6, "payments": 3, "audit": 1, "clicks": 12}
RETENTIONS_MS = (3_600_000, 7_200_000, 86_400_000)


def main() -> int:
    directory = Path(os.environ.get("DIRECTORY") or DIRECTORY)
    shutil.rmtree(directory, ignore_errors=True)
    try:
        with contextlib.ExitStack() as stack:
            with JavaHelper() as java:
                say("starting a controller and a broker of Apache Kafka")
                made = KafkaCluster(directory / "kafka", controllers=1, format_tool=java.tool)
                cluster = stack.enter_context(made)
                live_a_little(cluster, java)
            land(cluster.bootstrap_controllers, directory / "lake")
        report(directory / "lake", directory / "report.html")
    except RunFailed as failed:
        print(failed, file=sys.stderr)
        return 1
    return 0


def live_a_little(cluster: KafkaCluster, java: JavaHelper) -> None:
    """What an operator does to a cluster in a day, in half a minute."""
    servers = ("--bootstrap-server", cluster.bootstrap_servers)

    def tool(name: str, *arguments: str) -> None:
        done = java.tool(name, *servers, *arguments)
        if done.exit_code != 0:
            raise RunFailed(f"{name} {' '.join(arguments)}: {done.stdout}{done.stderr}")

    say(f"making {len(TOPICS)} topics")
    for topic, partitions in TOPICS.items():
        tool("topics", "--create", "--topic", topic, "--partitions", str(partitions))
    say("changing settings")
    for retention_ms in RETENTIONS_MS:
        for topic in ("orders", "clicks"):
            change = ("--alter", "--add-config", f"retention.ms={retention_ms}")
            tool("configs", "--entity-type", "topics", "--entity-name", topic, *change)
    tool("configs", "--entity-type", "topics", "--entity-name", "audit", "--alter",
         "--add-config", "cleanup.policy=compact")  # fmt: skip
    rate = {"consumer_byte_rate": 1_000_000.0}
    java.alter_quota(cluster.bootstrap_servers, {"user": "analyst"}, rate)
    say("stopping the broker and starting it again")
    broker = cluster.nodes[FIRST_BROKER_ID]
    broker.stop()
    time.sleep(1.0)  # so that the page has something to show: seconds without a leader
    broker.start()
    broker.wait_ready()
    say("another epoch of the quorum")
    controller = cluster.nodes[1]
    controller.stop()
    controller.start()
    controller.wait_ready()
    say("more partitions, one topic less")
    tool("topics", "--alter", "--topic", "orders", "--partitions", "9")
    tool("topics", "--delete", "--topic", "payments")
    tool("configs", "--entity-type", "topics", "--entity-name", "clicks", "--alter",
         "--delete-config", "retention.ms")  # fmt: skip


def land(controllers: str, lake: Path) -> None:
    """The pipeline, as a user runs it."""
    say(f"metaquorum pipeline run --from {controllers} --to {os.path.relpath(lake)}")
    _run("pipeline", "run", "--from", controllers, "--to", str(lake))


def report(lake: Path, page: Path) -> None:
    """The page, and where it is."""
    say(f"metaquorum pipeline report {os.path.relpath(lake)} --out {os.path.relpath(page)}")
    _run("pipeline", "report", str(lake), "--out", str(page))


def _run(*arguments: str) -> None:
    done = subprocess.run([METAQUORUM, *arguments], check=False)
    if done.returncode != 0:
        raise RunFailed(f"metaquorum {' '.join(arguments)} ended with {done.returncode}")


if __name__ == "__main__":
    sys.exit(main())
