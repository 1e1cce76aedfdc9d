"""Rules of the voter set."""

from __future__ import annotations

from collections.abc import Collection

from metaquorum.quorum.voters import VoterSet
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-853, Proposed Changes", "Two voter sets that follow each other share a majority.")
def voters_change_one_at_a_time(before: VoterSet, after: VoterSet) -> None:
    if not before.overlaps(after):
        broken(
            voters_change_one_at_a_time,
            f"from {[str(one) for one in before.keys]} to {[str(one) for one in after.keys]}",
        )


@rule("KIP-853, AddRaftVoter", "At most one change of the voters is uncommitted in a log.")
def one_voter_change_at_a_time(node: int, uncommitted: int) -> None:
    if uncommitted > 1:
        broken(one_voter_change_at_a_time, f"node {node} leads with {uncommitted} open changes")


@rule("KIP-595, Observers", "A replica that was never a voter never stands for election.")
def only_voters_campaign(node: int, role: str, is_voter: bool) -> None:
    if not is_voter and role in ("Prospective", "Candidate"):
        broken(only_voters_campaign, f"node {node} is {role} and no voter")


@rule("KIP-595, Observers", "Fetches of observers keep no leader in office.")
def observers_are_not_counted(node: int, heard: Collection[int], voters: Collection[int]) -> None:
    strangers = [one for one in heard if one not in voters]
    if strangers:
        broken(observers_are_not_counted, f"leader {node} counts {strangers}, voters are {voters}")
