"""Kafka's own load programs, and those of confluent-kafka, while active controllers are killed.

Each program is a process of its own.
"""

from __future__ import annotations

import contextlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from attrs import define, field

from tools.committed import NotRead, committed_records
from tools.event_lines import LogFollower
from tools.kafka import jars, jvm
from tools.other_loads import confluent_program
from tools.other_loads.cluster import PARTITIONS, FailOvers
from tools.other_loads.load import Found, Task
from tools.process import ServerFailed, until

ROOT: Final = Path(__file__).parents[2]
FLAGS: Final = ("-Xmx128m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-Xshare:auto")
PACKAGE: Final = "org.apache.kafka.tools"
PER_SECOND: Final = 500
VERIFIABLE_PER_SECOND: Final = 200
COPIED_PER_SECOND: Final = 150
TRANSACTION_MS: Final = 500
TRANSACTION_RECORDS: Final = 50
KILL_EACH_S: Final = 8.0
SPARE_S: Final = 180.0  # beyond the load's own seconds, for a busy machine
READ_WITHIN_S: Final = 180.0
READ_MORE_S: Final = 0.5
END_WITHIN_S: Final = 30.0


@define(eq=False)
class Program:
    """A program as a process; its standard output is a file that is followed."""

    name: str
    command: Sequence[str]
    logs: Path
    _process: subprocess.Popen[bytes] = field(init=False)
    _follower: LogFollower = field(init=False)

    def __attrs_post_init__(self) -> None:
        said = self.logs / f"{self.name}.out"
        self._follower = LogFollower(said)
        with said.open("wb") as out, (self.logs / f"{self.name}.err").open("wb") as errors:
            self._process = subprocess.Popen(
                self.command,
                cwd=ROOT,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=errors,
                start_new_session=True,
            )

    def __enter__(self) -> Program:
        return self

    def __exit__(self, *failure: object) -> None:
        self._process.kill()
        self._process.wait()

    def lines(self) -> list[str]:
        """What it printed since the last call."""
        return self._follower.new_lines()

    def rows(self) -> Iterator[dict[str, Any]]:
        """The same, of a program that prints JSON; other lines are left out."""
        for line in self.lines():
            with contextlib.suppress(ValueError):
                row = json.loads(line)
                if isinstance(row, dict):
                    yield row

    def ended(self, within_s: float) -> int:
        """Its exit code. ServerFailed when it does not end in time."""
        try:
            return self._process.wait(within_s)
        except subprocess.TimeoutExpired:
            raise ServerFailed(f"{self.name} has not ended after {within_s:.0f} s") from None

    def terminate(self) -> None:
        """SIGTERM, and wait for its end."""
        self._process.terminate()
        self.ended(END_WITHIN_S)


Maker = Callable[..., Program]
"""Starts the program of that name for a task, with these options."""


def performance(task: Task, *more: str) -> Found:
    """ProducerPerformance: every number it sent stands in the topic once."""
    topic, found = "performance", Found()
    task.cluster.create(topic)
    count = max(int(task.seconds * PER_SECOND), 1)
    with _killing(task, found), _performing(task, topic, count, PER_SECOND, *more) as program:
        _well_ended(program, task.seconds + SPARE_S, found)
        said = program.lines()
    found.hold(
        any(one.startswith(f"{count} records sent") for one in said),
        f"it does not say that {count} records were sent",
    )
    found.once_each(map(str, range(count)), _values(task, topic, found))
    return found


def performance_in_transactions(task: Task) -> Found:
    """The same, half a second a transaction."""
    words = ("--transactional-id", "performance", "--transaction-duration-ms", str(TRANSACTION_MS))
    return performance(task, *words)


def verifiable(task: Task) -> Found:
    """VerifiableProducer and a group of two VerifiableConsumers: what is acknowledged is read."""
    return _verified(task, _kafkas)


def verifiable_by_kip_848(task: Task) -> Found:
    """The same by the consumer protocol."""
    return _verified(task, _kafkas, "--group-protocol", "consumer")


def verifiable_of_confluent(task: Task) -> Found:
    """The same by the programs that confluent-kafka's package carries."""
    return _verified(task, _confluents)


