"""What real clients do, and what breaks them: each seen with a real client, one test each.

The clients: Java's, librdkafka (confluent-kafka, kcat), aiokafka, kafka-python 2 and 3, kafkajs,
sarama, franz-go, Spark. Behaviour of single APIs is tested beside their handlers; here stand the
traps, under their names.
"""

from __future__ import annotations

import pytest

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.limits import FETCH_ERROR_DELAY_MS
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing.fake_services import FakeLog, FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import PipelineClient, decoded_answer
from metaquorum.wire.generated import (
    api_versions_request,
    describe_topic_partitions_request,
    fetch_request,
    find_coordinator_request,
    join_group_request,
    list_offsets_request,
    metadata_request,
    offset_fetch_request,
    offset_for_leader_epoch_request,
)

ROWS = {api_row.key: range(api_row.lowest, api_row.highest + 1) for api_row in API_ROWS}


def metadata(version, topics=None, services=None):
    message = metadata_request.MetadataRequest(topics=topics)
    return PipelineClient(services or services_with_eight_records()).ask(message, version)


def topic_named(name):
    return [metadata_request.MetadataRequestTopic(name=name)]


def fetch(version, offset, *, services=None, topic=METADATA_TOPIC, **partition):
    one = fetch_request.FetchPartition(
        fetch_offset=offset, partition_max_bytes=1 << 20, **partition
    )
    message = fetch_request.FetchRequest(
        max_wait_ms=0, min_bytes=1, topics=[fetch_request.FetchTopic(topic, partitions=[one])]
    )
    exchange = PipelineClient(services or services_with_eight_records()).send(message, version)
    return exchange.response.responses[0].partitions[0]


def list_offsets(version, timestamp, *, services=None, topic=METADATA_TOPIC, epoch=-1):
    codec = list_offsets_request
    one = codec.ListOffsetsPartition(timestamp=timestamp, current_leader_epoch=epoch)
    message = codec.ListOffsetsRequest(topics=[codec.ListOffsetsTopic(topic, [one])])
    response = PipelineClient(services or services_with_eight_records()).ask(message, version)
    return response.topics[0].partitions[0]


# Reading what clients send


def test_librdkafka_1_0_sends_four_stray_bytes_after_its_apiversions():
    frame = bytes.fromhex("0012 0000 00000001 0007 72646b61666b61 00000000".replace(" ", ""))
    raw = PipelineClient(services_with_eight_records()).send_raw(frame).raw
    correlation, response = decoded_answer(raw, 18, 0)
    assert (correlation, response.error_code) == (1, 0)


def test_librdkafka_2_sends_3_stray_bytes_after_an_all_topics_request():
    frame = bytes.fromhex("0003 000c 00000006 0002 636b 00 00000000000000".replace(" ", ""))
    raw = PipelineClient(services_with_eight_records()).send_raw(frame).raw
    correlation, response = decoded_answer(raw, 3, 12)
    assert correlation == 6
    assert [topic.name for topic in response.topics] == [METADATA_TOPIC]


def test_java_sends_apiversions_twice_and_a_huge_sasl_correlation_id():
    client = PipelineClient(services_with_eight_records())
    first = b"\x00\x12\x00\x00" + (2_147_483_640).to_bytes(4, "big") + b"\xff\xff"
    correlation, response = decoded_answer(client.send_raw(first).raw, 18, 0)
    assert (correlation, response.error_code) == (2_147_483_640, 0)
    assert client.ask(api_versions_request.ApiVersionsRequest("x", "1"), 4).error_code == 0


def test_sarama_never_asks_for_versions_and_kafka_python_2_guesses():
    assert [topic.name for topic in metadata(0, []).topics] == [METADATA_TOPIC]
    assert fetch(4, 0).error_code == 0
    assert list(list_offsets(0, -1).old_style_offsets) == [8]


# The table


def test_produce_is_listed_or_librdkafka_sends_unreadable_fetches():
    assert ROWS[0][0] == 0
    assert ROWS[0][-1] >= 7  # below that it has no zstd


def test_librdkafka_finds_old_versions_it_derives_its_features_from():
    wanted = {
        10: [0],
        11: [0],
        9: [1],
        8: [1, 2],
        14: [0],
        12: [0],
        13: [0],
        2: [0, 1],
        0: [2, 3, 7],
    }
    wanted |= {1: [2, 4, 10], 36: [0], 3: [4]}
    for key, versions in wanted.items():
        assert all(version in ROWS[key] for version in versions), key


def test_librdkafka_compares_epochs_in_version_2_only_java_from_3_on():
    assert {2, 3, 4} <= set(ROWS[23])


def test_librdkafka_joins_new_groups_in_version_1_only_old_java_in_0():
    assert set(ROWS[68]) == {0, 1}


