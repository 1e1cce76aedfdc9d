"""What ``check quorum`` prints: the voters and the findings, as tables or as one JSON object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from metaquorum.cli.check_quorum_rules import QuorumFacts, QuorumFinding, VoterSeen
from metaquorum.cli.recover_text import table


def lines_of(facts: QuorumFacts, found: Sequence[QuorumFinding]) -> Iterator[str]:
    """Who leads, the voters, and each finding with its reason and advice."""
    view, log = facts.view, facts.log
    yield (
        f"cluster {view.cluster_id}: node {view.leader_id} leads epoch {view.leader_epoch}, "
        f"offsets {log.start} to {log.end} are read"
    )
    lags = {one.id: one.lag_records for one in facts.replicas if one.status != "observer"}
    head = ("VOTER", "LISTENS AT", "ADDRESSES", "ANSWERS", "LAG")
    rows = [
        (
            str(one.node_id),
            "?" if one.place is None else f"{one.place[0]}:{one.place[1]}",
            ",".join(one.addresses) or "-",
            "yes" if one.supported is not None else "no",
            "?" if lags.get(one.node_id) is None else str(lags[one.node_id]),
        )
        for one in facts.voters
    ]
    yield from table([head, *rows])
    for finding in found:
        yield f"{finding.severity.value}: {finding.about}: {finding.reason}"
        yield f"  {finding.advice}"
    yield f"{len(found)} findings" if found else "all is well"


def json_of(facts: QuorumFacts, found: Sequence[QuorumFinding]) -> dict[str, Any]:
    """The same as one object."""
    view = facts.view
    return {
        "clusterId": view.cluster_id,
        "leaderId": view.leader_id,
        "leaderEpoch": view.leader_epoch,
        "logStart": facts.log.start,
        "logEnd": facts.log.end,
        "snapshotEnd": None if facts.snapshot is None else facts.snapshot[0],
        "features": dict(sorted(facts.finalized.items())),
        "voters": [_voter(one) for one in facts.voters],
        "findings": [
            {
                "severity": one.severity.value,
                "about": one.about,
                "reason": one.reason,
                "advice": one.advice,
            }
            for one in found
        ],
    }


def _voter(one: VoterSeen) -> dict[str, Any]:
    return {
        "id": one.node_id,
        "host": None if one.place is None else one.place[0],
        "port": None if one.place is None else one.place[1],
        "addresses": list(one.addresses),
        "answers": one.supported is not None,
    }
