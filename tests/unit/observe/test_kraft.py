"""KRaft's metrics under the names that Kafka's documentation and dashboards use."""

from __future__ import annotations

from metaquorum.observe.kraft import (
    ControllerFacts,
    RaftFacts,
    register_controller,
    register_raft,
    register_snapshots,
)
from metaquorum.observe.metrics import Registry


def values(registry: Registry) -> dict[str, float]:
    return {
        family.name + sample.suffix: sample.value
        for family in registry.families()
        for sample in family.samples
        if not any(label == "quantile" for label, _ in sample.labels)
    }


def raft(**facts: object) -> dict[str, float]:
    registry = Registry()
    now = RaftFacts(**{"state": "leader", **facts})  # type: ignore[arg-type]
    register_raft(registry, lambda: now, lambda: 0)
    return values(registry)


def test_every_attribute_of_raft_metrics_has_its_series() -> None:
    registry = Registry()
    facts = RaftFacts(state="leader", number_of_observers=0, uncommitted_voter_change=False)
    sensors = register_raft(registry, lambda: facts, lambda: 1_000)
    sensors.commit_latency.record(3, 500)
    sensors.election_latency.record(8, 500)
    prefix = "kafka_server_raft_metrics_"
    assert {name.removeprefix(prefix) for name in values(registry)} == {
        "append_records_rate",
        "commit_latency_avg",
        "commit_latency_max",
        "current_epoch",
        "current_leader",
        "current_state_info",
        "current_vote",
        "current_vote_directory_id_info",
        "election_latency_avg",
        "election_latency_max",
        "fetch_records_rate",
        "high_watermark",
        "log_end_epoch",
        "log_end_offset",
        "number_of_observers",
        "number_of_voters",
        "number_unknown_voter_connections",
        "uncommitted_voter_change",
    }


def test_what_only_a_leader_knows_is_left_out_elsewhere() -> None:
    shown = raft(state="follower")
    assert "kafka_server_raft_metrics_number_of_observers" not in shown
    assert "kafka_server_raft_metrics_uncommitted_voter_change" not in shown


def test_unknown_is_minus_one_as_in_kafka() -> None:
    shown = raft(state="unattached")
    assert shown["kafka_server_raft_metrics_current_leader"] == -1
    assert shown["kafka_server_raft_metrics_high_watermark"] == -1
    assert shown["kafka_server_raft_metrics_current_vote"] == -1


def test_the_controllers_series_follow_its_facts() -> None:
    registry = Registry()
    facts = ControllerFacts(is_active=False, last_applied_timestamp_ms=400, metadata_version=30)
    counters = register_controller(registry, lambda: facts, lambda: 1_000)
    counters.new_active_controllers.add()
    shown = values(registry)
    prefix = "kafka_controller_kafkacontroller_"
    assert shown[prefix + "activecontrollercount"] == 0
    assert shown[prefix + "lastappliedrecordlagms"] == 600
    assert shown[prefix + "newactivecontrollerscount"] == 1
    assert shown["kafka_server_metadataloader_currentmetadataversion"] == 30
    assert shown["kafka_controller_controllerstats_uncleanleaderelections_total"] == 0


def test_an_active_controller_is_never_behind_itself() -> None:
    registry = Registry()
    facts = ControllerFacts(is_active=True, last_applied_timestamp_ms=400)
    register_controller(registry, lambda: facts, lambda: 1_000)
    assert values(registry)["kafka_controller_kafkacontroller_lastappliedrecordlagms"] == 0


def test_the_snapshot_emitters_series_are_read() -> None:
    registry = Registry()
    register_snapshots(registry, lambda: 7, lambda: 9)
    assert values(registry) == {
        "kafka_server_snapshotemitter_latestsnapshotgeneratedbytes": 7,
        "kafka_server_snapshotemitter_latestsnapshotgeneratedagems": 9,
    }
