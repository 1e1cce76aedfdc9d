"""``metaquorum backup``: the committed metadata of any KRaft quorum, kept elsewhere.

Each run adds a step to a directory or an object store; docs/reference/backup-layout.md has the
files.
"""

from __future__ import annotations

import json
import tempfile
from typing import Any

import click

from metaquorum.base.errors import OperatorError
from metaquorum.cli.command import Group
from metaquorum.cli.shared_options import (
    command_config_option,
    endpoint_url_option,
    leader_timeout_option,
    output_option,
)

EXAMPLES = """\b
Examples:
  metaquorum backup --bootstrap-controller c1:9093,c2:9093 --to /mnt/backup/metadata
  metaquorum backup --bootstrap-controller c1:9093 --to s3://backup/metadata -o json
  metaquorum backup verify /mnt/backup/metadata
  metaquorum backup verify s3://backup/metadata --quick
  metaquorum restore /mnt/backup/metadata --help

\b
Exit codes:
  0  done, or nothing was new; verify: the backup is whole
  1  refused or failed, and the backup is as it was; verify: it could not be looked at
  2  verify: something is missing or damaged
"""
EXIT_BAD = 2


@click.group(cls=Group, epilog=EXAMPLES, invoke_without_command=True)
@click.option(
    "--bootstrap-controller",
    "bootstrap",
    metavar="HOST:PORT[,...]",
    help="One or more controllers to begin with; the leader is found through them.",
)
@click.option("--to", "uri", metavar="STORE", help="A directory or s3://BUCKET/DIR.")
@endpoint_url_option()
@click.option(
    "--full",
    is_flag=True,
    help="Begin with a snapshot again, though the log could be gone on with.",
)
@leader_timeout_option()
@command_config_option()
@output_option("One readable line, or one JSON object.")
@click.pass_context
def backup(
    ctx: click.Context,
    bootstrap: str | None,
    uri: str | None,
    endpoint_url: str | None,
    full: bool,
    timeout_s: float,
    command_config: str | None,
    output: str,
) -> int:
    """Add what is committed since the last run to a backup of a quorum's metadata.

    Works against any KRaft controller: ours, or Apache Kafka's 3.7 and later. The quorum does not
    notice. The first step has the latest snapshot and the log behind it, later ones the log alone,
    in Kafka's own files. A cluster that was formed anew, or lost committed records, is refused.
    """
    if ctx.invoked_subcommand is not None:
        if bootstrap is not None or uri is not None:
            raise OperatorError("--bootstrap-controller and --to are for a run, without a command")
        return 0
    if bootstrap is None or uri is None:
        raise OperatorError("a backup needs --bootstrap-controller and --to; see --help")
    from metaquorum.backup.source import QuorumSource
    from metaquorum.backup.taking import Backup
    from metaquorum.cli.clock import wall_ms
    from metaquorum.cli.recover_files import draw_plan_id
    from metaquorum.cli.target import parse_bootstrap, security_of
    from metaquorum.storage.posix import PosixDisk
    from metaquorum.storage.tier_s3 import open_store

    store = open_store(uri, endpoint_url)
    source = QuorumSource(
        parse_bootstrap(bootstrap), int(timeout_s * 1_000), security_of(command_config)
    )
    with tempfile.TemporaryDirectory(prefix="metaquorum-backup-") as spool:
        run = Backup(store, source, PosixDisk(), spool, wall_ms(), draw_plan_id())
        taken = run.run(full=full)
    step = taken.step
    if output == "json":
        click.echo(json.dumps({"new": taken.is_new, **_facts(taken.name, step)}))
    elif not taken.is_new:
        click.echo(f"nothing is new behind offset {step.end}: {uri} is up to date")
    else:
        full_text = f", with a snapshot: {taken.why_full}" if step.snapshot is not None else ""
        click.echo(
            f"offsets {step.start} to {step.end} of cluster {step.cluster_id}, "
            f"{step.size_bytes} bytes{full_text}"
        )
    return 0


@backup.command("verify", epilog=EXAMPLES)
@click.argument("uri", metavar="STORE")
@endpoint_url_option()
@click.option(
    "--quick", is_flag=True, help="Look at manifests, names and sizes alone; download nothing more."
)
@output_option("A table, or one JSON object a step.")
def verify(uri: str, endpoint_url: str | None, quick: bool, output: str) -> int:
    """Read all of a backup: every manifest, object, checksum and batch, and the chain of steps."""
    from metaquorum.backup.verifying import Verification
    from metaquorum.cli.recover_text import table, time_text
    from metaquorum.storage.posix import PosixDisk
    from metaquorum.storage.tier_s3 import open_store

    problems: list[str] = []
    rows = [("STEP", "SNAPSHOT", "OFFSETS", "BYTES", "TAKEN", "WHOLE")]
    with tempfile.TemporaryDirectory(prefix="metaquorum-backup-") as spool:
        look = Verification(open_store(uri, endpoint_url), PosixDisk(), spool, quick)
        listing, chain = look.chain()
        for number, found in enumerate(look.run(listing, chain), start=1):
            step = found.link.step
            problems += found.problems
            if output == "json":
                facts = _facts(found.link.name, step)
                click.echo(json.dumps({**facts, "problems": list(found.problems)}))
            rows.append(
                (
                    str(number),
                    "-" if step.snapshot is None else f"{step.start}-{step.snapshot.epoch}",
                    f"{step.start} to {step.end}",
                    str(step.size_bytes),
                    time_text(step.taken_ms),
                    "no" if found.problems else "yes",
                )
            )
    if output == "line":
        for line in table(rows):
            click.echo(line)
        for why in problems:
            click.echo(why)
        for name in chain.beside:
            click.echo(f"step {name} is beside the chain, and is not needed")
        reach = ", ".join(f"{start} to {end}" for start, end in chain.reach) or "none"
        last = chain.links[-1].step
        click.echo(f"cluster {last.cluster_id}: the states at offsets {reach} can be restored")
        click.echo(f"{len(problems)} problems" if problems else "the backup is whole")
    return EXIT_BAD if problems else 0


def _facts(name: str, step: Any) -> dict[str, Any]:
    return {
        "step": name,
        "clusterId": step.cluster_id,
        "takenMs": step.taken_ms,
        "snapshotEnd": None if step.snapshot is None else step.snapshot.offset,
        "start": step.start,
        "end": step.end,
        "lastEpoch": step.last_epoch,
        "lastRecordMs": step.last_record_ms,
        "sizeBytes": step.size_bytes,
    }
