"""Fetch: what consumers get, when, and which requests go to the quorum instead."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import FETCH_ERROR_DELAY_MS, MAX_FETCH_WAIT_MS, WAITERS_AT_ONCE
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.config.listeners import HostPort
from metaquorum.runtime.driver.watermark import Watermark
from metaquorum.server.fetch import consumer_fetch
from metaquorum.testing.fake_services import FakeServices, log_of_eight, services_with_eight_records
from metaquorum.testing.pipeline_client import Exchange, PipelineClient
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from metaquorum.wire.generated.fetch_response import FetchResponse

CONSUMER_VERSIONS = range(4, 19)
MUCH = 1 << 20
OTHER_ID = bytes(15) + b"\x07"


def request(
    version,
    offset,
    *,
    topic=METADATA_TOPIC,
    topic_id=METADATA_TOPIC_ID,
    index=0,
    max_wait_ms=500,
    min_bytes=1,
    max_bytes=MUCH,
    partition=None,
    **fields,
):
    one = FetchPartition(
        partition=index, fetch_offset=offset, partition_max_bytes=MUCH, **(partition or {})
    )
    topics = [
        FetchTopic(topic if version < 13 else "", topic_id if version >= 13 else ZERO_UUID, [one])
    ]
    return FetchRequest(
        max_wait_ms=max_wait_ms, min_bytes=min_bytes, max_bytes=max_bytes, topics=topics, **fields
    )


def send(version, offset, *, services=None, **fields) -> Exchange:
    client = PipelineClient(services or services_with_eight_records())
    return client.send(request(version, offset, **fields), version)


def row(exchange):
    return exchange.response.responses[0].partitions[0]


def at_time(services: FakeServices, now: int) -> None:
    services.clock.now = now
    services.watermark.expire(now)


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
def test_a_consumer_gets_whole_batches_below_high_watermark_at_once(version):
    services = services_with_eight_records()
    answer = row(send(version, 2, services=services))
    assert bytes(answer.records) == b"".join(services.log.batches[1:])
    assert (answer.error_code, answer.high_watermark, answer.last_stable_offset) == (0, 8, 8)
    if version >= 5:
        assert answer.log_start_offset == 0
    if version >= 11:
        assert answer.preferred_read_replica == -1


def test_a_java_session_close_without_topics_is_answered_at_once():
    client = PipelineClient(services_with_eight_records())
    closing = FetchRequest(max_wait_ms=500, min_bytes=1, session_id=17, session_epoch=-1)
    response = client.ask(closing, 17)
    assert (response.error_code, response.session_id, list(response.responses)) == (0, 0, [])


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
def test_at_the_end_the_answer_waits_for_the_next_commit(version):
    services = services_with_eight_records()
    exchange = send(version, 8, services=services)
    assert exchange.delivered is None
    batch = services.log.append([(None, b"eight")])
    assert exchange.delivered is None
    services.commit()
    assert bytes(row(exchange).records) == batch
    assert row(exchange).high_watermark == 9


def test_when_the_wait_is_over_the_answer_is_empty_and_no_error():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services, max_wait_ms=500)
    at_time(services, 1_499)
    assert exchange.delivered is None
    at_time(services, 1_500)
    assert (row(exchange).error_code, bytes(row(exchange).records)) == (0, b"")
    assert row(exchange).high_watermark == 8


@pytest.mark.parametrize("max_wait_ms", [0, -1])
def test_without_a_wait_an_empty_answer_leaves_at_once(max_wait_ms):
    assert bytes(row(send(12, 8, max_wait_ms=max_wait_ms)).records) == b""


def test_no_client_parks_for_longer_than_the_node_allows():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services, max_wait_ms=(1 << 31) - 1)
    at_time(services, 1_000 + MAX_FETCH_WAIT_MS)
    assert exchange.delivered is not None


def test_more_bytes_than_one_commit_brings_are_waited_for():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services, min_bytes=290, max_wait_ms=500)
    for count in range(9, 12):
        assert exchange.delivered is None
        services.log.append([(None, b"x" * 30)])
        services.commit(count)
    assert len(row(exchange).records) >= 290


def test_the_bytes_that_came_are_sent_when_the_wait_is_over():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services, min_bytes=MUCH, max_wait_ms=500)
    batch = services.log.append([(None, b"x")])
    services.commit()
    assert exchange.delivered is None
    at_time(services, 1_500)
    assert bytes(row(exchange).records) == batch


def test_a_watermark_ahead_of_the_log_ends_the_wait_without_a_repeat():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services, min_bytes=MUCH)
    services.watermark.advance(20, services.clock.now_ms())
    assert (row(exchange).error_code, bytes(row(exchange).records)) == (0, b"")


def in_a_crowd() -> tuple[FakeServices, list[Exchange]]:
    """A node where more wait for the next record than are woken at once, and it is committed."""
    services = services_with_eight_records()
    tailers = [send(12, 8, services=services) for _ in range(2 * WAITERS_AT_ONCE + 1)]
    services.log.append([(None, b"first")])
    services.commit()
    return services, tailers


def test_among_tailers_a_late_consumer_waits_its_turn_and_gets_all():
    services, tailers = in_a_crowd()
    assert sum(one.delivered is not None for one in tailers) == WAITERS_AT_ONCE
    newcomer = send(12, 8, services=services)
    assert newcomer.delivered is None
    services.log.append([(None, b"second")])
    services.commit()
    at_time(services, 1_100)
    assert all(one.delivered is not None for one in tailers[: 2 * WAITERS_AT_ONCE])
    at_time(services, 1_200)
    assert bytes(row(newcomer).records) == b"".join(services.log.batches[-2:])


@pytest.mark.parametrize(
    ("offset", "fields", "code"),
    [(99, {}, 1), (7, {"partition": {"current_leader_epoch": 1}}, 74), (0, {"max_wait_ms": 0}, 0)],
)
def test_among_tailers_errors_and_no_wait_fetches_leave_at_once(offset, fields, code):
    services, _ = in_a_crowd()
    exchange = send(12, offset, services=services, **fields)
    if code == 74:
        at_time(services, 1_000 + FETCH_ERROR_DELAY_MS)
    assert row(exchange).error_code == code


def test_a_hang_up_takes_a_parked_fetch_back():
    services = services_with_eight_records()
    exchange = send(12, 8, services=services)
    exchange.parked.cancel()
    assert services.watermark.statistics()["parked"] == 0
    services.log.append([(None, b"x")])
    services.commit()
    assert exchange.delivered is None


def test_with_too_much_parked_already_the_answer_leaves_empty():
    services = FakeServices(log=log_of_eight(), watermark=Watermark(parked_limit=0))
    services.commit()
    assert bytes(row(send(12, 8, services=services)).records) == b""


@pytest.mark.parametrize("limit", [0, 1, 80])
def test_the_first_batch_is_whole_over_any_limit(limit):
    services = services_with_eight_records()
    assert (
        bytes(row(send(12, 0, services=services, max_bytes=limit)).records)
        == services.log.batches[0]
    )


@pytest.mark.parametrize("limit", [-1, -(1 << 31)])
def test_a_negative_limit_counts_as_none_at_all(limit):
    services = services_with_eight_records()
    assert (
        bytes(row(send(12, 0, services=services, max_bytes=limit)).records)
        == services.log.batches[0]
    )


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
@pytest.mark.parametrize("offset", [9, -1])
def test_outside_the_log_out_of_range_comes_at_once_without_snapshot(version, offset):
    answer = row(send(version, offset))
    assert (answer.error_code, answer.high_watermark, bytes(answer.records)) == (1, -1, b"")
    if version >= 12:
        assert (answer.snapshot_id.end_offset, answer.diverging_epoch.end_offset) == (-1, -1)


def test_below_the_log_start_it_is_out_of_range_too():
    services = services_with_eight_records()
    services.log.start_offset = 4
    assert row(send(12, 3, services=services)).error_code == 1


def code_after_delay(services, version, **fields):
    exchange = send(version, 0, services=services, **fields)
    at_time(services, services.clock.now + FETCH_ERROR_DELAY_MS)
    return row(exchange).error_code


@pytest.mark.parametrize("version", range(4, 13))
def test_an_unknown_name_is_an_unknown_topic(version):
    assert code_after_delay(services_with_eight_records(), version, topic="absent") == 3
    assert code_after_delay(services_with_eight_records(), version, index=1) == 3


@pytest.mark.parametrize("version", range(13, 19))
def test_an_unknown_topic_id_differs_from_an_unknown_partition(version):
    services = services_with_eight_records()
    exchange = send(version, 0, services=services, topic_id=OTHER_ID)
    at_time(services, services.clock.now + FETCH_ERROR_DELAY_MS)
    assert row(exchange).error_code == 100
    assert bytes(exchange.response.responses[0].topic_id) == OTHER_ID
    assert code_after_delay(services_with_eight_records(), version, index=1) == 3


@pytest.mark.parametrize(("epoch", "code"), [(2, 74), (4, 75)])
@pytest.mark.parametrize("version", [9, 12, 18])
def test_an_epoch_that_is_not_ours_is_distinguished(version, epoch, code):
    named = {"current_leader_epoch": epoch}
    assert code_after_delay(services_with_eight_records(), version, partition=named) == code


def test_a_leader_hint_comes_with_the_endpoint_on_the_same_listener():
    places = {"CONTROLLER": {2: HostPort("b", 9093)}}
    services = services_with_eight_records(leading=LeaderAndEpoch(2, 5), places=places)
    exchange = send(16, 9, services=services)
    at_time(services, services.clock.now + FETCH_ERROR_DELAY_MS)
    assert row(exchange).error_code == 6
    assert row(exchange).current_leader.leader_id == 2
    assert row(exchange).current_leader.leader_epoch == 5
    (endpoint,) = exchange.response.node_endpoints
    assert (endpoint.node_id, endpoint.host, endpoint.port) == (2, "b", 9093)


@pytest.mark.parametrize("version", range(11, 19))
def test_a_follower_serves_follower_fetching_below_its_high_watermark(version):
    services = FakeServices(log=log_of_eight(), leading=LeaderAndEpoch(2, 3))
    services.commit(5)
    answer = row(send(version, 1, services=services))
    assert (answer.error_code, answer.high_watermark) == (0, 5)
    assert bytes(answer.records) == b"".join(services.log.batches[1:3])


@pytest.mark.parametrize("version", range(4, 11))
def test_a_follower_sends_older_readers_to_the_leader(version):
    assert code_after_delay(services_with_eight_records(leading=LeaderAndEpoch(2, 3)), version) == 6


def test_a_reader_at_the_end_of_a_follower_waits_for_its_watermark():
    services = FakeServices(log=log_of_eight(), leading=LeaderAndEpoch(2, 3))
    services.commit(5)
    exchange = send(17, 5, services=services)
    assert exchange.delivered is None
    services.commit(7)
    assert bytes(row(exchange).records) == services.log.batches[3]


@pytest.mark.parametrize("offset", [3, 9])
def test_what_a_follower_does_not_have_is_for_the_leader_to_tell(offset):
    services = services_with_eight_records(leading=LeaderAndEpoch(2, 3))
    services.log.start_offset = 4
    exchange = send(17, offset, services=services)
    at_time(services, services.clock.now + FETCH_ERROR_DELAY_MS)
    assert (row(exchange).error_code, row(exchange).current_leader.leader_id) == (6, 2)


def test_a_follower_without_a_watermark_or_a_leader_serves_nobody():
    unknown = FakeServices(log=log_of_eight(), leading=LeaderAndEpoch(2, 3))
    assert code_after_delay(unknown, 17) == 6
    assert code_after_delay(services_with_eight_records(leading=LeaderAndEpoch(None, 3)), 17) == 6


@pytest.mark.parametrize(("epoch", "code"), [(2, 74), (4, 75)])
def test_a_follower_tells_epochs_apart_as_a_leader_does(epoch, code):
    services = services_with_eight_records(leading=LeaderAndEpoch(2, 3))
    assert code_after_delay(services, 17, partition={"current_leader_epoch": epoch}) == code


@pytest.mark.parametrize("version", range(4))
def test_a_reader_of_older_record_formats_gets_a_well_formed_error(version):
    services = services_with_eight_records()
    exchange = send(version, 0, services=services)
    at_time(services, services.clock.now + FETCH_ERROR_DELAY_MS)
    answer = row(exchange)
    assert (answer.error_code, answer.high_watermark, bytes(answer.records)) == (35, -1, b"")
    assert exchange.response.responses[0].topic == METADATA_TOPIC


REPLICA_LIKE = {"current_leader_epoch": 3, "last_fetched_epoch": 3}


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (12, {"replica_id": 0}),
        (14, {"replica_id": 100}),
        (15, {"replica_state": ReplicaState(2, -1)}),
        (18, {"replica_state": ReplicaState(0, -1)}),
        (13, {"replica_id": -2, "partition": REPLICA_LIKE}),
        (17, {"replica_state": ReplicaState(-2, -1), "partition": REPLICA_LIKE}),
        (17, {"cluster_id": "any", "partition": REPLICA_LIKE}),
        (18, {"partition": {**REPLICA_LIKE, "high_watermark": -1}}),  # our own tail
        (18, {"partition": {**REPLICA_LIKE, "high_watermark": 7}}),
    ],
)
def test_replicas_and_replica_like_readers_are_answered_by_the_quorum(version, fields):
    services = services_with_eight_records()
    exchange = send(version, 8, services=services, max_wait_ms=500, **fields)
    ((key, asked_version, message, deadline),) = services.asked
    assert (key, asked_version, deadline) == (1, version, 1_500)
    assert message.topics[0].partitions[0].fetch_offset == 8
    services.answers[0].complete(FetchResponse(error_code=104))
    assert exchange.response.error_code == 104


@pytest.mark.parametrize(
    ("version", "fields"),
    [
        (12, {"partition": REPLICA_LIKE}),  # kafka-python names a last fetched epoch
        (17, {"partition": REPLICA_LIKE}),
        (17, {"cluster_id": "any"}),
        (17, {"cluster_id": "any", "partition": {"current_leader_epoch": 3}}),
        (14, {"replica_id": -2}),
        (18, {"partition": REPLICA_LIKE}),
        (18, {"partition": {"high_watermark": 7}}),
    ],
)
def test_consumers_are_not_taken_for_replicas(version, fields):
    services = services_with_eight_records()
    assert row(send(version, 0, services=services, **fields)).error_code == 0
    assert services.asked == []


def test_a_node_that_stops_sends_consumers_to_another_leader():
    client = PipelineClient(services_with_eight_records())
    client.pipeline.stopping = True
    exchange = client.send(request(12, 0), 12)
    assert row(exchange).error_code == 6


@pytest.mark.parametrize("version", CONSUMER_VERSIONS)
def test_a_partition_named_repeatedly_counts_once_and_the_last_wins(version):
    asked = request(version, 2)
    (first,) = asked.topics
    again = FetchTopic(first.topic, first.topic_id, [])
    again.partitions = [
        FetchPartition(fetch_offset=offset, partition_max_bytes=MUCH) for offset in (1, 2, 5)
    ]
    asked.topics = [first, again]
    services = services_with_eight_records()
    (topic,) = PipelineClient(services).ask(asked, version).responses
    (answer,) = topic.partitions
    assert bytes(answer.records) == b"".join(services.log.batches[3:])


@pytest.mark.parametrize(("most", "waits"), [(1, True), (0, False)])
def test_a_fetch_over_the_parked_partition_limit_is_answered_at_once(most, waits, monkeypatch):
    monkeypatch.setattr(consumer_fetch, "MAX_PARKED_FETCH_PARTITIONS", most)
    exchange = send(12, 8)
    assert (exchange.parked is not None) == waits
    assert (exchange.delivered is None) == waits
