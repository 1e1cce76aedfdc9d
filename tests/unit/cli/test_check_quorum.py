"""``check quorum``: what is gathered of a quorum in memory, the rules, and what is printed."""

from __future__ import annotations

import json
from typing import Any

import pytest

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli import check_quorum as module
from metaquorum.cli.check_quorum import QuorumCheck
from metaquorum.cli.check_quorum_rules import (
    MAX_LOG_BYTES_BEHIND_SNAPSHOT,
    BrokerSeen,
    LogSeen,
    QuorumFacts,
    QuorumFinding,
    VoterSeen,
    findings,
)
from metaquorum.cli.main import run
from metaquorum.client.quorum_view import QuorumView, ReplicaRow, replicas_of
from metaquorum.config.listeners import HostPort
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
from tests.unit.exporter.exported_quorum import record

HOUR_MS = 3_600_000
NOW_MS = 1_000_000
DOES = {"metadata.version": (7, 30), "kraft.version": (0, 1)}
USES = {"metadata.version": 27, "kraft.version": 1}


def row(node: int, behind_ms: int | None = 0) -> ReplicaRow:
    caught_up = -1 if behind_ms is None else NOW_MS - behind_ms
    return ReplicaRow(node, bytes(16), 100, NOW_MS, caught_up)


def voter(node: int, **more: Any) -> VoterSeen:
    fields = {"addresses": (f"10.0.0.{node}",), "supported": DOES, **more}
    return VoterSeen(node, (f"c{node}", 9093), **fields)


def log(**more: Any) -> LogSeen:
    return LogSeen(**{
        "start": 0, "end": 100, "first_ms": TIME_MS, "last_ms": TIME_MS,
        "bytes_behind_snapshot": 0, **more,
    })  # fmt: skip


def facts(*voters: VoterSeen, rows: tuple[ReplicaRow, ...] = (), **more: Any) -> QuorumFacts:
    voters = voters or (voter(1), voter(2), voter(3))
    rows = rows or tuple(row(one.node_id) for one in voters)
    observers = more.pop("observers", ())
    view = QuorumView("CLUSTER", 1, 5, 90, rows, observers, {})
    replicas = tuple(replicas_of(view, 5_000))
    return QuorumFacts(view, replicas, voters, **{"finalized": USES, "log": log(), **more})


def found(looked: QuorumFacts) -> list[QuorumFinding]:
    return findings(looked, 2 * HOUR_MS)


def test_a_quorum_that_is_well_has_no_findings() -> None:
    assert found(facts()) == []


