"""Which series of events means that a leader's process is gone, and which do not."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from metaquorum.runtime.peers.leader_watch import AT_ONCE, LeaderWatch


def told(events: Iterable[str], *, enabled: bool = True) -> list[bool | None]:
    """What the watch answers to each event; None to those that it only takes note of."""
    watch = LeaderWatch(enabled)
    return [getattr(watch, event)() for event in events]


def test_closed_and_refused_at_once_is_a_process_that_is_gone() -> None:
    assert told(["greeted", "answered", "closed", "refused"])[-2:] == [True, True]


def test_a_process_still_accepting_while_killed_is_detected_as_gone() -> None:
    events = ["greeted", "answered", "closed", "greeted", "closed", "closed", "refused"]
    assert told(events)[-1] is True


@pytest.mark.parametrize(
    "events",
    [
        ["refused"],
        ["greeted", "answered", "refused"],
        ["greeted", "answered", "unclear", "refused"],
        ["greeted", "answered", "closed", "unclear", "refused"],
        ["greeted", "answered", "closed", "greeted", "answered", "refused"],
        ["closed", "refused"],
    ],
    ids=[
        "never connected",
        "refused while a connection serves",
        "silence, then refused: a full accept queue, a cut, a freeze",
        "closed, silence, then refused",
        "closed, served again, refused elsewhere",
        "closed before anybody answered",
    ],
)
def test_less_than_both_proves_nothing(events: list[str]) -> None:
    assert told(events)[-1] is False


def test_it_is_said_once_a_connection() -> None:
    events = ["greeted", "answered", "closed", "refused", "refused", "refused"]
    assert told(events)[3:] == [True, False, False]


def test_a_peer_closing_every_connection_is_left_alone_and_not_gone() -> None:
    flapping = ["greeted", "closed"] * (AT_ONCE + 1)
    answers = told([*flapping, "refused"])
    assert answers[1:-1:2] == [True] * AT_ONCE + [False]
    assert answers[-1] is False


def test_an_answer_lets_a_flapping_peer_begin_anew() -> None:
    once = ["greeted", "answered", "closed"]
    assert told(once * 10 + ["refused"])[-1] is True


def test_turned_off_it_reconnects_and_concludes_nothing() -> None:
    assert told(["greeted", "answered", "closed", "refused"], enabled=False)[-2:] == [True, False]
