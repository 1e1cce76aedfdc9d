"""Why a leader was replaced: each rule by evidence that is made up for it."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from attrs import evolve

from metaquorum.flight.evidence import Described, Outcome
from metaquorum.flight.explaining import explain
from metaquorum.flight.explanation import EventKind, Timeouts
from metaquorum.flight.history import History
from tests.unit.flight.made_evidence import START_MS, Story, told

ANSWERED, CLOSED, REFUSED = Outcome.ANSWERED, Outcome.CLOSED, Outcome.REFUSED
SILENT, HANGS, UNREACHABLE = Outcome.SILENT, Outcome.HANGS, Outcome.UNREACHABLE


def before() -> Story:
    """Leader 1 registered, wrote for ten seconds, and answered shortly before."""
    story = Story().led(1, 0, 5_000, 1, 2).controller(1, 5_100, "first").wrote(5_200, 10_000)
    return story.asked(1, 9_000, ANSWERED)


def quick(story: Story, *granting: int) -> Story:
    return story.led(2, 10_300, 60_000, *(granting or (2, 3)))


def late(story: Story, *granting: int) -> Story:
    return story.led(2, 12_600, 60_000, *(granting or (2, 3)))


def log_only() -> Story:
    return Story().led(1, 0, 5_000, 1, 2).controller(1, 5_100, "first").wrote(5_200, 10_000)


def ended(story: Story, at_ms: int, *, ours: bool = False) -> Story:
    story.asked(1, 9_500, ANSWERED, ours=ours)
    return story.asked(1, at_ms, CLOSED).asked(1, at_ms + 1, REFUSED)


def back(story: Story, at_ms: int, incarnation: str = "first") -> Story:
    """It answers again; as another process it registers."""
    story.asked(1, at_ms, ANSWERED)
    return story if incarnation == "first" else story.controller(1, at_ms + 500, incarnation)


CASES: dict[str, tuple[Callable[[], Story], str, str]] = {
    "removed-voter": (
        lambda: quick(before().voters(9_900, 2, 3).wrote(9_900, 10_000)), "resigned", "certain",
    ),
    "voted-for-successor": (lambda: ended(quick(before(), 1, 2), 10_200), "resigned", "certain"),
    "ended-after-election": (lambda: ended(quick(before()), 10_900), "resigned", "likely"),
    "ended-at-election": (
        lambda: ended(quick(before()), 10_290, ours=True), "resigned", "possible",
    ),
    "down-and-waited-for": (lambda: ended(late(before()), 10_100), "ended", "likely"),
    "down-and-noticed": (lambda: ended(quick(before()), 10_050, ours=True), "ended", "likely"),
    "down-and-told": (lambda: ended(quick(before()), 10_050), "resigned", "likely"),
    "silent-then-down": (lambda: ended(late(before()), 11_900), "unresponsive", "possible"),
    "silent": (lambda: late(before()).asked(1, 10_100, HANGS), "paused", "likely"),
    "silent-but-connects": (
        lambda: late(before()).asked(1, 10_100, HANGS).asked(1, 11_100, SILENT),
        "paused", "likely",
    ),
    "silent-and-back": (
        lambda: back(late(before()).asked(1, 10_100, HANGS).asked(1, 11_100, SILENT), 15_000),
        "paused", "certain",
    ),
    "unreachable": (lambda: late(before()).asked(1, 10_100, UNREACHABLE), "cut-off", "possible"),
    "unreachable-and-back": (
        lambda: back(late(before()).asked(1, 10_100, UNREACHABLE), 15_000), "cut-off", "certain",
    ),
    "unreachable-and-restarted": (
        lambda: back(late(before()).asked(1, 10_100, UNREACHABLE), 15_000, "second"),
        "ended", "likely",
    ),
    "answered-and-voted": (
        lambda: quick(before(), 1, 2).asked(1, 10_100, ANSWERED).asked(1, 15_000, ANSWERED),
        "resigned", "certain",
    ),
    "answered-and-quick": (
        lambda: quick(before()).asked(1, 10_100, ANSWERED).asked(1, 15_000, ANSWERED),
        "resigned", "likely",
    ),
    "followers-down": (
        lambda: late(before().described(1, 11_000, (2, 3_000), (3, 3_000)))
        .asked(1, 11_000, ANSWERED).asked(2, 11_000, REFUSED).asked(3, 11_000, REFUSED),
        "lost-majority", "likely",
    ),
    "answered-and-not-fetched": (
        lambda: late(before().described(1, 11_000, (2, 3_000), (3, 3_000)))
        .asked(1, 11_000, ANSWERED).asked(2, 11_000, ANSWERED).asked(3, 11_000, ANSWERED),
        "cut-off", "likely",
    ),
    "answered-and-slow": (
        lambda: before().wrote(11_900, 12_000).led(2, 14_900, 60_000, 2, 3)
        .asked(1, 11_000, ANSWERED).asked(1, 20_000, ANSWERED),
        "slow", "likely",
    ),
    "answered-and-waited-for": (
        lambda: late(before()).asked(1, 11_000, ANSWERED).asked(1, 20_000, ANSWERED),
        "unresponsive", "possible",
    ),
    "quick-and-voted": (
        lambda: quick(log_only(), 1, 2).led(1, 62_000, 90_000), "resigned", "certain",
    ),
    "quick-vote": (lambda: quick(log_only(), 1, 2), "resigned", "likely"),
    "quick": (lambda: quick(log_only()), "resigned", "possible"),
    "waited-for-and-restarted": (
        lambda: late(log_only()).controller(1, 30_000, "second"), "ended", "likely",
    ),
    "waited-for-and-lived": (
        lambda: late(log_only()).led(1, 62_000, 90_000), "unresponsive", "likely",
    ),
    "waited-for": (lambda: late(log_only()), "gone", "possible"),
}  # fmt: skip
"""By rule: evidence of its making, and the cause and certainty that come of it."""


@pytest.mark.parametrize("rule", CASES)
def test_evidence_of_a_cause_leads_to_its_rule(rule: str) -> None:
    make, cause, certainty = CASES[rule]
    changes = [one for one in make().events() if one.kind is EventKind.LEADER_CHANGED]
    assert (rule, cause, certainty) in [told(one) for one in changes if one.before == 1]


def test_the_first_leader_of_a_log_follows_nobody() -> None:
    (event,) = Story().led(1, 0, 1_000, 1, 2).events()
    assert told(event) == ("first-leader", "first-leader", "certain")
    assert (event.before, event.without_leader_ms) == (None, None)


def test_a_log_that_begins_later_does_not_know_who_led() -> None:
    story = Story(offset=700)
    (event,) = story.led(1, 0, 1_000, 1, 2).events()
    assert told(event) == ("nothing-before", "unknown", "possible")


def test_the_time_without_a_leader_is_between_their_records() -> None:
    event = late(log_only()).events()[-1]
    assert event.without_leader_ms == 2_600
    assert (event.before, event.node_id, event.epoch_before, event.epoch) == (1, 2, 1, 2)


def test_evidence_is_told_in_order_of_time() -> None:
    event = ended(late(before()), 10_100).event(EventKind.LEADER_CHANGED)
    times = [one.time_ms - START_MS for one in event.evidence]
    assert times == sorted(times)
    words = " ".join(one.text for one in event.evidence)
    assert "wrote the last record" in words and "refused a connection" in words


def test_a_clock_that_is_ahead_is_taken_into_account() -> None:
    """Leader 2's clock is an hour ahead: by its records leader 1 was gone for so long."""
    hour_ms = 3_600_000
    story = before().led(2, 10_300 + hour_ms, 20_000 + hour_ms, 2, 3)
    story.described(2, 11_000, (1, 100), ahead_ms=hour_ms)
    story.described(2, 12_000, (1, 100), ahead_ms=hour_ms)
    event = story.event(EventKind.LEADER_CHANGED)
    assert event.without_leader_ms == 300
    assert event.time_ms == START_MS + 10_300


