"""``metaquorum restore``: a backup as the directory of a first voter of a cluster."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING

import click

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.cli.command import Command
from metaquorum.cli.shared_options import endpoint_url_option, output_option

if TYPE_CHECKING:
    from metaquorum.backup.restoring import Restored

EXAMPLES = """\b
Examples:
  # the first and only voter of a drill, under another cluster id
  metaquorum restore /mnt/backup/metadata --dir /var/lib/kafka --node 1 \\
      --standalone drill:9093 --cluster-id $(metaquorum storage random-uuid)
  # one of three voters of the cluster that was lost; the same list and --at on each of them
  metaquorum restore s3://backup/metadata --dir /var/lib/kafka --node 2 --keep-cluster-id \\
      --at 81237 --initial-controllers \\
      1@a:9093:JEXY6aqzQY-32P5TStzaFg,2@b:9093:MvDxzVmcRsaTz33bUuRU6A,3@c:9093:07R5amHmR32VDA6jHkGbTA

\b
Exit codes:
  0  done
  1  refused or failed; the message says why, and the directory is as it was
"""


@click.command(cls=Command, epilog=EXAMPLES)
@click.argument("uri", metavar="STORE")
@click.option(
    "--dir", "directory", required=True, metavar="DIR", help="The log directory; it is empty."
)
@click.option(
    "--node",
    "node_id",
    type=click.IntRange(0, 2**31 - 1),
    required=True,
    metavar="ID",
    help="The node of DIR.",
)
@click.option("--standalone", metavar="HOST:PORT", help="It is the only voter, and listens there.")
@click.option(
    "--initial-controllers",
    "initial",
    metavar="ID@HOST:PORT:DIRECTORY,...",
    help="The new voters; the same list on each of them.",
)
@click.option(
    "--listener",
    default="CONTROLLER",
    show_default=True,
    metavar="NAME",
    help="The name of the controllers' listener: the first of controller.listener.names.",
)
@click.option("--keep-cluster-id", is_flag=True, help="Go on as the cluster that was backed up.")
@click.option("--cluster-id", metavar="ID", help="Be another cluster, of this id.")
@click.option(
    "--at",
    type=click.IntRange(0, 2**63 - 1),
    metavar="OFFSET",
    help="The state before this offset; without it the latest.",
)
@endpoint_url_option()
@output_option("Readable lines, or one JSON object.")
def restore(
    uri: str,
    directory: str,
    node_id: int,
    standalone: str | None,
    initial: str | None,
    listener: str,
    keep_cluster_id: bool,
    cluster_id: str | None,
    at: int | None,
    endpoint_url: str | None,
    output: str,
) -> int:
    """Make an empty log directory that of a voter that has all that was backed up.

    STORE is what `metaquorum backup` wrote to. Apache Kafka's controllers start on the directory as
    ours do. Records are kept as they were: brokers that do not come back are fenced by the leader.
    """
    from metaquorum.backup.restoring import Order
    from metaquorum.backup.restoring import restore as restored_from
    from metaquorum.cli.clock import wall_ms
    from metaquorum.cli.recover_apply import locked
    from metaquorum.cli.recover_files import draw_plan_id
    from metaquorum.cli.restore_voters import new_voters
    from metaquorum.cli.storage import checked_cluster_id
    from metaquorum.storage.posix import PosixDisk
    from metaquorum.storage.tier_s3 import open_store

    if keep_cluster_id == (cluster_id is not None):
        raise OperatorError(
            "say which cluster it will be: --keep-cluster-id goes on as the one that was backed "
            "up, whose brokers can come back; --cluster-id ID makes another one, which refuses them"
        )
    voters = new_voters(node_id, standalone, initial, listener)
    if len(voters) > 1 and at is None:
        raise OperatorError(
            "several voters need one and the same state: say --at OFFSET, the same on each of "
            "them; `metaquorum backup verify` tells which there are"
        )
    order = Order(
        node_id=node_id,
        voters=voters,
        cluster_id=None if cluster_id is None else checked_cluster_id(cluster_id),
        at=at,
    )
    directory = os.path.abspath(directory)
    store = open_store(uri, endpoint_url)
    with locked(directory):
        done = restored_from(PosixDisk(), store, order, directory, draw_plan_id(), wall_ms())
    _tell(directory, done, output, keeps_brokers=keep_cluster_id)
    return 0


def _tell(directory: str, done: Restored, output: str, *, keeps_brokers: bool) -> None:
    directory_id = uuid_text(done.voter.key.directory_id or bytes(16))
    if output == "json":
        facts = {
            "directory": directory,
            "clusterId": done.cluster_id,
            "nodeId": done.voter.id,
            "directoryId": directory_id,
            "stateAt": done.at,
            "logEnd": done.end,
            "epoch": done.epoch,
            "kraftVersion": done.kraft_version,
        }
        click.echo(json.dumps(facts))
        return
    click.echo(f"{directory} has the state at offset {done.at} of cluster {done.cluster_id}")
    click.echo(f"it is voter {done.voter.id}, its directory id is {directory_id}")
    if done.kraft_version == 0:
        click.echo("the voters are static: name them in controller.quorum.voters")
    if keeps_brokers:
        click.echo(
            "remove the __cluster_metadata-0 of every broker before it starts: its log may reach "
            "further, and it would miss the new voters"
        )
