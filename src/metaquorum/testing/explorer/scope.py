"""A scope: which small world to exhaust, and what may go wrong in it.

One scope per hazard: who may time out, whose disk is lazy, how many crashes. A wide scope finds
nothing in reasonable time; a narrow one finds its bug in seconds.
"""

from __future__ import annotations

from attrs import frozen

from metaquorum.quorum.retention import Retention


@frozen
class Budget:
    """How often each kind of misfortune may still happen."""

    timers: int = 0
    crashes: int = 0
    appends: int = 0
    drops: int = 0
    duplicates: int = 0
    resignations: int = 0
    changes: int = 0
    losses: int = 0
    snapshots: int = 0


@frozen
class Scope:
    """A small world.

    ``may_time_out``, ``may_crash`` and ``lazy_disks`` name nodes; the disks of the others sync
    at once. ``timers`` are the kinds that may fire. ``states_max`` bounds the search; a scope
    that is meant to be exhausted says so with ``exhaustive``. With ``bootstrap`` nodes without a
    leader ask the voters for one. Between the pairs in ``cut`` nothing arrives.

    ``may_lose`` may take their leader for gone; ``late`` start when the story has begun.
    With ``kraft_version`` 1 the voters stand in a bootstrap checkpoint that observers do not have.
    ``script`` are the first steps of every story, in the words of their actions.
    ``settled``: the story begins when node 1 leads and everybody has copied its log. ``changes``
    are what the leader may be asked for: ``add 4``, ``remove 1``, ``upgrade``.
    By ``retention`` old parts of the log go, and a snapshot is fetched in ``snapshot_parts``.
    """

    name: str
    hazard: str
    nodes: tuple[int, ...] = (1,)
    observers: tuple[int, ...] = ()
    budget: Budget = Budget()
    may_time_out: tuple[int, ...] = (1,)
    may_crash: tuple[int, ...] = (1,)
    may_append: tuple[int, ...] = (1,)
    lazy_disks: tuple[int, ...] = (1,)
    timers: tuple[str, ...] = ("election", "fetch")
    states_max: int = 200_000
    exhaustive: bool = True
    bootstrap: bool = False
    cut: tuple[tuple[int, int], ...] = ()
    kraft_version: int = 0
    settled: bool = False
    script: tuple[str, ...] = ()
    changes: tuple[str, ...] = ()
    may_lose: tuple[int, ...] = ()
    late: tuple[int, ...] = ()
    retention: Retention | None = None
    snapshot_parts: int = 1
