"""One module for each kind of event; here is the table that finds them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from metaquorum.base.clock import Millis
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.events import (
    AppendAsked,
    AppendsPaused,
    DiskFailed,
    Durable,
    LeaderLost,
    LogMeasured,
    RequestArrived,
    RequestFailed,
    RequestGone,
    ResignAsked,
    ResponseArrived,
    ShutdownAsked,
    SnapshotInstalled,
    SnapshotRejected,
    SnapshotWritten,
    Started,
    TimePassed,
)
from metaquorum.quorum.handlers.election.leader_lost import on_leader_lost
from metaquorum.quorum.handlers.election.lifecycle import (
    on_resign_asked,
    on_shutdown_asked,
    on_started,
)
from metaquorum.quorum.handlers.replication.append import on_append_asked, on_appends_paused
from metaquorum.quorum.handlers.replication.disk import (
    on_disk_failed,
    on_durable,
    on_snapshot_written,
)
from metaquorum.quorum.handlers.replication.retention import on_log_measured
from metaquorum.quorum.handlers.requests import on_request, on_request_gone
from metaquorum.quorum.handlers.response_dispatch import on_request_failed, on_response
from metaquorum.quorum.handlers.snapshot.download import on_snapshot_installed, on_snapshot_rejected
from metaquorum.quorum.handlers.time import on_time_passed
from metaquorum.quorum.state import ReplicaState

Handler = Callable[[ReplicaState, Any, Millis, list[Effect]], None]

HANDLERS: dict[type, Handler] = {
    Started: on_started,
    RequestArrived: on_request,
    RequestGone: on_request_gone,
    AppendAsked: on_append_asked,
    AppendsPaused: on_appends_paused,
    Durable: on_durable,
    DiskFailed: on_disk_failed,
    ResponseArrived: on_response,
    RequestFailed: on_request_failed,
    LeaderLost: on_leader_lost,
    SnapshotWritten: on_snapshot_written,
    LogMeasured: on_log_measured,
    SnapshotInstalled: on_snapshot_installed,
    SnapshotRejected: on_snapshot_rejected,
    TimePassed: on_time_passed,
    ResignAsked: on_resign_asked,
    ShutdownAsked: on_shutdown_asked,
}
