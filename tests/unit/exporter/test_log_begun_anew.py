"""What the exporter says when the log that it reads is another one, and that it reads that."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import ClassVar

import pytest

from metaquorum.exporter.followed_log import FollowedLog
from tests.unit.client.fake_quorum import NOOP, data_batch, feature, leader_change
from tests.unit.exporter.exported_quorum import Exported
from tests.unit.exporter.small_cluster import CONTROLLER, LOG, RAFT, elect, exported


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
