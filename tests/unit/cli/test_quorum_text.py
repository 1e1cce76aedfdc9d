"""How a quorum is shown: the same answers were put to Kafka 4.3.1's own tool."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ZERO_UUID, parse_uuid
from metaquorum.cli.quorum_text import replication_lines, status_lines, view_facts
from metaquorum.client.quorum_view import QuorumView, ReplicaRow

DATA = Path(__file__).parent / "data" / "metadata_quorum"
CASES: dict[str, dict[str, Any]] = json.loads((DATA / "cases.json").read_text())


def view(name: str) -> QuorumView:
    case = CASES[name]

    def rows(key: str) -> tuple[ReplicaRow, ...]:
        return tuple(
            ReplicaRow(id, parse_uuid(directory) if directory else ZERO_UUID, *numbers)
            for id, directory, *numbers in case[key]
        )

    return QuorumView(
        cluster_id=case["cluster"],
        leader_id=case["leader"],
        leader_epoch=case["epoch"],
        high_watermark=case["hw"],
        voters=rows("voters"),
        observers=rows("observers"),
        endpoints={
            id: tuple((name, host, port) for name, host, port in listeners)
            for id, listeners in case["nodes"]
        },
    )


def text(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_status_is_kafkas_to_the_byte(name: str) -> None:
    assert text(status_lines(view(name))) == (DATA / f"{name}_status.expected").read_text()


@pytest.mark.parametrize("name", sorted(CASES))
def test_the_table_is_kafkas_to_the_byte(name: str) -> None:
    assert (
        text(replication_lines(view(name))) == (DATA / f"{name}_replication.expected").read_text()
    )


def test_times_are_shown_as_how_long_ago_they_were() -> None:
    quorum = view("normal")
    now_ms = quorum.leader.last_fetch_timestamp_ms + 1_000
    cells = [line.split("\t") for line in replication_lines(quorum, now_ms)]
    assert [(row[4].strip(), row[5].strip()) for row in cells[1:]] == [
        ("1000 ms ago", "1000 ms ago"),
        ("1300 ms ago", "1900 ms ago"),
        ("1020 ms ago", "6000 ms ago"),
        ("1001 ms ago", "1002 ms ago"),
        ("-1", "-1"),
    ]


def test_a_time_that_is_not_yet_is_refused() -> None:
    with pytest.raises(OperatorError, match="set the clocks right"):
        replication_lines(view("normal"), now_ms=1_000)


def test_a_leader_that_is_no_voter_is_refused() -> None:
    from attrs import evolve

    with pytest.raises(OperatorError, match=r"node 9 .* not among the voters \(1, 2, 3\)"):
        status_lines(evolve(view("normal"), leader_id=9))


def test_the_facts_name_every_replica_with_its_role() -> None:
    facts = view_facts(view("normal"))
    assert facts["leaderId"] == 1
    replicas = facts["replicas"]
    assert isinstance(replicas, list)
    assert [(one["id"], one["status"], one["lag"]) for one in replicas] == [
        (1, "leader", 0),
        (2, "follower", 2),
        (3, "follower", 5),
        (100, "observer", 10),
        (101, "observer", 131),
    ]
    assert replicas[1]["endpoints"] == ["CONTROLLER://[::1]:9093", "INTERNAL://h2:1"]