CASES: dict[str, tuple[QuorumFacts, str, str, str]] = {
    "a name that does not resolve": (
        facts(voter(1), voter(2), voter(3, unresolved="Name or service not known", supported=None)),
        "bad", "voter 3", "its name c3 does not resolve here: Name or service not known",
    ),
    "a voter that does not answer": (
        facts(voter(1), voter(2), voter(3, silent="c3:9093: refused", supported=None)),
        "bad", "voter 3", "it does not answer at c3:9093: c3:9093: refused",
    ),
    "a voter whose place nobody says": (
        facts(voter(1), voter(2), VoterSeen(3, None)),
        "warning", "voter 3", "no node says where it listens",
    ),
    "two voters at one address": (
        facts(voter(1), voter(2, addresses=("10.0.0.1", "10.0.0.9")), voter(3)),
        "warning", "voters 1, 2", "they share the host 10.0.0.1: it takes them down together",
    ),
    "one voter": (facts(voter(1)), "warning", "voters 1", "there is one voter"),
    "an even number of voters": (
        facts(voter(1), voter(2), voter(3), voter(4)),
        "warning", "voters 1, 2, 3, 4", "4 is an even number of voters: 3 are needed",
    ),
    "a voter that is behind": (
        facts(rows=(row(1), row(2), row(3, 9_000))),
        "bad", "voter 3", "it is behind by 0 records, for 9.0 s",
    ),
    "an observer that never was caught up": (
        facts(observers=(row(101, None),)),
        "warning", "observer 101", "it has not been caught up since its leader leads",
    ),
    "a snapshot that is too old": (
        facts(log=log(last_ms=TIME_MS + 3 * HOUR_MS), snapshot=(50, TIME_MS)),
        "warning", "snapshots", "the latest ends at offset 50, which is 3.0 h older",
    ),
    "no snapshot of an old log": (
        facts(log=log(last_ms=TIME_MS + 3 * HOUR_MS)),
        "warning", "snapshots", "there is none, and the log from offset 0 on is 3.0 h older",
    ),
    "a long log behind the snapshot": (
        facts(log=log(bytes_behind_snapshot=MAX_LOG_BYTES_BEHIND_SNAPSHOT + 1)),
        "warning", "snapshots", "104857601 bytes of log are behind the latest one",
    ),
    "snapshots that the leader does not tell of": (
        facts(snapshot_unknown="nobody named its snapshot"),
        "warning", "snapshots", "the leader does not tell of them: nobody named its snapshot",
    ),
    "partitions with one replica in sync left": (
        facts(log=log(one_in_sync=3, one_in_sync_named=("a-0", "a-1"))),
        "warning", "partitions", "3 have one replica in sync left of several (a-0, a-1 and 1 more)",
    ),
    "partitions without a leader": (
        facts(log=log(offline=1, offline_named=("a-0",))),
        "bad", "partitions", "1 have no leader (a-0)",
    ),
    "partitions below min.insync.replicas": (
        facts(log=log(under_min_in_sync=2)),
        "bad", "partitions", "2 have fewer replicas in sync than min.insync.replicas",
    ),
    "a voter that cannot do a level in use": (
        facts(voter(1), voter(2), voter(3, supported={**DOES, "metadata.version": (7, 26)})),
        "bad", "voter 3", "metadata.version is at level 27, and it can do 7 to 26",
    ),
    "a broker that knows nothing of a feature in use": (
        facts(log=log(brokers=(BrokerSeen(101, {}, is_fenced=False),))),
        "bad", "broker 101", "metadata.version is at level 27, and it can do none of it",
    ),
    "static voters that could be dynamic": (
        facts(finalized={"metadata.version": 27}),
        "advice", "voters 1, 2, 3", "they are static (kraft.version 0), and all of them can do",
    ),
    "a fenced broker": (
        facts(log=log(brokers=(BrokerSeen(101, DOES, is_fenced=True),))),
        "advice", "brokers 101", "they are registered and fenced",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_each_thing_that_would_hurt_is_one_finding(case: str) -> None:
    looked, severity, about, reason = CASES[case]
    (one,) = found(looked)
    assert (one.severity.value, one.about) == (severity, about)
    assert one.reason.startswith(reason) and one.advice


def test_static_voters_stay_so_while_one_cannot_do_more() -> None:
    old = voter(3, supported={"metadata.version": (7, 30)})
    assert found(facts(voter(1), voter(2), old, finalized={"metadata.version": 27})) == []


def test_the_worst_findings_come_first() -> None:
    looked = facts(voter(1), voter(2, silent="no answer", supported=None), finalized={})
    assert [one.severity.value for one in found(looked)] == ["bad", "warning"]


# What is gathered.


def partition(topic: str, number: int, isr: list[int], leader: int) -> bytes:
    return record(
        "Partition", 2, partition_id=number, topic_id=uuid(topic), replicas=[101, 102],
        isr=isr, leader=leader, directories=[],
    )  # fmt: skip


def a_quorum(**same: Any) -> FakeQuorum:
    fields = {"supported": dict(DOES), "finalized": dict(USES), **same}
    quorum = FakeQuorum.of(3, **fields)
    for one in quorum.controllers.values():
        one.log = [
            leader_change(0, 1, 1),
            data_batch(1, 1, feature("metadata.version", 27), record("Topic", name="t",
                topic_id=uuid("t")), partition("t", 0, [101], 101), partition("t", 1, [], -1)),
        ]  # fmt: skip
        one.high_watermark = one.log_end
    return quorum


def checked(quorum: FakeQuorum, **more: Any) -> QuorumCheck:
    return QuorumCheck(
        tuple(HostPort(*one) for one in quorum.addresses),
        5_000,
        5_000,
        open_reader=lambda bootstrap, security, **options: quorum.reader(
            bootstrap=bootstrap, **options
        ),
        open=quorum.open,
        question={"now": lambda: quorum.now_s, "sleep": quorum.sleep},
        **{"resolve": lambda host, port: [f"10.0.0.{host[1:]}"], **more},
    )


def test_voters_log_and_partitions_are_gathered() -> None:
    looked = checked(a_quorum()).facts()
    assert [one.place for one in looked.voters] == [("c1", 9001), ("c2", 9002), ("c3", 9003)]
    assert [one.supported for one in looked.voters] == [DOES] * 3
    assert looked.finalized == USES
    assert (looked.log.start, looked.log.end, looked.snapshot) == (0, 5, None)
    assert (looked.log.one_in_sync, looked.log.one_in_sync_named) == (1, ("t-0",))
    assert (looked.log.offline, looked.log.offline_named) == (1, ("t-1",))


def test_a_voter_that_is_down_or_unknown_by_name_is_told() -> None:
    quorum = a_quorum()
    quorum[2].up = False

    def resolved(host: str, port: int) -> list[str]:
        if host == "c3":
            raise OperatorError("Name or service not known")
        return [host]

    looked = checked(quorum, resolve=resolved).facts()
    assert looked.voters[1].silent == "c2:9002: refused"
    assert looked.voters[2].unresolved == "Name or service not known"
    assert {one.about for one in found(looked)} >= {"voter 2", "voter 3"}


def test_a_snapshot_counts_from_its_last_record_on() -> None:
    quorum = a_quorum()
    name = OffsetAndEpoch(1, 5)
    raw = b"".join(
        snapshot_batches(
            epoch=1, timestamp_ms=TIME_MS, last_contained_ms=TIME_MS - 3 * HOUR_MS,
            controls=[], values=[feature("metadata.version", 27)],
        )
    )  # fmt: skip
    for one in quorum.controllers.values():
        one.snapshot = (name, raw)
        one.log = [data_batch(5, 1, NOOP), data_batch(6, 1, NOOP)]
        one.high_watermark = one.log_end
    looked = checked(quorum).facts()
    assert looked.snapshot == (5, TIME_MS - 3 * HOUR_MS)
    assert looked.log.bytes_behind_snapshot == sum(map(len, quorum[1].log))
    assert [one.about for one in found(looked)] == ["snapshots"]


def test_a_log_that_cannot_be_read_is_said() -> None:
    quorum = a_quorum()
    quorum[1].log[1] = data_batch(1, 1, b"nonsense")
    with pytest.raises(OperatorError, match="the log cannot be read at 1"):
        checked(quorum).facts()


def ask(monkeypatch: pytest.MonkeyPatch, looked: QuorumFacts, *more: str) -> int:
    monkeypatch.setattr(module.QuorumCheck, "facts", lambda self: looked)
    return run(["check", "quorum", "--bootstrap-controller", "a:9093", *more])


def test_findings_are_exit_code_two_and_advice_alone_is_none(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(monkeypatch, facts()) == 0
    assert capsys.readouterr().out.splitlines() == [
        "cluster CLUSTER: node 1 leads epoch 5, offsets 0 to 100 are read",
        "VOTER  LISTENS AT  ADDRESSES  ANSWERS  LAG",
        "1      c1:9093     10.0.0.1   yes      0",
        "2      c2:9093     10.0.0.2   yes      0",
        "3      c3:9093     10.0.0.3   yes      0",
        "all is well",
    ]
    assert ask(monkeypatch, facts(finalized={})) == 0
    assert "advice: voters 1, 2, 3: they are static" in capsys.readouterr().out
    assert ask(monkeypatch, facts(voter(1))) == 2
    assert "1 findings" in capsys.readouterr().out


def test_json_has_the_same_as_one_object(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert ask(monkeypatch, facts(voter(1)), "-o", "json") == 2
    told = json.loads(capsys.readouterr().out)
    assert (told["clusterId"], told["leaderId"], told["logEnd"]) == ("CLUSTER", 1, 100)
    assert told["features"] == USES and [one["id"] for one in told["voters"]] == [1]
    assert [one["severity"] for one in told["findings"]] == ["warning"]


def test_a_quorum_that_nobody_answers_for_is_exit_code_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = ["check", "quorum", "--bootstrap-controller", "127.0.0.1:1", "--timeout", "0.05"]
    assert run(words) == 1
    assert "nobody described the quorum" in capsys.readouterr().err
