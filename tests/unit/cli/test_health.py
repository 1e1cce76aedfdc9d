"""``metaquorum health``: the rules, the forms of the answer, exit codes, and the time limit."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from metaquorum.cli import health as command
from metaquorum.cli.health import EXIT_NOT_KNOWN, EXIT_UNWELL, in_time
from metaquorum.cli.main import run
from metaquorum.client.health_rules import (
    Verdict,
    node_ready,
    node_safe_to_restart,
    quorum_ready,
)
from metaquorum.client.quorum_question import QuorumQuestion
from metaquorum.client.quorum_view import QuorumView, ReplicaRow, replicas_of

NOW_MS = 1_000_000
MAX_BEHIND_MS = 5_000


def row(node: int, behind_ms: int | None, end: int = 100, directory: int = 1) -> ReplicaRow:
    caught_up = -1 if behind_ms is None else NOW_MS - behind_ms
    return ReplicaRow(node, bytes([directory] * 16), end, NOW_MS, caught_up)


def view(*voters: ReplicaRow, observers: tuple[ReplicaRow, ...] = ()) -> QuorumView:
    """A quorum that node 1 leads in epoch 5."""
    return QuorumView("CLUSTER", 1, 5, 90, voters, observers, {})


def verdicts(quorum: QuorumView, node: int) -> tuple[bool, bool, bool]:
    """Ready, the node ready, the node safe to restart."""
    replicas = replicas_of(quorum, MAX_BEHIND_MS)
    return (
        quorum_ready(quorum, replicas).is_well,
        node_ready(quorum, replicas, node).is_well,
        node_safe_to_restart(quorum, replicas, node).is_well,
    )


LEADER = row(1, 0)
CASES = {
    "one voter can never be spared": (view(LEADER), 1, (True, True, False)),
    "of three that are caught up the leader can": (
        view(LEADER, row(2, 200), row(3, 300)),
        1,
        (True, True, True),
    ),
    "of three with one behind no other can": (
        view(LEADER, row(2, 200), row(3, 9_000)),
        2,
        (True, True, False),
    ),
    "of three with one behind that one can": (
        view(LEADER, row(2, 200), row(3, 9_000)),
        3,
        (True, False, True),
    ),
    "of three with two behind nothing commits": (
        view(LEADER, row(2, 9_000), row(3, 9_000)),
        1,
        (False, True, False),
    ),
    "one that was never caught up is behind": (
        view(LEADER, row(2, 0), row(3, None, end=-1)),
        3,
        (True, False, True),
    ),
    "two voters need each other": (view(LEADER, row(2, 0)), 2, (True, True, False)),
    "of four with one behind none of the three can": (
        view(LEADER, row(2, 0), row(3, 0), row(4, None)),
        2,
        (True, True, False),
    ),
    "of five with one behind another can": (
        view(LEADER, row(2, 0), row(3, 0), row(4, 0), row(5, None)),
        2,
        (True, True, True),
    ),
    "an observer can always": (
        view(LEADER, row(2, 9_000), observers=(row(7, 100),)),
        7,
        (False, True, True),
    ),
    "an observer that is behind is not ready": (
        view(LEADER, observers=(row(7, 9_000),)),
        7,
        (True, False, True),
    ),
    "a node that nobody knows is neither": (view(LEADER, row(2, 0)), 9, (True, False, False)),
    "at the limit is caught up": (
        view(LEADER, row(2, MAX_BEHIND_MS), row(3, MAX_BEHIND_MS + 1)),
        2,
        (True, True, False),
    ),
    "the directory that a node came back without does not count for it": (
        view(LEADER, row(2, 0), row(3, None), observers=(row(3, 0, directory=2),)),
        3,
        (True, True, True),
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_quorum_and_its_nodes_are_judged(case: str) -> None:
    quorum, node, expected = CASES[case]
    assert verdicts(quorum, node) == expected


def test_without_times_a_replica_with_all_records_is_caught_up() -> None:
    voters = [ReplicaRow(one, bytes(16), end) for one, end in ((1, 100), (2, 100), (3, 99))]
    replicas = replicas_of(view(*voters), MAX_BEHIND_MS)
    assert [one.is_caught_up for one in replicas] == [True, True, False]


def test_reasons_name_the_replicas_that_are_behind() -> None:
    quorum = view(LEADER, row(2, 9_000, end=58), row(3, None, end=-1))
    replicas = replicas_of(quorum, MAX_BEHIND_MS)
    assert quorum_ready(quorum, replicas).reason == (
        "node 1 leads epoch 5, 1 of 3 voters are caught up, 2 are needed: follower 2 is behind by "
        "42 records, for 9.0 s; follower 3 has not been caught up since its leader leads"
    )


def ask(monkeypatch: pytest.MonkeyPatch, quorum: QuorumView, *more: str) -> int:
    monkeypatch.setattr(QuorumQuestion, "answer", lambda self: quorum)
    return run(["health", "--bootstrap-controller", "a:9093", *more])


def test_the_answer_is_a_line_its_notes_and_a_table(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(monkeypatch, view(LEADER, row(2, 200), row(3, 9_000, end=58))) == 0
    assert capsys.readouterr().out == (
        "ready: yes: node 1 leads epoch 5, 2 of 3 voters are caught up\n"
        "note: follower 3 is behind by 42 records, for 9.0 s\n"
        "NodeId  Status    Lag  BehindMs  CaughtUp\n"
        "1       leader    0    0         yes\n"
        "2       follower  0    200       yes\n"
        "3       follower  42   9000      no\n"
    )


def test_a_no_is_exit_code_one_and_json_has_the_same_words(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    quorum = view(LEADER, row(2, 9_000))
    assert ask(monkeypatch, quorum, "--node", "2", "--ready", "-o", "json") == EXIT_UNWELL
    found = json.loads(capsys.readouterr().out)
    assert (found["question"], found["node"], found["well"]) == ("ready", 2, False)
    assert found["reason"].startswith("follower 2 is behind")
    assert [one["caughtUp"] for one in found["replicas"]] == [True, False]


def test_what_cannot_be_asked_together_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    whom = ["health", "--bootstrap-controller", "a:1,b:2"]
    for more, why in (
        (["--live"], "give its address alone"),
        (["--live", "--node", "1"], "without --node"),
        (["--safe-to-restart"], "needs --node"),
    ):
        assert run([*whom, *more]) == 1
        assert why in capsys.readouterr().err


@contextmanager
def silent_server() -> Iterator[int]:
    """Takes connections and never answers."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


@pytest.mark.parametrize(("more", "code"), [([], EXIT_NOT_KNOWN), (["--live"], EXIT_UNWELL)])
def test_a_server_that_says_nothing_is_given_up(
    more: list[str], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    with silent_server() as port:
        whom = ["health", "--bootstrap-controller", f"127.0.0.1:{port}", "--timeout", "0.05"]
        assert run([*whom, *more]) == code
    assert "no answer" in capsys.readouterr().out


def test_nobody_at_the_address_is_not_live(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    assert run(["health", "--bootstrap-controller", f"127.0.0.1:{port}", "--live"]) == EXIT_UNWELL
    assert "Connection refused" in capsys.readouterr().out


def test_work_that_does_not_end_holds_nobody_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(command, "GRACE_S", 0.0)
    ends = threading.Event()

    def never() -> command.Report:
        ends.wait()
        return command.Report(Verdict("ready", True, ""))

    assert in_time(never, 0.01) == (None, "no answer within 0.01 s")
    ends.set()
