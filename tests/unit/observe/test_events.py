"""Events: one line each, readable and splittable."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.base.limits import (
    MAX_LOG_LINE_CHARS,
    MAX_LOG_LINES_PER_SECOND,
    MAX_LOG_VALUE_CHARS,
)
from metaquorum.observe.events import EventLog, Level, event_line, json_event_line
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
        ("\x1b[31mred", '"\\u001b[31mred"'),
        ("\x9b31mred", '"\\u009b31mred"'),
        ("\x7f\u202e\u2028", '"\\u007f\\u202e\\u2028"'),
        ("\udcff\ud800", '"\\udcff\\ud800"'),
        ("\U000e0001", '"\\udb40\\udc01"'),
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


@pytest.mark.parametrize(
    "sign", ["x", " ", '"', "\n", "\x00", "\ud800", "\U000e0001", "\U0001f600"]
)
def test_a_long_value_is_cut_and_says_how_much_is_missing(sign: str) -> None:
    line = event_line(AT_MS, Level.WARN, "x", {"why": sign * 520_000, "after": 1})
    assert len(line) < 3 * MAX_LOG_VALUE_CHARS
    parsed = parse_line(line)
    assert parsed is not None
    shown, _, told = parsed.fields["why"].rpartition("... (")
    assert parsed.fields["after"] == "1"
    left = len(shown.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass"))
    assert told == f"{520_000 - left} more characters)"
    assert left > 0


def test_a_value_at_the_limit_is_whole_and_one_above_is_cut() -> None:
    for sign in ("x", " "):
        whole, cut = (
            event_line(AT_MS, Level.WARN, "x", {"k": sign * chars})
            for chars in (MAX_LOG_VALUE_CHARS, MAX_LOG_VALUE_CHARS + 1)
        )
        assert "more characters" not in whole
        assert cut.endswith('... (1 more characters)"')


def test_a_line_with_many_long_values_is_bounded_and_counts_the_rest() -> None:
    fields: dict[str, object] = {f"k{number}": "y" * 900 for number in range(20)}
    line = event_line(AT_MS, Level.WARN, "x", fields)
    assert MAX_LOG_LINE_CHARS - 1_000 < len(line) <= MAX_LOG_LINE_CHARS
    parsed = parse_line(line)
    assert parsed is not None
    told = int(parsed.fields.pop("fields_left_out"))
    assert told == 20 - len(parsed.fields)


def test_the_making_of_a_line_costs_little_however_long_its_texts_are() -> None:
    class Text(str):
        looked_at = 0

        def __getitem__(self, key: object) -> str:
            assert isinstance(key, slice)
            Text.looked_at += key.stop
            return str.__getitem__(self, key)  # type: ignore[index]

        def __str__(self) -> str:
            return self

        def encode(self, *_: str) -> bytes:  # type: ignore[override]
            raise AssertionError("the whole text was encoded")

    event_line(AT_MS, Level.WARN, "x", {"why": Text("z" * 520_000)})
    assert 0 < Text.looked_at <= MAX_LOG_VALUE_CHARS


def test_of_one_event_so_many_lines_a_second_are_written() -> None:
    lines: list[str] = []
    now = [AT_MS // 1_000 * 1_000]
    log = EventLog(lines.append, lambda: now[0])
    for _ in range(MAX_LOG_LINES_PER_SECOND + 30):
        log.info("flood")
    log.info("other")
    assert len(lines) == MAX_LOG_LINES_PER_SECOND + 1
    now[0] += 1_000
    log.info("other")
    assert [line.split(" ", 1)[1] for line in lines[-2:]] == [
        "warn lines-left-out event=flood count=30",
        "info other",
    ]
    log.info("flood")
    assert lines[-1].endswith(" info flood")
    assert len(lines) == MAX_LOG_LINES_PER_SECOND + 4


def test_a_json_line_is_one_object_of_four_keys():
    line = json_event_line(
        1_700_000_000_123,
        Level.WARN,
        "leader-elected",
        {
            "epoch": 3,
            "why": "a\n\u202e\U0001f600",
            "leader": None,
            "ok": True,
            "ms": 1.5,
            "bad": float("nan"),
        },
    )
    assert line.isascii() and "\n" not in line
    assert json.loads(line) == {
        "time": "2023-11-14T22:13:20.123Z",
        "level": "warn",
        "event": "leader-elected",
        "fields": {
            "epoch": 3,
            "why": "a\n\u202e\U0001f600",
            "leader": None,
            "ok": True,
            "ms": 1.5,
            "bad": "nan",
        },
    }


def test_a_json_line_without_fields_has_an_empty_object():
    assert json.loads(json_event_line(0, Level.INFO, "started", {}))["fields"] == {}


@given(st.dictionaries(st.text(max_size=30), st.text(), max_size=20), st.integers(1, 3_000))
def test_json_lines_keep_their_limit_and_stay_json(fields: dict[str, str], times: int):
    line = json_event_line(0, Level.INFO, "odd", {key: one * times for key, one in fields.items()})
    assert len(line) <= MAX_LOG_LINE_CHARS
    told = json.loads(line)["fields"]
    left_out = told.pop("fields_left_out", 0)
    assert len(told) + left_out == len(fields)
    for key, value in told.items():
        assert value == fields[key] * times or value.endswith(" more characters)")


def test_a_json_event_needs_a_name_as_well():
    with pytest.raises(ValueError, match="event name"):
        json_event_line(0, Level.INFO, "Not A Name", {})


def test_lines_left_out_are_told_in_the_form_of_the_log():
    lines: list[str] = []
    now = [0]
    log = EventLog(lines.append, lambda: now[0], form=json_event_line)
    for _ in range(MAX_LOG_LINES_PER_SECOND + 3):
        log.info("many")
    now[0] = 1_000
    log.info("later")
    told = [json.loads(line) for line in lines]
    assert [one["fields"] for one in told if one["event"] == "lines-left-out"] == [
        {"event": "many", "count": 3}
    ]
