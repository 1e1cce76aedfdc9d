"""Settings of topics, brokers, groups and client metrics are changed: every rule of Kafka's."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_CLIENT_PATTERN_CHARS, MAX_RECORDS_PER_BATCH
from metaquorum.controller.commands import AlterConfigs, ConfigChange
from metaquorum.controller.managers.configs import (
    APPEND,
    DELETE,
    SET,
    SUBTRACT,
    plan_alter,
)
from metaquorum.controller.topic_configs import elects_unclean, min_insync_replicas
from metaquorum.testing.every_record import made
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import error_codes

TOPIC, BROKER, METRICS, GROUP = 2, 4, 16, 32
MIN_ISR = "min.insync.replicas"
VOTER = 9

Operation = tuple[str, int, str | None]


@pytest.fixture
def cluster() -> Cluster:
    one = Cluster.of((1, 2, 3))
    one.topic("orders", (1, 2, 3))
    return one


def alter(cluster: Cluster, *changes: ConfigChange, validate_only: bool = False) -> list[int]:
    """The code of each resource; the records are written."""
    outcome = plan_alter(cluster.context, AlterConfigs(changes, (VOTER,), validate_only))
    return [code for code, _ in cluster.carry_out(outcome)]


def change(
    cluster: Cluster, *operations: Operation, kind: int = TOPIC, name: str = "orders"
) -> int:
    [code] = alter(cluster, ConfigChange(kind, name, operations))
    return code


def replace(cluster: Cluster, kind: int, name: str, **settings: str | None) -> int:
    operations = tuple((key.replace("_", "."), SET, value) for key, value in settings.items())
    [code] = alter(cluster, ConfigChange(kind, name, operations, replaces=True))
    return code


def settings(cluster: Cluster, kind: int = TOPIC, name: str = "orders") -> dict[str, str]:
    return dict(cluster.state.live().configs.get((kind, name)) or {})


def written(cluster: Cluster) -> list[tuple[Any, ...]]:
    """The records since last time: settings, and the topics whose eligible replicas are cleared."""
    found = [
        (one.message.name, one.message.value) if one.type == 4 else (one.message.topic_name,)
        for one in cluster.written
    ]
    cluster.written.clear()
    return found


def test_a_setting_is_set_changed_and_deleted(cluster: Cluster) -> None:
    assert change(cluster, ("retention.ms", SET, "5")) == 0
    assert settings(cluster) == {"retention.ms": "5"}
    assert change(cluster, ("retention.ms", SET, "6"), ("segment.ms", SET, "7")) == 0
    assert settings(cluster) == {"retention.ms": "6", "segment.ms": "7"}
    assert change(cluster, ("retention.ms", DELETE, None), ("segment.ms", SET, None)) == 0
    assert settings(cluster) == {}


def test_what_does_not_change_a_topic_is_not_written(cluster: Cluster) -> None:
    change(cluster, ("retention.ms", SET, "5"))
    written(cluster)
    assert change(cluster, ("retention.ms", SET, "5"), ("no.such.key", DELETE, None)) == 0
    assert written(cluster) == []


def test_what_is_said_of_brokers_is_always_written(cluster: Cluster) -> None:
    for _ in range(2):
        assert change(cluster, ("ssl.keystore.type", SET, "JKS"), kind=BROKER, name="1") == 0
        assert written(cluster) == [("ssl.keystore.type", "JKS")]
    assert change(cluster, ("of.a.plugin", DELETE, None), kind=BROKER, name="") == 0
    assert written(cluster) == [("of.a.plugin", None)]


def test_the_last_operation_on_a_key_counts(cluster: Cluster) -> None:
    assert change(cluster, ("retention.ms", SET, "5"), ("retention.ms", SET, "6")) == 0
    assert written(cluster) == [("retention.ms", "6")]


@pytest.mark.parametrize(
    ("before", "operation", "value", "after"),
    [
        (None, APPEND, "compact", "delete,compact"),
        (None, APPEND, "delete", "delete"),
        (None, SUBTRACT, "delete", ""),
        ("compact", APPEND, "delete,compact", "compact,delete"),
        ("", APPEND, "compact", "compact"),
        ("delete, compact", SUBTRACT, "compact", "delete, compact"),
        ("compact,delete", SUBTRACT, "delete,compact,none", ""),
    ],
)
def test_lists_grow_and_shrink_by_elements(
    cluster: Cluster, before: str | None, operation: int, value: str, after: str
) -> None:
    if before is not None:
        cluster.set("orders", "cleanup.policy", before)
    assert change(cluster, ("cleanup.policy", operation, value)) == 0
    assert settings(cluster).get("cleanup.policy", "delete") == after


@pytest.mark.parametrize(
    ("kind", "name", "operation", "code"),
    [
        (TOPIC, "orders", ("retention.ms", APPEND, "5"), error_codes.INVALID_CONFIG),
        (TOPIC, "orders", ("no.such.key", SUBTRACT, "5"), error_codes.INVALID_CONFIG),
        (METRICS, "m", ("metrics", APPEND, "a"), error_codes.INVALID_CONFIG),
        (GROUP, "g", ("share.isolation.level", APPEND, "a"), error_codes.INVALID_CONFIG),
        (BROKER, "", ("num.io.threads", APPEND, "9"), error_codes.INVALID_CONFIG),
        (TOPIC, "orders", ("cleanup.policy", APPEND, None), error_codes.INVALID_REQUEST),
        (TOPIC, "orders", ("cleanup.policy", 4, "compact"), error_codes.INVALID_REQUEST),
        (TOPIC, "orders", ("no.such.key", SET, "5"), error_codes.INVALID_CONFIG),
        (TOPIC, "orders", ("retention.ms", SET, "soon"), error_codes.INVALID_CONFIG),
        (TOPIC, "absent", ("retention.ms", SET, "soon"), error_codes.INVALID_CONFIG),
        (TOPIC, "absent", ("retention.ms", SET, "5"), error_codes.UNKNOWN_TOPIC_OR_PARTITION),
        (TOPIC, "", ("retention.ms", SET, "5"), error_codes.INVALID_REQUEST),
        (TOPIC, "a b", ("retention.ms", SET, "5"), error_codes.INVALID_TOPIC_EXCEPTION),
        (BROKER, "x", ("a", SET, "5"), error_codes.INVALID_REQUEST),
        (BROKER, "-1", ("a", SET, "5"), error_codes.INVALID_REQUEST),
        (BROKER, "9" * 5_000, ("a", SET, "5"), error_codes.INVALID_REQUEST),
        (BROKER, "4", ("a", SET, "5"), error_codes.BROKER_ID_NOT_REGISTERED),
        (BROKER, "1", ("num.io.threads", SET, "x"), error_codes.NONE),
        (BROKER, str(VOTER), ("a", SET, "5"), error_codes.NONE),
        (GROUP, "", ("share.isolation.level", DELETE, None), error_codes.INVALID_REQUEST),
        (METRICS, "", ("interval.ms", DELETE, None), error_codes.INVALID_REQUEST),
    ],
)
def test_each_refusal_has_kafkas_code(
    cluster: Cluster, kind: int, name: str, operation: Operation, code: int
) -> None:
    assert change(cluster, operation, kind=kind, name=name) == code
    assert bool(cluster.written) == (code == error_codes.NONE)


def test_settings_are_held_against_each_other(cluster: Cluster) -> None:
    assert change(cluster, ("max.compaction.lag.ms", SET, "5")) == 0
    lag = ("min.compaction.lag.ms", SET, "6")
    assert change(cluster, lag) == error_codes.INVALID_CONFIG
    assert change(cluster, lag, ("max.compaction.lag.ms", DELETE, None)) == 0


def test_stored_segments_are_neither_forgotten_nor_lost_by_accident() -> None:
    cluster = Cluster.of((1,), has_remote_storage=True)
    cluster.topic("orders", (1,))
    assert change(cluster, ("remote.storage.enable", SET, "true")) == 0
    off = ("remote.storage.enable", SET, "false")
    assert change(cluster, off) == error_codes.INVALID_CONFIG
    assert change(cluster, ("remote.storage.enable", DELETE, None)) == error_codes.INVALID_CONFIG
    assert change(cluster, off, ("remote.log.delete.on.disable", SET, "true")) == 0


def test_a_replacement_removes_what_it_does_not_name(cluster: Cluster) -> None:
    change(cluster, ("retention.ms", SET, "5"), ("segment.ms", SET, "6"))
    written(cluster)
    assert replace(cluster, TOPIC, "orders", segment_ms="6", flush_ms="7") == 0
    assert settings(cluster) == {"segment.ms": "6", "flush.ms": "7"}
    assert written(cluster) == [("flush.ms", "7"), ("retention.ms", None)]
    assert replace(cluster, TOPIC, "orders", flush_ms=None) == 0
    assert settings(cluster) == {}


def test_one_wrong_resource_leaves_the_others_alone(cluster: Cluster) -> None:
    right = ConfigChange(TOPIC, "orders", (("retention.ms", SET, "5"),))
    wrong = ConfigChange(TOPIC, "absent", (("retention.ms", SET, "5"),))
    assert alter(cluster, wrong, right) == [error_codes.UNKNOWN_TOPIC_OR_PARTITION, 0]
    assert settings(cluster) == {"retention.ms": "5"}


def test_unknown_topics_and_settings_are_told_in_kafkas_words(cluster: Cluster) -> None:
    asked = [
        ConfigChange(TOPIC, "orders", (("not.a.setting", SET, "1"),)),
        ConfigChange(TOPIC, "baz", (("retention.ms", SET, "1"),)),
    ]
    outcome = plan_alter(cluster.context, AlterConfigs(tuple(asked), (VOTER,)))
    assert [reason for _, reason in cluster.carry_out(outcome)] == [
        "Unknown topic config name: not.a.setting",
        "The topic 'baz' does not exist.",
    ]


def test_a_validation_answers_the_same_and_writes_nothing(cluster: Cluster) -> None:
    right = ConfigChange(TOPIC, "orders", (("retention.ms", SET, "5"),))
    wrong = ConfigChange(TOPIC, "orders2", (("retention.ms", SET, "5"),))
    assert alter(cluster, right, wrong, validate_only=True) == [0, 3]
    assert written(cluster) == []


def test_more_records_than_a_batch_holds_are_refused(cluster: Cluster) -> None:
    keys = tuple((f"key.{number}", SET, "1") for number in range(MAX_RECORDS_PER_BATCH + 1))
    with pytest.raises(RequestError) as refused:
        alter(cluster, ConfigChange(BROKER, "1", keys))
    assert refused.value.code == error_codes.POLICY_VIOLATION


def test_long_lists_are_changed_in_one_go(cluster: Cluster) -> None:
    key = "leader.replication.throttled.replicas"
    many = ",".join(f"{number}:1" for number in range(100_000))
    assert change(cluster, (key, APPEND, many)) == 0
    assert change(cluster, (key, APPEND, many)) == 0
    assert settings(cluster)[key] == many
    assert change(cluster, (key, SUBTRACT, many.removesuffix(",99999:1"))) == 0
    assert settings(cluster)[key] == "99999:1"


# Eligible leader replicas (KIP-966).


def test_a_changed_min_isr_clears_eligible_leader_replicas(cluster: Cluster) -> None:
    topic = ConfigChange(TOPIC, "orders", ((MIN_ISR, SET, "2"), ("retention.ms", SET, "5")))
    brokers = ConfigChange(BROKER, "", ((MIN_ISR, SET, "2"),))
    assert alter(cluster, topic, brokers) == [0, 0]
    assert written(cluster) == [
        *((MIN_ISR, "2"), ("retention.ms", "5"), (MIN_ISR, "2")),
        *(("orders",), ("",)),
    ]
    assert change(cluster, (MIN_ISR, SET, "2")) == 0
    assert written(cluster) == []


def test_brokers_have_one_min_isr_with_eligible_leader_replicas(cluster: Cluster) -> None:
    refused = error_codes.INVALID_CONFIG
    assert change(cluster, (MIN_ISR, SET, "2"), kind=BROKER, name="1") == refused
    assert change(cluster, (MIN_ISR, DELETE, None), kind=BROKER, name="1") == refused
    assert change(cluster, (MIN_ISR, SET, "2"), kind=BROKER, name="") == 0
    assert change(cluster, (MIN_ISR, DELETE, None), kind=BROKER, name="") == refused
    assert change(cluster, (MIN_ISR, SET, None), kind=BROKER, name="") == refused
    assert replace(cluster, BROKER, "", num_io_threads="9") == refused
    assert replace(cluster, BROKER, "", min_insync_replicas="1") == 0


def test_without_that_feature_nothing_is_cleared_or_refused() -> None:
    cluster = Cluster.of((1,), elr=False)
    cluster.topic("orders", (1,))
    assert change(cluster, (MIN_ISR, SET, "2")) == 0
    assert change(cluster, (MIN_ISR, SET, "3"), kind=BROKER, name="1") == 0
    assert change(cluster, (MIN_ISR, DELETE, None), kind=BROKER, name="") == 0
    assert written(cluster) == [(MIN_ISR, "2"), (MIN_ISR, "3"), (MIN_ISR, None)]


@pytest.mark.parametrize(("level", "code"), [(29, error_codes.INVALID_CONFIG), (30, 0)])
def test_directories_are_cordoned_from_the_level_that_knows_it(level: int, code: int) -> None:
    cluster = Cluster.of((1,), level=level)
    for name in ("", "1"):
        assert change(cluster, ("cordoned.log.dirs", SET, "*"), kind=BROKER, name=name) == code
        assert change(cluster, ("cordoned.log.dirs", DELETE, None), kind=BROKER, name=name) == code
    assert change(cluster, ("num.io.threads", SET, "9"), kind=BROKER, name="1") == 0


def test_past_a_broker_no_directory_is_cordoned_but_those_that_are(cluster: Cluster) -> None:
    def code(value: str | None, operation: int = SET, *, is_forwarded: bool = False) -> int:
        asked = ConfigChange(BROKER, "1", (("cordoned.log.dirs", operation, value),))
        command = AlterConfigs((asked,), (VOTER,), is_forwarded=is_forwarded)
        [(code, _)] = cluster.carry_out(plan_alter(cluster.context, command))
        return code

    refused = error_codes.INVALID_CONFIG
    assert [code("/a"), code("*"), code(""), code(None, DELETE)] == [refused, refused, 0, 0]
    assert code("/a,/b", is_forwarded=True) == 0
    assert [code("/a"), code("/b"), code("/b", APPEND)] == [0, refused, refused]
    assert code("*", is_forwarded=True) == 0
    assert [code("*"), code("/a"), code(""), code("*")] == [0, refused, 0, refused]


def test_an_impossible_value_for_all_brokers_is_passed_over(cluster: Cluster) -> None:
    for key in (MIN_ISR, "unclean.leader.election.enable"):
        record = {"resource_type": BROKER, "resource_name": "", "name": key, "value": "x"}
        cluster.replay(made("Config", **record))
    assert min_insync_replicas(cluster.context, "orders") == 1
    assert not elects_unclean(cluster.context, "orders")
    cluster.set("orders", MIN_ISR, " 2 ")
    assert min_insync_replicas(cluster.context, "orders") == 2


# Groups and client metrics subscriptions.


@pytest.mark.parametrize(
    ("key", "value", "is_right"),
    [
        ("consumer.session.timeout.ms", "45000", True),
        ("consumer.session.timeout.ms", "60000", True),
        ("consumer.session.timeout.ms", "44999", False),
        ("consumer.session.timeout.ms", "60001", False),
        ("consumer.heartbeat.interval.ms", "4999", False),
        ("share.heartbeat.interval.ms", "15001", False),
        ("streams.session.timeout.ms", "x", False),
        ("share.delivery.count.limit", "1", False),
        ("share.delivery.count.limit", "10", True),
        ("share.delivery.count.limit", "11", False),
        ("share.record.lock.duration.ms", "14999", False),
        ("share.partition.max.record.locks", "4001", False),
        ("streams.num.standby.replicas", "2", True),
        ("streams.num.standby.replicas", "3", False),
        ("streams.initial.rebalance.delay.ms", "1000000000", True),
        ("share.isolation.level", "read_committed", True),
        ("share.isolation.level", "READ_COMMITTED", False),
        ("share.auto.offset.reset", "earliest", True),
        ("share.auto.offset.reset", "EARLIEST", False),
        ("share.auto.offset.reset", "by_duration:P1DT2H3M4.5S", True),
        ("share.auto.offset.reset", "by_duration:P", False),
        ("share.auto.offset.reset", "by_duration:PT", False),
        ("share.auto.offset.reset", "by_duration:-PT1H", False),
        ("no.such.key", "1", False),
    ],
)
def test_settings_of_groups_are_within_the_bounds_of_brokers(
    cluster: Cluster, key: str, value: str, is_right: bool
) -> None:
    code = change(cluster, (key, SET, value), kind=GROUP, name="g")
    assert code == (error_codes.NONE if is_right else error_codes.INVALID_CONFIG)


def test_the_bounds_of_groups_are_those_of_the_controllers_file() -> None:
    file = {"group.consumer.min.session.timeout.ms": "6000"}
    cluster = Cluster.of((1,), file=file)
    session = ("consumer.session.timeout.ms", SET, "6000")
    assert change(cluster, session, kind=GROUP, name="g") == 0
    beat = ("consumer.heartbeat.interval.ms", SET, "6000")
    assert change(cluster, beat, kind=GROUP, name="g") == error_codes.INVALID_CONFIG
    assert change(cluster, beat, kind=GROUP, name="other") == 0


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("interval.ms", "100", error_codes.NONE),
        ("interval.ms", "99", error_codes.INVALID_REQUEST),
        ("interval.ms", "3600001", error_codes.INVALID_REQUEST),
        ("interval.ms", "x", error_codes.INVALID_CONFIG),
        ("no.such.key", "x", error_codes.INVALID_REQUEST),
        ("metrics", "*", error_codes.NONE),
        ("metrics", "", error_codes.NONE),
        ("metrics", "a,", error_codes.INVALID_CONFIG),
        ("match", "client_id=a,client_software_name=b.*", error_codes.NONE),
        ("match", "client_id= a", error_codes.NONE),
        ("match", "CLIENT_ID=a", error_codes.INVALID_CONFIG),
        ("match", "client_id", error_codes.INVALID_CONFIG),
        ("match", "client_id=", error_codes.INVALID_CONFIG),
        ("match", "client_id=a=b", error_codes.INVALID_CONFIG),
        ("match", "client_id=[", error_codes.INVALID_CONFIG),
        ("match", "client_id=" + "(" * 900 + ")" * 900, error_codes.INVALID_CONFIG),
    ],
)
def test_settings_of_subscriptions_are_checked(
    cluster: Cluster, key: str, value: str, code: int
) -> None:
    assert change(cluster, (key, SET, value), kind=METRICS, name="m") == code


def test_unknown_settings_of_a_subscription_are_told_first(cluster: Cluster) -> None:
    wrong = (("interval.ms", SET, "x"), ("no.such.key", SET, "1"))
    assert change(cluster, *wrong, kind=METRICS, name="m") == error_codes.INVALID_REQUEST


def test_patterns_of_one_request_are_limited(cluster: Cluster) -> None:
    half = ("match", SET, "client_id=" + "a" * (MAX_CLIENT_PATTERN_CHARS // 2 - 10))
    one, other = (ConfigChange(METRICS, name, (half,)) for name in ("m", "n"))
    assert alter(cluster, one, other) == [0, 0]
    third = ConfigChange(METRICS, "o", (("match", SET, "a"),))
    with pytest.raises(RequestError) as refused:
        alter(cluster, one, other, third)
    assert refused.value.code == error_codes.POLICY_VIOLATION
    assert change(cluster, ("interval.ms", SET, "100"), kind=METRICS, name="m") == 0
