"""A sight as JSON: names with their units; docs/reference/top.md has them, held by a test."""

from __future__ import annotations

from typing import Any

from attrs import asdict

from metaquorum.cli.metadata_text import camel
from metaquorum.cli.top.rows import BrokerRow, ChangeRow, PartitionRow
from metaquorum.cli.top.sight import ReplicaRow, Sight
from metaquorum.exporter.figures import SourceFigures


def as_json(sight: Sight) -> dict[str, Any]:
    """Everything of it."""
    return {
        "timestampMs": sight.wall_ms,
        "clusterId": sight.cluster_id,
        "hasLeader": sight.has_leader,
        "leaderId": sight.leader_id,
        "leaderEpoch": sight.epoch,
        "leaderSinceMs": sight.leader_since_ms,
        "highWatermark": sight.high_watermark,
        "position": sight.position,
        "logIsRead": sight.log_is_read,
        "sources": {
            name: {"failing": one.failing, "ageMs": one.since_ms, "why": _why(one)}
            for name, one in sorted(sight.sources.items())
        },
        "recordsPerSecond": sight.rates.records_per_s,
        "bytesPerSecond": sight.rates.bytes_per_s,
        "eventsOfLastMinute": dict(sight.rates.events),
        "eventsSeenForMs": sight.rates.events_ms,
        "replicas": [_replica(one) for one in sight.replicas],
        "brokers": [_broker(one) for one in sight.brokers],
        "topics": sight.topics,
        "partitions": {camel(name): count for name, count in asdict(sight.partitions).items()},
        "partitionsInTrouble": [_partition(one) for one in sight.partition_rows],
        "changes": [_change(one) for one in sight.changes],
        "epochs": [
            {"sinceMs": one.since_ms, "epoch": one.epoch, "leaderId": one.leader_id}
            for one in sight.spans
        ],
    }


def _replica(one: ReplicaRow) -> dict[str, Any]:
    return {
        "id": one.id,
        "role": one.role,
        "lag": one.lag,
        "behindMs": one.behind_ms,
        "caughtUp": one.is_caught_up,
        "sinceFetchMs": one.since_fetch_ms,
        "answers": one.answers,
        "logEndOffset": one.log_end_offset,
        "endPoint": one.end_point or None,
    }


def _broker(one: BrokerRow) -> dict[str, Any]:
    return {
        "id": one.id,
        "state": one.state_words,
        "rack": one.rack,
        "leaders": one.leaders,
        "replicas": one.replicas,
        "directories": one.directories,
        "directoriesOffline": one.directories_offline,
        "endPoint": one.end_point or None,
    }


def _partition(one: PartitionRow) -> dict[str, Any]:
    return {
        "topic": one.topic,
        "partition": one.number,
        "troubles": list(one.troubles),
        "leader": one.leader,
        "replicas": list(one.replicas),
        "isr": list(one.in_sync),
    }


def _change(one: ChangeRow) -> dict[str, Any]:
    return {
        "offset": one.offset,
        "timestampMs": one.time_ms,
        "kind": one.kind,
        "words": one.words,
    }


def _why(source: SourceFigures) -> str | None:
    return source.why if source.failing is not None and source.why else None
