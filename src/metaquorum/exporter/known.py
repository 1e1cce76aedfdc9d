"""What a scrape shows: what is known when it comes, and how old that is. It waits for nobody."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from attrs import field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.exporter.figures import LogFigures, QuorumFigures, SourceFigures
from metaquorum.exporter.source import LOG_LOST, UNREADABLE
from metaquorum.tls.certificate import Certificate

LOG = "log"
QUORUM = "quorum"
ANOTHER_CLUSTER: Final = "another-cluster"
BEGUN_ANEW: Final = (ANOTHER_CLUSTER, LOG_LOST, UNREADABLE)
"""Why a log is read from its beginning again: every value of the label ``why``."""


@frozen
class Known:
    """Everything at one moment; ``now_ms`` is of the clock of the figures, ``wall_ms`` since 1970.

    ``sources`` has ``LOG`` and ``QUORUM``. ``begun_anew`` counts by reason how often the log was
    read from its beginning again. ``certificates`` are by ``host:port``, and our own.
    """

    now_ms: Millis
    wall_ms: Millis
    log: LogFigures | None
    quorum: QuorumFigures | None
    sources: Mapping[str, SourceFigures]
    begun_anew: Mapping[str, int] = field(factory=dict)
    certificates: Mapping[str, Certificate] = field(factory=dict)

    @property
    def has_leader(self) -> bool:
        """Whether a leader served one of the sources last time."""
        return any(one.failing is None for one in self.sources.values()) and self.leader[0] >= 0

    @property
    def leader(self) -> tuple[NodeId, Epoch]:
        """The leader of the newest epoch that either source knows, -1 where it is not known."""
        told: list[tuple[Epoch, NodeId]] = []
        if self.log is not None:
            told.append((self.log.place.leader_epoch, self.log.place.leader_id))
        if self.quorum is not None:
            told.append((self.quorum.epoch, self.quorum.leader_id))
        epoch, leader_id = max(told, default=(-1, -1))
        return leader_id, epoch

    @property
    def high_watermark(self) -> Offset | None:
        """As the source told it that was answered last."""
        log, quorum = self.log, self.quorum
        if log is None or (quorum is not None and quorum.asked_at_ms > log.read_at_ms):
            return None if quorum is None else quorum.high_watermark
        return log.place.high_watermark
