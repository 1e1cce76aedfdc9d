"""Fetches with partitions in error: what leaves at once, what is held, and for how long.

Issue 27, item 8, and decision 202.
"""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import FETCH_ERROR_DELAY_MS, MAX_PARKED_FETCH_PARTITIONS
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.runtime.driver.watermark import Watermark
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.rights import Refusals
from metaquorum.testing.fake_services import FakeServices, log_of_eight, services_with_eight_records
from metaquorum.testing.pipeline_client import Exchange, PipelineClient
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)

CONSUMER_VERSIONS = range(4, 19)
WITH_SESSIONS = range(7, 19)
MUCH = 1 << 20
UNKNOWN_ID = bytes(15) + b"\x07"
START_MS = 1_000
NO_LEADER = LeaderAndEpoch(None, 3)
LEADER = LeaderAndEpoch(1, 3)


def metadata(version: int, offset: int, **fields: int) -> FetchTopic:
    """Partition 0 of the metadata topic, from ``offset`` on."""
    row = FetchPartition(0, fetch_offset=offset, partition_max_bytes=MUCH, **fields)
    if version < 13:
        return FetchTopic(METADATA_TOPIC, ZERO_UUID, [row])
    return FetchTopic("", METADATA_TOPIC_ID, [row])


def unknown(version: int, partitions: int = 1) -> FetchTopic:
    """Partitions of a topic that is not here."""
    rows = [FetchPartition(index, partition_max_bytes=MUCH) for index in range(partitions)]
    if version < 13:
        return FetchTopic("absent", ZERO_UUID, rows)
    return FetchTopic("", UNKNOWN_ID, rows)


def other_partition(version: int) -> FetchTopic:
    """A partition that the metadata topic does not have."""
    made = metadata(version, 0)
    made.partitions[0].partition = 1
    return made


def unknown_code(version: int) -> int:
    return error_codes.UNKNOWN_TOPIC_ID if version >= 13 else error_codes.UNKNOWN_TOPIC_OR_PARTITION


def fetch(*topics: FetchTopic, **fields: int) -> FetchRequest:
    return FetchRequest(
        **{"max_wait_ms": 500, "min_bytes": 1, "max_bytes": MUCH, **fields}, topics=list(topics)
    )


def send(services: FakeServices, version: int, *topics: FetchTopic, **fields: int) -> Exchange:
    return PipelineClient(services).send(fetch(*topics, **fields), version)


def at_time(services: FakeServices, now: int) -> None:
    services.clock.now = now
    services.watermark.expire(now)


def codes(exchange: Exchange) -> list[int]:
    return [row.error_code for topic in exchange.response.responses for row in topic.partitions]


def records(exchange: Exchange) -> list[bytes]:
    return [bytes(row.records) for topic in exchange.response.responses for row in topic.partitions]


# Records leave at once, whatever else is in the request.


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
@pytest.mark.parametrize("error_first", [True, False])
@pytest.mark.parametrize("beside", [unknown, other_partition])
def test_records_beside_an_unknown_partition_leave_at_once(version, error_first, beside):
    services = services_with_eight_records()
    topics = [metadata(version, 2), beside(version)]
    exchange = send(services, version, *(reversed(topics) if error_first else topics))
    code = 3 if beside is other_partition else unknown_code(version)
    assert codes(exchange) == ([code, 0] if error_first else [0, code])
    assert records(exchange)[error_first] == b"".join(services.log.batches[1:])


def test_records_beside_an_error_leave_though_fewer_than_min_bytes():
    services = services_with_eight_records()
    exchange = send(services, 12, metadata(12, 7), unknown(12), min_bytes=MUCH)
    assert codes(exchange) == [0, 3] and records(exchange)[0]


@pytest.mark.parametrize("version", WITH_SESSIONS)
def test_session_records_beside_an_unknown_topic_always_leave_at_once(version):
    services = services_with_eight_records()
    client = PipelineClient(services)
    topics = [unknown(version), metadata(version, 0)]
    first = client.send(fetch(*topics, session_epoch=0), version)
    session_id = first.response.session_id
    assert session_id and codes(first) == [unknown_code(version), 0]
    for epoch in range(1, 4):
        batch = services.log.append([(None, b"more")])
        services.commit()
        moved = metadata(version, services.log.high_watermark - 1)
        request = fetch(moved, session_id=session_id, session_epoch=epoch)
        exchange = client.send(request, version)
        assert codes(exchange) == [unknown_code(version), 0]
        assert records(exchange)[1] == batch


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
def test_records_that_come_while_an_error_is_held_end_the_pause(version):
    services = services_with_eight_records()
    exchange = send(services, version, metadata(version, 8), unknown(version))
    at_time(services, START_MS + 100)
    assert exchange.delivered is None
    batch = services.log.append([(None, b"eight")])
    services.commit()
    assert codes(exchange) == [0, unknown_code(version)]
    assert records(exchange)[0] == batch


