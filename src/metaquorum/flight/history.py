"""All evidence of one quorum, from recordings and directories, put in order for the rules.

Records carry the clock of the leader that wrote them, everything else that of the recorder. How far
a leader's clock is ahead is known from its answers, so that both can be laid beside each other.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Final

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset
from metaquorum.flight.evidence import (
    UNKNOWN,
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    ControllerRegistered,
    Described,
    Evidence,
    LeaderElected,
    NotDescribed,
    OfLog,
    Probed,
    VotersSet,
    Wrote,
)
from metaquorum.flight.limits import MAX_ITEMS

LEAST_GAP_MS: Final = 1_000
"""Between two batches of a leader that writes a NoOp every 500 ms, a longer one is a gap."""

OfBroker = BrokerRegistered | BrokerChanged | BrokerRemoved


@frozen
class Gap:
    """A leader wrote nothing for ``length_ms``, until ``end_ms``, in the midst of its epoch."""

    end_ms: Millis
    length_ms: Millis


@define
class Reign:
    """What the leader of an epoch wrote: its last record, and where it paused before."""

    epoch: Epoch
    first_ms: Millis
    last_ms: Millis
    last_offset: Offset
    gaps: list[Gap] = field(factory=list)

    def add(self, wrote: Wrote) -> None:
        """Take one stretch more, which goes on from the last one or lies in it."""
        if wrote.next_offset - 1 <= self.last_offset:
            return
        between_ms = wrote.first_ms - self.last_ms
        if between_ms >= LEAST_GAP_MS:
            self.gaps.append(Gap(wrote.first_ms, between_ms))
        if wrote.longest_gap_ms >= LEAST_GAP_MS:
            self.gaps.append(Gap(wrote.gap_end_ms, wrote.longest_gap_ms))
        self.last_ms = max(self.last_ms, wrote.last_ms)
        self.last_offset = wrote.next_offset - 1


@frozen
class Overrun:
    """A replica's directory has records of an epoch that the next leader did not have.

    The leader of ``epoch`` wrote them up to ``last_ms``, as that leader's own log or that of one of
    its followers says.
    """

    place: str
    epoch: Epoch
    last_offset: Offset
    last_ms: Millis


@define
class History:
    """What ``of`` made of the evidence. Lists are in the order of the log, or of time."""

    elections: list[LeaderElected] = field(factory=list)
    reigns: dict[Epoch, Reign] = field(factory=dict)
    voter_sets: list[VotersSet] = field(factory=list)
    controllers: dict[NodeId, list[ControllerRegistered]] = field(factory=dict)
    brokers: dict[NodeId, list[OfBroker]] = field(factory=dict)
    described: list[Described] = field(factory=list)
    not_described: list[NotDescribed] = field(factory=list)
    probes: dict[tuple[str, NodeId], list[Probed]] = field(factory=dict)
    overruns: list[Overrun] = field(factory=list)
    ahead_ms: dict[NodeId, Millis] = field(factory=dict)
    """How far a leader's clock is ahead of the recorder's; nothing of leaders not asked."""
    before: dict[NodeId, BrokerRegistered] = field(factory=dict)
    """Brokers that were there when the evidence begins."""

    @classmethod
    def of(cls, items: Iterable[Evidence], logs: Sequence[tuple[str, list[OfLog]]] = ()) -> History:
        """From the items of recordings, and of directories by their places.

        OperatorError where there are more than can be explained at once.
        """
        made = cls()
        of_logs: dict[tuple[Epoch, Offset, str], OfLog] = {}
        count = 0
        for item in items:
            count += 1
            _check_count(count)
            made._take(item, of_logs)
        chosen = _agreed(logs)
        for _, log in chosen:
            for one in log:
                count += 1
                _check_count(count)
                made._take(one, of_logs)
        made._finish(of_logs)
        made._find_overruns(logs)
        return made

    def leader_of(self, epoch: Epoch) -> NodeId | None:
        """Who led an epoch; None where its LeaderChange was not seen."""
        at = bisect_left(self.elections, epoch, key=_epoch)
        if at < len(self.elections) and self.elections[at].epoch == epoch:
            return self.elections[at].leader_id
        told = [one.leader_id for one in self.described if one.epoch == epoch]
        return told[0] if told else None

    def recorder_ms(self, epoch: Epoch, time_ms: Millis) -> Millis:
        """The time of a record of an epoch by the recorder's clock, as far as that is known."""
        leader_id = self.leader_of(epoch)
        return time_ms - self.ahead_ms.get(UNKNOWN if leader_id is None else leader_id, 0)

    def probes_of(self, role: str, node_id: NodeId, from_ms: Millis, to_ms: Millis) -> list[Probed]:
        """Questions to a node that were asked within a time of the recorder's."""
        found = self.probes.get((role, node_id), [])
        first = bisect_left(found, from_ms, key=_time)
        return found[first : bisect_right(found, to_ms, key=_time)]

    def described_before(self, time_ms: Millis, within_ms: Millis) -> list[Described]:
        """Answers that had come by a time of the recorder's, of those asked not longer before."""
        first = bisect_left(self.described, time_ms - within_ms, key=_time)
        found = self.described[first : bisect_right(self.described, time_ms, key=_time)]
        return [one for one in found if one.time_ms + one.took_ms <= time_ms]

    # ------------------------------------------------------------ making

    def _take(self, item: Evidence, of_logs: dict[tuple[Epoch, Offset, str], OfLog]) -> None:
        if isinstance(item, Described):
            self.described.append(item)
        elif isinstance(item, NotDescribed):
            self.not_described.append(item)
        elif isinstance(item, Probed):
            self.probes.setdefault((item.role, item.node_id), []).append(item)
        elif isinstance(item, Wrote):
            of_logs[item.epoch, item.first_offset, f"wrote until {item.next_offset}"] = item
        elif isinstance(item, BrokerRegistered) and item.offset == NO_OFFSET:
            self.before.setdefault(item.node_id, item)
        else:
            of_logs[item.epoch, item.offset, type(item).__name__] = item

    def _finish(self, of_logs: dict[tuple[Epoch, Offset, str], OfLog]) -> None:
        brokers, controllers = defaultdict(list), defaultdict(list)
        for _, item in sorted(of_logs.items(), key=lambda row: row[0]):
            if isinstance(item, Wrote):
                self._write(item)
            elif isinstance(item, LeaderElected):
                self.elections.append(item)
            elif isinstance(item, VotersSet):
                self.voter_sets.append(item)
            elif isinstance(item, ControllerRegistered):
                controllers[item.node_id].append(item)
            elif isinstance(item, OfBroker):
                brokers[item.node_id].append(item)
        self.brokers, self.controllers = dict(brokers), dict(controllers)
        self.described.sort(key=lambda one: one.time_ms)
        self.not_described.sort(key=lambda one: one.time_ms)
        for rows in self.probes.values():
            rows.sort(key=lambda one: one.time_ms)
        self.ahead_ms = _clocks(self.described)

    def _write(self, wrote: Wrote) -> None:
        reign = self.reigns.get(wrote.epoch)
        if reign is None:
            last = wrote.next_offset - 1
            reign = Reign(wrote.epoch, wrote.first_ms, wrote.last_ms, last)
            self.reigns[wrote.epoch] = reign
            if wrote.longest_gap_ms >= LEAST_GAP_MS:
                reign.gaps.append(Gap(wrote.gap_end_ms, wrote.longest_gap_ms))
            return
        reign.add(wrote)

    def _find_overruns(self, logs: Sequence[tuple[str, list[OfLog]]]) -> None:
        """Records that one directory has, and that the log which went on does not have."""
        for place, items in logs:
            last: dict[Epoch, Wrote] = {}
            for one in items:
                if isinstance(one, Wrote):
                    last[one.epoch] = one
            for epoch, wrote in last.items():
                following = [one for one in self.elections if one.epoch > epoch]
                if following and wrote.next_offset > following[0].offset:
                    end = wrote.next_offset - 1
                    self.overruns.append(Overrun(place, epoch, end, wrote.last_ms))


