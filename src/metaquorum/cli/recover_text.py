"""Surveys and plans for people: tables, and what is lost in words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import Offset
from metaquorum.quorum.types import Voter
from metaquorum.recover.history import History
from metaquorum.recover.plan import NodePlan, Other, Plan
from metaquorum.recover.survey import Change, Survey
from metaquorum.storage.names import METADATA_DIRECTORY

MOST_CHANGES = 50
"""Lines of changes that are printed of one list; the plan's file has all that are known."""

# Kafka cuts such a log back, and passes over the Voters records that come where it was cut.
ANEW = (
    f"move {METADATA_DIRECTORY} out of its log directory before it starts, and it fetches the log "
    "anew"
)

Rows = Sequence[tuple[str, ...]]


def table(rows: Rows) -> Iterator[str]:
    """Lines of aligned columns; the first row has their names."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths)).rstrip()


def time_text(at_ms: int) -> str:
    """A time as ISO 8601 has it, to the second."""
    return datetime.fromtimestamp(at_ms // 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def survey_lines(survey: Survey) -> Iterator[str]:
    """One survey: what the disk says of itself, its snapshots, voters, proofs and damage."""
    end = survey.end
    election = survey.election
    yield from table(
        [
            ("directory", survey.directory),
            ("surveyed", time_text(survey.taken_ms) + (", running" if survey.is_running else "")),
            ("cluster", survey.cluster_id or "not known"),
            ("node", "not known" if survey.node_id is None else str(survey.node_id)),
            (
                "directory id",
                "not known" if survey.directory_id is None else uuid_text(survey.directory_id),
            ),
            ("log", f"offsets {survey.log_start} to {end.offset}, {survey.size_bytes} bytes"),
            ("last epoch", str(end.epoch)),
            ("quorum-state", "none" if election is None else _election(survey)),
            ("voters", _last_voters(survey)),
        ]
    )
    proofs = sorted(survey.committed, key=lambda one: one.end)[-1:]
    for one in proofs:
        yield f"committed     to offset {one.end}: {one.why}"
    if survey.snapshots:
        yield ""
        yield from table(
            [
                ("SNAPSHOT", "EPOCH", "BYTES", "STATE"),
                *(
                    (
                        str(one.snapshot.offset),
                        str(one.snapshot.epoch),
                        str(one.size_bytes),
                        one.why or "whole",
                    )
                    for one in survey.snapshots
                ),
            ]
        )
    if survey.damages:
        yield ""
        yield from table(
            [
                ("DAMAGE", "FILE", "BYTE", "BYTES", "OFFSET", "WHAT"),
                *(
                    (
                        one.kind.value,
                        one.file,
                        str(one.position),
                        str(one.size_bytes),
                        "-" if one.offset is None else str(one.offset),
                        one.why,
                    )
                    for one in survey.damages
                ),
            ]
        )


def _election(survey: Survey) -> str:
    state = survey.election
    assert state is not None
    leader = "no leader known" if state.leader_id is None else f"leader {state.leader_id}"
    vote = "no vote" if state.voted_id is None else f"voted for {state.voted_id}"
    return f"epoch {state.epoch}, {leader}, {vote}"


def _last_voters(survey: Survey) -> str:
    if survey.voters:
        newest = max(survey.voters, key=lambda one: one.offset)
        return f"{voters_text(newest.voters)}, since offset {newest.offset}"
    if survey.leaders:
        newest_leader = survey.leaders[-1]
        return f"{', '.join(map(str, newest_leader.voters))}, static"
    return "not known"


def voters_text(voters: Sequence[Voter]) -> str:
    """Voters with where they listen."""
    return ", ".join(
        f"{one.id}@{one.endpoints[0].host}:{one.endpoints[0].port}"
        if one.endpoints
        else str(one.id)
        for one in voters
    )


def plan_lines(plan: Plan) -> Iterator[str]:
    """A plan: what is lost comes first, then what is done where."""
    yield from loss_lines(plan)
    yield ""
    yield from table(
        [
            ("plan", plan.plan_id),
            ("cluster", plan.cluster_id),
            ("last voters", f"{voters_text(plan.last_voters)} (surveyed: {_ids(plan.counted)})"),
            ("new voters", voters_text(plan.voters)),
            ("fresh epoch", str(plan.epoch)),
            ("log", _history(plan, plan.history)),
        ]
    )
    yield ""
    yield from table(
        [
            ("NODE", "DIRECTORY ID", "LOG", "LEADS", "NEEDS"),
            *(_node_row(plan, one) for one in plan.nodes),
        ]
    )
    for other in plan.others:
        yield ""
        yield from _other_lines(plan, other)
    if plan.notes:
        yield ""
        for note in plan.notes:
            yield f"note: {note}"
    yield ""
    yield "Stop every controller and every broker first; never start a disk that is left out again."
    yield f"Of each broker that was not surveyed, {ANEW}: it may be ahead."
    for one in plan.nodes:
        froms = "".join(
            f" --from {plan.sources[at].node_id}=DIR" for at in one.needs if at != one.source
        )
        where = "DIR" if one.source is None else plan.sources[one.source].directory
        yield f"On node {one.node_id}: metaquorum recover apply PLAN --dir {where}{froms}"


def loss_lines(plan: Plan) -> Iterator[str]:
    """What is lost at most, and what is there beyond the bound."""
    loss, end = plan.loss, plan.history.end.offset
    if loss.from_offset is None:
        yield f"Nothing that was acknowledged is lost: {loss.why}."
        return
    yield (
        f"Acknowledged records may be missing from offset {loss.from_offset} on: {loss.why}. "
        "All below it are kept."
    )
    if end > loss.from_offset:
        yield (
            f"Offsets {loss.from_offset} to {end - 1} are there and are kept; they may never have "
            "been acknowledged:"
        )
        yield from _change_lines(loss.beyond, loss.beyond_listed_from, loss.from_offset, " ")


def _change_lines(
    changes: Sequence[Change], listed_from: Offset, start: Offset, sign: str
) -> Iterator[str]:
    if listed_from > start:
        yield f"  what is before offset {listed_from} is not in the surveys"
    for one in changes[:MOST_CHANGES]:
        yield f"  {sign} {one.offset}: {one.words}"
    if len(changes) > MOST_CHANGES:
        yield f"  {len(changes) - MOST_CHANGES} more are in the plan's file"
    if not changes:
        yield "  nothing but records without effect"


def _other_lines(plan: Plan, other: Other) -> Iterator[str]:
    name = plan.sources[other.source].name
    role = "voter" if other.is_voter else "broker or observer"
    if not other.differs:
        yield f"{name}, {role}: ends at offset {other.end}, and fetches the rest"
        return
    yield (
        f"{name}, {role}: another history from offset {other.parts_at} on, which was not committed "
        f"and is dropped ({other.end - other.parts_at} records):"
    )
    yield from _change_lines(other.dropped, other.dropped_listed_from, other.parts_at, "-")
    for one in other.instead[:MOST_CHANGES]:
        yield f"  + {one.offset}: {one.words}"
    if not other.is_voter:
        yield f"  {ANEW}: it is ahead, and would look for the old voters"


def _history(plan: Plan, history: History) -> str:
    parts = []
    if history.base is not None:
        snapshot = history.base.seen.snapshot
        name = plan.sources[history.base.survey].name
        parts.append(f"snapshot {snapshot.offset}-{snapshot.epoch} of {name}")
    parts += [
        f"offsets {one.start} to {one.end - 1} of {plan.sources[one.survey].name}"
        for one in history.pieces
    ]
    return f"{', '.join(parts)}; ends at {history.end.offset} in epoch {history.end.epoch}"


def _node_row(plan: Plan, node: NodePlan) -> tuple[str, ...]:
    content = "the whole history" if node.appends else f"its own, to {node.history.end.offset}"
    needs = [plan.sources[at].name for at in node.needs if at != node.source]
    return (
        str(node.node_id),
        uuid_text(node.directory_id),
        content,
        "yes" if node.node_id == plan.leader_id else "no",
        ", ".join(needs) or "-",
    )


def _ids(ids: Sequence[int]) -> str:
    return ", ".join(map(str, ids)) or "none"
