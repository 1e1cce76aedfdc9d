"""A change of leader and what is known around it: what the rules look at."""

from __future__ import annotations

from collections.abc import Sequence

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch
from metaquorum.flight.contact import Contact, contact, contact_facts
from metaquorum.flight.evidence import (
    CONTROLLER,
    UNKNOWN,
    ControllerRegistered,
    Described,
    LeaderElected,
    Outcome,
    Probed,
)
from metaquorum.flight.explanation import Fact, Timeouts, counted, seconds
from metaquorum.flight.history import Gap, History, Overrun

AROUND_MS = 30_000
"""Evidence is shown of so long before an event, and a node's return after it counts so long."""
LAST_WRITE_MS = 1_000
"""A leader's last committed record may be so much older than its last sign of life."""
SHOWN_BEFORE_MS = 3_000
"""Answers so long before a leader's last record are shown."""
AFTER_MS = 1_000
"""What a node did so long after the next leader's election still belongs to it."""
SETTLED_MS = 10_000
"""A process that was started registers within this time, where there is a leader."""
NOT_FETCHING_MS = 1_000
"""A follower fetches twice a second at least."""


@frozen
class LeaderCase:
    """One LeaderChange and the leader before it. Times are the recorder's where there was one."""

    history: History
    election: LeaderElected
    epoch_before: Epoch
    leader_before: NodeId
    last_ms: Millis
    elected_ms: Millis
    last_offset: int
    contact: Contact
    probes: tuple[Probed, ...]
    timeouts: Timeouts

    @property
    def gap_ms(self) -> Millis:
        """From the last record of the one leader to the LeaderChange of the next."""
        return self.elected_ms - self.last_ms

    @property
    def was_quick(self) -> bool:
        """Whether the followers' fetch time-out cannot have run out in between."""
        return self.gap_ms < self.timeouts.told_ms

    @property
    def granted(self) -> bool:
        """Whether the leader before voted for the next: it ran, was reached, and led no more."""
        return (
            self.leader_before in self.election.granting
            and self.leader_before != self.election.leader_id
        )

    @property
    def was_removed(self) -> bool:
        """Whether the voters of its epoch's end are without it."""
        sets = [one for one in self.history.voter_sets if one.offset < self.election.offset]
        return (
            bool(sets)
            and sets[-1].epoch == self.epoch_before
            and (self.leader_before not in sets[-1].voters)
        )

    def restarted(self) -> bool | None:
        """Whether the process of the leader before was started anew afterwards; None if unknown."""
        rows = self.history.controllers.get(self.leader_before, [])
        earlier = [one for one in rows if one.offset < self.election.offset]
        later = [one for one in rows if one.offset > self.election.offset]
        if later:
            if not earlier:
                return None
            return self._is_another(earlier[-1], later[0])
        return False if earlier and self._lived_on() else None

    @staticmethod
    def _is_another(earlier: ControllerRegistered, later: ControllerRegistered) -> bool:
        return earlier.incarnation != later.incarnation

    def _lived_on(self) -> bool:
        """Whether it showed itself afterwards, and had the time to register if it was new."""
        history, node_id = self.history, self.leader_before
        end_ms = max((one.last_ms for one in history.reigns.values()), default=0)
        led = [
            one.time_ms
            for one in history.elections
            if one.epoch > self.election.epoch
            and (one.leader_id == node_id or node_id in one.granting)
        ]
        answered = [self.contact.again_ms] if self.contact.again_ms is not None else []
        fetched = [
            one.time_ms
            for one in history.described
            if one.time_ms > self.elected_ms
            for row in one.replicas
            if row.node_id == node_id and 0 <= row.since_fetch_ms <= NOT_FETCHING_MS
        ]
        signs = [*led[:1], *answered, *fetched[:1]]
        return any(end_ms - one >= SETTLED_MS for one in signs)

    def is_back_from_long(self) -> bool:
        """Whether the same process answered again, after a silence that explains the election.

        A shorter one than half a fetch time-out may be one by chance, of a machine that is busy.
        """
        since_ms, again_ms = self.contact.since_ms, self.contact.again_ms
        if since_ms is None or again_ms is None or self.restarted() is not False:
            return False
        return min(again_ms, self.elected_ms) - since_ms >= self.timeouts.fetch_ms // 2

    def overrun(self) -> Overrun | None:
        """Records of its epoch in some directory that were written after the next leader began."""
        for one in self.history.overruns:
            late_ms = self.history.recorder_ms(one.epoch, one.last_ms)
            if one.epoch == self.epoch_before and late_ms > self.elected_ms + LAST_WRITE_MS:
                return one
        return None

    def gaps(self) -> list[Gap]:
        """Times shortly before in which it wrote nothing, though it should have."""
        reign = self.history.reigns.get(self.epoch_before)
        if reign is None:
            return []
        return [one for one in reign.gaps if reign.last_ms - one.end_ms <= AROUND_MS]

    def last_view(self) -> Described | None:
        """What it said of the quorum last."""
        found = self.history.described_before(self.elected_ms, AROUND_MS)
        own = [one for one in found if one.leader_id == self.leader_before]
        return own[-1] if own else None

    def not_fetching(self) -> list[NodeId]:
        """The voters of whom it said last that they did not ask it for records any more."""
        view = self.last_view()
        if view is None:
            return []
        return [
            one.node_id
            for one in view.replicas
            if one.is_voter
            and one.node_id != self.leader_before
            and (one.since_fetch_ms == UNKNOWN or one.since_fetch_ms > NOT_FETCHING_MS)
        ]

    def voters_down(self) -> list[NodeId]:
        """The other voters that the recorder did not reach after its last record, or just before.

        They were reached again when the next leader was elected, or it would not have been. A
        leader writes for one and a half fetch time-outs before it gives up for want of a majority,
        and what it wrote stays if it is elected again.
        """
        from_ms = self.last_ms - 2 * self.timeouts.fetch_ms
        return [
            node_id
            for node_id in self.election.voters
            if node_id != self.leader_before
            and any(
                one.outcome is not Outcome.ANSWERED
                for one in self.history.probes_of(CONTROLLER, node_id, from_ms, self.elected_ms)
            )
        ]

    def misses_majority(self, missing: Sequence[NodeId]) -> bool:
        """Whether the voters without these are no majority of all of them."""
        count = len(self.election.voters)
        return 2 * (count - len(missing)) <= count and bool(missing)


