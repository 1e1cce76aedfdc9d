"""Quotas of clients: which one counts, what is counted, and how long the pause is."""

from __future__ import annotations

import pytest

from metaquorum.base.limits import MAX_QUOTA_RATES
from metaquorum.fetch.session import NO_SESSION
from metaquorum.server.access.client_quotas import (
    CONNECTIONS,
    CONSUMER_BYTES,
    LONGEST_BYTES_PAUSE_MS,
    LONGEST_TIME_PAUSE_MS,
    REQUEST_TIME,
    ClientQuotas,
)
from metaquorum.testing.fake_services import services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from metaquorum.wire.generated.fetch_response import FetchResponse
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest

ANN = "User:ann"
SECOND_NS = 1_000_000_000

PARTICULAR_FIRST = [
    (("client-id", "app"), ("user", "ann")),
    (("client-id", None), ("user", "ann")),
    (("user", "ann"),),
    (("client-id", "app"), ("user", None)),
    (("client-id", None), ("user", None)),
    (("user", None),),
    (("client-id", "app"),),
    (("client-id", None),),
]


def quotas(**by_bytes: float) -> ClientQuotas:
    """Quotas of clients by name."""
    table = {(("client-id", name),): {CONSUMER_BYTES: rate} for name, rate in by_bytes.items()}
    return ClientQuotas(lambda: table.get)


@pytest.mark.parametrize("place", range(len(PARTICULAR_FIRST)))
def test_the_most_particular_quota_that_is_there_counts(place):
    table = {
        entity: {CONSUMER_BYTES: 100.0 + at}
        for at, entity in enumerate(PARTICULAR_FIRST)
        if at >= place
    }
    table |= {entity: {REQUEST_TIME: 1.0} for entity in PARTICULAR_FIRST[:place]}
    assert ClientQuotas(lambda: table.get).most_bytes(ANN, "app") == (100 + place) * 10


def test_quotas_are_looked_up_once_per_version_of_committed_state():
    table, moment, looked_up = {}, [1], []

    def quotas_of(entity):
        looked_up.append(entity)
        return table.get(entity)

    known = ClientQuotas(lambda: quotas_of, lambda: moment[0])
    for _ in range(5):
        assert known.most_bytes(ANN, "app") is None
    assert len(looked_up) == len(PARTICULAR_FIRST)
    table[(("user", "ann"),)] = {CONSUMER_BYTES: 100.0}
    moment[0] = 2
    for _ in range(5):
        assert known.most_bytes(ANN, "app") == 1_000
    assert known.most_bytes("User:bob", "app") is None
    assert len(known._known) == 2


def test_without_a_quota_nothing_is_limited_or_remembered():
    free = ClientQuotas(lambda: {}.get)
    assert free.most_bytes(ANN, "app") is None
    assert free.take_bytes(ANN, "app", 1 << 40, 0) == 0
    assert free.take_time(ANN, "app", 1 << 60, 0) == 0
    assert free._rates == {}


def test_bytes_beyond_the_quota_are_not_sent_and_not_counted():
    limited = quotas(app=100)
    assert limited.take_bytes(ANN, "app", 900, 0) == 0
    assert limited.take_bytes(ANN, "app", 200, 0) == 1_000
    assert limited.take_bytes(ANN, "app", 100, 0) == 0
    assert (limited.pauses, limited.paused_ms) == (1, 1_000)


def test_what_is_alone_in_the_window_is_sent_whatever_its_size():
    limited = quotas(app=1)
    assert limited.take_bytes(ANN, "app", 1_000_000, 0) == 0
    assert limited.take_bytes(ANN, "app", 1, 10_000) > 0
    assert limited.take_bytes(ANN, "app", 1_000_000, 11_000) == 0


def test_default_quotas_are_per_client_but_a_user_quota_is_shared():
    table = {
        (("client-id", None),): {CONSUMER_BYTES: 100.0},
        (("user", "bob"),): {CONSUMER_BYTES: 100.0},
    }
    limited = ClientQuotas(lambda: table.get)
    assert limited.take_bytes(ANN, "one", 1_000, 0) == 0
    assert limited.take_bytes(ANN, "two", 1_000, 0) == 0
    assert limited.take_bytes("User:bob", "one", 1_000, 0) == 0
    assert limited.take_bytes("User:bob", "two", 1_000, 0) > 0


def test_an_ip_connection_quota_takes_precedence_over_the_default():
    table = {
        (("ip", None),): {CONNECTIONS: 1.0},
        (("ip", "10.0.0.1"),): {CONNECTIONS: 2.0},
    }
    known = ClientQuotas(lambda: table.get)
    for address, free in (("10.0.0.1", 20), ("10.0.0.2", 10), ("10.0.0.3", 10)):
        assert [known.take_connection(address, 0) for _ in range(free)] == [0] * free
        assert known.take_connection(address, 0) == (500 if free == 20 else 1_000)
    assert known.take_connection("10.0.0.2", 11_000) == 0
    assert ClientQuotas(lambda: {}.get).take_connection("10.0.0.1", 0) == 0


