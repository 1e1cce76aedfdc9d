"""The exporter beside a quorum that changes: what it shows, what it says, and that it goes on."""

from __future__ import annotations

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.connection import CertificateRefused
from metaquorum.records.snapshot import snapshot_batches
from tests.unit.client.fake_quorum import (
    NOOP,
    TIME_MS,
    data_batch,
    feature,
)
from tests.unit.exporter.exported_quorum import Exported
from tests.unit.exporter.small_cluster import (
    CONTROLLER,
    LOG,
    RAFT,
    append,
    broker,
    elect,
    exported,
    topic,
)


def test_a_cluster_is_shown_in_kafkas_names() -> None:
    one = exported()
    one.readers.poller.poll()
    one.follow(4)
    shown = one.series()
    assert shown[f"{CONTROLLER}activecontrollercount"] == 1
    assert shown[f"{CONTROLLER}activebrokercount"] == 1
    assert shown[f"{CONTROLLER}fencedbrokercount"] == 1
    assert shown[f"{CONTROLLER}globaltopiccount"] == 1
    assert shown[f"{CONTROLLER}globalpartitioncount"] == 3
    assert shown[f"{CONTROLLER}offlinepartitionscount"] == 1
    assert shown[f"{CONTROLLER}preferredreplicaimbalancecount"] == 1
    assert shown[f"{CONTROLLER}lastappliedrecordoffset"] == 7
    assert shown["kafka_server_replicamanager_underreplicatedpartitions"] == 1
    assert shown["kafka_server_metadataloader_currentmetadataversion"] == 29
    assert shown['kafka_server_metadataloader_finalizedlevel{featurename="metadataVersion"}'] == 29
    assert shown[f"{RAFT}current_leader"] == 1
    assert shown[f"{RAFT}current_epoch"] == 1
    assert shown[f"{RAFT}high_watermark"] == 8
    assert shown[f"{RAFT}number_of_voters"] == 3
    assert shown[f'{RAFT}current_state_info{{node="1",current_state="leader"}}'] == 1
    assert shown['metaquorum_quorum_info{cluster_id="CLUSTER"}'] == 1
    assert shown['metaquorum_exporter_source_up{source="log"}'] == 1
    assert shown["metaquorum_log_lag_offsets"] == 0


def test_nothing_is_shown_that_is_not_known() -> None:
    one = exported()
    shown = one.series()
    assert f"{CONTROLLER}activebrokercount" not in shown
    assert shown[f"{RAFT}current_leader"] == -1
    assert shown['metaquorum_exporter_source_failing{source="log",reason="not-yet"}'] == 1
    assert not one.exporter.health().readyz().is_well
    assert one.exporter.health().livez().is_well


def test_topics_have_series_of_their_own_by_choice_only() -> None:
    for per_topic in (False, True):
        one = exported(per_topic=per_topic)
        one.follow(4)
        shown = one.series()
        assert ('metaquorum_topic_partitions{topic="a"}' in shown) == per_topic
    assert shown['metaquorum_topic_offline_partitions{topic="a"}'] == 1
    assert shown['metaquorum_topic_under_replicated_partitions{topic="a"}'] == 1
    assert shown["metaquorum_exporter_topics_left_out"] == 0


def test_events_count_from_when_the_log_was_read_once() -> None:
    one = exported()
    one.follow(4)
    assert one.series()['metaquorum_cluster_changes_total{kind="topic-creation"}'] == 0
    append(one, data_batch(8, 1, *topic("b", [1, 2])), data_batch(10, 1, NOOP))
    one.follow(3)
    shown = one.series()
    assert shown['metaquorum_cluster_changes_total{kind="topic-creation"}'] == 1
    assert shown["metaquorum_log_records_total"] == 3
    assert shown[f"{CONTROLLER}globaltopiccount"] == 2


def test_another_leader_is_followed_and_counted() -> None:
    one = exported()
    one.follow(4)
    elect(one, 2, epoch=2)
    one.follow(6)
    one.readers.poller.poll()
    shown = one.series()
    assert shown[f"{RAFT}current_leader"] == 2
    assert shown[f"{RAFT}current_epoch"] == 2
    assert shown["metaquorum_quorum_leader_changes_total"] == 1
    assert shown[f"{CONTROLLER}globalpartitioncount"] == 3
    assert not one.events("log-begun-anew")


