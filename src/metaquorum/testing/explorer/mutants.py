"""Where the explorer finds each planted bug: the scope, the property that breaks, how soon."""

from __future__ import annotations

from attrs import frozen

from metaquorum.testing.mutants import BUGS, Mutant


@frozen
class Planted:
    """A bug of ``BUGS``, the scope that finds it, what it breaks, in how many steps at most."""

    name: str
    scope: str
    breaks: str
    steps: int

    @property
    def mutant(self) -> Mutant:
        """What plants it."""
        return BUGS[self.name]


MUTANTS: tuple[Planted, ...] = (
    Planted("answer before sync", "one-voter-crashes", "one leader in an epoch", 4),
    Planted("answer before sync", "slow-leader", "no epoch is named before it is saved", 3),
    Planted(
        "the leader counts its accepted end",
        "one-voter-crashes",
        "backed by a majority of disks",
        3,
    ),
    Planted(
        "the leader counts its accepted end", "slow-leader", "backed by a majority of disks", 11
    ),
    Planted("a restarted leader resumes", "one-voter-crashes", "one leader in an epoch", 5),
    Planted(
        "a follower fetches before its disk has what it names",
        "slow-follower",
        "a fetch promises what is below it",
        11,
    ),
    Planted("a vote is given and not saved", "vote-and-crash", "one vote in an epoch", 9),
    Planted("the vote file is stale", "vote-and-crash", "one vote in an epoch", 12),
    Planted("a vote ignores the log", "short-log", "leader completeness", 17),
    Planted("a vote is forgotten after a campaign", "second-vote", "no Enter does that", 5),
    Planted("a resigned leader votes in its epoch", "old-leader-votes", "one vote in an epoch", 3),
    Planted("an older epoch's entry is committed", "one-voter-crashes", "no Commit does that", 8),
    Planted("a lost leader frees the vote", "prompt-fail-over", "no Enter does that", 1),
    Planted(
        "a parted log is served as if it were ours",
        "removal-is-cut",
        "backed by a majority of disks",
        8,
    ),
    Planted(
        "a truncation goes below the watermark",
        "removal-is-cut",
        "the high watermark never falls",
        9,
    ),
    Planted(
        "voters are not taken back by a truncation",
        "removal-is-cut",
        "the voters are those of the log",
        9,
    ),
    Planted(
        "voters are read from committed records only",
        "remove-the-leader",
        "backed by a majority of disks",
        4,
    ),
    Planted("two voter changes at once", "two-changes", "one change at a time", 4),
    Planted(
        "a change is answered before it is committed",
        "remove-the-leader",
        "an answered change is committed",
        1,
    ),
    Planted(
        "a removed leader counts itself", "remove-the-leader", "backed by a majority of disks", 4
    ),
    Planted(
        "an upgrade is written in two batches",
        "upgrade-and-crash",
        "neither log nor checkpoint names the voters",
        4,
    ),
    Planted(
        "a snapshot brings no voters",
        "snapshot-brings-voters",
        "the voters are those of the log",
        12,
    ),
    Planted(
        "a follower's log starts where its leader's does",
        "followers-let-go",
        "a log that begins late has a snapshot",
        3,
    ),
    Planted(
        "a prefix takes all snapshots with it",
        "older-snapshots-go",
        "a log that begins late has a snapshot",
        6,
    ),
    Planted(
        "a part of another leader is kept",
        "leader-goes-amid-a-download",
        "the parts of a snapshot come from one leader",
        12,
    ),
    Planted("an install leaves the log end", "install-and-crash", "above the log end", 15),
)
