"""A plan as the file that is carried to every node that applies it."""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.recover.history import Base, History, Piece
from metaquorum.recover.json_fields import Fields
from metaquorum.recover.plan import Loss, NodePlan, Other, Plan, Source
from metaquorum.recover.survey import Change, Committed, SnapshotSeen
from metaquorum.recover.survey_json import (
    election_of,
    election_to_json,
    voters_of,
    voters_to_json,
)

KIND: Final = "metaquorum recovery plan"
VERSION: Final = 1
_MAX_ID_CHARS: Final = 40


def plan_to_json(plan: Plan) -> dict[str, Any]:
    """The plan as one JSON object."""
    return {
        "kind": KIND,
        "version": VERSION,
        "planId": plan.plan_id,
        "createdMs": plan.created_ms,
        "clusterId": plan.cluster_id,
        "kraftVersion": plan.kraft_version,
        "epoch": plan.epoch,
        "leaderId": plan.leader_id,
        "lastVoters": voters_to_json(plan.last_voters),
        "voters": voters_to_json(plan.voters),
        "steps": [{"voters": voters_to_json(one)} for one in plan.steps],
        "sources": [
            {
                "name": one.name,
                "directory": one.directory,
                "nodeId": one.node_id,
                "fingerprint": one.fingerprint,
                "takenMs": one.taken_ms,
            }
            for one in plan.sources
        ],
        "history": _history(plan.history),
        "counted": list(plan.counted),
        "loss": _loss(plan.loss),
        "others": [_other(one) for one in plan.others],
        "nodes": [
            {
                "nodeId": one.node_id,
                "directoryId": uuid_text(one.directory_id),
                "source": one.source,
                "needs": list(one.needs),
                "appends": one.appends,
                "history": _history(one.history),
                "quorumState": election_to_json(one.election),
            }
            for one in plan.nodes
        ],
        "notes": list(plan.notes),
    }


def _loss(loss: Loss) -> dict[str, Any]:
    return {
        "fromOffset": loss.from_offset,
        "why": loss.why,
        "proof": {"end": loss.proof.end, "epoch": loss.proof.epoch, "why": loss.proof.why},
        "beyond": _changes(loss.beyond),
        "beyondListedFrom": loss.beyond_listed_from,
    }


def _other(one: Other) -> dict[str, Any]:
    return {
        "source": one.source,
        "isVoter": one.is_voter,
        "partsAt": one.parts_at,
        "end": one.end,
        "dropped": _changes(one.dropped),
        "droppedListedFrom": one.dropped_listed_from,
        "instead": _changes(one.instead),
    }


def plan_of(text: str, place: str) -> Plan:
    """The plan in a file's text; OperatorError names ``place`` and what is wrong there."""
    fields = Fields.parsed(text, place, KIND, VERSION)
    plan_id = fields.text("planId")
    if not (plan_id.isascii() and plan_id.isalnum() and len(plan_id) <= _MAX_ID_CHARS):
        fields.refuse("planId", f"at most {_MAX_ID_CHARS} letters and digits")
    sources = tuple(
        Source(
            one.text("name"),
            one.text("directory"),
            one.maybe("nodeId", one.id),
            one.text("fingerprint"),
            one.integer("takenMs"),
        )
        for one in fields.children("sources")
    )
    loss = fields.child("loss")
    proof = loss.child("proof")
    plan = Plan(
        plan_id=plan_id,
        created_ms=fields.integer("createdMs"),
        cluster_id=fields.text("clusterId"),
        kraft_version=fields.integer("kraftVersion", most=1),
        epoch=fields.id("epoch"),
        leader_id=fields.id("leaderId"),
        last_voters=voters_of(fields, "lastVoters"),
        voters=voters_of(fields, "voters"),
        steps=tuple(voters_of(one, "voters") for one in fields.children("steps")),
        sources=sources,
        history=_history_of(fields.child("history"), len(sources)),
        loss=Loss(
            loss.maybe("fromOffset", loss.integer),
            loss.text("why"),
            Committed(proof.integer("end"), proof.id("epoch"), proof.text("why")),
            _changes_of(loss, "beyond"),
            loss.integer("beyondListedFrom"),
        ),
        counted=fields.ids("counted"),
        others=tuple(
            Other(
                one.integer("source", most=len(sources) - 1),
                one.flag("isVoter"),
                one.integer("partsAt"),
                one.integer("end"),
                _changes_of(one, "dropped"),
                one.integer("droppedListedFrom"),
                _changes_of(one, "instead"),
            )
            for one in fields.children("others")
        ),
        nodes=tuple(_node_of(one, len(sources)) for one in fields.children("nodes")),
        notes=tuple(str(one) for one in fields.items("notes")),
    )
    if plan.node(plan.leader_id) is None:
        raise OperatorError(f"{place}: leaderId is {plan.leader_id}, which is none of its nodes")
    return plan


def _changes(changes: tuple[Change, ...]) -> list[dict[str, Any]]:
    return [{"offset": one.offset, "epoch": one.epoch, "words": one.words} for one in changes]


def _changes_of(fields: Fields, name: str) -> tuple[Change, ...]:
    return tuple(
        Change(one.integer("offset"), one.id("epoch"), one.text("words"))
        for one in fields.children(name)
    )


def _history(history: History) -> dict[str, Any]:
    base = history.base
    return {
        "end": history.end.offset,
        "lastEpoch": history.end.epoch,
        "keptFromDamage": history.kept_from_damage,
        "provenBelowDamage": history.proven_below_damage,
        "snapshot": None
        if base is None
        else {
            "source": base.survey,
            "offset": base.seen.snapshot.offset,
            "epoch": base.seen.snapshot.epoch,
            "sizeBytes": base.seen.size_bytes,
            "crc": base.seen.crc,
        },
        "pieces": [
            {"source": one.survey, "start": one.start, "end": one.end} for one in history.pieces
        ],
        "epochs": [{"epoch": epoch, "start": start} for epoch, start in history.runs],
    }


def _history_of(fields: Fields, sources: int) -> History:
    base = None
    if fields.has("snapshot"):
        one = fields.child("snapshot")
        seen = SnapshotSeen(
            OffsetAndEpoch(one.id("epoch"), one.integer("offset")),
            one.integer("sizeBytes"),
            one.integer("crc"),
        )
        base = Base(one.integer("source", most=sources - 1), seen)
    return History(
        OffsetAndEpoch(fields.id("lastEpoch"), fields.integer("end")),
        base,
        tuple(
            Piece(one.integer("source", most=sources - 1), one.integer("start"), one.integer("end"))
            for one in fields.children("pieces")
        ),
        tuple((one.id("epoch"), one.integer("start")) for one in fields.children("epochs")),
        fields.maybe("keptFromDamage", fields.integer),
        fields.integer("provenBelowDamage"),
    )


def _node_of(fields: Fields, sources: int) -> NodePlan:
    return NodePlan(
        fields.id("nodeId"),
        fields.uuid("directoryId"),
        fields.integer("source", most=sources - 1) if fields.has("source") else None,
        _history_of(fields.child("history"), sources),
        fields.flag("appends"),
        election_of(fields.child("quorumState")),
    )
