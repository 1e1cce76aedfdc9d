"""Quorums of our nodes and Kafka's controllers, led by either side, through failures of leaders.

Every scenario runs under writes without a pause. ``end`` holds logs, states, answers and Kafka's
own log lines against each other (decision 160).
"""

from __future__ import annotations

import pytest

from tests.interop.mixed.conftest import Form
from tools.mixed.node import KAFKA, KAFKA_3, OURS
from tools.mixed.quorum import MixedQuorum


def test_one_of_ours_votes_among_two_of_kafkas(form: Form) -> None:
    with form(OURS, KAFKA, KAFKA) as quorum:
        quorum.written(30)
        assert quorum.end() == []


def test_two_of_ours_vote_with_one_of_kafkas(form: Form) -> None:
    with form(OURS, OURS, KAFKA) as quorum:
        quorum.written(30)
        assert quorum.end() == []


def test_our_node_takes_over_kafkas_log_and_leads_two_of_kafkas(form: Form) -> None:
    with form(OURS, KAFKA, KAFKA) as quorum:
        quorum.lead_by(quorum.of(KAFKA))
        quorum.written(20)
        ours = quorum.lead_by(quorum.of(OURS))
        quorum.written(30)
        assert quorum.leader() == ours
        assert quorum.end() == []


def test_kafkas_controller_takes_over_our_log_and_leads_two_of_ours(
    form: Form,
) -> None:
    with form(OURS, OURS, KAFKA) as quorum:
        quorum.lead_by(quorum.of(OURS))
        quorum.written(20)
        kafkas = quorum.lead_by(quorum.of(KAFKA))
        quorum.written(30)
        assert quorum.leader() == kafkas
        assert quorum.end() == []


def fail_over(quorum: MixedQuorum, leader: int, *, pause: bool) -> None:
    """Take a leader away, write, give it back, write."""
    node = quorum.nodes[leader]
    if pause:
        node.pause()
    else:
        node.kill()
    assert quorum.wait_led(quorum.others(leader)) != leader
    quorum.written()
    if pause:
        node.resume()
    else:
        node.start()
    quorum.caught_up(leader)
    quorum.written()


def test_a_leader_of_either_side_is_killed(form: Form) -> None:
    with form(OURS, KAFKA, KAFKA) as quorum:
        for kind in (OURS, KAFKA):
            fail_over(quorum, quorum.lead_by(quorum.of(kind)), pause=False)
        assert quorum.end() == []


def test_a_leader_of_either_side_is_paused_and_goes_on(form: Form) -> None:
    with form(OURS, OURS, KAFKA) as quorum:
        for kind in (OURS, KAFKA):
            fail_over(quorum, quorum.lead_by(quorum.of(kind)), pause=True)
        assert quorum.end() == []


def test_a_controller_of_3_9_votes_and_leads_among_ours(form: Form) -> None:
    with form(OURS, OURS, KAFKA_3) as quorum:
        quorum.lead_by(quorum.of(KAFKA_3))
        quorum.written(20)
        fail_over(quorum, quorum.lead_by(quorum.of(OURS)), pause=False)
        fail_over(quorum, quorum.lead_by(quorum.of(KAFKA_3)), pause=False)
        assert quorum.end() == []


def has_groups(quorum: MixedQuorum) -> bool:
    """Whether any node of ours ever led the partition of groups, as the nodes' lines tell."""
    logs = (log for node in quorum.nodes.values() for log in node.logs_of_ours)
    lines = (line for log in logs for line in log.read_text().splitlines())
    return any("partition=__consumer_offsets-0" in one and "after=Leader" in one for one in lines)


@pytest.mark.soak
def test_all_three_are_swapped_from_kafka_to_ours_and_back_one_by_one(form: Form) -> None:
    """Once all are ours there are groups, whose directories Kafka's then leave as they are."""
    with form(KAFKA, KAFKA, KAFKA) as quorum:
        for kind in (OURS, KAFKA):
            for node_id, node in quorum.nodes.items():
                quorum.written()
                node.stop()
                assert kind is KAFKA or not has_groups(quorum)
                node.start(kind)
                quorum.caught_up(node_id)
            assert quorum.of(kind) == [1, 2, 3]
            quorum.until(lambda: has_groups(quorum), "a node leads the groups")
            quorum.written(20)
        assert quorum.end() == []
