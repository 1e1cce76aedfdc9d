"""Fetch sessions over the wire (KIP-227): waiting, empty answers, replicas, idle traffic."""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID, ZERO_UUID
from metaquorum.base.limits import FETCH_ERROR_DELAY_MS
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.testing.fake_services import FakeServices, log_of_eight, services_with_eight_records
from metaquorum.testing.pipeline_client import Exchange, PipelineClient, request_frame
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ForgottenTopic,
    ReplicaState,
)
from metaquorum.wire.generated.fetch_response import (
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    NodeEndpoint,
    PartitionData,
)

WITH_SESSIONS = range(7, 19)
MUCH = 1 << 20


def topic(version: int, *rows: FetchPartition, topic_id: bytes = METADATA_TOPIC_ID) -> FetchTopic:
    if version < 13:
        return FetchTopic(METADATA_TOPIC, ZERO_UUID, list(rows))
    return FetchTopic("", topic_id, list(rows))


def at(offset: int, index: int = 0, **fields: int) -> FetchPartition:
    return FetchPartition(index, fetch_offset=offset, partition_max_bytes=MUCH, **fields)


def asked(session_id: int, epoch: int, *topics: FetchTopic, **fields: object) -> FetchRequest:
    return FetchRequest(
        **{"max_wait_ms": 500, "min_bytes": 1, "max_bytes": MUCH, **fields},
        session_id=session_id,
        session_epoch=epoch,
        topics=list(topics),
    )


class Fetcher:
    """A client with a session at a node with eight records."""

    def __init__(self, version: int, offset: int = 0, services: FakeServices | None = None) -> None:
        self.version = version
        self.services = services or services_with_eight_records()
        self.client = PipelineClient(self.services)
        request = asked(0, 0, topic(version, at(offset)), max_wait_ms=0)
        self.first = self.client.ask(request, version)
        self.session_id = self.first.session_id

    def send(self, epoch: int, *topics: FetchTopic, **fields: object) -> Exchange:
        return self.client.send(asked(self.session_id, epoch, *topics, **fields), self.version)

    def at_time(self, now: int) -> None:
        self.services.clock.now = now
        self.services.watermark.expire(now)


@pytest.mark.parametrize("version", WITH_SESSIONS)
def test_a_session_is_opened_and_its_next_request_names_nothing(version):
    fetcher = Fetcher(version)
    assert fetcher.session_id > 0
    assert len(fetcher.first.responses[0].partitions[0].records) > 0
    moved = fetcher.send(1, topic(version, at(8)), max_wait_ms=0).response
    assert (moved.error_code, moved.session_id, list(moved.responses)) == (
        0,
        fetcher.session_id,
        [],
    )
    batch = fetcher.services.log.append([(None, b"eight")])
    fetcher.services.commit()
    (listed,) = fetcher.send(2).response.responses
    assert bytes(listed.partitions[0].records) == batch


@pytest.mark.parametrize("version", [4, 5, 6])
def test_versions_without_sessions_open_none(version):
    services = services_with_eight_records()
    request = FetchRequest(min_bytes=1, max_bytes=MUCH, topics=[topic(version, at(0))])
    assert len(PipelineClient(services).ask(request, version).responses) == 1
    assert len(services.sessions) == 0


@pytest.mark.parametrize("version", WITH_SESSIONS)
def test_an_idle_request_waits_and_is_answered_empty_with_the_same_id(version):
    fetcher = Fetcher(version, 8)
    exchange = fetcher.send(1)
    assert exchange.delivered is None
    fetcher.at_time(1_500)
    assert (exchange.response.session_id, list(exchange.response.responses)) == (
        fetcher.session_id,
        [],
    )


def test_an_append_wakes_an_idle_request():
    fetcher = Fetcher(17, 8)
    exchange = fetcher.send(1)
    batch = fetcher.services.log.append([(None, b"x")])
    fetcher.services.commit()
    assert bytes(exchange.response.responses[0].partitions[0].records) == batch


def test_without_free_slots_session_id_is_zero_and_fetches_stay_full():
    services = FakeServices(log=log_of_eight(), sessions=SessionCache(0, SeededChance(1)))
    services.commit()
    fetcher = Fetcher(17, 0, services)
    assert fetcher.session_id == 0
    assert len(fetcher.first.responses) == 1


@pytest.mark.parametrize("version", WITH_SESSIONS)
@pytest.mark.parametrize(("shift", "epoch", "code"), [(1, 1, 70), (0, 2, 71), (0, -2, 71)])
def test_a_refused_session_is_told_at_once_whatever_the_wait(version, shift, epoch, code):
    fetcher = Fetcher(version, 8)
    request = asked(fetcher.session_id + shift, epoch, max_wait_ms=60_000)
    response = fetcher.client.ask(request, version)
    assert (response.error_code, response.session_id) == (code, 0)
    assert list(response.responses) == []
    assert fetcher.send(1, max_wait_ms=0).response.error_code == 0


