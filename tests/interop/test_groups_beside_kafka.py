"""The same seeded requests about groups to a broker of Kafka's and to a node of ours: same answers.

Kafka's broker is told what ours holds anyway: no live migration of groups, no pause between
assignments.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.describe_groups_request import DescribeGroupsRequest
from metaquorum.wire.generated.find_coordinator_request import FindCoordinatorRequest
from tests.interop.group_play import Side, play
from tests.interop.one_broker import one_broker
from tests.interop.readers import TOPIC
from tools.kafka import JavaHelper
from tools.kafka.ports import LOOPBACK
from tools.own_node import OwnNode

FIND_COORDINATOR, DESCRIBE_GROUPS = 10, 15
READY_S = 60.0
THEIR_TOPIC = "play"
STEPS = 80


@pytest.fixture(scope="module")
def ports(tmp_path_factory: pytest.TempPathFactory, java: JavaHelper) -> Iterator[tuple[int, int]]:
    """Of the broker and of our node; both coordinate groups."""
    broker, port = one_broker(
        tmp_path_factory.mktemp("kafka"),
        java,
        group_initial_rebalance_delay_ms="0",
        group_consumer_migration_policy="disabled",
        group_consumer_assignment_interval_ms="0",
        offsets_topic_num_partitions="1",
    )
    ours = OwnNode(
        tmp_path_factory.mktemp("own"),
        {"metaquorum.groups.enable": "true", "group.initial.rebalance.delay.ms": "0"},
    )
    ours.format()
    try:
        broker.start()
        ours.start()
        ours.wait_ready()
        broker.wait_ready()
        made = java.tool(
            "topics",
            *("--bootstrap-server", f"{LOOPBACK}:{port}", "--create"),
            *("--topic", THEIR_TOPIC, "--partitions", "1"),
        )
        assert made.exit_code == 0, made.stderr
        for one in (port, ours.port):
            _wait_for_coordinator(one)
        yield port, ours.port
    finally:
        ours.kill()
        broker.kill()


def _wait_for_coordinator(port: int) -> None:
    """Until groups are served: a coordinator is found before it has loaded its partition."""
    ends = time.monotonic() + READY_S
    with Connection.open(LOOPBACK, port) as connection:
        found = FindCoordinatorRequest(coordinator_keys=["a"])
        described = DescribeGroupsRequest(["a"])
        while True:
            (row,) = connection.ask(FIND_COORDINATOR, 4, found).coordinators
            code = row.error_code
            if code == error_codes.NONE:
                (group,) = connection.ask(DESCRIBE_GROUPS, 6, described).groups
                code = group.error_code
            if code == error_codes.GROUP_ID_NOT_FOUND:
                return
            assert time.monotonic() < ends, error_codes.NAMES[code]
            time.sleep(0.1)


@pytest.mark.parametrize("seed", range(12))
def test_both_answer_alike(seed: int, ports: tuple[int, int]) -> None:
    theirs_at, ours_at = ports
    with (
        Connection.open(LOOPBACK, theirs_at) as one,
        Connection.open(LOOPBACK, ours_at) as other,
    ):
        theirs, ours = Side(one, THEIR_TOPIC), Side(other, TOPIC)
        try:
            for number, step in enumerate(play(seed, STEPS)):
                assert ours.run(step) == theirs.run(step), f"step {number}: {step}"
        finally:
            theirs.end()
            ours.end()


def test_a_play_makes_groups_of_both_kinds_and_is_refused_much(ports: tuple[int, int]) -> None:
    with Connection.open(LOOPBACK, ports[1]) as connection:
        side = Side(connection, TOPIC)
        answers = [side.run(step) for seed in range(4) for step in play(seed, STEPS)]
        side.end()
    told = str(answers)
    assert "'classic'" in told and "'Stable'" in told and "[[0]]" in told
    codes = {code for answer in answers for code in _codes(answer)}
    assert {0, 22, 23, 25, 26, 42, 68, 69, 110} <= codes


def _codes(answer: Any) -> list[int]:
    """The error codes in one answer."""
    if isinstance(answer, int):
        return [answer]
    if isinstance(answer, tuple):
        return [answer[0]]
    return [one for one in answer if isinstance(one, int)]