def test_the_quickest_answer_tells_the_clock_best() -> None:
    story = before().led(2, 10_300, 20_000, 2, 3)
    story.described(2, 11_000, (1, 100))
    slow = story.items.pop()
    assert isinstance(slow, Described)
    story.items.append(evolve(slow, took_ms=900))
    story.described(2, 12_000, (1, 100))
    assert History.of(story.items).ahead_ms == {2: 0}


def test_records_beyond_the_next_epochs_start_say_it_lived() -> None:
    """Leader 1's own directory has what it wrote in vain."""
    theirs = late(log_only())
    own = log_only().wrote(10_500, 15_000)
    history = History.of([], [("node-2", theirs.of_log()), ("node-1", own.of_log())])
    event = explain(history, Timeouts())[-1]
    assert told(event) == ("wrote-on", "unresponsive", "certain")
    assert event.without_leader_ms == 2_600


def test_directories_that_agree_say_it_once() -> None:
    items = late(log_only()).of_log()
    history = History.of([], [("node-2", items), ("node-3", items[:-1])])
    assert [told(one)[0] for one in explain(history, Timeouts())] == ["first-leader", "waited-for"]


def test_only_events_of_the_wanted_time_are_told() -> None:
    history = History.of(late(log_only()).items)
    assert len(explain(history, Timeouts(), START_MS + 5_000)) == 1
    assert len(explain(history, Timeouts(), None, START_MS + 5_000)) == 1
    assert explain(history, Timeouts(), START_MS + 1, START_MS + 5_000) == []


def test_a_longer_fetch_timeout_makes_a_long_gap_quick() -> None:
    events = late(log_only()).events(Timeouts(fetch_ms=10_000))
    assert told(events[-1])[0] == "quick"


@pytest.mark.parametrize(
    ("outcome", "rule"), [(SILENT, "silent-but-connects"), (UNREACHABLE, "unreachable")]
)
def test_a_short_silence_is_no_certain_cause(outcome: Outcome, rule: str) -> None:
    story = back(late(before()).asked(1, 11_900, outcome), 15_000)
    assert told(story.event(EventKind.LEADER_CHANGED))[0] == rule


@pytest.mark.parametrize("seconds_later", [0, 2])
def test_a_connection_made_anew_at_once_says_nothing(seconds_later: int) -> None:
    """A process that is started anew at once looks like an idle limit."""
    story = quick(before(), 1, 2).asked(1, 10_050, CLOSED).asked(1, 10_060, ANSWERED)
    story.asked(1, 11_000 + seconds_later * 1_000, ANSWERED)
    assert told(story.event(EventKind.LEADER_CHANGED))[0] == "quick-vote"
