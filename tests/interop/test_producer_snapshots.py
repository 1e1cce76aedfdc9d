"""Producer snapshots that a real broker lost are made again, and the broker goes on by them."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path

import confluent_kafka
import pytest
from attrs import define
from confluent_kafka.admin import AdminClient, NewTopic

from metaquorum.storage.names import LOG, PRODUCER_SNAPSHOT, parse_segment_file
from metaquorum.storage.offset_checkpoint import read_offsets
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.producer_snapshot import decode_producers, encode_producers
from metaquorum.wire.generated import error_codes
from tests.interop.one_broker import Producers, one_broker
from tools.kafka import JavaHelper
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.own_node import metaquorum
from tools.process import until

ORDERS, COMPACTED = "orders", "compacted"
SEGMENT_BYTES = 1_048_576
VALUE = bytes(180_000)
# Ids of all sizes that the broker gave to nobody; more than a Java map has room for at first.
MANY = (700_001, 700_002, 5_000_000_000, *range(800_000, 800_000 + 18 * 7_919, 7_919))
QUICK_CLEANER = {"log_cleaner_backoff_ms": "200", "log_initial_task_delay_ms": "100"}
CLEANED_WITHIN_S = 40.0


@define
class Broker:
    """One real broker, and its two topics."""

    node: KafkaNode
    port: int
    orders: Producers
    compacted: Producers

    @property
    def bootstrap(self) -> str:
        return f"{LOOPBACK}:{self.port}"

    def partition(self, topic: str) -> Path:
        """The directory of a topic's one partition."""
        return self.node.data_directory / f"{topic}-0"

    def snapshots(self, topic: str) -> dict[int, bytes]:
        """The files at the bases of segments, with their entries in the order of producers."""
        directory = self.partition(topic)
        bases = sorted(segment_bases(directory))
        found = {}
        for base in bases[1:]:
            path = directory / f"{base:020d}{PRODUCER_SNAPSHOT}"
            entries = decode_producers(path.read_bytes())
            found[base] = encode_producers(sorted(entries, key=lambda one: one.producer_id))
        return found

    def transactional(self, name: str) -> confluent_kafka.Producer:
        """A transactional producer; an open transaction of one of that name is aborted."""
        producer = confluent_kafka.Producer(
            {
                "bootstrap.servers": self.bootstrap,
                "transactional.id": name,
                "message.max.bytes": 900_000,
            }
        )
        producer.init_transactions(30)
        return producer

    def begin(self, name: str) -> confluent_kafka.Producer:
        """A transactional producer that has begun, and written one large record."""
        producer = self.transactional(name)
        self.write_more(producer)
        return producer

    def write_more(self, producer: confluent_kafka.Producer) -> None:
        producer.begin_transaction()
        producer.produce(ORDERS, VALUE, partition=0)
        producer.flush(30)

    def transactions(self, name: str, outcomes: str) -> None:
        """A transactional producer: c commits, a aborts, one large record each."""
        producer = self.begin(name)
        for number, outcome in enumerate(outcomes):
            if number:
                self.write_more(producer)
            if outcome == "c":
                producer.commit_transaction(30)
            else:
                producer.abort_transaction(30)


def segment_bases(directory: Path) -> set[int]:
    found = (parse_segment_file(one.name, LOG) for one in directory.iterdir())
    return {one for one in found if one is not None}


