"""From evidence to events with explanations."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.flight.broker_rules import explain_broker
from metaquorum.flight.explanation import Event, Timeouts
from metaquorum.flight.history import History
from metaquorum.flight.leader_rules import explain_leader


def explain(
    history: History,
    timeouts: Timeouts,
    since_ms: Millis | None = None,
    until_ms: Millis | None = None,
) -> list[Event]:
    """Every change of leader and every fencing and unfencing within a time, by time.

    Evidence from before and after that time goes into the explanations.
    """
    events = [explain_leader(history, one, timeouts) for one in history.elections]
    for node_id in sorted(history.brokers):
        events += explain_broker(history, node_id, timeouts)
    events = [
        one
        for one in events
        if (since_ms is None or one.time_ms >= since_ms)
        and (until_ms is None or one.time_ms <= until_ms)
    ]
    return sorted(events, key=lambda one: (one.time_ms, one.epoch, one.offset))
