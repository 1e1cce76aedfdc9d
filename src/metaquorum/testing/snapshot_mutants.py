"""Known bugs of snapshots in the core itself: the explorer and the simulator plant them both."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from attrs import evolve

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.quorum.download import Download
from metaquorum.quorum.handlers.replication import retention
from metaquorum.quorum.log_view import LogView
from metaquorum.testing.mutants import Mutant, all_of, replaced

Patched = AbstractContextManager[None]


def followers_start_where_the_leader_does() -> Patched:
    """A follower's log starts where its leader's does, whatever snapshots it has itself."""

    def start(start: Offset, leaders: Offset, snapshots: Any) -> Offset:
        return max(start, leaders)

    return all_of(replaced(retention, "followers_start", start), dropped_unchecked())


def dropped_unchecked() -> Patched:
    """A prefix goes whether anything covers it or not."""

    def dropped(log: LogView, before: Offset) -> LogView:
        kept = tuple(one for one in log.snapshots if one[0].offset >= before)
        return evolve(log, start=before, epochs=log.epochs.starting_at(before), snapshots=kept)

    return replaced(LogView, "dropped", dropped)


def prefix_takes_all_snapshots() -> Patched:
    """A prefix takes all snapshots with it, the newest too."""
    honest = LogView.dropped

    def dropped(log: LogView, before: Offset) -> LogView:
        return evolve(honest(log, before), snapshots=())

    return replaced(LogView, "dropped", dropped)


def part_of_another_leader_is_kept() -> Patched:
    """A download goes on with whoever leads now."""

    def always(download: Download, leader_id: int, epoch: int) -> bool:
        return True

    return replaced(Download, "is_from", always)


def installed_without_a_new_end() -> Patched:
    """After an install the core goes on at the end that its log had before."""
    honest = LogView.installed

    def installed(log: LogView, snapshot: OffsetAndEpoch, size_bytes: int) -> LogView:
        after = honest(log, snapshot, size_bytes)
        return evolve(after, end=max(log.end, log.start + 1), high_watermark=log.high_watermark)

    return replaced(LogView, "installed", installed)


def empty_log_has_no_epoch() -> Patched:
    """A log that was just replaced by a snapshot counts as one of epoch 0."""

    def last_epoch(log: LogView) -> int:
        return log.epochs.epochs[-1] if len(log.epochs) else 0

    return replaced(LogView, "last_epoch", property(last_epoch))


SNAPSHOT_BUGS: dict[str, Mutant] = {
    "a follower's log starts where its leader's does": followers_start_where_the_leader_does,
    "a prefix takes all snapshots with it": prefix_takes_all_snapshots,
    "a part of another leader is kept": part_of_another_leader_is_kept,
    "an install leaves the log end": installed_without_a_new_end,
}
"""Those that break what is safe, by their names, for the explorer."""
