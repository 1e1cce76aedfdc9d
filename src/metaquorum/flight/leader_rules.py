"""Why a leader was replaced: rules over what is known of the change, the first that fits counts.

Each is described in docs/reference/explanations.md under its name. They know Kafka's ways: a leader
that stops in order resigns and tells its followers (EndQuorumEpoch), who then elect within a second
or so; one that does not is found out by their fetch time-out, after two seconds.
"""

from __future__ import annotations

from metaquorum.flight.contact import Reached
from metaquorum.flight.evidence import LeaderElected
from metaquorum.flight.explanation import (
    Cause,
    Certainty,
    Event,
    EventKind,
    Fact,
    Timeouts,
    Verdict,
    seconds,
)
from metaquorum.flight.history import History
from metaquorum.flight.leader_case import LeaderCase, case_of, leader_facts

SAME_MOMENT_MS = 100
"""Two times by two clocks that are nearer than this are not told apart."""

CERTAIN, LIKELY, POSSIBLE = Certainty.CERTAIN, Certainty.LIKELY, Certainty.POSSIBLE


def explain_leader(history: History, election: LeaderElected, timeouts: Timeouts) -> Event:
    """The event of a LeaderChange with its explanation."""
    case = case_of(history, election, timeouts)
    if case is None:
        return _without_before(history, election)
    return Event(
        EventKind.LEADER_CHANGED,
        case.elected_ms,
        election.offset,
        election.epoch,
        election.leader_id,
        leader_verdict(case),
        tuple(leader_facts(case)),
        case.leader_before,
        case.epoch_before,
        case.gap_ms,
    )


def _without_before(history: History, election: LeaderElected) -> Event:
    """Nothing was written before that is seen."""
    elected_ms = history.recorder_ms(election.epoch, election.time_ms)
    if election.offset == 0:
        words = "the log begins with it"
        verdict = Verdict(Cause.FIRST_LEADER, CERTAIN, "first-leader", words)
    else:
        words = "what is seen of the log begins with it, or does not say who led before"
        verdict = Verdict(Cause.UNKNOWN, POSSIBLE, "nothing-before", words)
    text = f"controller {election.leader_id} began epoch {election.epoch}"
    return Event(
        EventKind.LEADER_CHANGED,
        elected_ms,
        election.offset,
        election.epoch,
        election.leader_id,
        verdict,
        (Fact(elected_ms, text),),
    )


def leader_verdict(case: LeaderCase) -> Verdict:
    """The cause of a change of leader."""
    if case.was_removed:
        words = (
            f"controller {case.leader_before} was removed from the voters, and gave up its epoch"
        )
        return Verdict(Cause.RESIGNED, CERTAIN, "removed-voter", words)
    reached = case.contact.reached
    if reached is Reached.DOWN:
        return _down(case)
    if reached is Reached.STANDING:
        return _standing(case)
    if reached is Reached.AWAY:
        return _away(case)
    if reached is Reached.ALL_THE_TIME:
        return _reached(case)
    return _from_the_log(case)


def _name(case: LeaderCase) -> str:
    return f"leader {case.leader_before}"


