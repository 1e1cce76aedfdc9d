"""Why a broker was fenced or unfenced: rules over what is known, the first that fits counts.

Each is described in docs/reference/explanations.md under its name. They know Kafka's ways: a broker
that stops in order asks for it first, and is fenced while it still runs; one that is not heard for
a session is fenced then.
"""

from __future__ import annotations

from collections.abc import Iterator

from metaquorum.base.ids import NodeId
from metaquorum.flight.broker_case import BrokerCase, broker_facts, cases_of, silence
from metaquorum.flight.contact import Reached
from metaquorum.flight.evidence import BrokerRegistered, BrokerRemoved
from metaquorum.flight.explanation import (
    Cause,
    Certainty,
    Event,
    EventKind,
    Timeouts,
    Verdict,
    seconds,
)
from metaquorum.flight.history import History

STILL_RAN_MS = 500
"""A process that ended so long before its fencing at most may have been fenced while it ran."""
FETCHING_MS = 2_000
"""A broker that runs asks for metadata twice a second."""

CERTAIN, LIKELY, POSSIBLE = Certainty.CERTAIN, Certainty.LIKELY, Certainty.POSSIBLE


def explain_broker(history: History, node_id: NodeId, timeouts: Timeouts) -> Iterator[Event]:
    """The events of a broker with their explanations."""
    for case in cases_of(history, node_id, timeouts):
        record, unfenced = case.record, case.is_unfencing
        yield Event(
            EventKind.BROKER_UNFENCED if unfenced else EventKind.BROKER_FENCED,
            case.time_ms,
            record.offset,
            record.epoch,
            node_id,
            unfenced_verdict(case) if unfenced else fenced_verdict(case),
            tuple(broker_facts(case)),
        )


def unfenced_verdict(case: BrokerCase) -> Verdict:
    """The cause of an unfencing."""
    name = f"broker {case.node_id}"
    if case.registered_ms is not None:
        words = f"{name} was started, registered, and caught up with the log"
        return Verdict(Cause.STARTED, CERTAIN, "registered", words)
    if case.incarnation is not None:
        words = f"{name} is heard again: the same process that was fenced"
        return Verdict(Cause.RETURNED, CERTAIN, "same-process", words)
    words = f"{name} is heard; what was before is not seen"
    return Verdict(Cause.RETURNED, POSSIBLE, "heard", words, (Cause.STARTED,))


def fenced_verdict(case: BrokerCase) -> Verdict:
    """The cause of a fencing."""
    name, half_ms = f"broker {case.node_id}", case.timeouts.session_ms // 2
    if isinstance(case.record, BrokerRemoved):
        words = f"{name} was unregistered by an operator while it was not fenced"
        return Verdict(Cause.UNREGISTERED, CERTAIN, "unregistered", words)
    if isinstance(case.record, BrokerRegistered):
        words = f"{name} registered as another process: the one before had ended"
        return Verdict(Cause.ENDED, LIKELY, "registered-anew", words, (Cause.STOPPED,))
    if case.asked_to_stop_ms is not None:
        took_ms = case.time_ms - case.asked_to_stop_ms
        if case.contact.reached is not Reached.DOWN or _down_ms(case) < half_ms:
            words = f"{name} stopped in order, and began to {seconds(took_ms)} before it was fenced"
            return Verdict(Cause.STOPPED, CERTAIN, "asked-to-stop", words)
        words = f"{name} ended in the midst of its controlled shutdown, which began first"
        return Verdict(Cause.STOPPED, LIKELY, "ended-while-stopping", words, (Cause.ENDED,))
    if case.restarted() is False:
        return _lived(case)
    return _by_contact(case) or _by_leader(case)


def _down_ms(case: BrokerCase) -> int:
    since_ms = case.contact.since_ms
    return 0 if since_ms is None else case.time_ms - since_ms