def case_of(history: History, election: LeaderElected, timeouts: Timeouts) -> LeaderCase | None:
    """The case of a LeaderChange; None where nothing is known of an epoch before it."""
    earlier = [epoch for epoch in history.reigns if epoch < election.epoch]
    if not earlier:
        return None
    epoch_before = max(earlier)
    leader_before = history.leader_of(epoch_before)
    if leader_before is None:
        return None
    reign = history.reigns[epoch_before]
    last_ms = history.recorder_ms(epoch_before, reign.last_ms)
    elected_ms = history.recorder_ms(election.epoch, election.time_ms)
    probes = history.probes_of(
        CONTROLLER, leader_before, last_ms - AROUND_MS, elected_ms + 4 * AROUND_MS
    )
    seen = contact(probes, last_ms - LAST_WRITE_MS, max(elected_ms, last_ms) + AFTER_MS)
    return LeaderCase(
        history,
        election,
        epoch_before,
        leader_before,
        last_ms,
        elected_ms,
        reign.last_offset,
        seen,
        tuple(probes),
        timeouts,
    )


def leader_facts(case: LeaderCase) -> list[Fact]:
    """The evidence around a change of leader in order of time."""
    history, election, before = case.history, case.election, case.leader_before
    facts = [
        Fact(
            case.last_ms,
            f"leader {before} wrote the last record that is seen of epoch {case.epoch_before}, "
            f"at offset {case.last_offset}",
        )
    ]
    for gap in case.gaps():
        at_ms = history.recorder_ms(case.epoch_before, gap.end_ms)
        facts.append(Fact(at_ms, f"leader {before} wrote nothing for {seconds(gap.length_ms)}"))
    shown_ms = case.last_ms - SHOWN_BEFORE_MS, case.elected_ms + AROUND_MS
    facts += contact_facts(case.probes, *shown_ms)
    view = case.last_view()
    for one in view.replicas if view is not None else ():
        if one.is_voter and one.node_id in case.not_fetching():
            since = one.since_fetch_ms
            text = "never" if since == UNKNOWN else f"{seconds(since)} before, the last time"
            words = f"leader {before} says that voter {one.node_id} fetched {text}"
            facts.append(Fact(view.time_ms if view is not None else 0, words))
    if case.was_removed:
        facts.append(Fact(case.last_ms, f"controller {before} was removed from the voters"))
    skipped = election.epoch - case.epoch_before - 1
    if skipped > 0:
        words = f"{counted(skipped, 'epoch')} between them had no leader"
        facts.append(Fact(case.elected_ms, words))
    granting = ", ".join(map(str, election.granting)) or "nobody that is named"
    facts.append(
        Fact(
            case.elected_ms,
            f"controller {election.leader_id} began epoch {election.epoch} with the votes of "
            f"{granting}",
        )
    )
    overrun = case.overrun()
    if overrun is not None:
        text = f"{overrun.place} has a record of epoch {overrun.epoch} at {overrun.last_offset}"
        facts.append(Fact(history.recorder_ms(overrun.epoch, overrun.last_ms), text))
    for row in history.controllers.get(before, []):
        if row.offset > election.offset:
            at_ms = history.recorder_ms(row.epoch, row.time_ms)
            known = {True: "another", False: "the same", None: "an"}[case.restarted()]
            facts.append(Fact(at_ms, f"controller {before} registered, {known} incarnation"))
            break
    return sorted(facts, key=lambda one: one.time_ms)
