"""What a frame of `metaquorum top` costs beside a million partitions.

    python tools/bench/top.py                      # 100,000 topics of ten partitions, 100 brokers
    python tools/bench/top.py --topics 1000        # a smaller one

The state is loaded from a snapshot in memory. Then a broker is fenced: each partition that it has
leaves it. Rows are made by the thread that reads; a frame is what the thread of the screen does,
textual's own work aside.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.cli.top.history import History
from metaquorum.cli.top.layout import head_lines, panes
from metaquorum.cli.top.looks import topics_like
from metaquorum.cli.top.sight import sight
from metaquorum.cli.top.watched_log import WatchedLog
from metaquorum.client.log_record import FetchedBatch
from metaquorum.exporter.figures import LogPlace, SourceFigures
from metaquorum.exporter.known import LOG, QUORUM, Known
from metaquorum.records.batch import read_header
from metaquorum.records.builder import build_batch
from metaquorum.records.metadata_record import encode_metadata_record
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.runtime.loop import collector
from metaquorum.wire.generated.records import partition_change_record
from tools.large_state import EPOCH, WRITTEN_MS, arguments, chosen_state

ROUNDS = 50
GOAL_FRAME_MS = 20.0
OFFLINE_BROKER = 7
CHANGES_PER_BATCH = 5_000


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    arguments(parser)
    state = chosen_state(parser.parse_args())
    snapshot = OffsetAndEpoch(EPOCH, state.records)
    log = WatchedLog(1)
    batches = _fetched(state.values(), snapshot)
    was_on = collector.pause()
    began = time.process_time()
    for _ in log.load(snapshot, next(batches), batches):
        pass
    print(f"loaded        {time.process_time() - began:8.1f} s of a processor")
    collector.resume(state.records, was_on=was_on)
    log.go_live()
    _measure(log, "calm")
    count = _fence(log)
    _measure(log, f"{count:,} partitions in trouble")
    most_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e6
    print(f"memory, most  {most_mb:8.0f} MB")


def _fetched(values: Iterator[bytes], snapshot: OffsetAndEpoch) -> Iterator[FetchedBatch]:
    for data in snapshot_batches(
        epoch=EPOCH,
        timestamp_ms=WRITTEN_MS,
        last_contained_ms=WRITTEN_MS,
        controls=(),
        values=values,
    ):
        yield FetchedBatch(read_header(data), memoryview(data), snapshot)


def _fence(log: WatchedLog) -> int:
    """Every partition that this broker has leaves it; how many, and what that took."""
    records = []
    for (topic_id, number), one in log._tally.state.live().partitions.items():
        if OFFLINE_BROKER in one.replicas:
            others = [each for each in one.isr if each != OFFLINE_BROKER]
            leader = others[0] if one.leader == OFFLINE_BROKER else -2
            change = partition_change_record.PartitionChangeRecord(
                partition_id=number, topic_id=topic_id, isr=others, leader=leader
            )
            records.append(encode_metadata_record(partition_change_record.API_KEY, change, 0))
    began = time.process_time()
    for at in range(0, len(records), CHANGES_PER_BATCH):
        data = build_batch(
            [(None, value) for value in records[at : at + CHANGES_PER_BATCH]],
            timestamp_ms=WRITTEN_MS,
            base_offset=log.position,
            leader_epoch=EPOCH,
        )
        log.replay(FetchedBatch(read_header(data), memoryview(data)))
    took_s = time.process_time() - began
    print(f"{len(records):,} changes replayed in {took_s:.2f} s of a processor")
    return len(records)


def _measure(log: WatchedLog, name: str) -> None:
    place = LogPlace(log.position, log.position, 0, 1, EPOCH)
    history = History()
    works = SourceFigures(None, 0)

    def rows() -> None:
        log.figures(place, 0)

    figures = log.figures(place, 0)

    def frame() -> None:
        known = Known(0, WRITTEN_MS, figures, None, {LOG: works, QUORUM: works})
        history.take(known)
        seen = sight(known, history)
        head_lines(seen, 80, 600_000)
        for pane in panes(seen, 80):
            for row in pane.rows[:24]:
                pane.draw(row, 80)

    def search() -> None:
        log.look(lambda view: topics_like(view, "topic"), 1.0)

    print(f"{name}:")
    for what, work in (("rows", rows), ("a frame", frame), ("a search", search)):
        took_ms = [_took_ms(work) for _ in range(ROUNDS)]
        goal = f" (goal {GOAL_FRAME_MS:g})" if what == "a frame" else ""
        median_ms, most_ms = statistics.median(took_ms), max(took_ms)
        print(f"  {what:<10} {median_ms:8.2f} ms, at most {most_ms:.2f} ms{goal}")


def _took_ms(work: Callable[[], None]) -> float:
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1_000


if __name__ == "__main__":
    main()
