"""The errors that a node of Kafka's logged, but for those that it may always log."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from attrs import frozen

DAY_S = 86_400.0
KAFKAS_FAULT = re.compile(r"\b(ERROR|FATAL)\b")
TIME = re.compile(r"\[(\d\d):(\d\d):(\d\d\.\d+)\] ")


@frozen
class KafkasOwn:
    """An error that Kafka's nodes log among themselves, without anybody else (decision 161).

    ``said`` finds its line and ``causes`` begin the one below it; it is only excused once ``after``
    has been logged in the same life, ``within_s`` seconds before at most. The names of groups of
    ``said`` stand in ``after`` for what they found.
    """

    said: re.Pattern[str]
    causes: tuple[str, ...]
    after: str = ""
    within_s: float = DAY_S


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
# A broker that leads a partition since a moment ago. Of a producer with several requests in flight
# the first ones may still be with the leader before, which stood still; so the next one comes here
# too early, and is sent again. For tests that look for lost records: those are refused, too.
SENT_TO_TWO_LEADERS = KafkasOwn(
    re.compile(
        r"Error processing append operation on partition "
        r"[^:]+:(?P<partition>\S+) \(ReplicaManager\)"
    ),
    ("org.apache.kafka.common.errors.OutOfOrderSequenceException: Out of order sequence number",),
    after="Leader {partition} with topic id",
    within_s=30.0,  # request.timeout.ms of a producer
)


def kafkas_faults(lines: Sequence[str], more: Sequence[KafkasOwn] = ()) -> list[str]:
    """The lines of a life's log with ERROR or FATAL in them, each with the one below it.

    What KAFKAS_OWN or ``more`` excuses is left out.
    """
    known = (*KAFKAS_OWN, *more)
    return [
        f"{line} | {below}"
        for number, (line, below) in enumerate(pairwise([*lines, ""]))
        if KAFKAS_FAULT.search(line)
        and not any(_is_own(one, line, below, lines[:number]) for one in known)
    ]


def _is_own(own: KafkasOwn, line: str, below: str, before: Sequence[str]) -> bool:
    said = own.said.search(line)
    if said is None or not below.startswith(own.causes):
        return False
    after = own.after.format(**said.groupdict())
    return not after or any(
        after in one and (own.within_s == DAY_S or _seconds_between(one, line) <= own.within_s)
        for one in before
    )


def _seconds_between(before: str, line: str) -> float:
    """From one line to a later one, within a day; a whole day if one of them tells no time."""
    began, ended = TIME.match(before), TIME.match(line)
    if began is None or ended is None:
        return DAY_S
    return (_second_of_day(ended) - _second_of_day(began)) % DAY_S


def _second_of_day(time: re.Match[str]) -> float:
    hour, minute, second = time.groups()
    return int(hour) * 3_600 + int(minute) * 60 + float(second)
