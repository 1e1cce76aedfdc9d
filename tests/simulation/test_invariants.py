"""Every rule has a source, and every rule can be broken."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.fakes import voters
from metaquorum.testing.simulator.invariants import (
    RULES,
    Violation,
    commits,
    elections,
    liveness,
    logs,
    process,
    snapshots,
    states,
    voter_sets,
    writes,
)
from metaquorum.testing.simulator.log_mirror import Entry, LogMirror
from tests.simulation.broken_clusters import BROKEN_CLUSTERS

FIRST, OTHER, NEXT = Entry(0, 2, 1, 11), Entry(0, 2, 1, 12), Entry(2, 3, 2, 13)
LOG, EMPTY = LogMirror(0, [FIRST, NEXT]), LogMirror()
VOTERS: VoterSet = voters(1, 2, 3)
LATE = OffsetAndEpoch(epoch=2, offset=2)

BROKEN: tuple[Callable[[], None], ...] = (
    lambda: elections.one_leader_in_an_epoch({3: (1, 1)}, 3, (2, 1)),
    lambda: elections.one_vote_in_an_epoch({(3, (1, 0)): 2}, 3, (1, 0), 3),
    lambda: elections.a_leader_was_voted_for_by_a_majority(3, 1, [1, 9], [1, 2, 3]),
    lambda: elections.epochs_never_fall(1, 3, 2),
    lambda: elections.a_pre_vote_raises_no_epoch(1, 3, 4),
    lambda: elections.a_pre_vote_answer_saves_nothing(1, True, False),
    lambda: elections.votes_go_to_good_logs(1, OffsetAndEpoch(1, 9), OffsetAndEpoch(2, 3)),
    lambda: elections.no_epoch_is_named_before_it_is_saved(1, 3, 4),
    lambda: elections.quorum_state_is_not_behind_what_was_said(1, 3, 4),
    lambda: elections.a_restarted_leader_writes_nothing({3: (1, 1)}, 3, (1, 2)),
    lambda: elections.a_leader_without_a_majority_resigns(1, 4_001, 4_000),
    lambda: logs.logs_match({(0, 1): (FIRST, None)}, OTHER, None, 1),
    lambda: logs.a_leader_never_truncates(1, "Leader", 3),
    lambda: logs.nothing_below_the_watermark_is_cut(1, 2, 3),
    lambda: logs.nothing_committed_is_cut(1, LOG, 2, LOG),
    lambda: logs.durable_is_not_beyond_accepted(1, 4, 3),
    lambda: logs.a_fetch_promises_what_is_below_it(1, 4, 3),
    lambda: logs.recovery_keeps_what_was_synced(1, LOG, EMPTY),
    lambda: logs.recovery_invents_nothing(1, {11}, [FIRST, NEXT]),
    lambda: logs.the_epoch_file_equals_the_log(1, [(1, 0)], [(1, 0), (2, 2)]),
    lambda: logs.an_epoch_opens_with_a_leader_change(1, NEXT, False),
    lambda: logs.a_leader_writes_its_own_epoch(1, 3, NEXT),
    lambda: commits.the_committed_prefix_is_immutable(1, FIRST, OTHER),
    lambda: commits.what_is_committed_is_on_a_majority_of_disks(1, FIRST, [1], [1, 2, 3]),
    lambda: commits.watermarks_never_fall(1, 3, 2),
    lambda: commits.watermarks_never_fall(1, 3, None),
    lambda: commits.answered_watermarks_never_fall(1, 3, 2),
    lambda: commits.a_leader_holds_everything_committed(1, 3, EMPTY, LOG),
    lambda: commits.a_leader_commits_by_its_own_epoch(1, 3, NEXT),
    lambda: commits.nobody_commits_beyond_its_log(1, 4, 3),
    lambda: voter_sets.voters_change_one_at_a_time(VOTERS, voters(4, 5)),
    lambda: voter_sets.one_voter_change_at_a_time(1, 2),
    lambda: voter_sets.only_voters_campaign(4, "Candidate", False),
    lambda: voter_sets.observers_are_not_counted(1, [4], [1, 2, 3]),
    lambda: writes.acknowledged_writes_are_kept(7, {}),
    lambda: writes.a_write_is_committed_once(7, {7: 3}, 4),
    lambda: writes.writes_keep_their_order(7, 3, 4),
    lambda: writes.refused_writes_leave_nothing(7, 3, True),
    lambda: writes.reads_show_what_is_committed(1, "u1", 7, 8),
    lambda: states.states_are_equal_at_equal_offsets({3: 1}, 1, 3, 2),
    lambda: snapshots.a_snapshot_equals_the_replay({3: 1}, 1, 3, 2),
    lambda: snapshots.snapshots_cover_only_what_is_committed(1, 4, 3),
    lambda: snapshots.snapshots_end_between_log_start_and_watermark(1, 3, [LATE], 2),
    lambda: snapshots.a_log_that_begins_late_has_a_snapshot(1, 3, [LATE]),
    lambda: snapshots.a_newer_snapshot_begins_the_log_anew(1, LATE, 0, 1, 2),
    lambda: snapshots.a_snapshot_is_named_by_its_last_record(1, LATE, FIRST),
    lambda: snapshots.a_snapshot_brings_the_voters_of_its_end(1, 2, VoterSet(), VOTERS),
    lambda: snapshots.a_part_goes_on_with_its_leader(1, (1, 2, LATE), (2, 3, LATE)),
    lambda: snapshots.snapshot_plus_log_equals_the_full_replay(1, 2, "another state"),
    lambda: liveness.a_majority_elects_a_leader(["1 down"], 9),
    lambda: liveness.a_fresh_write_commits(["1 down"], 9),
    lambda: liveness.everybody_catches_up(["1 down"], 9),
    lambda: process.a_node_stops_only_for_its_disk(1, "an invariant broke"),
    lambda: process.a_node_starts_after_a_crash(1, "quorum-state is missing"),
    *BROKEN_CLUSTERS,
)


def rule_broken_by(breaks: Callable[[], None]) -> str:
    with pytest.raises(Violation) as found:
        breaks()
    return found.value.rule


def test_every_rule_can_be_broken():
    assert {rule_broken_by(breaks) for breaks in BROKEN} == set(RULES)


def test_there_are_enough_rules_and_each_names_its_source():
    assert len(RULES) >= 25
    for rule in RULES.values():
        assert rule.source.startswith(("KIP-", "KAFKA-", "Raft "))
        assert rule.sentence.endswith(".")
        assert rule.kind in ("correctness", "liveness", "crash")


def test_what_is_right_breaks_nothing():
    leaders = {3: (1, 1)}
    elections.one_leader_in_an_epoch(leaders, 3, (1, 1))
    elections.one_leader_in_an_epoch(leaders, 4, (2, 1))
    assert leaders == {3: (1, 1), 4: (2, 1)}
    logs.logs_match({(0, 1): (FIRST, None)}, FIRST, None, 1)
    commits.a_leader_holds_everything_committed(1, 3, LOG, LOG)
    voter_sets.voters_change_one_at_a_time(VOTERS, voters(1, 2, 3, 4))


def test_a_snapshot_counts_for_what_it_covers():
    assert LogMirror(3, []).holds(NEXT)
    assert not LogMirror(2, []).holds(NEXT)


def test_kip_630_lets_a_log_begin_where_a_snapshot_ends():
    snapshots.a_log_that_begins_late_has_a_snapshot(1, 2, [LATE])
    snapshots.a_log_that_begins_late_has_a_snapshot(1, 0, [])
    snapshots.snapshots_end_between_log_start_and_watermark(1, 2, [LATE], 2)
    snapshots.a_newer_snapshot_begins_the_log_anew(1, LATE, 2, 2, 0)
    snapshots.a_newer_snapshot_begins_the_log_anew(1, LATE, 0, 9, 2)
    snapshots.a_snapshot_is_named_by_its_last_record(1, LATE, Entry(0, 2, 2, 11))


def test_what_was_dropped_below_a_snapshot_is_still_held():
    log = LogMirror(0, [FIRST, NEXT])
    log.drop(2)
    assert (log.start, log.entries, log.end) == (2, [NEXT], 3)
    assert log.holds(FIRST)
    log.drop(3)
    assert (log.start, log.end, log.last) == (3, 3, None)
    assert LOG.before(2) == FIRST and LOG.before(0) is None
