"""Transactions of numbered records: committed ones are read whole and once, aborted ones never.

One transactional producer of librdkafka, which begins anew under the same transactional id when it
cannot go on, and one reader of committed records at the end.
"""

from __future__ import annotations

import threading
import time
from collections import Counter
from enum import Enum

from attrs import define, field
from confluent_kafka import KafkaException, Producer

from tools.committed import NotRead, committed_records

RECORDS = 3
EACH_ABORTED = 5  # every fifth is given up
COMMIT_WITHIN_S = 20.0
INIT_WITHIN_S = 20.0
TRANSACTION_TIMEOUT_MS = 20_000
PAUSE_S = 0.05
END_WITHIN_S = 60.0


class Outcome(Enum):
    """What is known of a transaction: UNKNOWN if the answer to its commit was lost."""

    COMMITTED = "committed"
    ABORTED = "aborted"
    UNKNOWN = "unknown"


@define
class Book:
    """The judge: outcomes by the number of the transaction, and the records by their places.

    A record is the number of its transaction and its own in it, a place partition and offset.
    """

    outcomes: dict[int, Outcome] = field(factory=dict)
    read: dict[tuple[int, int], tuple[int, int]] = field(factory=dict)

    def faults(self) -> list[str]:
        """Everything that must not be, in words."""
        times = Counter(self.read.values())
        found = [f"record {one} stands {count} times" for one, count in times.items() if count > 1]
        whole = Counter(number for number, _ in times)
        for number, outcome in sorted(self.outcomes.items()):
            seen = whole[number]
            if outcome is Outcome.COMMITTED and seen < RECORDS:
                found.append(f"{seen} of {RECORDS} records of committed transaction {number}")
            elif outcome is Outcome.ABORTED and seen:
                found.append(f"{seen} records of aborted transaction {number}")
            elif outcome is Outcome.UNKNOWN and seen not in (0, RECORDS):
                found.append(f"{seen} of {RECORDS} records of transaction {number}")
        return found

    def count(self, outcome: Outcome) -> int:
        """How many transactions came to that."""
        return sum(one is outcome for one in self.outcomes.values())


@define
class TransactionalClient:
    """Writes transactions to ``topic`` from ``start`` until ``stop``."""

    servers: list[str]
    topic: str
    partitions: int
    name: str = "payments"
    book: Book = field(factory=Book)
    _sending: threading.Event = field(factory=threading.Event, init=False, repr=False)
    _thread: threading.Thread | None = field(default=None, init=False, repr=False)

    def start(self) -> None:
        """Begin to write."""
        self._sending.set()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Write no more; the last transaction has come to its end, or is given up."""
        self._sending.clear()
        if self._thread is not None:
            self._thread.join(END_WITHIN_S)

    def _write(self) -> None:
        producer: Producer | None = None
        number = 0
        while self._sending.is_set():
            if producer is None:
                producer = self._producer()
                continue
            outcome = self._one(producer, number)
            self.book.outcomes[number] = outcome
            if outcome is Outcome.UNKNOWN:
                producer = None
            number += 1
            time.sleep(PAUSE_S)

    def _producer(self) -> Producer | None:
        """One whose predecessor's transaction is over; None if that was not to be had in time."""
        producer = Producer(
            {
                "bootstrap.servers": ",".join(self.servers),
                "transactional.id": self.name,
                "transaction.timeout.ms": TRANSACTION_TIMEOUT_MS,
                "message.timeout.ms": TRANSACTION_TIMEOUT_MS,
            }
        )
        try:
            producer.init_transactions(INIT_WITHIN_S)
        except KafkaException:
            return None
        return producer

    def _one(self, producer: Producer, number: int) -> Outcome:
        try:
            producer.begin_transaction()
            for at in range(RECORDS):
                producer.produce(
                    self.topic, b"%d %d" % (number, at), partition=(number + at) % self.partitions
                )
            if number % EACH_ABORTED == EACH_ABORTED - 1:
                producer.abort_transaction(COMMIT_WITHIN_S)
                return Outcome.ABORTED
        except KafkaException:
            return self._given_up(producer, Outcome.ABORTED)
        return self._committed(producer)

    def _committed(self, producer: Producer) -> Outcome:
        ends = time.monotonic() + COMMIT_WITHIN_S
        while time.monotonic() < ends:
            try:
                producer.commit_transaction(COMMIT_WITHIN_S)
            except KafkaException as error:
                if error.args[0].txn_requires_abort():
                    return self._given_up(producer, Outcome.ABORTED)
                if not error.args[0].retriable():
                    return Outcome.UNKNOWN
            else:
                return Outcome.COMMITTED
        return Outcome.UNKNOWN

    @staticmethod
    def _given_up(producer: Producer, otherwise: Outcome) -> Outcome:
        """Abort; a producer that cannot do that is of no further use."""
        try:
            producer.abort_transaction(COMMIT_WITHIN_S)
        except KafkaException:
            return Outcome.UNKNOWN
        return otherwise

    def read_all(self, within_s: float) -> list[str]:
        """Read every committed record of the topic; the faults, or that a transaction is open."""
        servers = ",".join(self.servers)
        try:
            for one in committed_records(servers, self.topic, self.partitions, within_s):
                number, at = map(int, (one.value() or b"").split())
                self.book.read[one.partition() or 0, one.offset() or 0] = number, at
        except NotRead as why:
            return [str(why)]
        return self.book.faults()