def _lived(case: BrokerCase) -> Verdict:
    """The same process was unfenced later: it was neither killed nor stopped."""
    name, reached = f"broker {case.node_id}", case.contact.reached
    is_long = _down_ms(case) >= case.timeouts.session_ms // 2
    if reached is Reached.STANDING and case.contact.took_connections and is_long:
        words = (
            f"{name} took connections and did not answer, for {silence(case)} until it was fenced, "
            "and came back as the same process: it was paused, or stood still"
        )
        return Verdict(Cause.PAUSED, CERTAIN, "silent-and-back", words)
    if reached is Reached.AWAY and is_long:
        words = (
            f"{name} could not be reached for {silence(case)} until it was fenced, and came back "
            "as the same process: it was cut off"
        )
        return Verdict(Cause.CUT_OFF, CERTAIN, "unreachable-and-back", words)
    words = (
        f"{name} was not heard for a session and came back as the same process: it was paused, cut "
        "off or slow, and neither killed nor stopped"
    )
    return Verdict(Cause.UNRESPONSIVE, CERTAIN, "same-process-back", words)


def _by_contact(case: BrokerCase) -> Verdict | None:
    """What the recorder's own questions to it say; None if nothing."""
    name, reached, down_ms = f"broker {case.node_id}", case.contact.reached, _down_ms(case)
    if reached is Reached.DOWN and down_ms >= case.timeouts.session_ms // 2:
        words = (
            f"{name} had no process (connection refused) for {silence(case)} until it was fenced, "
            "and had not asked to stop: it was killed, or crashed"
        )
        return Verdict(Cause.ENDED, CERTAIN, "down-for-a-session", words)
    if reached is Reached.DOWN and down_ms <= STILL_RAN_MS:
        words = f"{name} still ran when it was fenced and ended then: it stopped in order"
        return Verdict(Cause.STOPPED, LIKELY, "fenced-then-ended", words, (Cause.ENDED,))
    if reached is Reached.DOWN:
        words = (
            f"{name} ended {silence(case)} before it was fenced: it stopped in order, or the "
            "session is shorter than was said"
        )
        return Verdict(Cause.STOPPED, POSSIBLE, "ended-then-fenced", words, (Cause.ENDED,))
    if reached is Reached.STANDING and down_ms >= STILL_RAN_MS:
        words = (
            f"{name} held its connections and did not answer, for {silence(case)} until it was "
            "fenced: it was paused, or stood still"
        )
        others = (Cause.SLOW,) if case.contact.took_connections else (Cause.SLOW, Cause.CUT_OFF)
        return Verdict(Cause.PAUSED, LIKELY, "silent", words, others)
    if reached is Reached.AWAY and down_ms >= STILL_RAN_MS:
        words = (
            f"{name} could not be reached for {silence(case)} until it was fenced: it was cut off, "
            "or its machine failed"
        )
        return Verdict(Cause.CUT_OFF, LIKELY, "unreachable", words, (Cause.ENDED,))
    if reached is Reached.ALL_THE_TIME and case.contact.again_ms is None:
        words = f"{name} answered the recorder, and its heartbeats did not come"
        others = (Cause.STOPPED,)
        return Verdict(Cause.UNRESPONSIVE, POSSIBLE, "answered", words, others)
    return None


def _by_leader(case: BrokerCase) -> Verdict:
    """What the log and the leader's answers say."""
    name, since_ms = f"broker {case.node_id}", case.since_fetch_ms()
    ended = case.restarted() is True
    cause = Cause.ENDED if ended else Cause.GONE
    later = ", and later registered as another process" if ended else ""
    others = (Cause.UNRESPONSIVE,) if ended else ()
    if since_ms is not None and since_ms >= case.timeouts.session_ms // 2:
        words = (
            f"{name} had not asked for metadata for {seconds(since_ms)}{later}: no heartbeat for a "
            "session, it was killed, paused or cut off"
        )
        return Verdict(cause, LIKELY, "not-fetching", words, others)
    if since_ms is not None and since_ms <= FETCHING_MS and not case.leaders_moved:
        words = f"{name} asked for metadata until it was fenced: it stopped, and led no partition"
        return Verdict(Cause.STOPPED, LIKELY, "fetched-until-fenced", words, (Cause.UNRESPONSIVE,))
    if case.leaders_moved:
        words = (
            f"{name} led partitions, and gave them up without a controlled shutdown{later}: no "
            "heartbeat for a session, it was killed, paused or cut off"
        )
        return Verdict(cause, LIKELY, "led-partitions", words, (*others, Cause.STOPPED))
    words = (
        f"{name} was fenced{later}: no heartbeat for a session, or it stopped in order and led no "
        "partition"
    )
    others = (Cause.STOPPED, *others)
    return Verdict(cause, POSSIBLE, "fenced", words, others)
