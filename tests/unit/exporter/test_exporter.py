"""The exporter beside a quorum that changes: what it shows, what it says, and that it goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.client.connection import CertificateRefused
from metaquorum.exporter.followed_log import FollowedLog
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.testing.every_record import uuid
from tests.unit.client.fake_quorum import (
    NOOP,
    TIME_MS,
    FakeQuorum,
    data_batch,
    feature,
    leader_change,
)
from tests.unit.exporter.exported_quorum import Exported, record

CONTROLLER = "kafka_controller_kafkacontroller_"
RAFT = "kafka_server_raft_metrics_"


def topic(name: str, *isrs: list[int]) -> list[bytes]:
    """Records of a topic with a partition for each of these ISRs."""
    return [
        record("Topic", name=name, topic_id=uuid(name)),
        *(
            record(
                "Partition",
                2,
                partition_id=number,
                topic_id=uuid(name),
                replicas=[1, 2],
                isr=isr,
                leader=isr[0] if isr else -1,
                directories=[],
            )
            for number, isr in enumerate(isrs)
        ),
    ]


def broker(broker_id: int, *, fenced: bool) -> bytes:
    return record("RegisterBroker", 0, broker_id=broker_id, broker_epoch=5, fenced=fenced)


LOG = [
    leader_change(0, 1, 1),
    data_batch(1, 1, feature("metadata.version", 29), *topic("a", [1, 2], [1], [])),
    data_batch(6, 1, broker(1, fenced=False), broker(2, fenced=True)),
]


def exported(count: int = 3, log: list[bytes] | None = None, **more: Any) -> Exported:
    whole = LOG if log is None else log
    quorum = FakeQuorum.of(count, high_watermark=8)
    for node in quorum.controllers.values():
        node.log = list(whole)
    return Exported(quorum, **more)


def append(one: Exported, *batches: bytes) -> None:
    """Every node has these batches, and they are committed."""
    for node in one.quorum.controllers.values():
        node.log.extend(batches)
        node.high_watermark = node.log_end


def elect(one: Exported, node_id: int, epoch: int) -> None:
    """Another leader, which has written the first batch of its epoch."""
    for node in one.quorum.controllers.values():
        node.leader_id, node.epoch = node_id, epoch
    append(one, leader_change(one.quorum[1].log_end, epoch, node_id))


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


def test_logs_begun_anew_are_counted_from_zero() -> None:
    shown = exported().series()
    for why in ("another-cluster", "log-lost", "unreadable"):
        assert shown[f'metaquorum_exporter_log_begun_anew_total{{why="{why}"}}'] == 0


def test_a_cluster_of_another_id_is_read_from_its_beginning() -> None:
    one = exported()
    one.readers.poller.poll()
    one.follow(4)
    new = [leader_change(0, 1, 1), data_batch(1, 1, feature("metadata.version", 30))]
    for node in one.quorum.controllers.values():
        node.log, node.high_watermark = list(new), 2
    one.quorum.cluster_id = "ANOTHER"
    one.readers.poller.poll()
    one.follow(4)
    shown = one.series()
    assert shown['metaquorum_quorum_info{cluster_id="ANOTHER"}'] == 1
    assert shown[f"{CONTROLLER}globaltopiccount"] == 0
    assert shown["kafka_server_metadataloader_currentmetadataversion"] == 30
    assert shown['metaquorum_exporter_log_begun_anew_total{why="another-cluster"}'] == 1
    assert len(one.events("cluster-changed")) == 1


def other_cluster(one: Exported) -> None:
    """Another cluster answers, and the poller asks it."""
    for node in one.quorum.controllers.values():
        node.log, node.high_watermark = [leader_change(0, 1, 1), data_batch(1, 1, NOOP)], 2
    one.quorum.cluster_id = "ANOTHER"
    one.readers.poller.poll()


def test_another_cluster_is_told_though_its_log_fails_first() -> None:
    """The poller hears of it while the follower waits for the answer that its log is lost."""
    one = exported()
    one.readers.poller.poll()
    one.follow(4)
    one.quorum.before[len(one.quorum.requests) + 3] = lambda: other_cluster(one)
    one.follow(12)
    shown = one.series()
    assert shown['metaquorum_exporter_log_begun_anew_total{why="another-cluster"}'] == 1
    assert shown['metaquorum_exporter_log_begun_anew_total{why="log-lost"}'] == 0
    assert shown[f"{CONTROLLER}globaltopiccount"] == 0


class Cleared(FollowedLog):
    """Something happens while the state is forgotten."""

    meanwhile: ClassVar[list[Callable[[], None]]] = []

    def cleared(self) -> Iterator[None]:
        yield from super().cleared()
        while self.meanwhile:
            self.meanwhile.pop()()


def test_another_cluster_is_told_amid_a_lost_log() -> None:
    one = Exported(exported().quorum, log=Cleared(1))
    one.readers.poller.poll()
    one.follow(4)
    formed_again(one, 0)
    Cleared.meanwhile.append(lambda: other_cluster(one))
    one.follow(20)
    shown = one.series()
    assert shown['metaquorum_exporter_log_begun_anew_total{why="another-cluster"}'] == 1
    assert shown['metaquorum_exporter_log_begun_anew_total{why="log-lost"}'] == 1


def formed_again(one: Exported, records: int) -> None:
    """The same id, and a log that begins anew, longer or shorter than what was read."""
    more = [data_batch(2 + number, 1, NOOP) for number in range(records)]
    for node in one.quorum.controllers.values():
        node.log = [
            leader_change(0, 1, 1),
            data_batch(1, 1, feature("metadata.version", 30)),
            *more,
        ]
        node.high_watermark, node.epoch = node.log_end, 1


@pytest.mark.parametrize("records", [0, 20])
def test_a_log_of_the_same_id_that_begins_anew_is_read_anew(records: int) -> None:
    one = exported()
    elect(one, 1, epoch=7)
    one.readers.poller.poll()
    one.follow(5)
    formed_again(one, records)
    one.follow(60)
    one.readers.poller.poll()
    shown = one.series()
    assert shown[f"{RAFT}current_epoch"] == 1
    assert shown[f"{CONTROLLER}globaltopiccount"] == 0
    assert shown['metaquorum_exporter_log_begun_anew_total{why="log-lost"}'] == 1
    assert len(one.events("source-fails")) == 1


def test_a_leader_of_the_past_is_not_believed_at_once() -> None:
    one = exported()
    elect(one, 1, epoch=7)
    one.follow(5)
    before = [list(node.log) for node in one.quorum.controllers.values()]
    formed_again(one, 0)

    def back() -> None:
        for node, log in zip(one.quorum.controllers.values(), before, strict=True):
            node.log, node.epoch, node.high_watermark = log, 7, 9

    one.quorum.before[len(one.quorum.requests) + 8] = back
    one.follow(20)
    shown = one.series()
    assert shown['metaquorum_exporter_source_failures_total{source="log",reason="log-lost"}'] >= 1
    assert shown[f"{CONTROLLER}globaltopiccount"] == 1
    assert not one.events("log-begun-anew")


def test_a_log_that_lost_what_was_read_is_read_anew() -> None:
    one = exported(1)
    one.follow(4)
    one.quorum[1].log = [*LOG[:2], leader_change(6, 2, 1)]
    one.quorum[1].epoch, one.quorum[1].high_watermark = 2, 7
    one.follow(8)
    assert "log-lost" in one.events("source-fails")[0]
    shown = one.series()
    assert shown[f"{CONTROLLER}activebrokercount"] == 0
    assert shown[f"{CONTROLLER}globaltopiccount"] == 1
    assert shown['metaquorum_exporter_log_begun_anew_total{why="log-lost"}'] == 1


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