@pytest.mark.parametrize(("began", "came"), [(12, 13), (17, 7)])
def test_names_and_ids_do_not_mix(began, came):
    fetcher = Fetcher(began, 8)
    response = fetcher.client.ask(asked(fetcher.session_id, 1, max_wait_ms=60_000), came)
    assert (response.error_code, response.session_id) == (106, 0)


def test_a_session_belongs_to_no_connection():
    fetcher = Fetcher(17, 8)
    other = PipelineClient(fetcher.services)
    response = other.ask(asked(fetcher.session_id, 1, max_wait_ms=0), 18)
    assert response.session_id == fetcher.session_id


def test_an_overtaken_waiting_fetch_is_refused_with_its_session_id():
    fetcher = Fetcher(17, 8)
    slow = fetcher.send(1)
    assert fetcher.send(2, max_wait_ms=0).response.error_code == 0
    fetcher.at_time(1_500)
    assert (slow.response.error_code, slow.response.session_id) == (71, fetcher.session_id)


def test_a_request_that_nobody_waits_for_any_more_opens_no_session():
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(asked(0, 0, topic(17, at(8))), 17)
    exchange.parked.cancel()
    assert len(services.sessions) == 0


@pytest.mark.parametrize("version", [7, 12, 17])
def test_an_error_for_the_whole_request_is_top_level_in_a_session(version):
    fetcher = Fetcher(version, 8)
    fetcher.client.pipeline.stopping = True
    response = fetcher.send(1).response
    assert (response.error_code, response.session_id, list(response.responses)) == (6, 0, [])


@pytest.mark.parametrize("version", [12, 17])
def test_an_unknown_topic_gets_a_delayed_error_and_the_session_stays(version):
    services = services_with_eight_records()
    client = PipelineClient(services)
    absent = FetchTopic("absent", ZERO_UUID, [at(0)])
    if version >= 13:
        absent = FetchTopic("", bytes(15) + b"\x07", [at(0)])
    code = 100 if version >= 13 else 3
    exchange = client.send(asked(0, 0, topic(version, at(8)), absent), version)
    for epoch in (1, 2):
        assert exchange.delivered is None
        services.clock.now += FETCH_ERROR_DELAY_MS
        services.watermark.expire(services.clock.now)
        session_id = exchange.response.session_id
        assert exchange.response.responses[-1].partitions[0].error_code == code
        exchange = client.send(asked(session_id, epoch), version)
    assert len(services.sessions.find(session_id)) == 2


def test_an_offset_out_of_range_ends_the_wait_of_a_session_at_once():
    fetcher = Fetcher(17, 8)
    response = fetcher.send(1, topic(17, at(99)), max_wait_ms=60_000).response
    assert response.responses[0].partitions[0].error_code == 1


def test_forgotten_topics_leave_by_name_and_by_id():
    for version in (12, 17):
        fetcher = Fetcher(version, 8)
        name, topic_id = (METADATA_TOPIC, ZERO_UUID) if version < 13 else ("", METADATA_TOPIC_ID)
        gone = [ForgottenTopic(name, topic_id, [0])]
        response = fetcher.send(1, forgotten_topics_data=gone).response
        assert (response.session_id, list(response.responses)) == (0, [])
        assert len(fetcher.services.sessions) == 0


@pytest.mark.parametrize("limit", [0, 1, 80])
def test_the_first_batch_is_whole_beyond_request_and_partition_limits(limit):
    fetcher = Fetcher(17, 8)
    small = FetchPartition(0, fetch_offset=0, partition_max_bytes=limit)
    (listed,) = fetcher.send(1, topic(17, small)).response.responses
    assert bytes(listed.partitions[0].records) == fetcher.services.log.batches[0]
    (listed,) = fetcher.send(2, topic(17, at(1)), max_bytes=limit).response.responses
    assert bytes(listed.partitions[0].records) == fetcher.services.log.batches[1]


def test_a_change_of_leader_is_told_in_the_session_and_its_end_too():
    fetcher = Fetcher(9, 8)
    fetcher.services.leading = LeaderAndEpoch(2, 4)
    exchange = fetcher.send(1)
    fetcher.at_time(1_000 + FETCH_ERROR_DELAY_MS)
    assert exchange.response.responses[0].partitions[0].error_code == 6
    fetcher.services.leading = LeaderAndEpoch(1, 5)
    healed = fetcher.send(2, max_wait_ms=0).response.responses[0].partitions[0]
    assert (healed.error_code, healed.high_watermark) == (0, 8)
    assert list(fetcher.send(3, max_wait_ms=0).response.responses) == []


def test_sessions_are_served_by_followers_as_well():
    services = FakeServices(log=log_of_eight(), leading=LeaderAndEpoch(2, 3))
    services.commit(5)
    fetcher = Fetcher(17, 5, services)
    assert fetcher.session_id > 0
    exchange = fetcher.send(1)
    services.commit(7)
    assert exchange.response.responses[0].partitions[0].high_watermark == 7


