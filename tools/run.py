"""``make run``: a node from nothing, its status, and its metadata log through a real Kafka client.

With ONCE=1 in the environment one client quota is changed on the way, the record is seen to
arrive, and the program ends by itself. With NODES=3 it is three voters, and the leader is stopped
on the way. Nothing is left running either way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from pathlib import Path

from metaquorum.client.record_text import as_line
from tools.kafka.helper import HelperFailed
from tools.kafka.jars import FetchFailed
from tools.own_node import METAQUORUM, OwnNode, metaquorum
from tools.process import ServerFailed
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
from tools.run_cluster import demonstrate_cluster

ROOT = Path(__file__).parents[1]
MAX_VOTERS = 9
DIRECTORY = Path(os.environ.get("METAQUORUM_RUN_DIR") or ROOT / "build/run")


def main() -> int:
    once = os.environ.get("ONCE", "") not in ("", "0", "no", "false")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        try:
            voters = wanted_voters(os.environ.get("NODES", ""))
            if voters > 1:
                return demonstrate_cluster(voters, DIRECTORY, once, stack)
            return demonstrate(once, stack)
        except KeyboardInterrupt:
            print(flush=True)
            return 0
        except (ServerFailed, RunFailed, HelperFailed, FetchFailed) as why:
            print(f"make run failed: {why}", file=sys.stderr)
            return 1


def wanted_voters(text: str) -> int:
    """How many voters NODES asks for; one without it."""
    if not text:
        return 1
    if not text.isdigit() or not 1 <= int(text) <= MAX_VOTERS:
        raise RunFailed(f"NODES={text}: a number from 1 to {MAX_VOTERS}")
    return int(text)


def demonstrate(once: bool, stack: contextlib.ExitStack) -> int:
    client = best_client(stack)
    node = fresh_node()
    stack.callback(node.stop)
    node.start()
    node.wait_ready()
    say(f"it leads; clients: {node.bootstrap_server}, controllers: {node.bootstrap_controller}")
    status = metaquorum(
        "metadata-quorum", "--bootstrap-server", node.bootstrap_server, "describe", "--status"
    )
    sys.stdout.write(status.stdout)
    if status.exit_code != 0:
        raise RunFailed(f"no status: {status.stderr}")
    say(f"__cluster_metadata through {client.name}: offset, epoch, time, record type, fields")
    return tail(node, client, once)


def fresh_node() -> OwnNode:
    """A newly formatted node in ``build/run``."""
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    node = OwnNode(DIRECTORY)
    say(f"formatting a node in {os.path.relpath(DIRECTORY)}")
    node.format()
    say(f"starting it: {METAQUORUM.name} server start {os.path.relpath(node.config_file)}")
    return node


def tail(node: OwnNode, client: JavaClient | PythonClient, once: bool) -> int:
    """Print records until Ctrl-C, or, once, until the changed quota has arrived."""
    changed = False
    with contextlib.closing(client.records(node.bootstrap_server)) as records:
        for record in records:
            print(as_line(record), flush=True)
            if node.pid is None:
                raise RunFailed(f"the server ended:\n{node.log_tail()}")
            if once and not changed:
                changed = True
                say(f"changing {QUOTA} of user {USER} to {RATE:.0f} with {client.admin_name}")
                client.alter_quota(node, USER, QUOTA, RATE)
            if once and record.type == "ClientQuotaRecord":
                say("the change arrived")
                return 0
    raise RunFailed("the client ended by itself")


if __name__ == "__main__":
    sys.exit(main())
