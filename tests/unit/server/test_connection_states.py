"""The table of the transitions of a connection, walked state by state and event by event."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest

from metaquorum.server.sockets.budget import ByteBudget
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits
from metaquorum.server.sockets.connection_states import IDLE, TRANSITIONS, IllegalEvent

REQUEST = (8).to_bytes(4, "big") + b"\x00\x12\x00\x00" + (1).to_bytes(4, "big")

EVENTS: dict[str, Callable[[Connection], None]] = {
    "begin": lambda conn: conn.begin(1, 1),
    "put back": lambda conn: conn.put_back(REQUEST[4:]),
    "answer": lambda conn: conn.answered_at_rest(1),
    "block": lambda conn: conn.send_blocked(1, progress=False),
    "sent": lambda conn: conn.all_sent(1),
    "pause": lambda conn: conn.pause(),
    "resume": lambda conn: conn.go_on(1),
    "close": lambda conn: conn.close(),
}

PATHS: dict[str, tuple[str, ...]] = {
    "Idle": (),
    "Serving": ("begin",),
    "Blocked": ("block",),
    "Serving, blocked": ("begin", "block"),
    "Paused": ("pause",),
    "Paused, blocked": ("pause", "block"),
    "Closed": ("close",),
}

AFTER = {(one.before, one.event): one.after for one in TRANSITIONS}


def in_state(state: str) -> Connection:
    conn = Connection(ConnectionLimits(), ByteBudget(), 0)
    for event in PATHS[state]:
        EVENTS[event](conn)
    assert conn.state == state
    return conn


def test_each_transition_is_in_the_table_once_and_has_a_reason():
    assert len(AFTER) == len(TRANSITIONS)
    assert {state for one in TRANSITIONS for state in (one.before, one.after)} == set(PATHS)
    assert all(one.why for one in TRANSITIONS)


@pytest.mark.parametrize(("state", "event"), list(product(PATHS, EVENTS)))
def test_an_event_leads_where_the_table_says_or_is_refused(state, event):
    conn = in_state(state)
    if (state, event) in AFTER:
        EVENTS[event](conn)
        assert conn.state == AFTER[state, event]
    else:
        with pytest.raises(IllegalEvent, match=f"'{event}' on a connection that is {state}"):
            EVENTS[event](conn)
        assert conn.state == state


@pytest.mark.parametrize("state", PATHS)
def test_a_request_begins_in_an_idle_connection_alone(state):
    conn = in_state(state)
    conn.bytes_received(REQUEST, 1)
    assert conn.has_request == (state == IDLE)
    assert (conn.next_request() is not None) == (state == IDLE)