def _down(case: LeaderCase) -> Verdict:
    """Its process ended, as the recorder saw: before the next leader was elected, or after."""
    since_ms = case.contact.since_ms
    assert since_ms is not None
    early_ms = case.elected_ms - since_ms
    when = f"{seconds(early_ms)} before epoch {case.election.epoch} began"
    again_ms = case.contact.again_ms
    is_back = again_ms is not None and again_ms <= case.elected_ms + SAME_MOMENT_MS
    if case.granted and case.was_quick and not is_back:
        words = f"{_name(case)} voted for its successor: it had resigned; then its process ended"
        return Verdict(Cause.RESIGNED, CERTAIN, "voted-for-successor", words)
    if early_ms <= SAME_MOMENT_MS:
        if case.was_quick and case.contact.is_prompt and early_ms > -SAME_MOMENT_MS:
            words = (
                f"the process of {_name(case)} ended in the moment in which epoch "
                f"{case.election.epoch} began: it resigned in order, or its followers noticed at "
                "once, as those of metaquorum do"
            )
            return Verdict(Cause.RESIGNED, POSSIBLE, "ended-at-election", words, (Cause.ENDED,))
        if case.was_quick:
            words = (
                f"{_name(case)} still ran when epoch {case.election.epoch} began, without a time "
                "in which its followers waited: it resigned in order, and its process ended then"
            )
            return Verdict(
                Cause.RESIGNED,
                LIKELY,
                "ended-after-election",
                words,
                (Cause.ENDED,) if early_ms > -SAME_MOMENT_MS else (),
            )
        return _reached(case)
    if early_ms >= case.timeouts.told_ms:
        words = (
            f"the process of {_name(case)} ended {when} (connection refused), and its followers "
            "found out by their time-out: nobody told them"
        )
        return Verdict(Cause.ENDED, LIKELY, "down-and-waited-for", words, (Cause.RESIGNED,))
    if not case.was_quick:
        return _down_late(case, when)
    if case.contact.is_prompt:
        words = (
            f"the process of {_name(case)} ended {when} (connection refused); a node of metaquorum "
            "that stops in order waits for its successor first, and followers notice at once"
        )
        return Verdict(Cause.ENDED, LIKELY, "down-and-noticed", words, (Cause.RESIGNED,))
    words = (
        f"{_name(case)} resigned in order and its process ended: the next leader was elected "
        f"{seconds(max(0, early_ms))} later, sooner than followers notice by themselves"
    )
    return Verdict(Cause.RESIGNED, LIKELY, "down-and-told", words, (Cause.ENDED,))


def _down_late(case: LeaderCase, when: str) -> Verdict:
    words = (
        f"{_name(case)} wrote nothing for {seconds(case.gap_ms)}, and its process ended {when}: "
        "it was in trouble before"
    )
    return Verdict(
        Cause.UNRESPONSIVE,
        POSSIBLE,
        "silent-then-down",
        words,
        (Cause.ENDED, Cause.PAUSED, Cause.SLOW, Cause.CUT_OFF, Cause.RESIGNED),
    )


def _standing(case: LeaderCase) -> Verdict:
    """It took connections, or held them, and did not answer."""
    since_ms = case.contact.since_ms
    assert since_ms is not None
    if since_ms > case.elected_ms + SAME_MOMENT_MS:
        return _reached(case)
    base = (
        f"{_name(case)} did not answer from {seconds(max(0, case.elected_ms - since_ms))} before "
        f"epoch {case.election.epoch} began, its connections open"
    )
    if not case.contact.took_connections:
        words = f"{base}: it stood still, or what was sent to it was lost"
        return Verdict(Cause.PAUSED, LIKELY, "silent", words, (Cause.CUT_OFF,))
    again_ms = case.contact.again_ms
    if again_ms is not None and case.is_back_from_long():
        words = (
            f"{base}, its machine took new ones, and {seconds(again_ms - since_ms)} later the same "
            "process answered again: it was paused, or stood still"
        )
        return Verdict(Cause.PAUSED, CERTAIN, "silent-and-back", words)
    words = f"{base}, and its machine took new ones: it was paused, or stood still"
    return Verdict(Cause.PAUSED, LIKELY, "silent-but-connects", words, (Cause.SLOW,))


def _away(case: LeaderCase) -> Verdict:
    """No connection to its machine came about."""
    since_ms = case.contact.since_ms
    assert since_ms is not None
    if since_ms > case.elected_ms + SAME_MOMENT_MS:
        return _reached(case)
    base = (
        f"{_name(case)} could not be reached from {seconds(max(0, case.elected_ms - since_ms))} "
        f"before epoch {case.election.epoch} began"
    )
    if case.is_back_from_long():
        words = f"{base}, and the same process answered later: it was cut off"
        return Verdict(Cause.CUT_OFF, CERTAIN, "unreachable-and-back", words)
    if case.restarted():
        words = f"{base}, and came back as another process: its machine failed"
        return Verdict(Cause.ENDED, LIKELY, "unreachable-and-restarted", words, (Cause.CUT_OFF,))
    words = f"{base}: it was cut off, or its machine failed"
    return Verdict(Cause.CUT_OFF, POSSIBLE, "unreachable", words, (Cause.ENDED,))


