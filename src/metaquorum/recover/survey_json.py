"""A survey as the small file that is carried from a node to where the recovery is planned."""

from __future__ import annotations

from typing import Any, Final

from metaquorum.base.ids import NO_NODE, uuid_text
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.recover.json_fields import Fields
from metaquorum.recover.survey import (
    Change,
    Committed,
    Damage,
    DamageKind,
    EpochRun,
    LeaderSeen,
    SnapshotSeen,
    Stretch,
    Survey,
    VotersSeen,
)
from metaquorum.storage.quorum_state import ElectionStateData

KIND: Final = "metaquorum survey"
VERSION: Final = 1


def survey_to_json(survey: Survey) -> dict[str, Any]:
    """The survey as one JSON object."""
    return {
        "kind": KIND,
        "version": VERSION,
        "directory": survey.directory,
        "takenMs": survey.taken_ms,
        "isRunning": survey.is_running,
        "clusterId": survey.cluster_id,
        "nodeId": survey.node_id,
        "directoryId": None if survey.directory_id is None else uuid_text(survey.directory_id),
        "logStart": survey.log_start,
        "logEnd": survey.end.offset,
        "lastEpoch": survey.end.epoch,
        "sizeBytes": survey.size_bytes,
        "kraftVersion": survey.kraft_version,
        "quorumState": None if survey.election is None else election_to_json(survey.election),
        "stretches": [[_run(run) for run in one.runs] for one in survey.stretches],
        "snapshots": [
            {
                "offset": one.snapshot.offset,
                "epoch": one.snapshot.epoch,
                "sizeBytes": one.size_bytes,
                "crc": one.crc,
                "why": one.why,
            }
            for one in survey.snapshots
        ],
        "voters": [
            {"offset": one.offset, "epoch": one.epoch, "voters": voters_to_json(one.voters)}
            for one in survey.voters
        ],
        "leaders": [
            {
                "offset": one.offset,
                "epoch": one.epoch,
                "leaderId": one.leader_id,
                "voters": list(one.voters),
                "granting": list(one.granting),
            }
            for one in survey.leaders
        ],
        "committed": [
            {"end": one.end, "epoch": one.epoch, "why": one.why} for one in survey.committed
        ],
        "damages": [_damage_to_json(one) for one in survey.damages],
        "changesFrom": survey.changes_from,
        "changes": [
            {"offset": one.offset, "epoch": one.epoch, "words": one.words} for one in survey.changes
        ],
        "fingerprint": survey.fingerprint,
    }


def _damage_to_json(one: Damage) -> dict[str, Any]:
    return {
        "kind": one.kind.value,
        "file": one.file,
        "why": one.why,
        "position": one.position,
        "sizeBytes": one.size_bytes,
        "offset": one.offset,
    }


def voters_to_json(voters: tuple[Voter, ...]) -> list[dict[str, Any]]:
    """A voter set, as surveys and plans have it."""
    return [
        {
            "id": one.id,
            "directoryId": (
                None if one.key.directory_id is None else uuid_text(one.key.directory_id)
            ),
            "endpoints": [
                {"listener": end.listener, "host": end.host, "port": end.port}
                for end in one.endpoints
            ],
            "lowestKRaftVersion": one.lowest_kraft_version,
            "highestKRaftVersion": one.highest_kraft_version,
        }
        for one in voters
    ]


def voters_of(fields: Fields, name: str) -> tuple[Voter, ...]:
    """The voter set in a field; raises OperatorError."""
    return tuple(
        Voter(
            ReplicaKey(one.id("id"), one.maybe("directoryId", one.uuid)),
            tuple(
                Endpoint(end.text("listener"), end.text("host"), end.integer("port", most=65_535))
                for end in one.children("endpoints")
            ),
            one.id("lowestKRaftVersion"),
            one.id("highestKRaftVersion"),
        )
        for one in fields.children(name)
    )


