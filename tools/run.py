"""``make run``: a node from nothing, its status, and its metadata log through a real Kafka client.

With ONCE=1 in the environment one client quota is changed on the way, the record is seen to
arrive, and the program ends by itself. Nothing is left running either way.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import sys
from collections.abc import Generator
from pathlib import Path

from metaquorum.client.log_record import LogRecord, decode_record
from metaquorum.client.record_text import as_line
from tools.kafka import JavaHelper, java_available
from tools.kafka.helper import HelperFailed
from tools.kafka.jars import FetchFailed
from tools.own_node import METAQUORUM, OwnNode, OwnNodeFailed, metaquorum

ROOT = Path(__file__).parents[1]
DIRECTORY = Path(os.environ.get("METAQUORUM_RUN_DIR") or ROOT / "build/run")
QUIET_S = 20.0  # a leader that is idle writes a record every half second
USER = "demo"
QUOTA = "producer_byte_rate"
RATE = 1_048_576.0


class RunFailed(Exception):
    """The demonstration cannot go on; the message says why."""


def say(text: str) -> None:
    """A word to whoever watches, beside the records."""
    print(f"# {text}", flush=True)


def main() -> int:
    once = os.environ.get("ONCE", "") not in ("", "0", "no", "false")
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    with contextlib.ExitStack() as stack:
        try:
            return demonstrate(once, stack)
        except KeyboardInterrupt:
            print(flush=True)
            return 0
        except (OwnNodeFailed, RunFailed, HelperFailed, FetchFailed) as why:
            print(f"make run failed: {why}", file=sys.stderr)
            return 1


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


def best_client(stack: contextlib.ExitStack) -> JavaClient | PythonClient:
    """Kafka's own client where Java and its jars can be had, else one in Python."""
    why_not = java_available()
    if why_not is None:
        try:
            return JavaClient(stack.enter_context(JavaHelper()))
        except (FetchFailed, HelperFailed) as failure:
            why_not = str(failure)
    say(f"{why_not}; a Python client takes the Java consumer's place")
    return PythonClient()


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


class JavaClient:
    """Kafka's own consumer and admin client, in one JVM."""

    name = "Kafka's Java consumer"
    admin_name = "Kafka's Java admin client"

    def __init__(self, helper: JavaHelper) -> None:
        self._helper = helper

    def records(self, servers: str) -> Generator[LogRecord, None, None]:
        with contextlib.closing(self._helper.tail(servers, answer_timeout_s=QUIET_S)) as consumed:
            for one in consumed:
                yield decode_record(one.offset, one.epoch, one.timestamp_ms, one.key, one.value)

    def alter_quota(self, node: OwnNode, user: str, quota: str, value: float) -> None:
        self._helper.alter_quota(node.bootstrap_server, {"user": user}, {quota: value})


class PythonClient:
    """kafka-python's consumer; the quota goes out as one request of our own client."""

    name = "kafka-python's consumer"
    admin_name = "a plain AlterClientQuotas request"

    def records(self, servers: str) -> Generator[LogRecord, None, None]:
        from kafka import KafkaConsumer, TopicPartition

        partition = TopicPartition("__cluster_metadata", 0)
        consumer = KafkaConsumer(
            bootstrap_servers=servers, enable_auto_commit=False, auto_offset_reset="earliest"
        )
        try:
            consumer.assign([partition])
            consumer.seek_to_beginning(partition)
            while True:
                for batch in consumer.poll(timeout_ms=1_000).values():
                    for one in batch:
                        yield decode_record(
                            one.offset, one.leader_epoch, one.timestamp, one.key, one.value
                        )
        finally:
            consumer.close()

    def alter_quota(self, node: OwnNode, user: str, quota: str, value: float) -> None:
        from tools.quota_writer import QuotaWriter

        with QuotaWriter.open(node.port) as writer:
            writer.set(user, quota, value)


if __name__ == "__main__":
    sys.exit(main())