def up(one: Exported) -> None:
    for node in one.quorum.controllers.values():
        node.up = True


def test_a_lost_network_is_told_once_and_survived() -> None:
    one = exported()
    one.follow(4)
    one.readers.poller.poll()
    for node in one.quorum.controllers.values():
        node.up = False
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="no-answer"}'] == 1
    lost_for = len(one.quorum.opened) + 80  # some 40 s
    append(one, data_batch(8, 1, *topic("b", [1, 2])))
    one.quorum.at_open = lambda count: up(one) if count == lost_for else None
    one.follow(4)
    assert len(one.events("source-fails")) == 2
    assert "no-leader" in one.events("source-fails")[1]
    shown = one.series()
    assert shown['metaquorum_exporter_source_up{source="log"}'] == 1
    assert shown['metaquorum_exporter_source_failures_total{source="log",reason="no-leader"}'] >= 1
    assert shown[f"{CONTROLLER}globaltopiccount"] == 2
    assert not one.events("log-begun-anew")


def test_a_leader_that_answers_nobody_is_no_leader() -> None:
    one = exported()
    one.readers.poller.poll()
    one.follow(4)
    for node in one.quorum.controllers.values():
        node.up = False
    one.readers.poller.poll()
    follower = one.readers.follower
    one.readers.stopping.set()
    follower._stopped = False
    follower.run()
    shown = one.series()
    assert shown[f"{RAFT}current_leader"] == -1
    assert shown[f"{CONTROLLER}activecontrollercount"] == 0
    assert shown[f"{RAFT}current_epoch"] == 1
    assert shown['metaquorum_exporter_source_age_ms{source="quorum"}'] >= 10_000


def test_controllers_that_answer_without_a_leader_are_told_apart() -> None:
    one = exported()
    one.readers.poller.poll()
    for node in one.quorum.controllers.values():
        node.leader_id = -1
    one.quorum[1].up = False
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="no-leader"}'] == 1


def test_an_expired_certificate_is_told_until_it_is_renewed() -> None:
    one = exported()
    expired = CertificateRefused("c1:9001: its certificate is not good: certificate has expired")
    one.quorum.refused_opens = [expired] * 5  # one poll asks all three, the log asks one at a time
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="certificate"}'] == 1
    one.follow(4)
    told = one.events("source-fails")
    assert len(told) == 2  # one line for each source, though the log failed twice
    assert all("certificate has expired" in line for line in told)
    shown = one.series()
    assert (
        shown['metaquorum_exporter_source_failures_total{source="log",reason="certificate"}'] == 2
    )
    assert shown[f"{CONTROLLER}globaltopiccount"] == 1
    one.readers.poller.poll()
    assert one.series()['metaquorum_exporter_source_up{source="quorum"}'] == 1


def test_one_bad_certificate_does_not_hide_the_other_controllers() -> None:
    one = exported()

    def refuse(count: int) -> None:
        if one.quorum.opened[-1] == ("c3", 9003):
            raise CertificateRefused("c3:9003: its certificate is not good")

    one.quorum.at_open = refuse
    for node in one.quorum.controllers.values():
        node.leader_id = 2
    one.readers.follower.bootstrap = [("c3", 9003), ("c1", 9001)]
    one.follow(4)
    assert one.series()[f"{CONTROLLER}globaltopiccount"] == 1


def refuse_at(one: Exported, *places: tuple[str, int]) -> None:
    """Certificates at these places are not good."""

    def refuse(count: int) -> None:
        host, port = one.quorum.opened[-1]
        if (host, port) in places:
            raise CertificateRefused(f"{host}:{port}: certificate has expired")

    one.quorum.at_open = refuse


def test_a_question_goes_on_past_a_bad_certificate() -> None:
    one = exported()
    for node in one.quorum.controllers.values():
        node.leader_id = 2
    refuse_at(one, ("c1", 9001))
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_up{source="quorum"}'] == 1
    assert shown[f"{RAFT}current_leader"] == 2


