"""``metaquorum tier``: copy closed segments to a store, and look whether all is there.

What Kafka's own tiered storage copies of a segment, in a layout that ``docs/reference`` tells;
for logs whose producer snapshots are missing, as brokers before 2.8 left them (KIP-952).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import click
from attrs import asdict

from metaquorum.base.errors import OperatorError
from metaquorum.base.offsets import Offset
from metaquorum.cli.clock import wall_ms
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import endpoint_url_option, expiration_option, output_option
from metaquorum.storage.disk import Disk
from metaquorum.storage.offset_checkpoint import HIGH_WATERMARK_FILE, read_offsets
from metaquorum.storage.partition_directories import PartitionDirectory, partition_directories
from metaquorum.storage.posix import PosixDisk
from metaquorum.storage.tier_check import SegmentFound, check_store
from metaquorum.storage.tier_s3 import open_store
from metaquorum.storage.tier_store import StoreFailed
from metaquorum.storage.tier_upload import Done, PartitionUpload, SegmentDone

# Kafka never tiers these.
INTERNAL = (
    "__cluster_metadata",
    "__consumer_offsets",
    "__remote_log_metadata",
    "__share_group_state",
    "__transaction_state",
)
EXAMPLES = """\b
Examples:
  metaquorum tier upload --log-dir /var/lib/kafka --to /mnt/archive --dry-run
  metaquorum tier upload --log-dir /var/lib/kafka/orders-0 --to s3://archive/kafka
  metaquorum tier upload --log-dir /var/lib/kafka --to s3://archive \\
      --endpoint-url http://localhost:9000 -o json | jq -r 'select(.why != "") | .why'
  metaquorum tier check --store s3://archive/kafka
"""


@click.group(cls=Group, name="tier", epilog=EXAMPLES)
def tier() -> None:
    """Copy closed segments with all their parts to a store, and check what is there."""


_ENDPOINT = endpoint_url_option()
_OUTPUT = output_option("One readable line a segment, or one JSON object a line.")


@tier.command(name="upload", epilog=EXAMPLES)
@click.option(
    "--log-dir",
    required=True,
    metavar="DIR",
    help="A broker's log directory, or the directory of one partition. It is only read.",
)
@click.option("--to", "uri", required=True, metavar="STORE", help="A directory or s3://BUCKET/DIR.")
@_ENDPOINT
@click.option("--dry-run", is_flag=True, help="Look through everything, but copy nothing.")
@expiration_option(
    "The brokers' producer.id.expiration.ms, for producer snapshots that are made again."
)
@_OUTPUT
def upload_command(
    log_dir: str,
    uri: str,
    endpoint_url: str | None,
    dry_run: bool,
    expiration_ms: int,
    output: str,
) -> int:
    """Copy every closed segment that is committed, sound and whole; what is there is left alone.

    Exit code 1 if a segment had to be left out because a part is missing or damaged.
    """
    disk = PosixDisk()
    partitions = partition_directories(disk, os.path.abspath(log_dir))
    store = open_store(uri, endpoint_url)
    failed = 0
    now_ms = wall_ms()
    for partition, mark in _with_marks(disk, partitions):
        upload = PartitionUpload(disk, partition, store, mark, now_ms, expiration_ms, dry_run)
        try:
            for one in upload.run():
                failed += one.done is Done.REFUSED
                click.echo(json.dumps(_facts(one)) if output == "json" else _line(one))
        except StoreFailed:
            raise
        except OperatorError as error:
            failed += 1
            click.echo(f"metaquorum: {error}", err=True)
    return 1 if failed else 0


def _with_marks(
    disk: Disk, partitions: tuple[PartitionDirectory, ...]
) -> Iterator[tuple[PartitionDirectory, Offset | None]]:
    """The partitions that can be tiered, each with its high watermark as the broker noted it."""
    path = f"{partitions[0].log_dir}/{HIGH_WATERMARK_FILE}"
    marks = read_offsets(disk, path)
    for one in partitions:
        topic, _ = one.topic_and_number
        if topic in INTERNAL:
            click.echo(f"{one.name}: Kafka does not tier its own topics, left out", err=True)
            continue
        if one.name not in marks:
            click.echo(
                f"{one.name}: {path} does not tell its high watermark; closed segments are taken "
                "for committed",
                err=True,
            )
        yield one, marks.get(one.name)


def _line(one: SegmentDone) -> str:
    said = f"{one.partition.name} {one.base_offset}-{one.end_offset} {one.done.value}"
    if one.why:
        return f"{said}: {one.why}"
    assert one.manifest is not None
    size_bytes = sum(part.size_bytes for part in one.manifest.parts)
    made = [part.name for part in one.manifest.parts if part.regenerated]
    count = f"{len(one.manifest.parts)} parts, {size_bytes} bytes"
    return f"{said}: {count}" + (f", {made[0]} made again" if made else "")


def _facts(one: SegmentDone) -> dict[str, object]:
    return {
        "partition": one.partition.name,
        "base_offset": one.base_offset,
        "end_offset": one.end_offset,
        "key": one.key,
        "done": one.done.value,
        "why": one.why,
        "manifest": None if one.manifest is None else asdict(one.manifest),
    }


@tier.command(name="check", epilog=EXAMPLES)
@click.option("--store", "uri", required=True, metavar="STORE", help="As in --to of upload.")
@_ENDPOINT
@click.option("--deep", is_flag=True, help="Read every part, and compare its checksum.")
@_OUTPUT
def check_command(uri: str, endpoint_url: str | None, deep: bool, output: str) -> int:
    """Name every part that is missing or another than the manifest says; exit code 1 then."""
    whole = wrong = 0
    for one in check_store(open_store(uri, endpoint_url), deep=deep):
        whole += not one.problems
        wrong += bool(one.problems)
        _tell(one, output)
    if output == "line":
        click.echo(f"{whole} of {whole + wrong} segments are whole")
    return 1 if wrong else 0


def _tell(one: SegmentFound, output: str) -> None:
    if output == "json":
        click.echo(json.dumps({"key": one.key, "problems": list(one.problems)}))
        return
    for why in one.problems:
        click.echo(f"{one.key}: {why}")