def _time(item: Described | Probed) -> Millis:
    return item.time_ms


def _epoch(election: LeaderElected) -> Epoch:
    return election.epoch


def _check_count(count: int) -> None:
    if count > MAX_ITEMS:
        raise OperatorError(
            f"there are more than {MAX_ITEMS} items of evidence; give fewer recordings or logs"
        )


def _agreed(logs: Sequence[tuple[str, list[OfLog]]]) -> list[tuple[str, list[OfLog]]]:
    """The log that goes on: that of the last epoch, and of those the longest; the others after it.

    Of the others only what lies before the first record that they do not have in common counts.
    """
    if not logs:
        return []
    ordered = sorted(logs, key=lambda row: _end(row[1]), reverse=True)
    best = ordered[0]
    begins = _begins(best[1])
    made = [best]
    for place, items in ordered[1:]:
        kept = [one for one in items if _is_in(one, begins)]
        made.append((place, kept))
    return made


def _begins(items: Sequence[OfLog]) -> list[tuple[Offset, Epoch]]:
    """Where each epoch begins in a log."""
    return [(one.offset, one.epoch) for one in items if isinstance(one, LeaderElected)]


def _is_in(item: OfLog, begins: Sequence[tuple[Offset, Epoch]]) -> bool:
    """Whether a record lies in the stretch of its epoch in the log that goes on."""
    offset = item.next_offset - 1 if isinstance(item, Wrote) else item.offset
    later = [start for start, epoch in begins if epoch > item.epoch]
    return not later or offset < later[0]


def _end(items: Sequence[OfLog]) -> tuple[Epoch, Offset]:
    ends = [(one.epoch, one.next_offset) for one in items if isinstance(one, Wrote)]
    return max(ends, default=(-1, -1))


def _clocks(described: Sequence[Described]) -> dict[NodeId, Millis]:
    """What its quickest answer says, with half of the way there and back taken off."""
    quickest: dict[NodeId, Described] = {}
    for one in described:
        best = quickest.get(one.leader_id)
        if one.leader_ms != UNKNOWN and (best is None or one.took_ms < best.took_ms):
            quickest[one.leader_id] = one
    return {
        leader_id: one.leader_ms - one.time_ms - one.took_ms // 2
        for leader_id, one in quickest.items()
    }
