"""The fencings and unfencings of one broker, each with what is known around it."""

from __future__ import annotations

from collections.abc import Iterator

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.flight.contact import Contact, contact, contact_facts
from metaquorum.flight.evidence import (
    BROKER,
    UNKNOWN,
    BrokerChanged,
    BrokerRegistered,
    BrokerRemoved,
    Probed,
)
from metaquorum.flight.explanation import Fact, Timeouts, counted, seconds
from metaquorum.flight.history import History, OfBroker

AROUND_MS = 60_000
"""A broker's answers so long before and after are looked at."""
SESSIONS_SHOWN = 2
"""Answers so many sessions before a broker was fenced are shown."""
NEAR_MS = 500
"""A silence that was over so long before is none that led to the fencing."""
AFTER_MS = 2_000
FRESH_MS = 3_000
"""What a leader said of a broker so long before its fencing still holds."""


@frozen
class BrokerCase:
    """A record that fenced a broker, unfenced it, or did away with it.

    ``incarnation`` is of the process that it was about, None where its registration was not seen;
    ``registered_ms`` is when that registered, if it was not unfenced since. ``asked_to_stop_ms`` is
    when it entered its controlled shutdown.
    """

    history: History
    record: OfBroker
    following: tuple[OfBroker, ...]
    time_ms: Millis
    incarnation: str | None
    registered_ms: Millis | None
    asked_to_stop_ms: Millis | None
    contact: Contact
    probes: tuple[Probed, ...]
    timeouts: Timeouts

    @property
    def node_id(self) -> NodeId:
        """The broker."""
        return self.record.node_id

    @property
    def is_unfencing(self) -> bool:
        """Whether the record unfenced it."""
        return isinstance(self.record, BrokerChanged) and self.record.fenced is False

    @property
    def leaders_moved(self) -> int:
        """How many partitions got another leader with the record."""
        return self.record.leaders_moved if isinstance(self.record, BrokerChanged) else 0

    def restarted(self) -> bool | None:
        """Whether it came back as another process; None where it did not, or that is unknown."""
        for one in self.following:
            if isinstance(one, BrokerRegistered):
                if self.incarnation is None:
                    return None
                if one.incarnation != self.incarnation:
                    return True
            elif isinstance(one, BrokerChanged) and one.fenced is False:
                return False
            elif isinstance(one, BrokerRemoved):
                return None
        return None

    def since_fetch_ms(self) -> Millis | None:
        """How long before the record it had asked for metadata last, as its leader said."""
        for view in reversed(self.history.described_before(self.time_ms, FRESH_MS)):
            for row in view.replicas:
                if row.node_id == self.node_id and not row.is_voter:
                    if row.since_fetch_ms == UNKNOWN:
                        return None
                    return row.since_fetch_ms + self.time_ms - view.time_ms - view.took_ms
        return None


@define
class _Life:
    """What is known of a broker while its records are walked."""

    incarnation: str | None = None
    fenced: bool | None = None
    registered_ms: Millis | None = None
    asked_to_stop_ms: Millis | None = field(default=None)


def cases_of(history: History, node_id: NodeId, timeouts: Timeouts) -> Iterator[BrokerCase]:
    """The fencings and unfencings of a broker in the order of the log."""
    life = _Life()
    known = history.before.get(node_id)
    if known is not None:
        life = _Life(known.incarnation, known.fenced)
    rows = history.brokers.get(node_id, [])
    for at, record in enumerate(rows):
        if _is_event(life, record):
            yield _case(history, life, record, tuple(rows[at + 1 :]), timeouts)
        _pass(history, life, record)


def _is_event(life: _Life, record: OfBroker) -> bool:
    if isinstance(record, BrokerChanged):
        return record.fenced is not None and record.fenced is not life.fenced
    if isinstance(record, BrokerRemoved):
        return life.fenced is False
    return life.fenced is False and record.fenced and record.incarnation != life.incarnation


def _pass(history: History, life: _Life, record: OfBroker) -> None:
    if isinstance(record, BrokerRegistered):
        if record.incarnation != life.incarnation:
            life.asked_to_stop_ms = None
            life.registered_ms = history.recorder_ms(record.epoch, record.time_ms)
        life.incarnation, life.fenced = record.incarnation, record.fenced
    elif isinstance(record, BrokerRemoved):
        life.incarnation, life.fenced, life.asked_to_stop_ms = None, None, None
    else:
        if record.in_shutdown:
            life.asked_to_stop_ms = history.recorder_ms(record.epoch, record.time_ms)
        if record.fenced is not None:
            life.fenced = record.fenced
            if not record.fenced:
                life.registered_ms = None


def _case(
    history: History,
    life: _Life,
    record: OfBroker,
    following: tuple[OfBroker, ...],
    timeouts: Timeouts,
) -> BrokerCase:
    time_ms = history.recorder_ms(record.epoch, record.time_ms)
    probes = history.probes_of(BROKER, record.node_id, time_ms - AROUND_MS, time_ms + AROUND_MS)
    return BrokerCase(
        history,
        record,
        following,
        time_ms,
        life.incarnation,
        life.registered_ms,
        life.asked_to_stop_ms,
        contact(probes, time_ms - NEAR_MS, time_ms + AFTER_MS),
        tuple(probes),
        timeouts,
    )


def broker_facts(case: BrokerCase) -> list[Fact]:
    """The evidence around the record in order of time."""
    broker, facts = f"broker {case.node_id}", []
    if case.asked_to_stop_ms is not None:
        facts.append(Fact(case.asked_to_stop_ms, f"{broker} began its controlled shutdown"))
    if case.is_unfencing and case.registered_ms is not None:
        words = f"{broker} registered, incarnation {case.incarnation}"
        facts.append(Fact(case.registered_ms, words))
    shown_ms = SESSIONS_SHOWN * case.timeouts.session_ms
    after_ms = AFTER_MS if case.is_unfencing else AROUND_MS
    facts += contact_facts(case.probes, case.time_ms - shown_ms, case.time_ms + after_ms)
    since_ms = case.since_fetch_ms()
    if since_ms is not None:
        text = f"{broker} asked for metadata, the last time that its leader told"
        facts.append(Fact(case.time_ms - since_ms, text))
    facts.append(Fact(case.time_ms, _record_text(case)))
    for one in () if case.is_unfencing else case.following:
        if isinstance(one, BrokerRegistered):
            at_ms = case.history.recorder_ms(one.epoch, one.time_ms)
            same = "the same" if one.incarnation == case.incarnation else "another"
            known = same if case.incarnation is not None else "an"
            facts.append(Fact(at_ms, f"{broker} registered, {known} incarnation"))
            break
        if isinstance(one, BrokerChanged) and one.fenced is False:
            at_ms = case.history.recorder_ms(one.epoch, one.time_ms)
            facts.append(Fact(at_ms, f"{broker} was unfenced without registering"))
            break
    return sorted(facts, key=lambda one: one.time_ms)


def _record_text(case: BrokerCase) -> str:
    record, broker = case.record, f"broker {case.node_id}"
    if isinstance(record, BrokerRemoved):
        return f"{broker} was unregistered"
    if isinstance(record, BrokerRegistered):
        return f"{broker} registered as another process while it was not fenced"
    if record.fenced is False:
        return f"{broker} was unfenced"
    moved = counted(record.leaders_moved, "partition")
    return f"{broker} was fenced; {moved} got another leader, or none, with it"


def silence(case: BrokerCase) -> str:
    """How long it had not been reached, in words."""
    since_ms = case.contact.since_ms
    return seconds(0 if since_ms is None else max(0, case.time_ms - since_ms))
