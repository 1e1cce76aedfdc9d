"""Every legal crash of a workload: nothing synced is lost, nothing is invented.

A journal does its effects on a disk that remembers what was synced. Then every moment is taken
for a crash, every legal remainder of the disk is recovered, and what is found must be one of the
states on the way from what was promised last to what was asked for last.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pytest
from attrs import define, field, frozen
from hypothesis import given, settings
from hypothesis import strategies as st

from metaquorum.base.offsets import Offset, OffsetAndEpoch
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.disk_effects import (
    Append,
    DropPrefix,
    InstallSnapshot,
    TruncateLog,
    WriteSnapshotPart,
)
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage import quorum_state
from metaquorum.storage.journal import DiskEffect, Journal, QuorumStateStore, SaveElection
from metaquorum.storage.log import Log
from metaquorum.storage.log_config import LogConfig
from metaquorum.storage.quorum_state import ElectionStateData
from metaquorum.storage.snapshot_files import SnapshotFiles, write_snapshot
from metaquorum.testing.sim.crashes import crashes
from metaquorum.testing.sim.disk import SimDisk
from tests.unit.storage.appends import append, payloads_of

WHERE = "/data/__cluster_metadata-0"
CONFIG = LogConfig(segment_bytes=400, index_interval_bytes=120, preallocate_bytes=150)
SNAPSHOT = OffsetAndEpoch(epoch=5, offset=40)


def batch(base: Offset, epoch: int, count: int = 1) -> bytes:
    values = [(None, b"%06d" % (base + n)) for n in range(count)]
    return build_batch(values, timestamp_ms=1000 + base, base_offset=base, leader_epoch=epoch)


@frozen
class State:
    """What a node may find after a crash: batches of the log, and its election state."""

    batches: tuple[bytes, ...] = ()
    election: ElectionStateData | None = None
    log_start: Offset = 0


@define
class Workload:
    """Rounds of effects with every state on the way; ``promised`` counts trace and states."""

    journal: Journal
    states: list[State] = field(factory=lambda: [State()])
    promised: list[tuple[int, int]] = field(factory=list)
    ticket: int = 0

    def round(self, *effects: tuple[type, tuple[object, ...]]) -> None:
        """Execute one list of effects, each a class and its arguments after the ticket."""
        made: list[DiskEffect] = []
        for kind, arguments in effects:
            self.ticket += 1
            made.append(kind(self.ticket, *arguments))
            self.states += _after(self.states[-1], made[-1])
        self.journal.execute(made)
        self.promised.append((len(self.journal.log.disk.trace), len(self.states) - 1))


def _after(state: State, effect: DiskEffect) -> Iterator[State]:
    """The states that an effect leads through, the last one being its completion."""
    match effect:
        case Append():
            for index in range(len(effect.batches)):
                batches = state.batches + payloads_of(effect)[: index + 1]
                yield State(batches, state.election, state.log_start)
        case SaveElection():
            yield State(state.batches, effect.state, state.log_start)
        case TruncateLog():  # whole segments go one by one, from the end
            kept = state.batches
            while kept and read_header(kept[-1]).last_offset >= effect.to:
                kept = kept[:-1]
                yield State(kept, state.election, state.log_start)
        case InstallSnapshot():
            yield State((), state.election, effect.snapshot.offset)
        case _:
            yield state


def started(grows_fast: bool) -> Workload:
    """An empty log; one that grows fast has space behind its end
    (``storage.preallocation``).
    """
    disk = SimDisk()
    log, _ = Log.open(disk, WHERE, CONFIG)
    log.grows_fast = grows_fast
    journal = Journal(log, QuorumStateStore(disk, WHERE), SnapshotFiles(disk, WHERE))
    return Workload(journal, promised=[(len(disk.trace), 0)])


def appends_and_elections(grows_fast: bool = False) -> Workload:
    """Group commits over several segments, elections between appends, an epoch per election."""
    work = started(grows_fast)
    work.round((SaveElection, (ElectionStateData(epoch=1),)))
    work.round((append, ((batch(0, 1),),)), (append, ((batch(1, 1, 2), batch(3, 1)),)))
    work.round(
        (append, ((batch(4, 1, 2),),)),
        (SaveElection, (ElectionStateData(epoch=2, voted_id=3),)),
        (SaveElection, (ElectionStateData(epoch=3, leader_id=1),)),
        (append, (tuple(batch(6 + n, 3) for n in range(6)),)),
    )
    work.journal.release_preallocation()
    work.round((append, (tuple(batch(12 + n, 3) for n in range(3)),)))
    return work


def truncations(grows_fast: bool) -> Workload:
    """Tails cut inside a segment and across several, with other batches in their place."""
    work = started(grows_fast)
    work.round((append, (tuple(batch(n, 1 + n // 4) for n in range(14)),)))
    work.round((TruncateLog, (12,)), (append, ((batch(12, 7, 2),),)))
    work.round(
        (SaveElection, (ElectionStateData(epoch=8),)),
        (TruncateLog, (3,)),
        (append, (tuple(batch(3 + n, 8) for n in range(4)),)),
    )
    work.round((TruncateLog, (0,)), (append, ((batch(0, 9),),)))
    return work


def snapshots(grows_fast: bool) -> Workload:
    """A snapshot downloaded over an older log, appends after it, then its prefix dropped."""
    content = b"".join(
        snapshot_batches(
            epoch=5, timestamp_ms=9, last_contained_ms=9, controls=[], values=[b"s" * 20]
        )
    )
    work = started(grows_fast)
    work.round((append, (tuple(batch(n, 1) for n in range(7)),)))
    work.round((WriteSnapshotPart, (SNAPSHOT, 0, content[:50])))
    work.round((WriteSnapshotPart, (SNAPSHOT, 50, content[50:])), (InstallSnapshot, (SNAPSHOT,)))
    work.round((append, (tuple(batch(40 + n, 6) for n in range(12)),)))
    later = OffsetAndEpoch(epoch=6, offset=50)
    newer = snapshot_batches(
        epoch=6, timestamp_ms=9, last_contained_ms=9, controls=[], values=[b"t"]
    )
    files = work.journal.snapshots
    write_snapshot(files.disk, WHERE, later, newer)
    files.refresh()
    work.round((DropPrefix, (50,)))
    return work


def found(disk: SimDisk) -> tuple[State, Log]:
    log, report = Log.open(disk, WHERE, CONFIG)
    batches = tuple(bytes(content) for _, content in log.batches(log.start_offset))
    assert log.end_offset == (read_header(batches[-1]).next_offset if batches else log.start_offset)
    assert not report.unusable_snapshots
    return State(batches, quorum_state.read(disk, WHERE), log.start_offset), log


def is_allowed(state: State, allowed: Sequence[State]) -> bool:
    """Whether a state is one of those allowed, but for a prefix that may have been dropped."""
    return any(
        state.election == other.election
        and state.log_start >= other.log_start
        and state.batches == other.batches[len(other.batches) - len(state.batches) :]
        and (state.log_start == other.log_start or state.log_start <= 50)
        for other in allowed
        if len(state.batches) <= len(other.batches)
    )


WORKLOADS = {
    "appends and elections": appends_and_elections,
    "truncations": truncations,
    "snapshots": snapshots,
}


@pytest.mark.parametrize("grows_fast", [False, True])
@pytest.mark.parametrize("name", WORKLOADS)
def test_every_crash_keeps_what_was_promised_and_invents_nothing(
    name: str, grows_fast: bool
) -> None:
    work = WORKLOADS[name](grows_fast)
    trace = work.journal.log.disk.trace
    tried = 0
    for crash in crashes({}, trace, first=work.promised[0][0], most_cuts=6):
        promised = max(i for i, (done, _) in enumerate(work.promised) if done <= crash.done)
        first = work.promised[promised][1]
        last = work.promised[min(promised + 1, len(work.promised) - 1)][1]
        state, _ = found(SimDisk.holding(crash.files))
        assert is_allowed(state, work.states[first : last + 1]), (crash.done, crash.story)
        tried += 1
    assert tried > 150


@pytest.mark.parametrize("grows_fast", [False, True])
@pytest.mark.parametrize("name", WORKLOADS)
def test_recovery_is_idempotent_and_may_itself_crash(name: str, grows_fast: bool) -> None:
    trace = WORKLOADS[name](grows_fast).journal.log.disk.trace
    tried = 0
    for number, crash in enumerate(crashes({}, trace, first=10, most_cuts=4)):
        if number % 9:
            continue
        disk = SimDisk.holding(crash.files)
        state, _ = found(disk)
        after = disk.files()
        again, _ = found(disk)
        assert (again, disk.files()) == (state, after)
        recovery = crashes(crash.files, disk.trace, most_cuts=4)
        for second in recovery:
            assert found(SimDisk.holding(second.files))[0] == state, (crash.story, second.story)
            tried += 1
    assert tried > 100


steps = st.one_of(
    st.tuples(st.just("append"), st.integers(1, 5)),
    st.tuples(st.just("elect"), st.integers(1, 3)),
    st.tuples(st.just("truncate"), st.integers(0, 6)),
)
rounds = st.lists(st.lists(steps, min_size=1, max_size=4), min_size=1, max_size=5)


def drawn(plan: list[list[tuple[str, int]]], grows_fast: bool) -> Workload:
    """A workload from a plan: batches to append, epochs to rise, offsets to cut from the end."""
    work = started(grows_fast)
    epoch, batches = 1, list[bytes]()
    for chosen in plan:
        effects: list[tuple[type, tuple[object, ...]]] = []
        for kind, number in chosen:
            end = read_header(batches[-1]).next_offset if batches else 0
            if kind == "append":
                more = tuple(batch(end + n, epoch) for n in range(number))
                batches += more
                effects.append((append, (more,)))
            elif kind == "elect":
                epoch += number
                effects.append((SaveElection, (ElectionStateData(epoch=epoch),)))
            else:
                epoch += 1  # only a new leader makes a follower cut
                to = max(end - number, 0)
                batches = [b for b in batches if read_header(b).last_offset < to]
                effects.append((TruncateLog, (to,)))
        work.round(*effects)
    return work


@settings(derandomize=True, deadline=None, max_examples=25)
@given(rounds, st.booleans())
def test_drawn_workloads_survive_their_crashes_too(
    plan: list[list[tuple[str, int]]], grows_fast: bool
) -> None:
    work = drawn(plan, grows_fast)
    trace = work.journal.log.disk.trace
    begun = work.promised[0][0]
    for crash in crashes({}, trace, first=begun, most_cuts=4):
        if (crash.done - begun) % 4:
            continue
        promised = max(i for i, (done, _) in enumerate(work.promised) if done <= crash.done)
        first = work.promised[promised][1]
        last = work.promised[min(promised + 1, len(work.promised) - 1)][1]
        state, _ = found(SimDisk.holding(crash.files))
        assert is_allowed(state, work.states[first : last + 1]), (crash.done, crash.story)


def test_the_check_notices_a_journal_that_forgets_to_sync(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(Log, "sync", lambda self: None)
    work = appends_and_elections()
    trace = work.journal.log.disk.trace
    done, promised = work.promised[2]
    lost = [
        crash
        for crash in crashes({}, trace[:done], first=done)
        if not is_allowed(found(SimDisk.holding(crash.files))[0], work.states[promised:])
    ]

    assert lost


def test_after_a_crash_the_log_goes_on_where_recovery_left_it() -> None:
    trace = appends_and_elections().journal.log.disk.trace
    for number, crash in enumerate(crashes({}, trace, first=10, most_cuts=4)):
        if number % 5:
            continue
        disk = SimDisk.holding(crash.files)
        _, log = found(disk)
        log.append([batch(log.end_offset, 9, 3)])
        log.close()
        state, again = found(disk)
        assert read_header(state.batches[-1]).leader_epoch == 9
        assert again.epochs == log.epochs
