"""Rules of elections: epochs, votes, leaders."""

from __future__ import annotations

from collections.abc import Collection

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch, OffsetAndEpoch
from metaquorum.testing.simulator.invariants.rule import broken, rule

Leader = tuple[int, int]
"""Node id and which of its lives."""

Voter = tuple[int, int]
"""Node id and which of its directories."""


@rule("KIP-595, Leader Election", "At most one replica is elected leader in one epoch.")
def one_leader_in_an_epoch(leaders: dict[Epoch, Leader], epoch: Epoch, who: Leader) -> None:
    before = leaders.setdefault(epoch, who)
    if before != who:
        broken(
            one_leader_in_an_epoch,
            f"epoch {epoch} was led by node {before[0]} (life {before[1]}), now by node {who[0]} "
            f"(life {who[1]})",
        )


@rule("KIP-595, Vote", "A voter votes for at most one candidate in an epoch, crash or no crash.")
def one_vote_in_an_epoch(
    votes: dict[tuple[Epoch, Voter], int], epoch: Epoch, voter: Voter, candidate: int
) -> None:
    before = votes.setdefault((epoch, voter), candidate)
    if before != candidate:
        broken(
            one_vote_in_an_epoch,
            f"in epoch {epoch} node {voter[0]} voted for {before} and for {candidate}",
        )


@rule("KIP-595, Vote", "A candidate leads once a majority of the voters has voted for it.")
def a_leader_was_voted_for_by_a_majority(
    epoch: Epoch, leader: int, granted: Collection[int], electorate: Collection[int]
) -> None:
    counted = [voter for voter in electorate if voter in granted]
    if len(counted) <= len(electorate) // 2:
        broken(
            a_leader_was_voted_for_by_a_majority,
            f"node {leader} leads epoch {epoch} with the votes of {counted} of {electorate}",
        )


@rule("KIP-595, Quorum State", "The epoch of a replica never falls.")
def epochs_never_fall(node: int, before: Epoch, after: Epoch) -> None:
    if after < before:
        broken(epochs_never_fall, f"node {node} went from epoch {before} to {after}")


@rule("KIP-996, Pre-Vote", "To ask for pre-votes a replica does not raise its epoch.")
def a_pre_vote_raises_no_epoch(node: int, before: Epoch, after: Epoch) -> None:
    if after != before:
        broken(a_pre_vote_raises_no_epoch, f"node {node} asks, and went from {before} to {after}")


@rule("KIP-996, Pre-Vote", "Answering a pre-vote of its own epoch a replica saves nothing.")
def a_pre_vote_answer_saves_nothing(node: int, saved: bool, raised: bool) -> None:
    if saved and not raised:
        broken(a_pre_vote_answer_saves_nothing, f"node {node} saved an election for a pre-vote")


@rule("KIP-595, Vote", "A vote goes only to a candidate whose log is at least as good.")
def votes_go_to_good_logs(node: int, theirs: OffsetAndEpoch, ours: OffsetAndEpoch) -> None:
    if theirs < ours:
        broken(votes_go_to_good_logs, f"node {node} with {ours} voted for a log with {theirs}")


@rule("KIP-595, Quorum State", "Nobody hears of an epoch before its replica's disk knows it.")
def no_epoch_is_named_before_it_is_saved(node: int, saved: Epoch, named: Epoch) -> None:
    if named > saved:
        broken(
            no_epoch_is_named_before_it_is_saved,
            f"node {node} names epoch {named}, its quorum-state has {saved}",
        )


@rule("KIP-595, Quorum State", "After a restart quorum-state is no older than what was said.")
def quorum_state_is_not_behind_what_was_said(node: int, found: Epoch, said: Epoch) -> None:
    if found < said:
        broken(
            quorum_state_is_not_behind_what_was_said,
            f"node {node} came back in epoch {found} after it had spoken in {said}",
        )


@rule(
    "KAFKA-10527",
    "A leader that was restarted writes nothing more in the epoch that it had led.",
)
def a_restarted_leader_writes_nothing(
    leaders: dict[Epoch, Leader], epoch: Epoch, who: Leader
) -> None:
    led = leaders.get(epoch)
    if led is not None and led != who:
        broken(
            a_restarted_leader_writes_nothing,
            f"node {who[0]} (life {who[1]}) appends in epoch {epoch}, led by {led}",
        )


@rule(
    "KAFKA-15489",
    "A leader that no majority fetches from resigns within one and a half fetch time-outs.",
)
def a_leader_without_a_majority_resigns(node: int, silent_ms: Millis, bound_ms: Millis) -> None:
    if silent_ms > bound_ms:
        broken(
            a_leader_without_a_majority_resigns,
            f"node {node} still leads, {silent_ms} ms after it last heard a majority",
        )
