"""Known bugs, planted one by one: each must be found, or the net has a hole.

A mutant is a context manager that breaks one rule of the core for as long as it is entered.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from attrs import frozen

from metaquorum.base.offsets import Offset
from metaquorum.quorum.effects import Effect
from metaquorum.quorum.election import Ballot
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.handlers import commit, lifecycle, sends, vote
from metaquorum.quorum.replica import Replica
from metaquorum.quorum.roles.candidate import Candidate
from metaquorum.quorum.roles.resigned import Resigned
from metaquorum.quorum.start import initial_role
from metaquorum.quorum.types import ElectionState

Mutant = Callable[[], AbstractContextManager[None]]


@contextmanager
def replaced(owner: Any, name: str, value: Any) -> Iterator[None]:
    """One attribute exchanged, put back at the end."""
    before = getattr(owner, name)
    setattr(owner, name, value)
    try:
        yield
    finally:
        setattr(owner, name, before)


def answer_before_sync() -> AbstractContextManager[None]:
    """The gate lets everything out at once."""

    def hold(gate: DurabilityGate, effects: Iterable[Effect]) -> list[Effect]:
        return list(effects)

    return replaced(DurabilityGate, "hold", hold)


def leader_counts_accepted_end() -> AbstractContextManager[None]:
    """The leader counts what it has not synced (KAFKA-10526)."""

    def accepted_end(replica: Replica) -> Offset:
        return replica.log.end

    return replaced(commit, "counted_end", accepted_end)


def restarted_leader_resumes() -> AbstractContextManager[None]:
    """A restarted leader goes on in its old epoch (KAFKA-10527)."""
    honest = initial_role

    def resuming(config: Any, election: ElectionState, *rest: Any) -> Any:
        role, why = honest(config, election, *rest)
        if not isinstance(role, Resigned):
            return role, why
        history = rest[1]
        ballot = Ballot(history.latest)
        return Candidate(ballot, role.election_deadline, 0), "it goes on"

    return replaced(lifecycle, "initial_role", resuming)


def follower_fetches_before_sync() -> AbstractContextManager[None]:
    """A fetch does not wait for the records below its offset (KAFKA-10533)."""

    def nothing(replica: Replica) -> int:
        return 0

    return replaced(sends, "promised", nothing)


def vote_ignores_the_log() -> AbstractContextManager[None]:
    """Whoever asks gets the vote, however short its log."""

    def always(theirs: object, ours: object) -> bool:
        return True

    return replaced(vote, "is_up_to_date", always)


def vote_is_not_saved() -> AbstractContextManager[None]:
    """A vote is given and not remembered."""

    def forget(*everything: object) -> None:
        return None

    return replaced(vote, "_save_vote", forget)


def older_epochs_are_counted() -> AbstractContextManager[None]:
    """A record of an earlier epoch is committed because a majority holds it (Raft 5.4.2)."""

    def always(role: object, offset: Offset) -> bool:
        return True

    return replaced(commit, "is_of_own_epoch", always)


@frozen
class Planted:
    """A mutant, the scope that finds it, what it breaks, and in how many steps at most."""

    name: str
    mutant: Mutant
    scope: str
    breaks: str
    steps: int


MUTANTS: tuple[Planted, ...] = (
    Planted(
        "answer before sync",
        answer_before_sync,
        "one-voter-crashes",
        "one leader in an epoch",
        4,
    ),
    Planted(
        "the leader counts its accepted end",
        leader_counts_accepted_end,
        "one-voter-crashes",
        "backed by a majority of disks",
        3,
    ),
    Planted(
        "a restarted leader resumes",
        restarted_leader_resumes,
        "one-voter-crashes",
        "one leader in an epoch",
        5,
    ),
    Planted(
        "answer before sync, three voters",
        answer_before_sync,
        "slow-leader",
        "no epoch is named before it is saved",
        3,
    ),
    Planted(
        "the leader of three counts its accepted end",
        leader_counts_accepted_end,
        "slow-leader",
        "backed by a majority of disks",
        11,
    ),
    Planted(
        "a follower fetches before its disk has what it names",
        follower_fetches_before_sync,
        "slow-follower",
        "a fetch promises what is below it",
        11,
    ),
    Planted(
        "a vote is given and not saved",
        vote_is_not_saved,
        "vote-and-crash",
        "one vote in an epoch",
        9,
    ),
    Planted(
        "a vote ignores the log",
        vote_ignores_the_log,
        "short-log",
        "leader completeness",
        17,
    ),
)
