"""How ``metadata-quorum describe`` shows a quorum: the columns and labels of Kafka's tool."""

from __future__ import annotations

from collections.abc import Sequence

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import ZERO_UUID, uuid_text
from metaquorum.client.quorum_view import UNKNOWN, QuorumView, ReplicaRow, ranked
from metaquorum.config.listeners import bracketed

_LABEL_WIDTH = 24
_COLUMNS = (
    "NodeId",
    "DirectoryId",
    "LogEndOffset",
    "Lag",
    "LastFetchTimestamp",
    "LastCaughtUpTimestamp",
    "Status",
)


def status_lines(view: QuorumView) -> list[str]:
    """What ``--status`` prints."""
    leader = view.leader
    laggard = min(view.voters, key=lambda voter: voter.log_end_offset)
    facts = (
        ("ClusterId", view.cluster_id),
        ("LeaderId", view.leader_id),
        ("LeaderEpoch", view.leader_epoch),
        ("HighWatermark", view.high_watermark),
        ("MaxFollowerLag", leader.log_end_offset - laggard.log_end_offset),
        ("MaxFollowerLagTimeMs", _lag_time_ms(leader, laggard)),
        ("CurrentVoters", _members(view, view.voters)),
        ("CurrentObservers", _members(view, view.observers)),
    )
    return [f"{label + ':':<{_LABEL_WIDTH}}{value}" for label, value in facts]


def replication_lines(view: QuorumView, now_ms: Millis | None = None) -> list[str]:
    """What ``--replication`` prints; with ``now_ms``, times as how long ago they were.

    OperatorError for a time that is not yet, or not after 1970, by this machine's clock.
    """
    rows = [_COLUMNS, *(_cells(view, row, status, now_ms) for row, status in ranked(view))]
    widths = [max(len(row[at]) for row in rows) for at in range(len(_COLUMNS))]
    return [
        "".join(f"{cell:<{width}}\t" for cell, width in zip(row, widths, strict=True))
        for row in rows
    ]


def view_facts(view: QuorumView) -> dict[str, object]:
    """The same as one JSON object, for ``-o json``."""
    leader = view.leader
    return {
        "clusterId": view.cluster_id,
        "leaderId": view.leader_id,
        "leaderEpoch": view.leader_epoch,
        "highWatermark": view.high_watermark,
        "replicas": [
            {
                "id": row.id,
                "directoryId": uuid_text(row.directory_id),
                "status": status.lower(),
                "logEndOffset": row.log_end_offset,
                "lag": leader.log_end_offset - row.log_end_offset,
                "lastFetchTimestampMs": row.last_fetch_timestamp_ms,
                "lastCaughtUpTimestampMs": row.last_caught_up_timestamp_ms,
                "endpoints": list(_endpoints(view, row.id)),
            }
            for row, status in ranked(view)
        ],
    }


def _lag_time_ms(leader: ReplicaRow, laggard: ReplicaRow) -> int:
    if laggard is leader:
        return 0
    times = (leader.last_caught_up_timestamp_ms, laggard.last_caught_up_timestamp_ms)
    return UNKNOWN if UNKNOWN in times else times[0] - times[1]


def _members(view: QuorumView, rows: Sequence[ReplicaRow]) -> str:
    """JSON with a blank after each comma and colon; what is not known is left out."""
    members = []
    for row in rows:
        parts = [f'"id": {row.id}']
        if row.directory_id != ZERO_UUID:
            parts.append(f'"directoryId": "{uuid_text(row.directory_id)}"')
        if endpoints := _endpoints(view, row.id):
            parts.append(
                f'"endpoints": [{", ".join(f"{chr(34)}{one}{chr(34)}" for one in endpoints)}]'
            )
        members.append(f"{{{', '.join(parts)}}}")
    return f"[{', '.join(members)}]"


def _endpoints(view: QuorumView, node_id: int) -> tuple[str, ...]:
    return tuple(
        f"{name}://{bracketed(host)}:{port}" for name, host, port in view.endpoints.get(node_id, ())
    )


def _cells(
    view: QuorumView, row: ReplicaRow, status: str, now_ms: Millis | None
) -> tuple[str, ...]:
    return (
        str(row.id),
        uuid_text(row.directory_id),
        str(row.log_end_offset),
        str(view.leader.log_end_offset - row.log_end_offset),
        _time(row.last_fetch_timestamp_ms, now_ms),
        _time(row.last_caught_up_timestamp_ms, now_ms),
        status,
    )


def _time(timestamp_ms: Millis, now_ms: Millis | None) -> str:
    if timestamp_ms == UNKNOWN or now_ms is None:
        return str(timestamp_ms)
    if not 0 < timestamp_ms <= now_ms:
        raise OperatorError(
            f"the leader's time {timestamp_ms} is not before this machine's, {now_ms}; "
            "leave --human-readable out, or set the clocks right"
        )
    return f"{now_ms - timestamp_ms} ms ago"
