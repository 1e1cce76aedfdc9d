"""``metaquorum metadata-quorum add-controller`` and ``remove-controller`` (KIP-853).

Flags, output and exit codes are those of Kafka's ``kafka-metadata-quorum.sh``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import Uuid, parse_uuid, uuid_text
from metaquorum.cli.command import Command

if TYPE_CHECKING:
    from collections.abc import Sequence

    from metaquorum.cli.voter_question import VoterQuestion
    from metaquorum.config.listeners import Listener

Whom = tuple[str | None, str | None, str | None]

EXAMPLES = """\b
Examples:
  # run it where the new controller's server.properties and formatted directory are
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 \\
      --command-config server.properties add-controller
  metaquorum metadata-quorum --bootstrap-controller localhost:9093 \\
      remove-controller --controller-id 4 --controller-directory-id JEXY6aqzQY-32P5TStzaFg
"""

dry_run_option = click.option("--dry-run", is_flag=True, help="Say what would be done.")


@click.command("add-controller", cls=Command, epilog=EXAMPLES)
@dry_run_option
@click.pass_obj
def add_controller(whom: Whom, dry_run: bool) -> None:
    """Make the controller of --command-config a voter; it must run and have copied the log."""
    path = whom[2]
    if path is None:
        raise OperatorError(
            "add-controller needs --command-config with the server.properties of the new controller"
        )
    question = _question(whom)
    node_id, directory_id, endpoints = new_controller(path)
    if not dry_run:
        question.add(node_id, directory_id, endpoints)
    click.echo(
        f"{'DRY RUN of adding' if dry_run else 'Added'} controller {node_id} with directory id "
        f"{uuid_text(directory_id)} and endpoints: {', '.join(map(str, endpoints))}"
    )


@click.command("remove-controller", cls=Command, epilog=EXAMPLES)
@click.option("-i", "--controller-id", required=True, type=int, metavar="ID", help="Its node id.")
@click.option(
    "-d",
    "--controller-directory-id",
    "directory_text",
    required=True,
    metavar="UUID",
    help="Its directory id, as describe shows it.",
)
@dry_run_option
@click.pass_obj
def remove_controller(whom: Whom, controller_id: int, directory_text: str, dry_run: bool) -> None:
    """Let a controller be a voter no longer. Stop it first if it joins by itself."""
    if controller_id < 0:
        raise OperatorError(f"--controller-id: {controller_id} is negative")
    try:
        directory_id = parse_uuid(directory_text)
    except ValueError as error:
        raise OperatorError(f"--controller-directory-id: {error}") from None
    question = _question(whom)
    if not dry_run:
        question.remove(controller_id, directory_id)
    # Kafka's line has two blanks here, and scripts read it.
    click.echo(
        f"{'DRY RUN of removing ' if dry_run else 'Removed '} KRaft controller {controller_id} "
        f"with directory id {uuid_text(directory_id)}"
    )


def new_controller(path: str) -> tuple[int, Uuid, Sequence[Listener]]:
    """Id, directory and controller listeners of the node that a server.properties describes.

    OperatorError when it is no controller, or its metadata directory is not formatted for it.
    """
    from metaquorum.config.node_config import NodeConfig
    from metaquorum.storage import meta_properties
    from metaquorum.storage.posix import PosixDisk

    config, _ = NodeConfig.load(path)
    if not config.is_controller:
        raise OperatorError(f"{path}: process.roles names no controller")
    directory = config.metadata_log_dir
    identity = meta_properties.read(PosixDisk(), directory)
    if identity is None or identity.directory_id is None:
        raise OperatorError(f"{directory} is not formatted; format it before the node is added")
    if identity.node_id != config.node_id:
        raise OperatorError(
            f"{directory} belongs to node {identity.node_id}, {path} says node {config.node_id}"
        )
    return config.node_id, identity.directory_id, config.advertised_controller_listeners


def _question(whom: Whom) -> VoterQuestion:
    from metaquorum.cli.target import parse_target
    from metaquorum.cli.voter_question import VoterQuestion

    target = parse_target(*whom)
    return VoterQuestion(
        target.places,
        target.endpoint_type,
        target.timeout_ms,
        target.client_id,
        target.request_timeout_ms,
        target.open,
    )