def survey_of(text: str, place: str) -> Survey:
    """The survey in a file's text; OperatorError names ``place`` and what is wrong there."""
    fields = Fields.parsed(text, place, KIND, VERSION)
    return Survey(
        directory=fields.text("directory"),
        taken_ms=fields.integer("takenMs"),
        is_running=fields.flag("isRunning"),
        cluster_id=fields.maybe("clusterId", fields.text),
        node_id=fields.maybe("nodeId", fields.id),
        directory_id=fields.maybe("directoryId", fields.uuid),
        log_start=fields.integer("logStart"),
        stretches=tuple(_stretches(fields)),
        snapshots=tuple(
            SnapshotSeen(
                OffsetAndEpoch(one.id("epoch"), one.integer("offset")),
                one.integer("sizeBytes"),
                one.integer("crc"),
                one.text("why"),
            )
            for one in fields.children("snapshots")
        ),
        voters=tuple(
            VotersSeen(one.integer("offset", least=-1), one.id("epoch"), voters_of(one, "voters"))
            for one in fields.children("voters")
        ),
        kraft_version=fields.maybe("kraftVersion", fields.id),
        leaders=tuple(
            LeaderSeen(
                one.integer("offset"),
                one.id("epoch"),
                one.id("leaderId"),
                one.ids("voters"),
                one.ids("granting"),
            )
            for one in fields.children("leaders")
        ),
        election=election_of(fields.child("quorumState")) if fields.has("quorumState") else None,
        committed=tuple(
            Committed(one.integer("end"), one.id("epoch"), one.text("why"))
            for one in fields.children("committed")
        ),
        damages=tuple(map(_damage, fields.children("damages"))),
        changes=tuple(
            Change(one.integer("offset"), one.id("epoch"), one.text("words"))
            for one in fields.children("changes")
        ),
        changes_from=fields.integer("changesFrom"),
        size_bytes=fields.integer("sizeBytes"),
        fingerprint=fields.text("fingerprint"),
    )


def _run(run: EpochRun) -> dict[str, Any]:
    return {
        "epoch": run.epoch,
        "start": run.start,
        "end": run.end,
        "begins": run.begins,
        "crc": run.crc,
    }


def _stretches(fields: Fields) -> list[Stretch]:
    found: list[Stretch] = []
    end = 0
    for at, rows in enumerate(fields.items("stretches")):
        place = f"{fields.place}, stretches[{at}]"
        runs: list[EpochRun] = []
        for one in Fields({"runs": rows}, place).children("runs"):
            run = EpochRun(
                one.id("epoch"),
                one.integer("start", least=end),
                one.integer("end", least=end + 1),
                one.flag("begins"),
                one.integer("crc"),
            )
            if run.end <= run.start or (runs and run.start != runs[-1].end):
                one.refuse("start", "the end of the run before, and less than its own end")
            runs.append(run)
            end = run.end
        if not runs:
            fields.refuse("stretches", "lists that have at least one run")
        found.append(Stretch(tuple(runs)))
    return found


def _damage(fields: Fields) -> Damage:
    kinds = {one.value: one for one in DamageKind}
    kind = kinds.get(fields.text("kind"))
    if kind is None:
        fields.refuse("kind", "one of " + ", ".join(kinds))
    return Damage(
        kind,
        fields.text("file"),
        fields.text("why"),
        fields.integer("position"),
        fields.integer("sizeBytes"),
        fields.maybe("offset", fields.integer),
    )


def election_to_json(state: ElectionStateData) -> dict[str, Any]:
    """The same to be written."""
    directory = state.voted_directory_id
    return {
        "epoch": state.epoch,
        "leaderId": NO_NODE if state.leader_id is None else state.leader_id,
        "votedId": NO_NODE if state.voted_id is None else state.voted_id,
        "votedDirectoryId": None if directory is None else uuid_text(directory),
        "voters": list(state.voters),
        "dataVersion": state.data_version,
    }


def election_of(fields: Fields) -> ElectionStateData:
    """The content of a quorum-state file, as surveys and plans have it; raises OperatorError."""
    leader_id = fields.integer("leaderId", least=NO_NODE)
    voted_id = fields.integer("votedId", least=NO_NODE)
    return ElectionStateData(
        epoch=fields.id("epoch"),
        leader_id=None if leader_id == NO_NODE else leader_id,
        voted_id=None if voted_id == NO_NODE else voted_id,
        voted_directory_id=fields.maybe("votedDirectoryId", fields.uuid),
        voters=fields.ids("voters"),
        data_version=fields.integer("dataVersion", most=1),
    )
