"""Events: one line each, readable and splittable."""

from __future__ import annotations

import pytest

from metaquorum.observe.events import EventLog, Level, event_line
from tools.event_lines import parse_line

AT_MS = 1_795_253_591_006


def test_an_event_is_a_time_a_level_a_name_and_pairs() -> None:
    assert event_line(AT_MS, Level.INFO, "leader-elected", {"epoch": 3, "leader": 1}) == (
        "2026-11-21T09:33:11.006Z info leader-elected epoch=3 leader=1"
    )


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        (None, "none"),
        (True, "true"),
        ("a b", '"a b"'),
        ('say "x"', '"say \\"x\\""'),
        ("two\nlines", '"two\\nlines"'),
        ("a=b", '"a=b"'),
        ("", '""'),
        ("é", "é"),
        ("CONTROLLER://h:1", "CONTROLLER://h:1"),
    ],
)
def test_values_never_break_the_line(value: object, shown: str) -> None:
    assert event_line(AT_MS, Level.WARN, "x", {"k": value}).endswith(f" warn x k={shown}")


def test_a_line_can_be_taken_apart_again() -> None:
    why = 'said "no = never"\n'
    fields: dict[str, object] = {"node": 3, "leader": None, "why": why, "ok": True}
    line = parse_line(event_line(AT_MS, Level.WARN, "role-changed", fields))
    assert line is not None
    assert (line.moment, line.level, line.name) == (
        "2026-11-21T09:33:11.006Z",
        "warn",
        "role-changed",
    )
    assert line.fields == {
        "node": "3",
        "leader": "none",
        "why": why,
        "ok": "true",
    }
    assert parse_line("Traceback (most recent call last):") is None


@pytest.mark.parametrize("name", ["", "Leader", "a b", "-a", "a--b"])
def test_names_have_one_form(name: str) -> None:
    with pytest.raises(ValueError, match="is not an event name"):
        event_line(AT_MS, Level.INFO, name, {})


def test_events_below_the_least_level_are_not_written() -> None:
    lines: list[str] = []
    log = EventLog(lines.append, lambda: AT_MS, Level.WARN)
    log.info("a")
    log.warn("b")
    log.error("c", code=1)
    assert [line.split(" ", 1)[1] for line in lines] == ["warn b", "error c code=1"]
