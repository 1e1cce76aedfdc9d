"""Scopes for snapshots, installs and prefixes that go (KIP-630): one hazard each."""

from __future__ import annotations

from attrs import evolve

from metaquorum.quorum.retention import Retention
from metaquorum.testing.explorer.scope import Budget, Scope

AT_ONCE = Retention(start_lag_max_ms=0)
"""KIP-630's rule, without patience: a prefix goes when a snapshot covers it."""

BY_SIZE = Retention(max_bytes=0)
"""Kafka's rule: of two snapshots the older goes, and what lies before the newer one."""

QUICK: tuple[Scope, ...] = (
    Scope(
        "install-and-crash",
        "a newcomer fetches a snapshot in two parts, and crashes while it installs it",
        nodes=(1,),
        observers=(2,),
        late=(2,),
        budget=Budget(snapshots=1, appends=1, crashes=1),
        settled=True,
        bootstrap=True,
        may_crash=(2,),
        lazy_disks=(2,),
        timers=(),
        retention=AT_ONCE,
        snapshot_parts=2,
    ),
    Scope(
        "followers-let-go",
        "leader and follower write snapshots, and each lets go of what is before them",
        nodes=(1, 2),
        budget=Budget(snapshots=3, appends=2, crashes=1),
        settled=True,
        may_append=(1, 2),
        may_crash=(2,),
        lazy_disks=(2,),
        timers=(),
        retention=AT_ONCE,
    ),
    Scope(
        "older-snapshots-go",
        "by Kafka's rule the older of two snapshots goes, with what is before the newer one",
        nodes=(1, 2),
        budget=Budget(snapshots=4, appends=2, crashes=1),
        settled=True,
        may_append=(1, 2),
        may_crash=(2,),
        lazy_disks=(2,),
        timers=(),
        retention=BY_SIZE,
    ),
    Scope(
        "leader-goes-amid-a-download",
        "the leader is replaced while a newcomer has half of its snapshot",
        nodes=(1, 2),
        observers=(3,),
        late=(3,),
        budget=Budget(timers=1, resignations=1),
        settled=True,
        bootstrap=True,
        may_append=(1, 2),
        may_time_out=(2,),
        lazy_disks=(),
        timers=("election",),
        script=(
            "snapshot 1",
            "snapshot 2",
            "start 3",
            "deliver FetchRequest 3 -> 1",
            "deliver FetchResponse 1 -> 3",
            "deliver FetchRequest 3 -> 1",
            "deliver FetchResponse 1 -> 3",
            "deliver FetchSnapshotRequest 3 -> 1",
            "deliver FetchSnapshotResponse 1 -> 3",
        ),
        retention=AT_ONCE,
        snapshot_parts=2,
        states_max=3_000,
        exhaustive=False,
    ),
)

DEEP: tuple[Scope, ...] = (
    evolve(
        QUICK[0],
        name="install-and-crash-deep",
        hazard="as install-and-crash, with a leader that goes on, and more of everything",
        budget=Budget(snapshots=2, appends=2, crashes=2, drops=1),
        states_max=300_000,
        exhaustive=False,
    ),
    *(
        evolve(
            scope,
            name=f"{scope.name}-deep",
            budget=evolve(scope.budget, appends=3, crashes=2),
            may_crash=(1, 2),
            lazy_disks=(1, 2),
            states_max=300_000,
            exhaustive=False,
        )
        for scope in QUICK[1:3]
    ),
    evolve(
        QUICK[3],
        name="leader-goes-amid-a-download-deep",
        budget=Budget(snapshots=1, timers=2, resignations=1, crashes=1),
        may_crash=(3,),
        states_max=300_000,
    ),
)
