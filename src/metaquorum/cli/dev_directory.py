"""The directory of ``metaquorum server dev``: its configuration, and the format of a first start.

Whatever is there is taken as it is: an edited server.properties keeps the changes,
a formatted log directory its cluster. What is missing is made, so a first start that was
interrupted goes on where it ended.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import click

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.config.node_config import NodeConfig
from metaquorum.config.properties import parse_override

CLIENT_PORT: Final = 9092
CONTROLLER_PORT: Final = 9093
CONFIG: Final = "server.properties"
DATA: Final = "data"

TEMPLATE: Final = """\
# Written by `metaquorum server dev`; it is yours to change, and is not written again.
process.roles=controller
node.id=1
controller.quorum.bootstrap.servers=localhost:{controller_port}
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://localhost:{port},CONTROLLER://localhost:{controller_port}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs={data}
"""


def prepare(directory: Path, port: int, controller_port: int, overrides: Sequence[str]) -> Path:
    """Make what is missing in the directory; the path of its server.properties.

    Raises OperatorError: two equal ports, a directory that cannot be written, a configuration that
    is wrong.
    """
    if port == controller_port:
        raise OperatorError(
            f"--port and --controller-port are both {port}: each listener needs its own"
        )
    config = directory / CONFIG
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if not config.exists():
            _write(config, port, controller_port)
    except OSError as error:
        where = error.filename or directory
        raise OperatorError(f"cannot write {where}: {error.strerror or error}") from None
    _format(config, overrides)
    return config


def _write(config: Path, port: int, controller_port: int) -> None:
    data = str(config.parent.absolute() / DATA)
    if "," in data:  # log.dirs is a list
        raise OperatorError(f"{config.parent}: a log directory's path cannot have a comma")
    text = TEMPLATE.format(port=port, controller_port=controller_port, data=_escaped(data))
    config.write_text(text, encoding="ascii")


def _escaped(value: str) -> str:
    """As a value of a .properties file."""
    from javaproperties import escape

    return escape(value)


def _format(config: Path, overrides: Sequence[str]) -> None:
    from metaquorum.cli.format_directories import look_at
    from metaquorum.cli.format_plan import FormatOrder
    from metaquorum.cli.storage import draw_uuid, run_format
    from metaquorum.storage.posix import PosixDisk

    changes = dict(parse_override(override) for override in overrides)
    node_config, _ = NodeConfig.load(config, changes)  # the start itself prints the warnings
    if look_at(PosixDisk(), node_config).formatted:
        return
    order = FormatOrder(cluster_id=uuid_text(draw_uuid()), standalone=True)
    run_format(node_config, order, lambda line: click.echo(line, err=True))
