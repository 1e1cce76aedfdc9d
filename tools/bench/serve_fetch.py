"""The whole log, read by a consumer that starts cold: our server beside itself and beside Kafka.

The log is written to our node's directory before it starts, and produced batch by batch to a
topic of a Kafka broker, so both serve the same batches from files. Our server serves it once by
``sendfile`` and once, with that taken away, by reading and sending. The consumer asks as Java's
does and looks at nothing but where the next batch begins; it and the servers have a core each.
"""

from __future__ import annotations

import socket
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from attrs import frozen

from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.client.connection import Connection
from metaquorum.metadata.tables.features import METADATA_VERSION
from metaquorum.metadata.versions import DEFAULT
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.storage import quorum_state
from metaquorum.storage.log import Log
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.wire.frames import frame
from metaquorum.wire.generated import create_topics_request as create
from metaquorum.wire.generated import error_codes, fetch_request, fetch_response
from metaquorum.wire.generated import metadata_request as metadata
from metaquorum.wire.generated import produce_request as produce
from metaquorum.wire.generated.records import config_record, feature_level_record
from metaquorum.wire.headers import RequestHeader, put_request_header, read_response_header
from metaquorum.wire.slices import FileSlice, Parts
from tools.bench.processor_time import processor_seconds
from tools.bench.serve_small import one_core_each
from tools.kafka import KafkaCluster
from tools.kafka.node import KafkaNode
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode

FETCH, PRODUCE, CREATE_TOPICS, METADATA = 1, 0, 19, 3
BY_ID, IDEMPOTENCE_FREE = 13, 9
MIB, GIB = 1 << 20, 1 << 30
READS_A_ROUND = 4  # one takes a few hundredths of a second
BATCH_VALUES, VALUE_BYTES = 16, 4_000  # 64 KB a batch
MAX_BYTES, PARTITION_BYTES = 50 * MIB, MIB  # Java's defaults
WITHOUT_SENDFILE = "import os; del os.sendfile; from metaquorum.cli.main import main; main()"
EPOCH, WRITTEN_MS = 1, 1_700_000_000_000
TOPIC = "copy"


@frozen
class Fetched:
    """One way of serving, round by round."""

    server: str
    speeds: tuple[float, ...]
    cpu_s: tuple[float, ...]

    @property
    def mib_a_second(self) -> float:
        """In the middle one of the rounds, as is the processor time."""
        return round(statistics.median(self.speeds), 1)

    @property
    def cpu_s_a_gib(self) -> float:
        """Of the server, user and system."""
        return round(statistics.median(self.cpu_s), 3)


def ratio(ours: tuple[float, ...], peers: tuple[float, ...]) -> float:
    """Ours as a share of the peer's of the same round, in the middle one of the rounds.

    The machine may be half as fast in one round as in another, and seldom is within one.
    """
    return round(statistics.median(own / other for own, other in zip(ours, peers, strict=True)), 2)


def cold_fetch(
    scratch: Path, mib: int, rounds: int, *, with_kafka: bool
) -> tuple[list[Fetched], list[Fetched]]:
    """Our two ways beside each other, then the first beside Kafka; a first round is not counted.

    Only then is a JVM started: what it does while it serves nobody is on the same two cores.
    """
    batches = log_batches(mib)
    with our_node(scratch / "ours", batches) as ours:
        sendfile = ("sendfile", ours.pid or 0, ours.port, METADATA_TOPIC_ID)
        with our_node(scratch / "reading", batches, WITHOUT_SENDFILE) as reading:
            copied = ("read and send", reading.pid or 0, reading.port, METADATA_TOPIC_ID)
            beside_copied = measured([sendfile, copied], rounds)
        if not with_kafka:
            return beside_copied, []
        with kafka_broker(scratch / "kafka", batches) as (broker, port, topic_id):
            kafka = ("Kafka 4.3.1", broker.pid or 0, port, topic_id)
            return beside_copied, measured([sendfile, kafka], rounds)


def measured(servers: list[tuple[str, int, int, bytes]], rounds: int) -> list[Fetched]:
    """Read the whole log from each of them, again and again, in every other round backwards.

    Who comes right behind another one finds the caches of the processor full of its things.
    """
    rows: dict[str, list[tuple[float, float]]] = {}
    with one_core_each(*(pid for _, pid, _, _ in servers)):
        for number in range(rounds + 1):
            for name, pid, port, topic_id in servers if number % 2 else reversed(servers):
                used, began = processor_seconds(pid), time.perf_counter()
                read = sum(read_all(port, topic_id) for _ in range(READS_A_ROUND))
                took_s = time.perf_counter() - began
                if number:
                    cpu_s = (processor_seconds(pid) - used) / read * GIB
                    rows.setdefault(name, []).append((read / MIB / took_s, cpu_s))
    return [Fetched(name, *zip(*of, strict=True)) for name, of in rows.items()]


