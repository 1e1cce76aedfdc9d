"""The clients that ``make run`` shows a log with: Kafka's where it can be had, else Python's."""

from __future__ import annotations

import contextlib
from collections.abc import Generator

from metaquorum.client.log_record import LogRecord, decode_record
from tools.kafka import JavaHelper, java_available
from tools.kafka.helper import HelperFailed
from tools.kafka.jars import FetchFailed
from tools.own_node import OwnNode

QUIET_S = 20.0  # a leader that is idle writes a record every half second
USER = "demo"
QUOTA = "producer_byte_rate"
RATE = 1_048_576.0


class RunFailed(Exception):
    """The demonstration cannot go on; the message says why."""


def say(text: str) -> None:
    """A line for the person who watches, beside the records."""
    print(f"# {text}", flush=True)


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
