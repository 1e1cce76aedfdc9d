"""Why a broker was fenced or unfenced: each rule by evidence that is made up for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaquorum.flight.evidence import BrokerRegistered, Outcome
from metaquorum.flight.explaining import explain
from metaquorum.flight.explanation import EventKind, Timeouts
from metaquorum.flight.history import History
from tests.unit.flight.made_evidence import START_MS, Story, told

ANSWERED, CLOSED, REFUSED = Outcome.ANSWERED, Outcome.CLOSED, Outcome.REFUSED
SILENT, HANGS, UNREACHABLE = Outcome.SILENT, Outcome.HANGS, Outcome.UNREACHABLE
FENCED, UNFENCED = EventKind.BROKER_FENCED, EventKind.BROKER_UNFENCED


def running() -> Story:
    """Broker 101 registered, and was unfenced."""
    story = Story().led(1, 0, 1_000, 1, 2).broker(101, 1_100, "first")
    return story.changed(101, 1_600, fenced=False)


def asked(story: Story, at_ms: int, *outcomes: Outcome) -> Story:
    """It answered until a second before; then these, a second apart."""
    story.asked(101, at_ms - 1_000, ANSWERED, broker=True)
    for number, outcome in enumerate(outcomes):
        story.asked(101, at_ms + number * 1_000, outcome, broker=True)
    return story


def fenced(story: Story, moved: int = 0) -> Story:
    return story.changed(101, 30_000, fenced=True, moved=moved)


def again(story: Story) -> Story:
    return story.changed(101, 40_000, fenced=False)


CASES: dict[str, tuple[Callable[[], Story], EventKind, str, str]] = {
    "unregistered": (lambda: running().removed(101, 30_000), FENCED, "unregistered", "certain"),
    "registered-anew": (
        lambda: running().broker(101, 30_000, "second"), FENCED, "ended", "likely",
    ),
    "asked-to-stop": (
        lambda: fenced(running().changed(101, 28_000, stopping=True)),
        FENCED, "stopped", "certain",
    ),
    "ended-while-stopping": (
        lambda: asked(
            fenced(running().changed(101, 20_500, stopping=True)), 21_000, CLOSED, REFUSED
        ),
        FENCED, "stopped", "likely",
    ),
    "silent-and-back": (
        lambda: again(asked(fenced(running()), 21_000, HANGS, SILENT)),
        FENCED, "paused", "certain",
    ),
    "unreachable-and-back": (
        lambda: again(asked(fenced(running()), 21_000, UNREACHABLE)), FENCED, "cut-off", "certain",
    ),
    "same-process-back": (lambda: again(fenced(running())), FENCED, "unresponsive", "certain"),
    "down-for-a-session": (
        lambda: asked(fenced(running()), 21_000, CLOSED, REFUSED), FENCED, "ended", "certain",
    ),
    "fenced-then-ended": (
        lambda: asked(fenced(running()), 30_100, CLOSED, REFUSED), FENCED, "stopped", "likely",
    ),
    "ended-then-fenced": (
        lambda: asked(fenced(running()), 28_000, CLOSED, REFUSED), FENCED, "stopped", "possible",
    ),
    "silent": (
        lambda: asked(fenced(running()), 21_000, HANGS, SILENT), FENCED, "paused", "likely",
    ),
    "unreachable": (
        lambda: asked(fenced(running()), 21_000, UNREACHABLE), FENCED, "cut-off", "likely",
    ),
    "answered": (
        lambda: asked(fenced(running()), 30_000, ANSWERED, ANSWERED, ANSWERED, ANSWERED),
        FENCED, "unresponsive", "possible",
    ),
    "not-fetching": (
        lambda: fenced(running().described(1, 29_500, (101, 8_000))), FENCED, "gone", "likely",
    ),
    "fetched-until-fenced": (
        lambda: fenced(running().described(1, 29_500, (101, 300))), FENCED, "stopped", "likely",
    ),
    "led-partitions": (lambda: fenced(running(), moved=3), FENCED, "gone", "likely"),
    "fenced": (lambda: fenced(running()), FENCED, "gone", "possible"),
    "registered": (running, UNFENCED, "started", "certain"),
    "same-process": (lambda: again(fenced(running())), UNFENCED, "returned", "certain"),
    "heard": (
        lambda: Story().led(1, 0, 1_000).changed(101, 1_600, fenced=False),
        UNFENCED, "returned", "possible",
    ),
}  # fmt: skip
"""By rule: evidence of its making, and what comes of it."""


@pytest.mark.parametrize("rule", CASES)
def test_evidence_of_a_cause_leads_to_its_rule(rule: str) -> None:
    make, kind, cause, certainty = CASES[rule]
    assert told(make().event(kind)) == (rule, cause, certainty)


def test_a_restart_says_that_the_process_had_ended() -> None:
    event = fenced(running(), moved=1).broker(101, 50_000, "second").event(FENCED)
    assert told(event) == ("led-partitions", "ended", "likely")


def test_a_fenced_broker_that_is_fenced_again_is_no_event() -> None:
    story = fenced(running()).changed(101, 45_000, fenced=True)
    assert [one.kind for one in story.events()[1:]] == [UNFENCED, FENCED]


def test_a_silence_that_was_over_before_counts_no_more() -> None:
    """It was down for ten seconds, came back, and then asked to stop."""
    story = asked(running(), 15_000, CLOSED, REFUSED).asked(101, 25_000, ANSWERED, broker=True)
    story = fenced(story.changed(101, 29_900, stopping=True))
    assert told(story.event(FENCED)) == ("asked-to-stop", "stopped", "certain")


def test_a_broker_known_from_a_header_is_told_from_a_new_one() -> None:
    """The recording begins behind its registration: the same incarnation comes back."""
    story = Story(offset=500).led(1, 0, 1_000).changed(101, 30_000, fenced=True)
    story.changed(101, 40_000, fenced=False)
    known = BrokerRegistered(-1, 1, START_MS, 101, "first", False)
    events = explain(History.of([*story.items, known]), Timeouts())
    assert [told(one)[0] for one in events[1:]] == ["same-process-back", "same-process"]


@pytest.mark.parametrize("outcome", [SILENT, UNREACHABLE])
def test_a_short_silence_is_no_certain_cause(outcome: Outcome) -> None:
    story = again(asked(fenced(running()), 27_000, outcome))
    assert told(story.event(FENCED)) == ("same-process-back", "unresponsive", "certain")


def test_each_broker_has_its_own_events() -> None:
    story = running().broker(102, 2_000, "other").changed(102, 2_500, fenced=False)
    fenced(story)
    nodes = [(one.kind, one.node_id) for one in story.events()[1:]]
    assert nodes == [(UNFENCED, 101), (UNFENCED, 102), (FENCED, 101)]