def log_batches(mib: int) -> list[bytes]:
    """So much of a metadata log, whose first record says at what level it is written."""
    level = feature_level_record.FeatureLevelRecord(METADATA_VERSION, DEFAULT)
    framed = encode_metadata_record(feature_level_record.API_KEY, level, 0)
    batches = [build_batch([(None, framed)], timestamp_ms=WRITTEN_MS, leader_epoch=EPOCH)]
    offset = 1
    value = "x" * VALUE_BYTES
    for number in range(mib * MIB // (BATCH_VALUES * VALUE_BYTES)):
        record = config_record.ConfigRecord(4, "1", f"bench.key.{number % 50}", value)
        framed = encode_metadata_record(config_record.API_KEY, record, 0)
        batches.append(
            build_batch(
                [(None, framed)] * BATCH_VALUES,
                timestamp_ms=WRITTEN_MS + number,
                base_offset=offset,
                leader_epoch=EPOCH,
            )
        )
        offset += BATCH_VALUES
    return batches


@contextmanager
def our_node(
    directory: Path, batches: list[bytes], program: str | None = None
) -> Iterator[OwnNode]:
    """A node whose log holds these batches when it starts."""
    properties = {
        "metadata.max.idle.interval.ms": "0",
        "metadata.max.retention.bytes": "-1",
        "metadata.log.max.record.bytes.between.snapshots": str(1 << 40),
        "metadata.log.max.snapshot.interval.ms": "0",
    }
    node = OwnNode(directory, properties, program=program)
    node.format()
    disk, place = PosixDisk(), str(node.metadata_directory)
    quorum_state.write(disk, place, ElectionStateData(EPOCH))
    log, _ = Log.open(disk, place)
    for batch in batches:
        log.append([batch])
    log.sync()
    log.close()
    node.start()
    try:
        node.wait_ready(120.0)
        yield node
    finally:
        node.stop()


@contextmanager
def kafka_broker(directory: Path, batches: list[bytes]) -> Iterator[tuple[KafkaNode, int, bytes]]:
    """A broker with a topic of these batches: the node, its port and the topic's id."""
    with KafkaCluster(directory, controllers=1, brokers=1) as cluster:
        (node_id,) = cluster.broker_ports
        port = cluster.broker_ports[node_id]
        with Connection.open(LOOPBACK, port) as connection:
            topic = create.CreatableTopic(TOPIC, num_partitions=1, replication_factor=1)
            asked = create.CreateTopicsRequest([topic], timeout_ms=30_000)
            version = connection.best_version(CREATE_TOPICS)
            connection.ask(CREATE_TOPICS, version, asked)
            topic_id = wait_for_topic(connection)
            for batch in batches:
                # A producer counts from 0; the base offset lies outside the checksum.
                partition = produce.PartitionProduceData(0, bytes(8) + batch[8:])
                data = produce.TopicProduceData(TOPIC, partition_data=[partition])
                request = produce.ProduceRequest(acks=1, timeout_ms=30_000, topic_data=[data])
                answer = connection.ask(PRODUCE, IDEMPOTENCE_FREE, request)
                code = answer.responses[0].partition_responses[0].error_code
                assert code == error_codes.NONE, error_codes.NAMES[code]
        yield cluster.nodes[node_id], port, topic_id


def wait_for_topic(connection: Connection) -> bytes:
    """The id of the topic, once it has a leader."""
    version = connection.best_version(METADATA, least=10)
    asked = metadata.MetadataRequest([metadata.MetadataRequestTopic(name=TOPIC)])
    for _ in range(200):
        row = connection.ask(METADATA, version, asked).topics[0]
        if row.error_code == error_codes.NONE and row.partitions[0].leader_id >= 0:
            return bytes(row.topic_id)
        time.sleep(0.05)
    raise SystemExit("the topic has no leader")


def read_all(port: int, topic_id: bytes) -> int:
    """Bytes of records up to the high watermark, from the first offset on."""
    room = memoryview(bytearray(2 * MIB))
    with socket.create_connection((LOOPBACK, port)) as peer:
        offset = received = 0
        while True:
            peer.sendall(fetch_frame(topic_id, offset))
            size = int.from_bytes(peer.recv(4, socket.MSG_WAITALL), "big")
            peer.recv_into(room, size, socket.MSG_WAITALL)
            _, at = read_response_header(room[:size], FETCH, BY_ID)
            answer = fetch_response.decode(room[:size], BY_ID, at).responses[0].partitions[0]
            assert answer.error_code == error_codes.NONE, error_codes.NAMES[answer.error_code]
            assert isinstance(answer.records, bytes | memoryview)
            records = memoryview(answer.records)
            received += len(records)
            offset = next_offset(records, offset)
            if offset >= answer.high_watermark:
                return received


def fetch_frame(topic_id: bytes, offset: int) -> bytes:
    """What Java's consumer asks by default, without a session."""
    row = fetch_request.FetchPartition(fetch_offset=offset, partition_max_bytes=PARTITION_BYTES)
    topic = fetch_request.FetchTopic(topic_id=topic_id, partitions=[row])
    parts: Parts = []
    put_request_header(parts, RequestHeader(FETCH, BY_ID, 1, "bench"))
    request = fetch_request.FetchRequest(
        max_wait_ms=500, min_bytes=1, max_bytes=MAX_BYTES, topics=[topic]
    )
    fetch_request.put(parts, request, BY_ID)
    return b"".join(part for part in frame(parts) if not isinstance(part, FileSlice))


def next_offset(records: memoryview, offset: int) -> int:
    """One past the last record of the last batch."""
    at = 0
    while at < len(records):
        base = int.from_bytes(records[at : at + 8], "big")
        offset = base + int.from_bytes(records[at + 23 : at + 27], "big") + 1
        at += 12 + int.from_bytes(records[at + 8 : at + 12], "big")
    return offset
