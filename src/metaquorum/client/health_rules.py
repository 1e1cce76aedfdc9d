"""What makes a quorum, or one node of it, well: rules over DescribeQuorum's answer (KIP-595).

Times are the leader's: its own row in the answer says what it is there, so that the clocks of other
machines have no part.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from attrs import frozen

from metaquorum.client.quorum_view import QuorumView, Replica

READY: Final = "ready"
LIVE: Final = "live"
SAFE_TO_RESTART: Final = "safe-to-restart"


@frozen
class Verdict:
    """The answer to one question; ``reason`` says why, in words, also when all is well."""

    question: str
    is_well: bool
    reason: str
    warnings: tuple[str, ...] = ()


def quorum_ready(view: QuorumView, replicas: Sequence[Replica]) -> Verdict:
    """Whether the quorum commits: it has a leader, and a majority of voters is caught up."""
    voters = [one for one in replicas if one.status != "observer"]
    behind = [one for one in voters if not one.is_caught_up]
    least = len(voters) // 2 + 1
    caught_up = len(voters) - len(behind)
    text = (
        f"node {view.leader_id} leads epoch {view.leader_epoch}, "
        f"{caught_up} of {len(voters)} voters are caught up"
    )
    if caught_up < least:
        return Verdict(READY, False, f"{text}, {least} are needed: {_each(behind)}")
    return Verdict(READY, True, text, tuple(map(_behind, behind)))


def node_ready(view: QuorumView, replicas: Sequence[Replica], node_id: int) -> Verdict:
    """Whether this node serves what is committed now: it leads, or it is caught up."""
    found = [one for one in replicas if one.id == node_id]
    if not found:
        return Verdict(READY, False, _nobody_like(view, replicas, node_id))
    leads = f"node {view.leader_id} leads epoch {view.leader_epoch}"
    if found[0].status == "leader":
        return Verdict(READY, True, leads)
    # A node that came back with another directory has two rows until its old one expires.
    if best := next((one for one in found if one.is_caught_up), None):
        article = "an" if best.status == "observer" else "a"
        text = f"node {node_id} is {article} {best.status} that is caught up, {leads}"
        return Verdict(READY, True, text)
    return Verdict(READY, False, f"{_behind(found[0])}, {leads}")


def node_safe_to_restart(view: QuorumView, replicas: Sequence[Replica], node_id: int) -> Verdict:
    """Whether the others keep a majority of voters that is caught up while this node is away."""
    voters = [one for one in replicas if one.status != "observer"]
    if all(one.id != node_id for one in voters):
        if any(one.id == node_id for one in replicas):
            return Verdict(SAFE_TO_RESTART, True, f"node {node_id} is an observer and has no vote")
        return Verdict(SAFE_TO_RESTART, False, _nobody_like(view, replicas, node_id))
    others = [one for one in voters if one.id != node_id]
    behind = [one for one in others if not one.is_caught_up]
    least = len(voters) // 2 + 1
    caught_up = len(others) - len(behind)
    text = (
        f"without node {node_id}, {caught_up} of {len(voters)} voters are caught up, "
        f"{least} are needed"
    )
    if caught_up < least:
        details = f": {_each(behind)}" if behind else ""
        return Verdict(SAFE_TO_RESTART, False, text + details)
    leads = ("it leads, the others will elect another",) if view.leader_id == node_id else ()
    return Verdict(SAFE_TO_RESTART, True, text, (*leads, *map(_behind, behind)))


def _nobody_like(view: QuorumView, replicas: Sequence[Replica], node_id: int) -> str:
    ids = ", ".join(str(one.id) for one in replicas)
    return f"leader {view.leader_id} knows no replica {node_id}, only {ids}"


def _each(behind: Sequence[Replica]) -> str:
    return "; ".join(map(_behind, behind))


def _behind(replica: Replica) -> str:
    name = f"{replica.status} {replica.id}"
    if replica.behind_ms is None:
        return f"{name} has not been caught up since its leader leads"
    records = "" if replica.lag_records is None else f" by {replica.lag_records} records"
    return f"{name} is behind{records}, for {replica.behind_ms / 1_000:.1f} s"