def test_lowest_versions_are_those_of_old_clients_and_highest_of_new():
    least = {0: (0, 9), 1: (0, 17), 2: (0, 10), 3: (0, 12), 8: (0, 9), 9: (0, 9), 10: (0, 6)}
    least |= {11: (0, 9), 12: (0, 4), 13: (0, 5), 14: (0, 5), 15: (0, 5), 16: (0, 5), 17: (0, 1)}
    least |= {18: (0, 4), 23: (0, 4), 32: (0, 4), 36: (0, 2), 55: (0, 2), 60: (0, 1), 69: (0, 0)}
    for key, (lowest, highest) in least.items():
        assert ROWS[key][0] <= lowest, key
        assert ROWS[key][-1] >= highest, key


def test_telemetry_is_not_listed_so_that_clients_leave_it_off():
    assert not {71, 72} & set(ROWS)


def test_describe_producers_is_not_listed_or_java_asks_until_timeout():
    assert 61 not in ROWS


def test_franz_go_never_sees_a_table_without_rows():
    for version in ROWS[18]:
        request = (
            api_versions_request.ApiVersionsRequest("kgo", "1.0")
            if version > 2
            else (api_versions_request.ApiVersionsRequest())
        )
        assert list(PipelineClient(services_with_eight_records()).ask(request, version).api_keys)


# Metadata


def test_spark_and_patterns_would_hide_an_internal_topic():
    for version in ROWS[3]:
        assert not metadata(version, topic_named(METADATA_TOPIC)).topics[0].is_internal


def test_kafkajs_gives_up_on_unknown_topic_so_an_election_is_not_that():
    services = services_with_eight_records(leading=LeaderAndEpoch(None, 4))
    (topic,) = metadata(6, topic_named(METADATA_TOPIC), services).topics
    assert (topic.error_code, topic.partitions[0].error_code) == (0, 5)


def test_javas_admin_never_ends_a_search_for_controller_minus_one():
    services = services_with_eight_records(leading=LeaderAndEpoch(None, 4))
    assert metadata(12, [], services).controller_id == 1


def test_clients_loop_on_their_bootstrap_address_if_no_node_is_listed():
    services = services_with_eight_records(leading=LeaderAndEpoch(None, 0))
    assert all(list(metadata(version, [], services).brokers) for version in ROWS[3])


# Offsets


def test_java_throws_on_a_time_that_is_found_without_a_timestamp():
    for version in range(1, 12):
        row = list_offsets(version, 2_500)
        assert row.offset >= 0
        assert row.timestamp >= 2_500


def test_librdkafka_and_kafkajs_see_the_same_end_with_read_committed():
    codec = list_offsets_request
    one = codec.ListOffsetsPartition(timestamp=-1)
    for level in (0, 1):
        message = codec.ListOffsetsRequest(
            isolation_level=level, topics=[codec.ListOffsetsTopic(METADATA_TOPIC, [one])]
        )
        response = PipelineClient(services_with_eight_records()).ask(message, 2)
        assert response.topics[0].partitions[0].offset == 8


def test_java_and_kafka_python_hang_on_unsupported_for_message_format():
    for version in ROWS[2]:
        for timestamp in (-7, -6, -5, -4, -3, -2, -1, 0, 1 << 60):
            assert list_offsets(version, timestamp).error_code != 43


def test_spark_never_sees_the_end_go_back_when_the_leader_changes():
    old_leader = services_with_eight_records(leading=LeaderAndEpoch(2, 4))
    assert list_offsets(7, -1, services=old_leader).error_code == 6
    new_leader = FakeServices(log=FakeLog(end_offset=8))
    assert list_offsets(7, -1, services=new_leader).error_code == 78
    assert fetch(12, 8, services=new_leader).error_code == 6


def test_a_higher_epoch_has_java_and_librdkafka_ask_for_an_epoch_end():
    codec = offset_for_leader_epoch_request
    one = codec.OffsetForLeaderPartition(0, current_leader_epoch=3, leader_epoch=2)
    message = codec.OffsetForLeaderEpochRequest(
        topics=[codec.OffsetForLeaderTopic(METADATA_TOPIC, [one])]
    )
    for version in (2, 4):
        row = (
            PipelineClient(services_with_eight_records())
            .ask(message, version)
            .topics[0]
            .partitions[0]
        )
        assert (row.error_code, row.leader_epoch, row.end_offset) == (0, 2, 7)


# Fetch


def test_an_empty_answer_has_no_records_and_no_null():
    for version in range(4, 13):
        assert fetch(version, 8).records is not None
        assert bytes(fetch(version, 8).records) == b""


def test_aiokafka_java_and_kafka_python_retry_failed_fetches_at_once():
    services = services_with_eight_records(leading=LeaderAndEpoch(None, 3))
    one = fetch_request.FetchPartition(partition_max_bytes=1)
    message = fetch_request.FetchRequest(
        max_wait_ms=2 * FETCH_ERROR_DELAY_MS,
        min_bytes=1,
        topics=[fetch_request.FetchTopic(METADATA_TOPIC, partitions=[one])],
    )
    exchange = PipelineClient(services).send(message, 11)
    assert exchange.delivered is None
    assert services.watermark.deadline == services.clock.now_ms() + FETCH_ERROR_DELAY_MS


