"""How a source of the exporter does: whether it works, why not, and one line when that changes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated, OperatorError, PeerError
from metaquorum.client.connection import CertificateRefused, LoginRefused
from metaquorum.client.leader_link import NoLeader
from metaquorum.client.leader_question import NobodyLeads
from metaquorum.client.metadata_log import LogDiverged, OffsetNotInLog, TailRefused
from metaquorum.exporter.figures import SourceFigures
from metaquorum.observe.events import EventLog
from metaquorum.records.errors import BatchError

NOT_YET: Final = "not-yet"
UNREADABLE: Final = "unreadable"
LOG_LOST: Final = "log-lost"
NO_LEADER: Final = "no-leader"

_REASONS: Final[tuple[tuple[type[Exception], str], ...]] = (
    (CertificateRefused, "certificate"),
    (LoginRefused, "login"),
    (NoLeader, NO_LEADER),
    (NobodyLeads, NO_LEADER),
    (LogDiverged, LOG_LOST),
    (OffsetNotInLog, LOG_LOST),
    (TailRefused, "refused"),
    (InvariantViolated, UNREADABLE),
    (BatchError, UNREADABLE),
    (PeerError, UNREADABLE),
    (OperatorError, "no-answer"),
)
REASONS: Final = (NOT_YET, *dict.fromkeys(reason for _, reason in _REASONS))
"""Every value of the label ``reason``."""
FAILURES: Final = tuple(kind for kind, _ in _REASONS)
"""What a source goes on after; anything else is a fault of ours and ends the process."""


def reason_of(error: Exception) -> str:
    """The reason in a word, one of ``REASONS``."""
    return next(reason for kind, reason in _REASONS if isinstance(error, kind))


@define(eq=False)
class Source:
    """One of the sources. It is written by one thread, and may be looked at by any."""

    name: str
    log: EventLog
    now_ms: Callable[[], Millis]
    failing: str | None = field(default=NOT_YET, init=False)
    worked_at_ms: Millis | None = field(default=None, init=False)
    why: str = field(default="", init=False)
    _failures: Counter[str] = field(factory=Counter, init=False)

    def worked(self) -> None:
        """It gave what was asked for."""
        before, self.failing = self.failing, None
        self.worked_at_ms = self.now_ms()
        if before is not None:
            self.log.info("source-works", source=self.name)

    def failed(self, error: Exception) -> str:
        """It did not, and why; the reason. A line is written when the reason is another one."""
        reason = reason_of(error)
        self._failures = self._failures + Counter((reason,))
        before, self.failing, self.why = self.failing, reason, str(error)
        if reason != before:
            self.log.warn("source-fails", source=self.name, reason=reason, why=str(error))
        return reason

    def figures(self) -> SourceFigures:
        """How it does now."""
        at_ms = self.worked_at_ms
        since_ms = None if at_ms is None else max(0, self.now_ms() - at_ms)
        return SourceFigures(self.failing, since_ms, self._failures, self.why)
