"""Asks the leader how the quorum is, again and again, and notices that it is another quorum.

It runs in a thread of its own, since the client blocks. Each time it also asks for the cluster's
id: a cluster that was formed again under the same addresses has another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from attrs import define, evolve, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_REPLICAS_SHOWN
from metaquorum.client.connection import Connection
from metaquorum.client.leader_question import CONTROLLERS
from metaquorum.client.quorum_question import QuorumQuestion
from metaquorum.client.quorum_view import MAX_BEHIND_MS, QuorumView, replicas_of
from metaquorum.client.security import Security
from metaquorum.client.snapshot_question import SnapshotQuestion
from metaquorum.config.listeners import HostPort
from metaquorum.exporter.figures import QuorumFigures, SnapshotFigures
from metaquorum.exporter.known import ANOTHER_CLUSTER
from metaquorum.exporter.log_follower import LogFollower
from metaquorum.exporter.source import FAILURES, Source
from metaquorum.observe.events import EventLog

EXPORTER_ID: Final = "metaquorum-exporter"
TIMEOUT_MS: Final = 10_000
SNAPSHOT_EVERY_MS: Final = 60_000

Open = Callable[..., Connection]


@define(eq=False)
class QuorumPoller:
    """Asks every ``interval_ms``; ``wait`` sleeps, and returns True once it is to stop.

    ``open`` makes connections instead of ``security`` (tests pass their own).
    """

    bootstrap: Sequence[HostPort]
    security: Callable[[], Security]
    interval_ms: int
    follower: LogFollower
    source: Source
    lines: EventLog
    now_ms: Callable[[], Millis]
    wait: Callable[[float], bool]
    open: Open | None = None
    client_id: str = field(default=EXPORTER_ID, kw_only=True)
    question: dict[str, Any] = field(factory=dict, kw_only=True)
    """More options of the questions: the clock of a test."""
    described: Callable[[QuorumView], None] = field(default=lambda view: None, kw_only=True)
    """Given every answer as it came."""
    not_described: Callable[[str], None] = field(default=lambda reason: None, kw_only=True)
    """Told the reason of every failure."""
    figures: QuorumFigures | None = field(default=None, init=False)
    _security: Security | None = field(default=None, init=False)
    _last_place: HostPort | None = field(default=None, init=False)
    _snapshot_at_ms: Millis | None = field(default=None, init=False)
    _attempts: int = field(default=0, init=False)

    def run(self) -> None:
        """Until ``wait`` says that it is to stop."""
        while True:
            self.poll()
            if self.wait(self.interval_ms / 1_000):
                return

    def poll(self) -> None:
        """Ask once."""
        try:
            open_with = self._opened_with()
            view = self._asked(open_with)
            self.described(view)
            before, self.figures = self.figures, self._figures(view)
            self.source.worked()
            self._look_for_another(before, view)
            self._ask_snapshot(open_with, view)
        except FAILURES as error:
            self.not_described(self.source.failed(error))

    def _opened_with(self) -> Open:
        """What makes connections, with what the files of the client's properties say by now."""
        if self.open is not None:
            return self.open
        security = self._security
        if security is None or self.source.failing is not None:
            security = self._security = self.security()
        elif security.tls is not None and security.tls.is_outdated():
            security = self._security = self._renewed(security)
        return security.open

    def _renewed(self, before: Security) -> Security:
        """Files that are being replaced cannot be read for a moment; what was read is good."""
        try:
            return self.security()
        except OperatorError as error:
            self.lines.warn("certificates-not-renewed", why=str(error))
            return before

    def _asked(self, open_with: Open) -> QuorumView:
        """What the leader says; the place that answered last time is asked first."""

        def opened(host: str, port: int, **more: Any) -> Connection:
            connection = open_with(host, port, **more)
            self._last_place = HostPort(host, port)
            return connection

        first = self._attempts % len(self.bootstrap)
        self._attempts += 1
        places = [*self.bootstrap[first:], *self.bootstrap[:first]]
        last, self._last_place = self._last_place, None
        if last is not None:
            places = [last, *(place for place in places if place != last)]
        view: QuorumView = self._put(QuorumQuestion, places, opened).answer()
        return view

    def _put(self, kind: type[Any], places: Sequence[HostPort], open_with: Open) -> Any:
        share_ms = TIMEOUT_MS // (len(self.bootstrap) + 1)
        return kind(
            places, CONTROLLERS, TIMEOUT_MS, self.client_id, share_ms, open_with, **self.question
        )

    def _figures(self, view: QuorumView) -> QuorumFigures:
        rows = (*view.voters, *view.observers)
        before = self.figures
        made = QuorumFigures(
            cluster_id=view.cluster_id,
            leader_id=view.leader_id,
            epoch=view.leader_epoch,
            high_watermark=view.high_watermark,
            log_end_offset=view.leader.log_end_offset,
            replicas=tuple(replicas_of(view, MAX_BEHIND_MS))[:MAX_REPLICAS_SHOWN],
            log_end_offsets={row.id: row.log_end_offset for row in rows},
            asked_at_ms=self.now_ms(),
            endpoints=view.endpoints,
        )
        if before is None or before.cluster_id != view.cluster_id:
            self._snapshot_at_ms = None
            return made
        return evolve(made, snapshot=before.snapshot, snapshot_is_known=before.snapshot_is_known)

    def _look_for_another(self, before: QuorumFigures | None, view: QuorumView) -> None:
        if before is not None and before.cluster_id != view.cluster_id:
            self.lines.warn("cluster-changed", before=before.cluster_id, now=view.cluster_id)
            self.follower.begin_anew(ANOTHER_CLUSTER)

    def _ask_snapshot(self, open_with: Open, view: QuorumView) -> None:
        now_ms, due_ms = self.now_ms(), self._snapshot_at_ms
        if (due_ms is not None and now_ms < due_ms) or self._last_place is None:
            return
        self._snapshot_at_ms = now_ms + max(SNAPSHOT_EVERY_MS, self.interval_ms)
        question = self._put(SnapshotQuestion, [self._last_place], open_with)
        try:
            found = question.latest(view.leader_epoch)
        except OperatorError as error:
            self.lines.info("snapshot-not-told", why=str(error))
            return
        assert self.figures is not None
        snapshot = None if found is None else SnapshotFigures(found.end_offset, found.contained_ms)
        self.figures = evolve(self.figures, snapshot=snapshot, snapshot_is_known=True)
