"""What was known before: rates need two moments, and the band needs all of the last minutes.

Knows no clock: each moment is told with its times.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from typing import Final

from attrs import define, evolve, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.limits import MAX_LEADERS_KEPT
from metaquorum.base.offsets import Epoch
from metaquorum.cli.top.band import Span
from metaquorum.cli.top.rows import WatchedFigures
from metaquorum.exporter import tally
from metaquorum.exporter.figures import LogFigures
from metaquorum.exporter.followed_log import BYTES, LEADER_CHANGES, RECORDS
from metaquorum.exporter.known import LOG, Known

STALE_MS: Final = 5_000
"""A leader of which both sources heard nothing for so long is not known any more."""
RATE_MS: Final = 10_000
EVENTS_MS: Final = 60_000
_SAMPLE_EVERY_MS: Final = 500
_LEAST_MS: Final = 400  # a rate of a shorter time would jump


@frozen
class Rates:
    """Of the last ten seconds: ``records_per_s``, ``bytes_per_s``, None while not known.

    ``events`` are counts of the last ``events_ms``, a minute once that was seen, by the names of
    the tally.
    """

    records_per_s: float | None = None
    bytes_per_s: float | None = None
    events: Mapping[str, int] = field(factory=dict)
    events_ms: Millis = 0


COUNTED: Final = (
    LEADER_CHANGES,
    tally.BROKERS_FENCED,
    tally.ISR_SHRINKS,
    tally.ISR_EXPANDS,
    tally.LEADERS_CHANGED,
)
"""The events that are shown."""


@frozen
class Term:
    """A leader's time; ``is_exact`` when the log told it, else it may have begun before."""

    leader_id: NodeId
    since_ms: int
    is_exact: bool


@frozen
class _Sample:
    at_ms: Millis
    events: Mapping[str, int]


@frozen
class _Gap:
    """A time without a known leader; open while there is none."""

    from_ms: int
    epoch: Epoch
    until_ms: int | None = None
    next_epoch: Epoch = -1


@define
class History:
    """Samples and terms of the last minutes; ``take`` is given what is known, again and again."""

    terms: dict[Epoch, Term] = field(factory=dict, init=False)
    _samples: deque[_Sample] = field(factory=deque, init=False)
    _gaps: deque[_Gap] = field(factory=lambda: deque(maxlen=MAX_LEADERS_KEPT), init=False)
    _begun_anew: int = field(default=0, init=False)
    _cluster_id: str | None = field(default=None, init=False)

    def take(self, known: Known) -> None:
        """Remember this moment."""
        self._forget_another(known)
        log = known.log
        if isinstance(log, WatchedFigures):
            for one in log.elections:
                self.terms[one.epoch] = Term(one.leader_id, one.since_ms, True)
        leader_id, epoch = known.leader
        if leader_is_known(known):
            if epoch not in self.terms:
                self.terms[epoch] = Term(leader_id, known.wall_ms, False)
            self._close_gap(epoch, known.wall_ms)
        elif known.log is not None or known.quorum is not None:
            self._open_gap(epoch, known.wall_ms)
        while len(self.terms) > MAX_LEADERS_KEPT:
            del self.terms[min(self.terms)]
        if log is not None:
            self._sample(log)

    def rates(self, known: Known) -> Rates:
        """As they are now; nothing is known of them while the log is not read."""
        log = known.log
        if log is None or known.sources[LOG].failing is not None:
            return Rates()
        newest = _Sample(log.read_at_ms, log.events)
        first = self._before(log.read_at_ms - RATE_MS)
        of_minute = self._before(log.read_at_ms - EVENTS_MS) or newest
        events = {name: _grown(of_minute, newest, name) for name in COUNTED}
        events_ms = min(EVENTS_MS, newest.at_ms - of_minute.at_ms)
        took_ms = 0 if first is None else newest.at_ms - first.at_ms
        if first is None or took_ms < _LEAST_MS:
            return Rates(events=events, events_ms=events_ms)
        return Rates(
            _grown(first, newest, RECORDS) * 1_000 / took_ms,
            _grown(first, newest, BYTES) * 1_000 / took_ms,
            events,
            events_ms,
        )

    def spans(self) -> tuple[Span, ...]:
        """Who led since when, in order; -1 where nobody was known to."""
        found = [Span(one.since_ms, epoch, one.leader_id) for epoch, one in self.terms.items()]
        for gap in self._gaps:
            found.append(Span(gap.from_ms, gap.epoch, -1))
            term = self.terms.get(gap.next_epoch)
            if gap.until_ms is not None and term is not None:
                found.append(Span(gap.until_ms, gap.next_epoch, term.leader_id))
        found.sort(key=lambda span: (span.since_ms, span.epoch))
        return tuple(_without_repeats(found))

    def _forget_another(self, known: Known) -> None:
        """Epochs of another log, or of a cluster of another id, are no part of this one's band."""
        begun_anew = sum(known.begun_anew.values())
        cluster_id = self._cluster_id if known.quorum is None else known.quorum.cluster_id
        is_another = self._cluster_id is not None and cluster_id != self._cluster_id
        if begun_anew != self._begun_anew or is_another:
            self.terms.clear()
            self._gaps.clear()
        self._begun_anew, self._cluster_id = begun_anew, cluster_id

    def _open_gap(self, epoch: Epoch, wall_ms: int) -> None:
        if not self._gaps or self._gaps[-1].until_ms is not None:
            self._gaps.append(_Gap(wall_ms, epoch))

    def _close_gap(self, epoch: Epoch, wall_ms: int) -> None:
        if self._gaps and self._gaps[-1].until_ms is None:
            gap = self._gaps.pop()
            # The log may tell that the leader was there before it was heard of.
            since_ms = self.terms[epoch].since_ms
            until_ms = since_ms if gap.from_ms <= since_ms <= wall_ms else wall_ms
            self._gaps.append(evolve(gap, until_ms=until_ms, next_epoch=epoch))

    def _sample(self, log: LogFigures) -> None:
        if self._samples and log.read_at_ms - self._samples[-1].at_ms < _SAMPLE_EVERY_MS:
            return
        self._samples.append(_Sample(log.read_at_ms, dict(log.events)))
        while len(self._samples) > 1 and self._samples[1].at_ms <= log.read_at_ms - EVENTS_MS:
            self._samples.popleft()

    def _before(self, at_ms: Millis) -> _Sample | None:
        """The last sample that is not younger, else the first one."""
        found = None
        for one in self._samples:
            if found is not None and one.at_ms > at_ms:
                break
            found = one
        return found


def leader_is_known(known: Known) -> bool:
    """Whether one of the sources was served by a leader a short time ago."""
    ages = [one.since_ms for one in known.sources.values() if one.since_ms is not None]
    return known.has_leader and bool(ages) and min(ages) <= STALE_MS


def _grown(first: _Sample, last: _Sample, name: str) -> int:
    return max(0, last.events.get(name, 0) - first.events.get(name, 0))


def _without_repeats(spans: list[Span]) -> Iterator[Span]:
    before: Span | None = None
    for span in spans:
        if before is None or (span.epoch, span.leader_id) != (before.epoch, before.leader_id):
            yield span
        before = span