def test_new_records_end_the_delay_of_more_errors_than_may_be_parked():
    services = services_with_eight_records()
    many = unknown(12, MAX_PARKED_FETCH_PARTITIONS)
    exchange = send(services, 12, metadata(12, 8), many)
    assert exchange.delivered is None
    services.log.append([(None, b"eight")])
    services.commit()
    assert records(exchange)[0] and len(codes(exchange)) == MAX_PARKED_FETCH_PARTITIONS + 1


# An answer of errors alone is held, but for no longer than the client's wait allows.


@pytest.mark.parametrize(
    ("max_wait_ms", "held_ms"),
    [
        (0, 0),
        (-1, 0),
        (1, 0),
        (100, 50),
        (500, 250),
        (2 * FETCH_ERROR_DELAY_MS, FETCH_ERROR_DELAY_MS),
        (60_000, FETCH_ERROR_DELAY_MS),
        ((1 << 31) - 1, FETCH_ERROR_DELAY_MS),
    ],
)
@pytest.mark.parametrize("beside", [False, True], ids=["alone", "beside-no-records"])
@pytest.mark.parametrize("version", [4, 12, 13, 18])
def test_errors_alone_are_held_for_half_of_the_wait_at_most(version, beside, max_wait_ms, held_ms):
    services = services_with_eight_records()
    topics = [metadata(version, 8), unknown(version)] if beside else [unknown(version)]
    exchange = send(services, version, *topics, max_wait_ms=max_wait_ms)
    if held_ms:
        at_time(services, START_MS + held_ms - 1)
        assert exchange.delivered is None
        at_time(services, START_MS + held_ms)
    assert codes(exchange)[-1] == unknown_code(version)


@pytest.mark.parametrize(
    ("services", "topic", "code"),
    [
        (
            services_with_eight_records(leading=NO_LEADER),
            metadata(12, 0),
            error_codes.NOT_LEADER_OR_FOLLOWER,
        ),
        (services_with_eight_records(), metadata(12, 8, current_leader_epoch=2), 74),
        (services_with_eight_records(), metadata(12, 8, current_leader_epoch=4), 75),
        (
            services_with_eight_records(),
            other_partition(12),
            error_codes.UNKNOWN_TOPIC_OR_PARTITION,
        ),
    ],
    ids=["no-leader", "fenced-epoch", "unknown-epoch", "unknown-partition"],
)
def test_errors_that_clients_repeat_without_a_pause_are_held(services, topic, code):
    exchange = send(services, 12, topic)
    at_time(services, START_MS + 249)
    assert exchange.delivered is None
    at_time(services, START_MS + 250)
    assert codes(exchange) == [code]


@pytest.mark.parametrize("version", range(4))
@pytest.mark.parametrize(("max_wait_ms", "held_ms"), [(500, 250), (60_000, 300), (0, 0)])
def test_readers_of_older_record_formats_are_held_likewise(version, max_wait_ms, held_ms):
    services = services_with_eight_records()
    exchange = send(services, version, metadata(version, 0), max_wait_ms=max_wait_ms)
    assert (exchange.delivered is None) == (held_ms > 0)
    at_time(services, START_MS + held_ms)
    assert codes(exchange) == [error_codes.UNSUPPORTED_VERSION]


def test_a_fetch_with_min_bytes_0_never_waits_and_gets_errors_at_once():
    assert codes(send(services_with_eight_records(), 12, unknown(12), min_bytes=0)) == [3]


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
def test_an_offset_out_of_range_leaves_at_once_whatever_is_beside_it(version):
    services = services_with_eight_records()
    exchange = send(services, version, metadata(version, 99), unknown(version), max_wait_ms=60_000)
    assert codes(exchange) == [1, unknown_code(version)]


def test_a_session_fetch_with_only_repeated_errors_is_held_each_time():
    services = services_with_eight_records()
    client = PipelineClient(services)
    first = client.send(fetch(metadata(17, 8), unknown(17), session_epoch=0), 17)
    at_time(services, START_MS + 250)
    session_id = first.response.session_id
    for epoch in (1, 2):
        began = services.clock.now
        exchange = client.send(fetch(session_id=session_id, session_epoch=epoch), 17)
        at_time(services, began + 249)
        assert exchange.delivered is None
        at_time(services, began + 250)
        assert codes(exchange) == [error_codes.UNKNOWN_TOPIC_ID], "what is no news is not listed"


# What is held is made when it leaves.


