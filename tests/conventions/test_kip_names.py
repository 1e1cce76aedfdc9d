"""Names and numbers that the KIPs fix: keys, error codes, fields, types of control records.

``docs/conformance.md`` refers to these tests. What a KIP once proposed and struck out again is
here too, as what must not be found.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from metaquorum.config.keys import known_keys, warnings_for
from metaquorum.records.control import ControlType
from metaquorum.wire.generated import error_codes

ROOT = Path(__file__).resolve().parents[2]
SCHEMAS = ROOT / "schemas"


def _fields(fields: list[dict[str, Any]], before: str = "") -> Iterator[tuple[str, dict[str, Any]]]:
    for field in fields:
        path = f"{before}{field['name']}"
        yield path, field
        yield from _fields(field.get("fields", []), f"{path}.")


def _schema(name: str) -> dict[str, Any]:
    schema: dict[str, Any] = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    return schema


@pytest.mark.parametrize(
    ("key", "default"),
    [
        ("controller.quorum.voters", ()),
        ("controller.quorum.fetch.timeout.ms", 2_000),
        ("controller.quorum.election.timeout.ms", 1_000),
        ("controller.quorum.election.backoff.max.ms", 1_000),
        ("controller.quorum.request.timeout.ms", 2_000),
        ("controller.quorum.retry.backoff.ms", 20),
        ("controller.quorum.fetch.snapshot.max.bytes", 1_048_576),
        ("metadata.log.max.record.bytes.between.snapshots", 20_971_520),
        ("metadata.log.max.snapshot.interval.ms", 3_600_000),
        ("metadata.max.retention.bytes", 104_857_600),
        ("metadata.max.retention.ms", 604_800_000),
    ],
)
def test_keys_have_todays_spelling_and_default(key: str, default: object) -> None:
    assert known_keys()[key].default_value() == default


@pytest.mark.parametrize(
    "key",
    ["controller.quorum.retry.backoff.max.ms", "controller.snapshot.minimum.records"],
)
def test_keys_that_never_shipped_warn(key: str) -> None:
    assert [text for text in warnings_for((key,)) if key in text]


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("OFFSET_OUT_OF_RANGE", 1),
        ("NOT_LEADER_OR_FOLLOWER", 6),
        ("FETCH_SESSION_ID_NOT_FOUND", 70),
        ("INVALID_FETCH_SESSION_EPOCH", 71),
        ("FENCED_LEADER_EPOCH", 74),
        ("UNKNOWN_LEADER_EPOCH", 75),
        ("INCONSISTENT_VOTER_SET", 94),
        ("SNAPSHOT_NOT_FOUND", 98),
        ("POSITION_OUT_OF_RANGE", 99),
        ("INCONSISTENT_CLUSTER_ID", 104),
    ],
)
def test_error_codes_have_their_numbers(name: str, code: int) -> None:
    assert getattr(error_codes, name) == code


def test_error_codes_that_never_existed_are_not_there() -> None:
    names = set(error_codes.NAMES.values())
    assert not names & {"INVALID_CLUSTER_ID", "INVALID_QUORUM_STATE", "INCREMENTAL_FETCH_DENIED"}


@pytest.mark.parametrize(
    ("schema", "field", "kind", "versions", "tag"),
    [
        ("vote_request", "ClusterId", "string", "0+", None),
        ("vote_request", "Topics.Partitions.ReplicaEpoch", "int32", "0+", None),
        ("vote_request", "Topics.Partitions.ReplicaId", "int32", "0+", None),
        ("vote_request", "Topics.Partitions.LastOffsetEpoch", "int32", "0+", None),
        ("vote_request", "Topics.Partitions.LastOffset", "int64", "0+", None),
        ("vote_request", "Topics.Partitions.PreVote", "bool", "2+", None),
        ("vote_response", "ErrorCode", "int16", "0+", None),
        ("vote_response", "Topics.Partitions.LeaderId", "int32", "0+", None),
        ("vote_response", "Topics.Partitions.LeaderEpoch", "int32", "0+", None),
        ("vote_response", "Topics.Partitions.VoteGranted", "bool", "0+", None),
        ("begin_quorum_epoch_request", "ClusterId", "string", "0+", None),
        ("begin_quorum_epoch_request", "Topics.Partitions.LeaderId", "int32", "0+", None),
        ("begin_quorum_epoch_request", "Topics.Partitions.LeaderEpoch", "int32", "0+", None),
        ("end_quorum_epoch_request", "ClusterId", "string", "0+", None),
        ("end_quorum_epoch_request", "Topics.Partitions.PreferredCandidates", None, "1+", None),
        ("fetch_request", "ClusterId", "string", "12+", 0),
        ("fetch_request", "Topics.Partitions.LastFetchedEpoch", "int32", "12+", None),
        ("fetch_response", "Responses.Partitions.DivergingEpoch", None, "12+", 0),
        ("fetch_response", "Responses.Partitions.CurrentLeader", None, "12+", 1),
        ("fetch_response", "Responses.Partitions.SnapshotId", "SnapshotId", "12+", 2),
        ("fetch_response", "Responses.Partitions.SnapshotId.EndOffset", "int64", "0+", None),
        ("fetch_response", "Responses.Partitions.SnapshotId.Epoch", "int32", "0+", None),
        ("fetch_snapshot_request", "ClusterId", "string", "0+", 0),
        ("fetch_snapshot_request", "ReplicaId", "int32", "0+", None),
        ("fetch_snapshot_request", "MaxBytes", "int32", "0+", None),
        ("fetch_snapshot_request", "Topics.Partitions.CurrentLeaderEpoch", "int32", "0+", None),
        ("fetch_snapshot_request", "Topics.Partitions.SnapshotId.EndOffset", "int64", "0+", None),
        ("fetch_snapshot_request", "Topics.Partitions.Position", "int64", "0+", None),
        ("fetch_snapshot_response", "ThrottleTimeMs", "int32", "0+", None),
        ("fetch_snapshot_response", "Topics.Partitions.CurrentLeader", None, "0+", 0),
        ("fetch_snapshot_response", "Topics.Partitions.Size", "int64", "0+", None),
        ("fetch_snapshot_response", "Topics.Partitions.Position", "int64", "0+", None),
        ("fetch_snapshot_response", "Topics.Partitions.UnalignedRecords", "records", "0+", None),
        ("describe_quorum_response", "Topics.Partitions.LeaderId", "int32", "0+", None),
        ("describe_quorum_response", "Topics.Partitions.LeaderEpoch", "int32", "0+", None),
        ("describe_quorum_response", "Topics.Partitions.HighWatermark", "int64", "0+", None),
        ("describe_quorum_response", "Topics.Partitions.CurrentVoters", None, "0+", None),
        ("describe_quorum_response", "Topics.Partitions.Observers", None, "0+", None),
        ("fetch_request", "SessionId", "int32", "7+", None),
        ("fetch_request", "SessionEpoch", "int32", "7+", None),
        ("fetch_request", "ForgottenTopicsData", None, "7+", None),
        ("fetch_response", "ErrorCode", "int16", "7+", None),
        ("fetch_response", "SessionId", "int32", "7+", None),
        ("leader_change_message", "LeaderId", "int32", "0+", None),
        ("leader_change_message", "Voters", None, "0+", None),
        ("leader_change_message", "GrantingVoters", None, "0+", None),
        ("snapshot_header_record", "LastContainedLogTimestamp", "int64", "0+", None),
        ("snapshot_footer_record", "Version", "int16", "0+", None),
        ("quorum_state_data", "LeaderId", "int32", "0+", None),
        ("quorum_state_data", "LeaderEpoch", "int32", "0+", None),
        ("quorum_state_data", "VotedId", "int32", "0+", None),
        ("quorum_state_data", "AppliedOffset", "int64", "0", None),
        ("quorum_state_data", "CurrentVoters", None, "0", None),
        ("quorum_state_data", "VotedDirectoryId", "uuid", "1+", None),
    ],
)
def test_fields_have_their_name_type_versions_and_tag(
    schema: str, field: str, kind: str | None, versions: str, tag: int | None
) -> None:
    found = dict(_fields(_schema(schema)["fields"]))[field]
    assert (kind is None or found["type"] == kind, found["versions"], found.get("tag")) == (
        True,
        versions,
        tag,
    )


@pytest.mark.parametrize(
    ("name", "key"),
    [
        ("vote", 52),
        ("begin_quorum_epoch", 53),
        ("end_quorum_epoch", 54),
        ("describe_quorum", 55),
        ("fetch_snapshot", 59),
    ],
)
def test_the_quorums_apis_have_their_keys(name: str, key: int) -> None:
    assert [_schema(f"{name}_{half}")["apiKey"] for half in ("request", "response")] == [key, key]


def test_control_records_are_the_seven_types_of_today() -> None:
    assert {kind.name: int(kind) for kind in ControlType} == {
        "ABORT": 0,
        "COMMIT": 1,
        "LEADER_CHANGE": 2,
        "SNAPSHOT_HEADER": 3,
        "SNAPSHOT_FOOTER": 4,
        "KRAFT_VERSION": 5,
        "KRAFT_VOTERS": 6,
    }


def test_what_the_kips_struck_out_is_in_no_schema() -> None:
    struck_out = {"BootTimestamp", "DirtyOffset", "IncrementalFetchDenied", "SequenceNumber"}
    struck_out |= {"DiscoverBrokersRequest", "VoterAssignmentMessage", "FetchQuorumRecordsRequest"}
    found = set()
    for path in sorted(SCHEMAS.rglob("*.json")):
        schema = json.loads(path.read_text(encoding="utf-8"))
        if isinstance(schema, dict) and "fields" in schema:
            found.add(schema["name"])
            found.update(field["name"] for _, field in _fields(schema["fields"]))
    assert "SessionId" in found
    assert not found & struck_out


def test_nothing_that_ships_brings_a_raft_library() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    names = {text.split(">")[0].split("<")[0].split("=")[0] for text in project["dependencies"]}
    known = {
        "attrs",
        "cffi",
        "click",
        "crc32c",
        "h11",
        "javaproperties",
        "prometheus-client",
        "rich",
    }
    assert names <= known | {"trio", "xxhash"}
