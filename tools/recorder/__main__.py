"""``python -m tools.recorder``: look at a recording of a mixed quorum, or play it to our node."""

from __future__ import annotations

import contextlib
from pathlib import Path

import click

from metaquorum.base.errors import OperatorError
from tools.recorder.recording import Recording
from tools.recorder.show import shown


@click.group()
def recorder() -> None:
    """Recordings of what nodes said to each other."""


_file = click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))


def _read(file: Path) -> Recording:
    try:
        return Recording.open(file)
    except OperatorError as error:
        raise click.ClickException(f"{file}: {error}") from None


@recorder.command()
@_file
@click.option("--records", is_flag=True, help="Decode the batches inside messages, too.")
def show(file: Path, records: bool) -> None:
    """Print FILE, one decoded frame a line."""
    with contextlib.suppress(BrokenPipeError):
        for line in shown(_read(file), records=records):
            click.echo(line)


@recorder.command()
@_file
@click.option("--node", type=int, required=True, help="Which of our nodes to play it to.")
@click.option("--log", is_flag=True, help="Print the node's own log lines, too.")
def replay(file: Path, node: int, log: bool) -> None:
    """Play FILE to our node in virtual time; exit code 1 if it answers anything differently."""
    from tools.recorder.replay import replay as play

    try:
        outcome = play(_read(file), node)
    except OperatorError as error:
        raise click.ClickException(str(error)) from None
    if log:
        click.echo("\n".join(outcome.lines))
    for difference in outcome.differences:
        click.echo(str(difference))
    click.echo(f"{outcome.compared} answers compared, {len(outcome.differences)} differ")
    raise SystemExit(1 if outcome.differences else 0)


if __name__ == "__main__":
    recorder()
