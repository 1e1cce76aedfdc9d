"""What the screen says when the leader changes, the network is lost, another cluster is formed."""

from __future__ import annotations

from metaquorum.cli.top.band import Span
from metaquorum.cli.top.sight import Sight
from tests.unit.cli.top.watched_quorum import (
    BEGAN_MS,
    CALM,
    Watched,
    broker,
    calm,
    page,
    topic,
    watched,
)


def leaders(seen: Sight) -> list[tuple[int, int]]:
    return [(one.epoch, one.leader_id) for one in seen.spans]


def fail(one: Watched) -> Sight:
    """Try until both readers have given up once, and look."""
    readers = one.watch.readers
    readers.stopping.set()
    readers.follower._stopped = False
    readers.follower.run()
    return one.look()


def test_another_leader_is_in_the_head_the_band_and_the_changes() -> None:
    one = calm()
    one.quorum.sleep(30)
    one.elect(3, 7)
    one.quorum.sleep(10)
    seen = one.read(8)
    assert (seen.leader_id, seen.epoch, seen.has_leader) == (3, 7, True)
    assert seen.leader_since_ms == seen.wall_ms - 10_000
    assert leaders(seen) == [(1, 1), (7, 3)]
    assert seen.changes[0].words == "node 3 leads epoch 7, elected by 3, 3"
    shown = page(seen)
    assert "leader 3, epoch 7, for 10.0 s" in shown
    assert "last 42.0 s: 1 election" in shown
    assert "|e1 node 1 " in shown


def test_a_leader_seen_first_may_have_led_before() -> None:
    one = watched()
    for node in one.quorum.controllers.values():
        node.epoch = 4  # of an election that is not in the log yet
    seen = one.look()
    assert not seen.since_is_exact
    one.quorum.sleep(2)
    assert "leader 1, epoch 4, for at least 2.0 s" in page(one.look())


def test_a_lost_network_is_said_with_its_age_and_reason() -> None:
    one = calm()
    one.quorum.sleep(5)
    one.lose()
    seen = fail(one)
    assert not seen.has_leader
    assert seen.leader_id == 1
    assert not any(row.answers for row in seen.replicas)
    assert [row.words for row in seen.changes] == [row.words for row in calm().read().changes]
    shown = page(seen)
    assert "NO LEADER ANSWERS; the last one was 1, epoch 1" in shown
    assert "CANNOT REACH log: no-leader, " in shown
    assert "quorum: no-answer, " in shown
    assert "c1:9001: refused" in shown
    assert "- records/s" not in shown
    assert not seen.is_whole


def test_the_band_has_the_time_without_a_leader() -> None:
    one = calm()
    one.lose()
    lost = fail(one)
    one.quorum.sleep(30)
    one.look()
    for node in one.quorum.controllers.values():
        node.up = True
    seen = one.read(8)
    assert seen.is_whole
    assert leaders(seen) == [(1, 1), (1, -1), (1, 1)]
    assert seen.spans[1].since_ms == lost.wall_ms
    assert seen.spans[2].since_ms == seen.wall_ms
    assert "...|" in page(seen)


def test_a_gap_ends_when_the_next_leader_wrote_first() -> None:
    one = calm()
    one.lose()
    lost = fail(one)
    one.quorum.sleep(20)
    one.elect(2, 3)
    for node in one.quorum.controllers.values():
        node.up = True
    one.quorum.sleep(15)
    seen = one.read(12)
    assert leaders(seen) == [(1, 1), (1, -1), (3, 2)]
    assert seen.spans[2].since_ms == lost.wall_ms + 20_000
    assert seen.leader_since_ms == lost.wall_ms + 20_000


def test_a_cluster_formed_again_begins_anew_on_the_screen() -> None:
    one = calm()
    for node in one.quorum.controllers.values():
        node.log, node.high_watermark = [], 0
    one.quorum.cluster_id = "ANOTHER-CLUSTER-ID-AAA"
    one.quorum.sleep(10)
    one.elect(2, 1)
    one.commit(*topic("new", ([7], [7])), broker(7))
    one.watch.readers.poller.poll()
    seen = one.read(8)
    assert seen.cluster_id == "ANOTHER-CLUSTER-ID-AAA"
    assert (seen.topics, [row.id for row in seen.brokers]) == (1, [7])
    assert dict(seen.begun_anew) == {"another-cluster": 1}
    assert leaders(seen) == [(1, 2)]
    assert seen.changes[0].words.startswith("broker 7 registered")
    assert "ANOTHER-CLUSTER-ID-AAA" in page(seen)


def test_rates_are_of_the_last_ten_seconds() -> None:
    one = calm()
    for _ in range(20):
        one.quorum.sleep(1)
        one.commit(broker(101), broker(102))
        seen = one.read()
    assert seen.rates.records_per_s is not None
    assert round(seen.rates.records_per_s) == 2
    assert seen.rates.bytes_per_s is not None
    assert seen.rates.bytes_per_s > 100
    one.quorum.sleep(11)
    one.read()
    one.quorum.sleep(11)
    assert one.read().rates.records_per_s == 0


def test_a_silent_voter_is_told_from_one_that_is_behind() -> None:
    one = calm()
    one.quorum[3].up = False
    seen = one.look()
    assert {row.id: row.answers for row in seen.replicas} == {1: True, 2: True, 3: False}
    assert "   3  follower  silent " in page(seen)


def test_a_page_of_a_narrow_terminal_has_its_width() -> None:
    one = watched(CALM)
    assert all(len(line) <= 40 for line in page(one.read(), 40).splitlines())


def test_the_oldest_span_is_the_first_election_of_the_log() -> None:
    assert calm().read().spans[0] == Span(BEGAN_MS, 1, 1)
