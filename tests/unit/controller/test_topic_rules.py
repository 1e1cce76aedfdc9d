"""Settings of topics are held against each other and against the controller's own file."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from metaquorum.controller.commands import AlterConfigs, ConfigChange, CreateTopics
from metaquorum.controller.managers import topics
from metaquorum.controller.managers.configs import SET, plan_alter
from metaquorum.controller.topic_rules import (
    NO_TIERED_STORAGE,
    REMOTE_DATA_WOULD_STAY,
    inherited_values,
    problem_of,
)
from metaquorum.testing.every_record import made, uuid
from metaquorum.testing.partitions import Cluster
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.create_topics_request import (
    CreatableTopic,
    CreatableTopicConfig,
    CreateTopicsRequest,
)

TOPIC, BROKER = 2, 4
VOTER = 9
NO_COPIES = (
    "When `remote.log.copy.disable` is set to true, the `local.retention.{0}` and `retention.{0}` "
    "must be set to the identical value because there will be no more logs copied to the remote "
    "storage."
)

Settings = Mapping[str, str | None]


def problem(
    settings: Settings,
    file: Mapping[str, str] | None = None,
    before: Mapping[str, str] | None = None,
    *,
    tiered: bool = True,
) -> str | None:
    """Why a topic cannot have them where the controller's file gives topics these texts."""
    inherited = inherited_values((file or {}).items())
    assert not isinstance(inherited, str)
    return problem_of(settings, before=before, inherited=inherited, has_remote_storage=tiered)


def on(**settings: str) -> dict[str, str]:
    """Settings of a topic with remote storage."""
    return {"remote.storage.enable": "true"} | {
        key.replace("_", "."): value for key, value in settings.items()
    }


@pytest.mark.parametrize("unit", ["ms", "bytes"])
@pytest.mark.parametrize(
    ("local", "whole", "is_right"),
    [
        *(("1000", "1000", True), ("1001", "1000", False), ("-2", "5", True), ("0", "0", True)),
        *(("-1", "1000", False), ("-1", "-1", True), ("1000", "-1", True), ("1", "0", False)),
    ],
)
def test_local_retention_is_within_the_retention(
    unit: str, local: str, whole: str, is_right: bool
) -> None:
    ours, all_of_it = f"local.retention.{unit}", f"retention.{unit}"
    # Wherever each of the two is from, of the topic or of the file.
    assert (problem(on() | {ours: local, all_of_it: whole}) is None) == is_right
    assert (problem(on() | {all_of_it: whole}, {ours: local}) is None) == is_right
    assert (problem(on() | {ours: local}, {all_of_it: whole}) is None) == is_right
    assert (problem(on(), {ours: local, all_of_it: whole}) is None) == is_right
    # Without remote storage local retention says nothing.
    assert problem({ours: local, all_of_it: whole}) is None


@pytest.mark.parametrize("unit", ["ms", "bytes"])
def test_a_local_retention_above_is_told_in_kafkas_words(unit: str) -> None:
    assert problem(on() | {f"retention.{unit}": "512"}, {f"local.retention.{unit}": "1024"}) == (
        f"Invalid value 1024 for configuration local.retention.{unit}: Value must not be more than "
        f"retention.{unit} property value: 512"
    )


def test_a_size_below_no_limit_is_no_limit_either() -> None:
    assert problem(on(retention_bytes="-3", local_retention_bytes="-1")) is None
    assert problem(on(retention_bytes="-3", local_retention_bytes="5")) is None


@pytest.mark.parametrize("unit", ["ms", "bytes"])
def test_without_copies_both_retentions_are_the_same(unit: str) -> None:
    local, whole = f"local.retention.{unit}", f"retention.{unit}"
    settings = on(remote_log_copy_disable="true")
    for value in ("-2", "1000"):
        assert problem(settings | {local: value, whole: "1000"}) is None
    refused = NO_COPIES.format(unit)
    assert problem(settings | {local: "999", whole: "1000"}) == refused
    assert problem(settings | {whole: "1000"}, {local: "999"}) == refused
    assert problem(settings | {local: "999"}, {whole: "-1"}) == refused
    assert problem({**settings, "remote.log.copy.disable": "false", local: "999"}) is None


def test_remote_storage_needs_the_systems() -> None:
    assert problem(on(), tiered=False) == NO_TIERED_STORAGE
    assert problem({"remote.storage.enable": "false"}, tiered=False) is None


@pytest.mark.parametrize(
    ("policy", "is_right"),
    [
        *(("delete", True), ("delete,delete", True), ("", True)),
        *(("compact", False), ("compact,delete", False)),
    ],
)
def test_compacted_topics_have_no_remote_storage(policy: str, is_right: bool) -> None:
    assert (problem(on(cleanup_policy=policy)) is None) == is_right
    assert (problem(on(), {"cleanup.policy": policy}) is None) == is_right
    assert problem({"cleanup.policy": policy}) is None