def _reached(case: LeaderCase) -> Verdict:
    """It answered the recorder before, during and after."""
    if case.granted and case.was_quick:
        words = f"{_name(case)} answered all the time and voted for its successor: it resigned"
        return Verdict(Cause.RESIGNED, CERTAIN, "answered-and-voted", words)
    down = case.voters_down()
    if case.misses_majority(down):
        words = (
            f"{_name(case)} answered, and voters {', '.join(map(str, down))} were not reached: it "
            "had no majority"
        )
        return Verdict(
            Cause.LOST_MAJORITY,
            LIKELY,
            "followers-down",
            words,
            (Cause.UNRESPONSIVE, Cause.RESIGNED),
        )
    if case.was_quick:
        words = (
            f"{_name(case)} answered all the time and was replaced within {seconds(case.gap_ms)}, "
            "sooner than followers notice by themselves: it resigned"
        )
        return Verdict(Cause.RESIGNED, LIKELY, "answered-and-quick", words, (Cause.UNRESPONSIVE,))
    missed = case.not_fetching()
    if case.misses_majority(missed):
        words = (
            f"{_name(case)} answered, and voters {', '.join(map(str, missed))} fetched no more "
            "from it: it was cut off from them"
        )
        others = (Cause.UNRESPONSIVE,)
        return Verdict(Cause.CUT_OFF, LIKELY, "answered-and-not-fetched", words, others)
    if case.gaps():
        words = (
            f"{_name(case)} answered all the time, and wrote too seldom before: it was slow, its "
            "disk for one"
        )
        return Verdict(
            Cause.SLOW, LIKELY, "answered-and-slow", words, (Cause.CUT_OFF, Cause.PAUSED)
        )
    words = (
        f"{_name(case)} answered the recorder, and its followers waited {seconds(case.gap_ms)} for "
        "it: it was cut off from them, or stood still for a short time"
    )
    return Verdict(
        Cause.UNRESPONSIVE,
        POSSIBLE,
        "answered-and-waited-for",
        words,
        (Cause.CUT_OFF, Cause.PAUSED, Cause.SLOW, Cause.RESIGNED, Cause.LOST_MAJORITY),
    )


def _from_the_log(case: LeaderCase) -> Verdict:
    """The recorder did not ask it, or there was none."""
    restarted, gap = case.restarted(), seconds(case.gap_ms)
    if case.overrun() is not None:
        words = (
            f"{_name(case)} wrote in its old epoch after epoch {case.election.epoch} began: it "
            "lived, and its followers did not get its records"
        )
        return Verdict(Cause.UNRESPONSIVE, CERTAIN, "wrote-on", words)
    if case.was_quick and case.granted:
        if restarted is False:
            words = f"{_name(case)} voted for its successor within {gap}: it resigned"
            return Verdict(Cause.RESIGNED, CERTAIN, "quick-and-voted", words)
        words = f"{_name(case)} voted for its successor within {gap}: it had resigned"
        return Verdict(
            Cause.RESIGNED, LIKELY, "quick-vote", words, (Cause.ENDED, Cause.UNRESPONSIVE)
        )
    if case.was_quick:
        words = (
            f"{_name(case)} was replaced within {gap}, sooner than a follower's fetch time-out: it "
            "resigned in order, or, in a quorum of metaquorum, its process ended"
        )
        others = (Cause.ENDED, Cause.UNRESPONSIVE)
        return Verdict(Cause.RESIGNED, POSSIBLE, "quick", words, others)
    if restarted:
        words = (
            f"{_name(case)} wrote nothing for {gap} and later registered as another process: it "
            "had ended"
        )
        return Verdict(
            Cause.ENDED,
            LIKELY,
            "waited-for-and-restarted",
            words,
            (Cause.RESIGNED, Cause.UNRESPONSIVE),
        )
    if restarted is False:
        words = (
            f"{_name(case)} wrote nothing for {gap}, and the same process was there later: it was "
            "paused, cut off or slow"
        )
        return Verdict(Cause.UNRESPONSIVE, LIKELY, "waited-for-and-lived", words, (Cause.RESIGNED,))
    words = (
        f"{_name(case)} wrote nothing for {gap}, its followers waited for it: it ended, was "
        "paused or was cut off"
    )
    return Verdict(
        Cause.GONE, POSSIBLE, "waited-for", words, (Cause.ENDED, Cause.UNRESPONSIVE, Cause.RESIGNED)
    )