def test_time_beyond_the_quota_makes_a_pause_of_a_second_at_most():
    limited = ClientQuotas(lambda: {(("user", None),): {REQUEST_TIME: 10.0}}.get)
    assert limited.take_time(ANN, "app", SECOND_NS, 0) == 0  # a tenth of ten seconds
    assert limited.take_time(ANN, "app", SECOND_NS // 100, 0) == 100
    assert limited.take_time(ANN, "app", 100 * SECOND_NS, 0) == LONGEST_TIME_PAUSE_MS


def test_those_who_are_counted_are_bounded_as_clients_name_themselves():
    limited = ClientQuotas(lambda: {(("client-id", None),): {CONSUMER_BYTES: 1.0}}.get)
    for number in range(MAX_QUOTA_RATES + 50):
        limited.take_bytes(ANN, str(number), 1, 0)
    assert len(limited._rates) == MAX_QUOTA_RATES


# ---- in the pipeline


def fetch(*, session=(0, -1), topics=True) -> FetchRequest:
    one = FetchPartition(fetch_offset=0, partition_max_bytes=1 << 20)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    return FetchRequest(
        max_wait_ms=0,
        min_bytes=1,
        max_bytes=1 << 20,
        session_id=session[0],
        session_epoch=session[1],
        topics=[topic] if topics else [],
    )


def limited_client(**values: float) -> PipelineClient:
    client = PipelineClient(services_with_eight_records())
    client.services.quotas[(("client-id", "test"),)] = values
    return client


def test_a_consumer_over_its_quota_gets_an_empty_throttled_response():
    client = limited_client(consumer_byte_rate=20.0)
    first = client.send(fetch(), 12)
    assert first.response.responses[0].partitions[0].records
    assert first.pause_ms == 0
    second = client.send(fetch(), 12)
    assert second.response.responses == []
    assert second.response.error_code == 0
    assert second.response.throttle_time_ms == second.pause_ms > 0


def test_a_pause_is_no_longer_than_an_answer_can_say():
    client = limited_client(consumer_byte_rate=0.000001)
    assert client.ask(fetch(), 12).throttle_time_ms == 0
    assert client.ask(fetch(), 12).throttle_time_ms == LONGEST_BYTES_PAUSE_MS


def test_a_session_outlives_the_pause_and_brings_the_records_then():
    client = limited_client(consumer_byte_rate=20.0)
    opened = client.send(fetch(session=(0, 0)), 12).response
    assert opened.session_id != NO_SESSION
    again = client.send(fetch(session=(opened.session_id, 1)), 12).response
    assert (again.session_id, again.responses) == (opened.session_id, [])
    assert again.throttle_time_ms > 0
    client.services.clock.now += 11_000
    then = client.send(fetch(session=(opened.session_id, 2), topics=False), 12)
    assert then.response.responses[0].partitions[0].records
    assert then.pause_ms == 0


def test_a_client_over_its_time_quota_gets_a_response_and_a_throttle():
    client = limited_client(request_percentage=1.0)
    ticks = iter(range(0, 1_000 * SECOND_NS, SECOND_NS))
    client.pipeline.work_ns = lambda: next(ticks)
    answer = client.send(ListGroupsRequest(), 4)
    assert answer.response.error_code == 0
    assert answer.response.throttle_time_ms == answer.pause_ms == LONGEST_TIME_PAUSE_MS


def test_another_client_is_not_bound_by_it():
    client = limited_client(request_percentage=0.0001, consumer_byte_rate=0.0001)
    client.services.quotas[(("client-id", "other"),)] = client.services.quotas.pop(
        (("client-id", "test"),)
    )
    assert [client.send(fetch(), 12).pause_ms for _ in range(3)] == [0, 0, 0]


def test_a_replica_is_bound_by_neither():
    """Nor does what its fetches take count as time of the clients that have its name."""
    client = limited_client(request_percentage=0.0001, consumer_byte_rate=0.0001)
    ticks = iter(range(0, 1_000 * SECOND_NS, SECOND_NS))
    client.pipeline.work_ns = lambda: next(ticks)
    asked = fetch()
    asked.replica_state.replica_id = 3
    parked = client.send(asked, 17)
    client.services.answers[-1].complete(FetchResponse())
    assert (parked.pause_ms, parked.response.throttle_time_ms) == (0, 0)
    assert client.services.client_quotas.pauses == 0
