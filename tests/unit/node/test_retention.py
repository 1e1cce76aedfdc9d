"""A whole node lets go of old segments and snapshots, and everybody sees where the log starts."""

from __future__ import annotations

from pathlib import Path

from metaquorum.base.ids import METADATA_TOPIC
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.node.data_directory import DataDirectory
from metaquorum.quorum.events import SnapshotWritten
from metaquorum.records.reader import walk_records
from metaquorum.records.snapshot import snapshot_batches
from metaquorum.storage.snapshot_files import write_snapshot
from metaquorum.wire.generated import fetch_request, list_offsets_request
from tests.unit.node.whole_node import Running, config_of, format_directory, running

EARLIEST = -2


def snapshot_now(run: Running, epoch: int) -> OffsetAndEpoch:
    """A snapshot of everything committed, for the log's own records put together."""
    directory, replica = run.node.directory, run.node.driver.replica
    end = OffsetAndEpoch(epoch, replica.log.high_watermark or 0)
    values = [
        record.value
        for header, batch in directory.log.batches()
        if not header.is_control
        for record in walk_records(batch, header)
        if record.value is not None
    ]
    batches = snapshot_batches(
        epoch=epoch, timestamp_ms=1, last_contained_ms=1, controls=(), values=values
    )
    facts = write_snapshot(directory.disk, directory.path, end, batches)
    directory.snapshots.refresh()
    run.node.driver.post(SnapshotWritten(end, facts.size_bytes))
    return end


async def earliest(run: Running) -> int:
    codec = list_offsets_request
    topic = codec.ListOffsetsTopic(METADATA_TOPIC, [codec.ListOffsetsPartition(0, -1, EARLIEST)])
    answer = await run.ask(2, 6, codec.ListOffsetsRequest(-1, 0, [topic]))
    return int(answer.topics[0].partitions[0].offset)


async def fetch_code(run: Running, offset: int) -> tuple[int, int]:
    codec = fetch_request
    row = codec.FetchPartition(
        partition=0, current_leader_epoch=-1, fetch_offset=offset, partition_max_bytes=1_000
    )
    request = codec.FetchRequest(
        replica_id=-1,
        max_wait_ms=0,
        min_bytes=0,
        max_bytes=1_000,
        session_epoch=-1,
        topics=[codec.FetchTopic(topic=METADATA_TOPIC, partitions=[row])],
    )
    answer = await run.ask(1, 11, request)
    found = answer.responses[0].partitions[0]
    return found.error_code, found.log_start_offset


async def test_retention_deletes_old_files_and_clients_see_the_log_start(
    tmp_path: Path,
):
    format_directory(tmp_path)
    config = config_of(
        tmp_path,
        metadata_max_retention_bytes="0",
        internal_metadata_log_segment_bytes="400",
    )
    async with running(config) as run:
        log, driver = run.node.directory.log, run.node.driver
        for number in range(12):
            await run.alter_quota(f"user-{number}", 1_000.0 + number)
        first_file = log.segment_sizes[0]
        held = run.node.services.log.read_plan(0, 300, log.end_offset)
        at_first = [log.disk.read_slice(piece) for piece in held.slices]
        assert await earliest(run) == 0
        end = snapshot_now(run, epoch=1)
        await run.alter_quota("one-more", 1.0)  # the lane has done what came before it
        assert driver.replica.log.start == end.offset
        assert await earliest(run) == end.offset
        assert await fetch_code(run, end.offset - 1) == (1, -1), "OFFSET_OUT_OF_RANGE"
        assert await fetch_code(run, end.offset) == (0, end.offset)
        assert run.node.directory.snapshots.ids == (end,), "the zero checkpoint went, too"
        assert first_file[0] < log.segment_sizes[0][0] <= end.offset
        names = sorted(one.name for one in Path(run.node.directory.path).glob("*.log"))
        assert names == [f"{base:020d}.log" for base, _ in log.segment_sizes]
        again = [log.disk.read_slice(piece) for piece in held.slices]
        assert again == at_first, "a slice of the old bytes can still be sent"
        await run.alter_quota("last", 2.0)
    opened = DataDirectory.open(config)
    try:
        assert opened.log.start_offset == log.segment_sizes[0][0]
        assert opened.newest_snapshot == end
    finally:
        opened.release()
