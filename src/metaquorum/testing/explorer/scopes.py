"""The scopes: one hazard each. Quick ones run with every test run, deep ones by hand or in soak."""

from __future__ import annotations

from metaquorum.testing.explorer import snapshot_scopes, voter_scopes
from metaquorum.testing.explorer.scope import Budget, Scope

QUICK: tuple[Scope, ...] = (
    Scope(
        "one-voter-crashes",
        "the only voter crashes at every disk effect while it is elected and appends",
        budget=Budget(crashes=2, appends=2),
        timers=(),
    ),
    Scope(
        "one-voter-resigns",
        "the only voter is told to resign, and may crash before it is elected again",
        budget=Budget(timers=1, crashes=1, appends=2, resignations=1),
    ),
    Scope(
        "vote-and-crash",
        "a voter with a slow disk crashes between two candidates of one epoch",
        nodes=(1, 2, 3),
        budget=Budget(timers=2, crashes=1),
        may_time_out=(1, 3),
        may_crash=(2,),
        lazy_disks=(2,),
        timers=("election",),
        cut=((1, 3),),
    ),
    Scope(
        "slow-leader",
        "the leader's disk is slow, and one follower copies what the leader has not synced",
        nodes=(1, 2, 3),
        budget=Budget(timers=1, appends=1, crashes=1),
        timers=("election",),
        cut=((1, 3), (2, 3)),
    ),
    Scope(
        "slow-follower",
        "the only follower that copies has a slow disk, and may crash",
        nodes=(1, 2, 3),
        budget=Budget(timers=1, appends=2, crashes=1),
        may_crash=(2,),
        lazy_disks=(2,),
        timers=("election",),
        cut=((1, 3), (2, 3)),
    ),
    Scope(
        "short-log",
        "a voter without the committed records campaigns at one that has them",
        nodes=(1, 2, 3),
        budget=Budget(timers=3),
        may_time_out=(1, 3),
        lazy_disks=(),
        cut=((1, 3),),
    ),
)

DEEP: tuple[Scope, ...] = (
    Scope(
        "one-voter-crashes-often",
        "as one-voter-crashes, with more of everything",
        budget=Budget(crashes=3, appends=4),
        timers=(),
        states_max=1_000_000,
    ),
    Scope(
        "one-voter-resigns-often",
        "as one-voter-resigns, with more of everything",
        budget=Budget(timers=2, crashes=2, appends=2, resignations=2),
        states_max=1_000_000,
    ),
    Scope(
        "old-leader-returns",
        "a leader crashes with records that nobody else has, and comes back to another leader",
        nodes=(1, 2, 3),
        budget=Budget(timers=2, appends=1, crashes=1),
        may_time_out=(1, 2),
        lazy_disks=(),
        cut=((1, 3),),
        states_max=300_000,
        exhaustive=False,
    ),
    Scope(
        "leader-resigns",
        "a leader hands over, and its followers may take turns at once",
        nodes=(1, 2, 3),
        budget=Budget(timers=2, resignations=1),
        may_time_out=(1, 2),
        lazy_disks=(),
        cut=((2, 3),),
        states_max=300_000,
        exhaustive=False,
    ),
)


_EVERY_TIMER = (
    "election",
    "fetch",
    "check-quorum",
    "begin-epoch",
    "parked",
    "request",
    "retry",
)
_STORM = Budget(timers=1_000, crashes=40, appends=200, drops=200, duplicates=200, resignations=20)

STORMS: tuple[Scope, ...] = (
    *voter_scopes.STORMS,
    Scope(
        "storm-of-three",
        "three voters, everything may happen: too wide to exhaust, walked at random",
        nodes=(1, 2, 3),
        budget=_STORM,
        may_time_out=(1, 2, 3),
        may_crash=(1, 2, 3),
        may_append=(1, 2, 3),
        lazy_disks=(1, 2, 3),
        timers=_EVERY_TIMER,
        exhaustive=False,
    ),
    Scope(
        "storm-of-five",
        "five voters and an observer that find each other through bootstrap servers",
        nodes=(1, 2, 3, 4, 5),
        observers=(6,),
        budget=_STORM,
        may_time_out=(1, 2, 3, 4, 5, 6),
        may_crash=(1, 2, 3, 4, 5, 6),
        may_append=(1, 2, 3, 4, 5),
        lazy_disks=(1, 2, 3, 4, 5, 6),
        timers=_EVERY_TIMER,
        exhaustive=False,
        bootstrap=True,
    ),
)


ALL_QUICK: tuple[Scope, ...] = QUICK + voter_scopes.QUICK + snapshot_scopes.QUICK
ALL_DEEP: tuple[Scope, ...] = DEEP + voter_scopes.DEEP + snapshot_scopes.DEEP
ALL: tuple[Scope, ...] = ALL_QUICK + ALL_DEEP + STORMS


def by_name(name: str) -> Scope:
    """The scope of this name; KeyError lists those that there are."""
    for scope in ALL:
        if scope.name == name:
            return scope
    known = ", ".join(scope.name for scope in ALL)
    raise KeyError(f"no scope {name!r}; there are: {known}")