@pytest.fixture(scope="module")
def broker(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[Broker]:
    node, port = one_broker(tmp_path_factory.mktemp("broker"), java, **QUICK_CLEANER)
    with node:
        small = {"segment.bytes": str(SEGMENT_BYTES)}
        compacted = {**small, "cleanup.policy": "compact", "min.cleanable.dirty.ratio": "0.01"}
        admin = AdminClient({"bootstrap.servers": f"{LOOPBACK}:{port}"})
        topics = [NewTopic(ORDERS, 1, 1, config=small), NewTopic(COMPACTED, 1, 1, config=compacted)]
        for made in admin.create_topics(topics).values():
            made.result(30)
        yield Broker(node, port, Producers(port, ORDERS, VALUE), Producers(port, COMPACTED, VALUE))


def write_orders(broker: Broker, now_ms: int) -> None:
    """Over many segments: many producers, epochs that rise, transactions that end both ways."""
    broker.transactions("one", "ca")
    small = Producers(broker.port, ORDERS, b"small")
    for producer_id in MANY[3:]:
        small.write(producer_id, now_ms)
    long = broker.begin("long")
    broker.begin("fenced")
    broker.transactional("fenced")  # the marker has a later epoch than what it ends
    for turn in range(5):
        for producer_id in MANY[: 2 + turn % 2]:
            broker.orders.write(producer_id, now_ms + turn)
        if turn in (2, 4):
            broker.orders.bump(MANY[0])
        broker.transactions("two", "ac" if turn % 2 else "c")
    long.commit_transaction(30)
    broker.orders.last.update(small.last)
    broker.orders.next_sequence.update(small.next_sequence)


def write_compacted(broker: Broker, now_ms: int) -> None:
    """The same key again and again, until the cleaner has been over all closed segments."""
    for turn in range(5):
        for producer_id in MANY[: 3 if turn < 3 else 1]:
            broker.compacted.write(producer_id, now_ms + turn)
    wait_for_cleaner(broker)


def wait_for_cleaner(broker: Broker) -> None:
    newest = max(segment_bases(broker.partition(COMPACTED)))
    path = str(broker.node.data_directory / "cleaner-offset-checkpoint")
    until(
        lambda: read_offsets(PosixDisk(), path).get(f"{COMPACTED}-0", 0) >= newest,
        "the cleaner should have come",
        CLEANED_WITHIN_S,
    )


def regenerate(broker: Broker, topic: str) -> None:
    """Remove every snapshot of a partition, and have them made again."""
    for one in broker.partition(topic).glob(f"*{PRODUCER_SNAPSHOT}"):
        one.unlink()
    log_dir = broker.partition(topic)
    assert metaquorum("producer-snapshots", "check", "--log-dir", log_dir).exit_code == 1
    made = metaquorum("producer-snapshots", "regenerate", "--log-dir", log_dir)
    assert made.exit_code == 0, made.stderr


def assert_dumped(broker: Broker, java: JavaHelper, topic: str, entries: int) -> None:
    """Kafka's dump-log shows every entry and no fault."""
    paths = sorted(broker.partition(topic).glob(f"*{PRODUCER_SNAPSHOT}"))
    dumped = java.tool("dump-log", "--files", ",".join(map(str, paths)))
    assert dumped.exit_code == 0, dumped.stderr
    assert dumped.stderr == ""
    assert dumped.stdout.count("producerId: ") == entries


def assert_goes_on(producers: Producers, producer_id: int, now_ms: int) -> None:
    """A duplicate is known again and not written, a gap is refused, the next batch is taken."""
    last, offset = producers.last[producer_id]
    again = producers.send(last)
    assert (again.error_code, again.base_offset) == (error_codes.NONE, offset)
    gap = producers.send(producers.batch(producer_id, now_ms, skip=6))
    assert gap.error_code == error_codes.OUT_OF_ORDER_SEQUENCE_NUMBER
    producers.write(producer_id, now_ms)
    assert producers.last[producer_id][1] > offset


def assert_held(broker: Broker) -> None:
    """While the broker runs, nothing is made in its directory."""
    for log_dir in (broker.node.data_directory, broker.partition(ORDERS)):
        refused = metaquorum("producer-snapshots", "regenerate", "--log-dir", log_dir)
        assert refused.exit_code == 1 and "is in use" in refused.stderr, refused


def assert_uploaded_beside(broker: Broker, store: Path) -> None:
    """An upload only reads, so the broker may run."""
    log_dir = broker.partition(ORDERS)
    done = metaquorum("tier", "upload", "--log-dir", log_dir, "--to", store, "-o", "json")
    assert done.exit_code == 0, done.stdout + done.stderr
    states = [json.loads(line)["done"] for line in done.stdout.splitlines()]
    assert states.count("there already") >= 3
    assert {*states} <= {"there already", "uploaded", "not yet"}


def restart(broker: Broker) -> None:
    broker.node.start()
    broker.node.wait_ready()


def assert_uploaded(broker: Broker, java: JavaHelper, store: Path) -> None:
    """Every closed segment of the broker is taken, and Kafka's dump-log reads its parts there."""
    log_dir = broker.node.data_directory
    done = metaquorum("tier", "upload", "--log-dir", log_dir, "--to", store, "-o", "json")
    assert done.exit_code == 0, done.stdout + done.stderr
    rows = [json.loads(line) for line in done.stdout.splitlines()]
    assert {row["done"] for row in rows} == {"uploaded"}, rows
    for topic in (ORDERS, COMPACTED):
        keys = [row["key"] for row in rows if row["partition"] == f"{topic}-0"]
        assert len(keys) == len(segment_bases(broker.partition(topic))) - 1
    for row in rows:
        for one in (store / row["key"]).glob("0*"):
            assert one.read_bytes() == (log_dir / row["partition"] / one.name).read_bytes()
    # After a cleaner, dump-log finds fault with time indexes of Kafka's own, too.
    places = [store / row["key"] for row in rows if row["partition"] == f"{ORDERS}-0"]
    paths = sorted(one for place in places for one in place.glob("0*"))
    dumped = java.tool("dump-log", "--files", ",".join(map(str, paths)))
    assert (dumped.exit_code, dumped.stderr) == (0, "")
    assert "isvalid: false" not in dumped.stdout and "ismatch" not in dumped.stdout
    assert any(one.suffix == ".txnindex" for one in paths), "a transaction was aborted"


def test_what_a_broker_lost_is_made_again_and_it_goes_on_by_it(
    broker: Broker, java: JavaHelper, tmp_path: Path
) -> None:
    now_ms = time.time_ns() // 1_000_000
    write_orders(broker, now_ms)
    write_compacted(broker, now_ms)
    assert_held(broker)
    broker.node.stop()
    theirs = {topic: broker.snapshots(topic) for topic in (ORDERS, COMPACTED)}
    for topic in theirs:
        regenerate(broker, topic)
        ours = broker.snapshots(topic)
        entries = sum(len(decode_producers(one)) for one in ours.values())
        assert_dumped(broker, java, topic, entries)
    assert len(theirs[ORDERS]) >= 3
    kept = [decode_producers(one) for one in theirs[ORDERS].values()]
    assert any(one.transaction_first_offset >= 0 for entries in kept for one in entries)
    assert any(one.last is None for entries in kept for one in entries), "fenced"
    epochs = {one.epoch for entries in kept for one in entries if one.producer_id == MANY[0]}
    assert epochs == {0, 1}
    assert broker.snapshots(ORDERS) == theirs[ORDERS]
    newest = max(theirs[COMPACTED])  # what a cleaner took from below others is gone for good
    assert broker.snapshots(COMPACTED)[newest] == theirs[COMPACTED][newest]
    assert_uploaded(broker, java, tmp_path)
    restart(broker)
    for producer_id in MANY[1:]:
        assert_goes_on(broker.orders, producer_id, now_ms)
    for producer_id in MANY[:3]:
        assert_goes_on(broker.compacted, producer_id, now_ms)
    broker.transactions("one", "ca")
    assert_uploaded_beside(broker, tmp_path)
    wait_for_cleaner(broker)
    broker.node.stop()


def test_snapshots_made_equal_kafkas_of_the_same_log_after_a_crash(broker: Broker) -> None:
    ours = {}
    for topic in (ORDERS, COMPACTED):
        regenerate(broker, topic)
        ours[topic] = broker.snapshots(topic)
        for one in broker.partition(topic).glob(f"*{PRODUCER_SNAPSHOT}"):
            one.unlink()
    for name in (".kafka_cleanshutdown", "recovery-point-offset-checkpoint"):
        (broker.node.data_directory / name).unlink()
    restart(broker)
    assert {topic: broker.snapshots(topic) for topic in ours} == ours
    assert len(ours[ORDERS]) > 3 and ours[COMPACTED]