def test_an_error_that_is_over_when_the_pause_ends_is_not_told():
    services = services_with_eight_records(leading=NO_LEADER)
    exchange = send(services, 12, metadata(12, 2))
    services.leading = LEADER
    at_time(services, START_MS + 250)
    assert codes(exchange) == [0]
    assert records(exchange) == [b"".join(services.log.batches[1:])]


def test_a_fetch_whose_error_clears_waits_its_full_time_for_records():
    services = services_with_eight_records(leading=NO_LEADER)
    exchange = send(services, 12, metadata(12, 8))
    services.leading = LEADER
    at_time(services, START_MS + 250)
    assert exchange.delivered is None
    at_time(services, START_MS + 500)
    assert (codes(exchange), records(exchange)) == ([0], [b""])


def test_an_error_names_the_leader_known_when_the_response_leaves():
    places = {"CONTROLLER": {2: HostPort("b", 9093), 3: HostPort("c", 9093)}}
    services = services_with_eight_records(leading=LeaderAndEpoch(2, 5), places=places)
    exchange = send(services, 16, metadata(16, 9))
    services.leading = LeaderAndEpoch(3, 6)
    at_time(services, START_MS + 250)
    (row,) = exchange.response.responses[0].partitions
    assert (row.error_code, row.current_leader.leader_id, row.current_leader.leader_epoch) == (
        error_codes.NOT_LEADER_OR_FOLLOWER,
        3,
        6,
    )
    assert [one.node_id for one in exchange.response.node_endpoints] == [3]


def test_the_watermark_beside_an_error_is_the_one_when_it_leaves():
    services = FakeServices(log=log_of_eight(), leading=LEADER)
    services.commit(5)
    exchange = send(services, 12, metadata(12, 8), unknown(12))
    services.commit(7)
    at_time(services, START_MS + 250)
    assert exchange.response.responses[0].partitions[0].high_watermark == 7


class TopicsOf:
    """An authoriser that lets everybody read these topics."""

    is_on = True

    def __init__(self, *names: str) -> None:
        self.names = set(names)

    def allows(self, principal, host, operation, resource_type, name) -> bool:
        return name in self.names


@pytest.mark.parametrize("version", [12, 17])
def test_rights_that_are_given_while_a_refusal_is_held_count(version):
    services = services_with_eight_records()
    client = PipelineClient(services)
    lines: list[str] = []
    client.pipeline.refusals = Refusals(NoteGate(lines.append, services.clock))
    authoriser = client.pipeline.authoriser = TopicsOf()
    exchange = client.send(fetch(metadata(version, 2)), version)
    refused = client.send(fetch(metadata(version, 2), max_wait_ms=100), version)
    at_time(services, START_MS + 50)
    assert codes(refused) == [error_codes.TOPIC_AUTHORIZATION_FAILED]
    authoriser.names.add(METADATA_TOPIC)
    at_time(services, START_MS + 250)
    assert codes(exchange) == [0] and records(exchange)[0]
    assert (len(lines), client.pipeline.refusals.count) == (2, 2), "one line for each request"


# Ends of the pause other than time.


def test_a_hang_up_takes_a_held_error_back():
    services = services_with_eight_records()
    exchange = send(services, 12, unknown(12))
    exchange.parked.cancel()
    assert services.watermark.statistics()["parked"] == 0
    at_time(services, START_MS + 250)
    assert exchange.delivered is None


def test_with_too_much_parked_already_errors_leave_at_once():
    services = FakeServices(log=log_of_eight(), watermark=Watermark(parked_limit=0))
    services.commit()
    assert codes(send(services, 12, unknown(12))) == [3]


def test_a_node_that_stops_sends_what_it_holds():
    services = services_with_eight_records()
    exchanges = [send(services, 12, metadata(12, 8), unknown(12)), send(services, 12, unknown(12))]
    services.watermark.release_all()
    assert [codes(one) for one in exchanges] == [[0, 3], [3]]


def test_a_fetch_that_loses_its_leader_is_not_held_beyond_max_wait():
    services = services_with_eight_records()
    exchange = send(services, 12, metadata(12, 8), max_wait_ms=500)
    services.leading = NO_LEADER
    at_time(services, START_MS + 499)
    assert exchange.delivered is None
    at_time(services, START_MS + 500)
    assert codes(exchange) == [error_codes.NOT_LEADER_OR_FOLLOWER]


def test_a_fetch_of_a_replica_is_for_the_quorum_to_hold():
    services = services_with_eight_records()
    request = fetch(unknown(17))
    request.replica_state = ReplicaState(2, -1)
    PipelineClient(services).send(request, 17)
    ((_, _, _, deadline),) = services.asked
    assert deadline == START_MS + 500 and services.watermark.statistics()["parked"] == 0