@pytest.mark.parametrize("version", WITH_SESSIONS)
def test_idle_messages_of_100_sessions_are_at_most_100_bytes_each(version):
    services = services_with_eight_records()
    for _ in range(100):
        fetcher = Fetcher(version, 8, services)
        request = asked(fetcher.session_id, 1)
        frame = request_frame(request, version, client_id="consumer-console-consumer-10000-1")
        assert len(frame) + 4 <= 100
        exchange = fetcher.client.send_raw(frame)
        fetcher.at_time(services.clock.now + 500)
        assert len(exchange.raw) <= 100
        assert list(exchange.response.responses) == []
    assert len(services.sessions) == 100


# Replicas.

REPLICA = {"replica_state": ReplicaState(3, -1)}


def replica_row(offset: int) -> FetchPartition:
    return at(offset, current_leader_epoch=3, last_fetched_epoch=2, high_watermark=5)


def quorum_answer(**fields: object) -> FetchResponse:
    row = PartitionData(**{"high_watermark": 8, "log_start_offset": 0, "records": b"", **fields})
    return FetchResponse(
        responses=[FetchableTopicResponse("", METADATA_TOPIC_ID, [row])],
        node_endpoints=[NodeEndpoint(1, "a", 9093)],
    )


def replica_fetch(
    services: FakeServices, session_id: int, epoch: int, *topics: FetchTopic
) -> Exchange:
    return PipelineClient(services).send(asked(session_id, epoch, *topics, **REPLICA), 18)


def test_a_replica_that_asks_for_a_session_gets_a_privileged_one():
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, 0, topic(18, replica_row(6)))
    services.answers[0].complete(quorum_answer(records=b"x" * 70))
    response = exchange.response
    assert bytes(response.responses[0].partitions[0].records) == b"x" * 70
    assert response.node_endpoints[0].host == "a"
    assert services.sessions.find(response.session_id).is_privileged


def test_the_quorum_gets_a_replicas_session_fetch_as_a_full_fetch():
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, 0, topic(18, replica_row(6)))
    services.answers[0].complete(quorum_answer())
    session_id = exchange.response.session_id
    idle = replica_fetch(services, session_id, 1)
    (_, version, message, deadline) = services.asked[-1]
    row = message.topics[0].partitions[0]
    assert (version, deadline, message.session_id, message.session_epoch) == (18, 1_500, 0, -1)
    assert (row.fetch_offset, row.last_fetched_epoch, row.high_watermark) == (6, 2, 5)
    assert message.replica_state.replica_id == 3
    services.answers[-1].complete(quorum_answer())
    assert (idle.response.session_id, list(idle.response.responses)) == (session_id, [])
    replica_fetch(services, session_id, 2, topic(18, replica_row(9)))
    assert services.asked[-1][2].topics[0].partitions[0].fetch_offset == 9


@pytest.mark.parametrize(
    "news", [{"high_watermark": 9}, {"diverging_epoch": EpochEndOffset(2, 4)}, {"error_code": 74}]
)
def test_a_replica_hears_within_its_session_what_is_new(news):
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, 0, topic(18, replica_row(6)))
    services.answers[0].complete(quorum_answer())
    session_id = exchange.response.session_id
    exchange = replica_fetch(services, session_id, 1)
    services.answers[-1].complete(quorum_answer(**news))
    assert len(exchange.response.responses) == 1


def test_an_error_of_the_quorum_at_the_top_opens_no_session():
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, 0, topic(18, replica_row(6)))
    services.answers[0].complete(FetchResponse(error_code=104))
    assert (exchange.response.error_code, exchange.response.session_id) == (104, 0)
    assert len(services.sessions) == 0


def test_a_refused_session_of_a_replica_does_not_reach_the_quorum():
    services = services_with_eight_records()
    assert replica_fetch(services, 17, 1).response.error_code == 70
    assert services.asked == []


def test_replicas_of_kafka_and_ours_request_and_get_no_session():
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, -1, topic(18, replica_row(6)))
    assert services.asked[0][2].topics[0].partitions[0].fetch_offset == 6
    services.answers[0].complete(quorum_answer())
    assert exchange.response.session_id == 0
    assert len(services.sessions) == 0


def test_a_replica_fetch_without_a_replica_id_gets_no_session():
    services = services_with_eight_records()
    exchange = PipelineClient(services).send(asked(0, 0, topic(18, replica_row(6))), 18)
    services.answers[0].complete(quorum_answer())
    assert (exchange.response.session_id, len(services.sessions)) == (0, 0)


def test_a_hang_up_takes_a_replicas_question_back():
    services = services_with_eight_records()
    exchange = replica_fetch(services, 0, 0, topic(18, replica_row(6)))
    exchange.parked.cancel()
    assert services.answers[0].cancelled