def _verified(task: Task, program: Maker, *of_members: str) -> Found:
    topic, found = "verified", Found()
    task.cluster.create(topic)
    count = max(int(task.seconds * VERIFIABLE_PER_SECOND), 1)
    read: set[str] = set()
    with contextlib.ExitStack() as stack:
        words = ("--topic", topic, "--group-id", "verifiers", "--verbose", *of_members)
        members = [
            stack.enter_context(program(task, f"VerifiableConsumer-{number}", *words))
            for number in (1, 2)
        ]
        words = ("--topic", topic, "--max-messages", str(count), "--acks", "-1")
        producer = stack.enter_context(
            program(task, "VerifiableProducer", *words, "--throughput", str(VERIFIABLE_PER_SECOND))
        )
        with _killing(task, found):
            _well_ended(producer, task.seconds + SPARE_S, found)
        acknowledged, failed, given_up = _acknowledged(producer)
        with contextlib.suppress(ServerFailed):
            until(
                lambda: acknowledged <= _read(members, read),
                within_s=READ_WITHIN_S,
                poll_s=READ_MORE_S,
            )
        for member in members:
            member.terminate()
    found.once_each(acknowledged, _values(task, topic, found), promised=False)
    missed = acknowledged - read
    found.counts.update(failed=failed, **{"given up": given_up, "missed by the group": len(missed)})
    found.hold(not missed, f"the group did not read {sorted(missed)[:5]}")
    told = len(acknowledged) + failed + given_up
    found.hold(told == count, f"{count} were sent, and the producer tells of {told}")
    return found


def _acknowledged(producer: Program) -> tuple[set[str], int, int]:
    """What it says was acknowledged, how much failed, and how much was in its queue at the end.

    confluent-kafka's waits five seconds for that.
    """
    acknowledged, failed, given_up = set(), 0, 0
    for row in producer.rows():
        if row.get("name") == "producer_send_success":
            acknowledged.add(str(row["value"]))
        failed += row.get("name") == "producer_send_error"
        given_up += int(row.get("_qlen", 0))
    return acknowledged, failed, given_up


def _read(members: Sequence[Program], read: set[str]) -> set[str]:
    """``read``, and what the members have read since."""
    for member in members:
        for row in member.rows():
            if row.get("name") == "record_data":
                read.add(str(row["value"]))
    return read


def copied(task: Task) -> Found:
    """TransactionalMessageCopier with random aborts: the copy has every record once."""
    topic, copy, found = "original", "copy", Found()
    for one in (topic, copy):
        task.cluster.create(one)
    count = max(int(task.seconds * COPIED_PER_SECOND), PARTITIONS)
    with _performing(task, topic, count, -1) as program:
        _well_ended(program, SPARE_S, found)
    with contextlib.ExitStack() as stack:
        stack.enter_context(_killing(task, found))
        copiers = [
            stack.enter_context(_copier(task, topic, copy, one)) for one in range(PARTITIONS)
        ]
        for copier in copiers:
            _well_ended(copier, task.seconds * 3 + SPARE_S, found)
    found.once_each(map(str, range(count)), _values(task, copy, found))
    return found


def _performing(task: Task, topic: str, count: int, per_second: int, *more: str) -> Program:
    words = ("--topic", topic, "--num-records", str(count), "--throughput", str(per_second))
    how = ("--payload-monotonic", "--command-property", "acks=all")
    return _kafkas(task, "ProducerPerformance", *words, *how, *more)


def _copier(task: Task, topic: str, copy: str, partition: int) -> Program:
    words = ("--input-topic", topic, "--input-partition", str(partition), "--output-topic", copy)
    group = ("--consumer-group", "copiers", "--transactional-id", f"copier-{partition}")
    how = ("--transaction-size", str(TRANSACTION_RECORDS), "--enable-random-aborts")
    name = f"TransactionalMessageCopier-{partition}"
    return _kafkas(task, name, *words, *group, *how, "--use-group-metadata", option="--broker-list")


def _kafkas(task: Task, name: str, *words: str, option: str = "--bootstrap-server") -> Program:
    """A program of Kafka's; what follows a dash in its name tells several of it apart."""
    main = f"{PACKAGE}.{name.partition('-')[0]}"
    command = [*jvm.command(jars.libs(), main, flags=FLAGS), option, task.cluster.servers, *words]
    return Program(name, command, task.logs)


def _confluents(task: Task, name: str, *words: str) -> Program:
    program = "verifiable_producer" if "Producer" in name else "verifiable_consumer"
    where = ("--broker-list", task.cluster.servers)
    command = [sys.executable, "-m", confluent_program.__name__, program, *where, *words]
    return Program(name, command, task.logs)


def _well_ended(program: Program, within_s: float, found: Found) -> None:
    try:
        code = program.ended(within_s)
    except ServerFailed as why:
        found.faults.append(str(why))
    else:
        found.hold(code == 0, f"{program.name} ended with exit code {code}")


@contextlib.contextmanager
def _killing(task: Task, found: Found) -> Iterator[None]:
    """Fail-overs inside; how many there were is counted, and one that failed is a fault."""
    with FailOvers(task.cluster, KILL_EACH_S) as fail_overs:
        yield
    found.counts["fail-overs"] = fail_overs.times
    found.hold(not fail_overs.failure, fail_overs.failure)


def _values(task: Task, topic: str, found: Found) -> Iterator[str]:
    try:
        for one in committed_records(task.cluster.servers, topic, PARTITIONS, READ_WITHIN_S):
            yield (one.value() or b"").decode()
    except NotRead as why:
        found.faults.append(str(why))