def test_a_leader_with_a_bad_certificate_is_told_as_one() -> None:
    one = exported()
    refuse_at(one, ("c1", 9001))
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="certificate"}'] == 1
    assert "c1:9001: certificate has expired" in one.events("source-fails")[0]


def test_a_bad_certificate_does_not_hide_that_nobody_leads() -> None:
    one = exported()
    for node in one.quorum.controllers.values():
        node.leader_id = -1
    refuse_at(one, ("c1", 9001))
    one.readers.poller.poll()
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="no-leader"}'] == 1


def test_bad_certificates_everywhere_are_told_at_once() -> None:
    one = exported()
    refuse_at(one, *one.quorum.addresses)
    began_s = one.quorum.now_s
    one.readers.poller.poll()
    assert len(one.quorum.opened) == 3
    assert one.quorum.now_s - began_s < 1
    shown = one.series()
    assert shown['metaquorum_exporter_source_failing{source="quorum",reason="certificate"}'] == 1


def test_a_record_that_cannot_be_read_is_told_and_quorum_shown() -> None:
    one = exported(1, log=[*LOG, data_batch(8, 1, b"\x01\xff\x7f\x00")])
    one.quorum[1].high_watermark = 9
    one.readers.stopping.set()
    one.readers.follower.run()
    one.readers.poller.poll()
    assert "unreadable" in one.events("source-fails")[0]
    shown = one.series()
    assert shown['metaquorum_exporter_source_up{source="log"}'] == 0
    assert shown[f"{RAFT}current_leader"] == 1


SNAPSHOT_VALUES = [
    feature("metadata.version", 29),
    *topic("s", [1, 2], [2]),
    broker(1, fenced=False),
]


def with_snapshot(one: Exported, end: int = 20, epoch: int = 1) -> None:
    """The log is gone below ``end``, and a snapshot holds the rest."""
    name = OffsetAndEpoch(epoch, end)
    data = b"".join(
        snapshot_batches(
            epoch=epoch,
            timestamp_ms=TIME_MS,
            last_contained_ms=TIME_MS - 5_000,
            controls=[],
            values=iter(SNAPSHOT_VALUES),
        )
    )
    for node in one.quorum.controllers.values():
        node.log, node.high_watermark = [data_batch(end, 1, NOOP)], end + 1
        node.snapshot = (name, data)


def test_a_snapshot_is_loaded_and_its_age_is_told() -> None:
    one = exported()
    one.quorum.chunk_bytes = 10_000
    with_snapshot(one)
    one.readers.poller.poll()
    one.follow(6)
    shown = one.series()
    assert shown[f"{CONTROLLER}globalpartitioncount"] == 2
    assert shown[f"{CONTROLLER}preferredreplicaimbalancecount"] == 1
    assert shown["kafka_server_replicamanager_underreplicatedpartitions"] == 1
    assert shown["metaquorum_log_snapshots_loaded_total"] == 1
    assert shown["metaquorum_log_snapshot_end_offset"] == 20
    assert shown["metaquorum_log_snapshot_lag_offsets"] == 1
    assert shown["metaquorum_log_start_offset"] == 20


def test_a_snapshot_that_passes_the_reader_replaces_its_state() -> None:
    one = exported(per_topic=True)
    one.quorum.chunk_bytes = 10_000
    one.follow(4)
    with_snapshot(one)
    one.follow(6)
    shown = one.series()
    assert 'metaquorum_topic_partitions{topic="a"}' not in shown
    assert shown['metaquorum_topic_partitions{topic="s"}'] == 2
    assert shown[f"{CONTROLLER}globaltopiccount"] == 1


@pytest.mark.parametrize("silent", [0, 1])
def test_a_voter_that_does_not_answer_is_counted(silent: int) -> None:
    one = exported()
    one.quorum[3].up = not silent
    one.readers.poller.poll()
    shown = one.series()
    assert shown["metaquorum_quorum_voters_silent"] == silent
    assert shown["metaquorum_quorum_voters_behind"] == silent
    assert (
        shown['metaquorum_quorum_replica_since_fetch_ms{node="3",role="voter"}'] == 60_000 * silent
    )
    assert shown['metaquorum_quorum_replica_lag_offsets{node="3",role="voter"}'] == 0