def test_compaction_lags_of_topic_and_file_are_compared() -> None:
    least, most = "min.compaction.lag.ms", "max.compaction.lag.ms"
    assert problem({least: "50"}, {most: "50"}) is None
    assert problem({least: "51"}, {most: "50"}) is not None
    assert problem({most: "49"}, {least: "50"}) is not None
    assert problem({"retention.ms": "5"}, {least: "51", most: "50"}) is not None


def test_remote_data_is_kept_or_deleted_on_purpose() -> None:
    before = {"remote.storage.enable": "TRUE"}
    for off in ({"remote.storage.enable": "false"}, {}):
        assert problem(off, before=before) == REMOTE_DATA_WOULD_STAY
        assert problem({**off, "remote.log.delete.on.disable": "true"}, before=before) is None
    # With a blank the text of before is not true for Kafka, as the reader of values is not asked.
    assert problem({}, before={"remote.storage.enable": " true"}) is None


def test_a_retention_below_zero_in_the_file_is_no_limit() -> None:
    inherited = inherited_values([("retention.ms", " -5")])
    assert not isinstance(inherited, str) and inherited["retention.ms"] == -1


def test_a_file_with_values_not_for_topics_is_named() -> None:
    refused = inherited_values([("flush.ms", "-5")])
    assert isinstance(refused, str) and refused.startswith("flush.ms, as the controller's file")


# What the controller does with the rules.


def controller(**file: str) -> Cluster:
    """One with a topic and tiered storage, and these keys in its file."""
    keys = {key.replace("_", "."): value for key, value in file.items()}
    cluster = Cluster.of((1,), has_remote_storage=True, file=keys)
    cluster.topic("orders", (1,))
    return cluster


def codes(cluster: Cluster, settings: Mapping[str, str], *, only: bool = False) -> set[int]:
    """What a new topic with these gets, and one that is there, by both ways of changing it."""
    before = len(cluster.written)
    configs = [CreatableTopicConfig(*one) for one in settings.items()]
    asked = CreateTopicsRequest([CreatableTopic(f"new-{before}", 1, 1, [], configs)], 1_000, only)
    created = topics.plan_create(cluster.context, CreateTopics(asked, (uuid(f"n {before}"),), 7))
    found = {row.error_code for row in cluster.carry_out(created).topics}
    operations = tuple((key, SET, value) for key, value in settings.items())
    for replaces in (False, True):
        change = ConfigChange(TOPIC, "orders", operations, replaces)
        outcome = plan_alter(cluster.context, AlterConfigs((change,), (VOTER,), only))
        found |= {code for code, _ in cluster.carry_out(outcome)}
    assert not only or len(cluster.written) == before
    return found


@pytest.mark.parametrize("only", [False, True], ids=["done", "validated"])
@pytest.mark.parametrize(
    ("file", "settings", "right"),
    [
        ({"log_local_retention_ms": "1000"}, on(retention_ms="1000"), True),
        ({"log_local_retention_ms": "1000"}, on(retention_ms="999"), False),
        ({"log_local_retention_bytes": "9"}, on(retention_bytes="8"), False),
        ({"log_retention_bytes": "8"}, on(local_retention_bytes="9"), False),
        ({"log_retention_ms": "8", "log_retention_hours": "1"}, on(local_retention_ms="9"), False),
        ({"log_retention_minutes": "1"}, on(local_retention_ms="60000"), True),
        ({"log_retention_minutes": "1"}, on(local_retention_ms="60001"), False),
        ({"log_retention_hours": "1"}, on(local_retention_ms="3600001"), False),
        ({"log_retention_minutes": "-5"}, on(local_retention_ms="-1"), True),
        ({"log_cleanup_policy": "compact"}, on(), False),
        ({"log_cleaner_max_compaction_lag_ms": "5"}, {"min.compaction.lag.ms": "6"}, False),
        ({"log_flush_scheduler_interval_ms": "-5"}, {"retention.ms": "6"}, False),
    ],
)
def test_the_controllers_file_counts_in_every_request(
    file: dict[str, str], settings: dict[str, str], right: bool, only: bool
) -> None:
    expected = error_codes.NONE if right else error_codes.INVALID_CONFIG
    assert codes(controller(**file), settings, only=only) == {expected}


def test_records_for_brokers_do_not_count_for_topics() -> None:
    cluster = controller(log_local_retention_ms="1000")
    for name in ("", "100"):
        setting = {"name": "log.local.retention.ms", "value": "5"}
        cluster.replay(made("Config", resource_type=BROKER, resource_name=name, **setting))
    assert codes(cluster, on(retention_ms="999")) == {error_codes.INVALID_CONFIG}


def test_a_topic_without_settings_is_created_whatever_the_file() -> None:
    cluster = controller(log_flush_scheduler_interval_ms="-5")
    asked = CreateTopicsRequest([CreatableTopic("plain", 1, 1, [], [])], 1_000, False)
    created = topics.plan_create(cluster.context, CreateTopics(asked, (uuid("plain"),), 7))
    assert [row.error_code for row in cluster.carry_out(created).topics] == [error_codes.NONE]
