"""``make run NODES=3``: a quorum of several voters, and what becomes of it without its leader."""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
import time
from pathlib import Path

from metaquorum.client.record_text import as_line
from tools.own_cluster import OwnCluster
from tools.own_node import metaquorum
from tools.run_clients import (
    QUOTA,
    RATE,
    USER,
    JavaClient,
    PythonClient,
    RunFailed,
    best_client,
    say,
)

IDLE_RECORD = "NoOpRecord"


def demonstrate_cluster(
    voters: int, directory: Path, once: bool, stack: contextlib.ExitStack
) -> int:
    """Format, start, show, follow the log; stop the leader on the way and go on."""
    client = best_client(stack)
    shutil.rmtree(directory, ignore_errors=True)
    cluster = OwnCluster(directory, voters=voters, with_metrics=True)
    say(f"formatting {voters} voters in {os.path.relpath(directory)}")
    cluster.format()
    stack.callback(cluster.stop)
    cluster.start()
    for node_id, node in cluster.nodes.items():
        say(
            f"node {node_id}: clients: {node.bootstrap_server}, "
            f"controllers: {node.bootstrap_controller}"
        )
    show_status(cluster)
    say(f"__cluster_metadata through {client.name}: offset, epoch, time, record type, fields")
    return follow(cluster, client, once)


def show_status(cluster: OwnCluster) -> None:
    """``metadata-quorum describe --status``, asked of a node that runs."""
    asked = ",".join(
        node.bootstrap_controller for node in cluster.nodes.values() if node.pid is not None
    )
    status = metaquorum("metadata-quorum", "--bootstrap-controller", asked, "describe", "--status")
    sys.stdout.write(status.stdout)
    sys.stdout.flush()
    if status.exit_code != 0:
        raise RunFailed(f"no status: {status.stderr}")


def follow(cluster: OwnCluster, client: JavaClient | PythonClient, once: bool) -> int:
    """Print records; at the first idle one stop the leader. Once: end when a change arrived."""
    leader: int | None = None
    with contextlib.closing(client.records(cluster.bootstrap_servers)) as records:
        for record in records:
            print(as_line(record), flush=True)
            if leader is None and record.type == IDLE_RECORD:
                leader = hand_over(cluster)
                if once:
                    say(f"changing {QUOTA} of user {USER} to {RATE:.0f} with {client.admin_name}")
                    client.alter_quota(cluster.nodes[leader], USER, QUOTA, RATE)
            if once and record.type == "ClientQuotaRecord":
                say("the change arrived")
                return 0
    raise RunFailed("the client ended by itself")


def hand_over(cluster: OwnCluster) -> int:
    """Stop the leader in order, show who leads now and why, start the old one again; the leader."""
    old = cluster.wait_led()
    say(f"stopping node {old}, which leads")
    began = time.monotonic()
    cluster.signal(old, signal.SIGTERM)
    new = cluster.wait_led(one for one in cluster.nodes if one != old)
    took_ms = (time.monotonic() - began) * 1_000
    say(f"node {new} leads now, {took_ms:.0f} ms after the signal; the log goes on")
    cluster.nodes[old].stop()
    show_status(cluster)
    explained = metaquorum(
        "metadata-quorum",
        "explain",
        "--metrics-listener",
        f"localhost:{cluster.metrics_ports[new]}",
        "--last",
        "4",
    )
    sys.stdout.write(explained.stdout)
    cluster.nodes[old].start()
    say(f"node {old} runs again")
    return new