def test_kafka_python_3_sends_last_fetched_epoch_yet_is_a_consumer():
    services = services_with_eight_records()
    row = fetch(12, 0, services=services, current_leader_epoch=3, last_fetched_epoch=3)
    assert (row.error_code, row.diverging_epoch.epoch, row.snapshot_id.epoch) == (0, -1, -1)
    assert services.asked == []


def test_fetches_below_version_4_get_the_error_clients_show_clearly():
    assert [fetch(version, 0).error_code for version in range(4)] == [35] * 4


def test_a_fetch_below_log_start_gets_out_of_range_and_no_snapshot():
    services = services_with_eight_records()
    services.log.start_offset = 7
    row = fetch(12, 3, services=services)
    assert (row.error_code, row.snapshot_id.end_offset) == (1, -1)


KAFKAJS_KNOWS = range(89)


def test_kafkajs_and_aiokafka_never_meet_a_code_that_they_do_not_know():
    elsewhere = services_with_eight_records(leading=LeaderAndEpoch(2, 3))
    unknown_end = FakeServices()
    codes = set()
    for version in range(12):  # aiokafka and kafkajs speak Fetch to 11, ListOffsets to 3
        for services in (None, elsewhere, unknown_end):
            codes.add(fetch(version, 99, services=services).error_code)
            codes.add(fetch(version, 0, services=services, topic="absent").error_code)
    for version in range(4):
        for services in (None, elsewhere, unknown_end):
            codes.add(list_offsets(version, -1, services=services).error_code)
            codes.add(list_offsets(version, -1, services=services, topic="absent").error_code)
    for version in range(7):
        for services in (None, elsewhere):
            codes |= {t.error_code for t in metadata(version, topic_named("x"), services).topics}
    assert codes <= set(KAFKAJS_KNOWS)
    assert codes <= {0, 1, 3, 5, 6, 35}


# Groups


def test_confluent_kafka_assigns_and_still_asks_for_a_coordinator():
    codec = find_coordinator_request
    response = PipelineClient(services_with_eight_records()).ask(
        codec.FindCoordinatorRequest(key="g"), 2
    )
    assert (response.error_code, response.node_id) == (0, 1)


def test_the_coordinator_stands_in_metadata_under_the_same_address():
    codec = find_coordinator_request
    services = services_with_eight_records()
    found = PipelineClient(services).ask(codec.FindCoordinatorRequest(key="g"), 2)
    nodes = [(node.node_id, node.host, node.port) for node in metadata(12, [], services).brokers]
    assert (found.node_id, found.host, found.port) in nodes


def test_librdkafka_hangs_on_an_error_at_a_committed_offset_partition():
    codec = offset_fetch_request
    client = PipelineClient(services_with_eight_records())
    client.pipeline.stopping = True
    topic = codec.OffsetFetchRequestTopics(METADATA_TOPIC, partition_indexes=[0])
    group = codec.OffsetFetchRequestGroup("g", topics=[topic])
    (told,) = client.ask(codec.OffsetFetchRequest(groups=[group]), 9).groups
    assert (told.error_code, list(told.topics)) == (15, [])
    topic = codec.OffsetFetchRequestTopic(METADATA_TOPIC, [0])
    response = client.ask(codec.OffsetFetchRequest(group_id="g", topics=[topic]), 7)
    assert (response.error_code, list(response.topics)) == (15, [])


def test_the_console_consumer_subscribes_and_gets_an_error_not_a_hang():
    codec = join_group_request
    message = codec.JoinGroupRequest(group_id="console-consumer-1", protocol_type="consumer")
    assert PipelineClient(services_with_eight_records()).ask(message, 9).error_code == 30


# Admin


def test_javas_admin_fails_on_null_where_eligible_leaders_should_be():
    codec = describe_topic_partitions_request
    message = codec.DescribeTopicPartitionsRequest()
    (topic,) = PipelineClient(services_with_eight_records()).ask(message, 0).topics
    assert topic.partitions[0].eligible_leader_replicas is not None
    assert topic.partitions[0].last_known_elr is not None


def test_old_java_clients_cannot_read_features_of_minimum_level_zero():
    request = api_versions_request.ApiVersionsRequest("apache-kafka-java", "3.8.0")
    response = PipelineClient(services_with_eight_records()).ask(request, 3)
    assert all(feature.min_version > 0 for feature in response.supported_features)


@pytest.mark.parametrize("version", [6, 7, 99])
def test_librdkafka_reconnects_for_ever_on_unanswered_new_apiversions(version):
    frame = b"\x00\x12" + version.to_bytes(2, "big") + bytes(4) + b"\xff\xff\x00\x01\x01\x00"
    assert PipelineClient(services_with_eight_records()).send_raw(frame).raw
