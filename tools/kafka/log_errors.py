"""The errors that a node of Kafka's logged, but for those that it may always log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

KAFKAS_FAULT = re.compile(r"\b(ERROR|FATAL)\b")


@frozen
class KafkasOwn:
    """An error that Kafka's nodes log among themselves, without anybody else (decision 161).

    ``said`` finds its line and ``causes`` begin the one below it; it is only excused once ``after``
    has been logged in the same life.
    """

    said: re.Pattern[str]
    causes: tuple[str, ...]
    after: str = ""


NULL = "java.lang.NullPointerException: Cannot invoke "
KAFKAS_OWN = (
    # One that is asked for its versions while it starts or stops has no Raft client yet, or no
    # more, or nobody who publishes its features.
    KafkasOwn(
        re.compile(r"Unexpected error handling request RequestHeader\(apiKey=API_VERSIONS,"),
        (
            f'{NULL}"kafka.raft.KafkaRaftManager.client()"',
            f'{NULL}"org.apache.kafka.metadata.publisher.FeaturesPublisher.features()"',
        ),
    ),
    # One registers with another (or itself) just when the leadership changes.
    KafkasOwn(
        re.compile(
            r"Unexpected error handling request RequestHeader\(apiKey=CONTROLLER_REGISTRATION,"
            r".*softwareName=apache-kafka-java,"
        ),
        (
            "java.util.concurrent.CompletionException: "
            "org.apache.kafka.common.errors.NotControllerException:",
        ),
    ),
    # A broker's heartbeat comes to one that leads and has not taken it up, or that is deposed.
    KafkasOwn(
        re.compile(
            r"Unexpected error handling request RequestHeader\(apiKey=BROKER_HEARTBEAT,"
            r".*softwareName=apache-kafka-java,"
        ),
        ("org.apache.kafka.common.errors.NotControllerException:",),
    ),
    # One that stops throws its meters away while a request is still being answered.
    KafkasOwn(
        re.compile(r"Exception when handling request \(KafkaRequestHandler\)"),
        (f'{NULL}"org.apache.kafka.network.metrics.RequestMetrics$ErrorMeter.getOrCreateMeter()"',),
        after="Shutting down socket server (SocketServer)",
    ),
    # A broker that stops to lead a partition while it still loads the groups or transactions in it.
    KafkasOwn(
        re.compile(r"Failed to load metadata from __\w+-\d+ with epoch \d+ due to Stopped loading"),
        ("org.apache.kafka.common.errors.NotLeaderOrFollowerException:",),
    ),
    # One that stops while it still loads them.
    KafkasOwn(
        re.compile(
            r"Failed to load metadata from __\w+-\d+ with epoch \d+ due to Coordinator loader"
        ),
        ("java.lang.RuntimeException: Coordinator loader is closed.",),
        after="shutting down (BrokerServer)",
    ),
    # A broker whose followers were killed or stood still: producers with acks=all are told so.
    KafkasOwn(
        re.compile(r"Error processing append operation on partition .* \(ReplicaManager\)"),
        ("org.apache.kafka.common.errors.NotEnoughReplicasException:",),
    ),
    # A coordinator of transactions that was replaced while it stood still, or that was killed and
    # came back before it was fenced: it leads by the log as it was until it has registered. The
    # partitions refuse its markers.
    KafkasOwn(
        re.compile(r"Error processing append operation on partition .* \(ReplicaManager\)"),
        (
            "org.apache.kafka.common.errors.TransactionCoordinatorFencedException: "
            "Invalid coordinator epoch",
        ),
    ),
    # One whose coordinator waits for such a partition for longer than its own time limit.
    KafkasOwn(
        re.compile(r"The write event Timeout\(.*\) timed out after .* \(CoordinatorTimerImpl\)"),
        ("org.apache.kafka.common.errors.TimeoutException: CoordinatorWriteEvent",),
    ),
    # An event that took long: it tells of a machine that is busy.
    KafkasOwn(re.compile(r"\(EventPerformanceMonitor\)"), ("",)),
)


def kafkas_faults(lines: Sequence[str]) -> list[str]:
    """The lines of a life's log with ERROR or FATAL in them, each with the one below it.

    What KAFKAS_OWN excuses is left out.
    """
    return [
        f"{line} | {below}"
        for number, (line, below) in enumerate(pairwise([*lines, ""]))
        if KAFKAS_FAULT.search(line) and not _is_kafkas_own(line, below, lines[:number])
    ]


def _is_kafkas_own(line: str, below: str, before: Sequence[str]) -> bool:
    return any(
        own.said.search(line)
        and below.startswith(own.causes)
        and (not own.after or any(own.after in one for one in before))
        for own in KAFKAS_OWN
    )
