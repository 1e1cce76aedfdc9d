"""``python -m tools.mixed``: a mixed quorum for a moment, recorded and audited."""

from __future__ import annotations

import re
import tempfile
from pathlib import Path

import click

from tools.kafka.tool import run_tool
from tools.mixed.node import OURS, OURS_ON_PYPY, is_ours
from tools.mixed.recorded import recorded_quorum

_RELEASE = re.compile(r"\d\.\d\.\d")


def _kinds(
    context: click.Context, parameter: click.Parameter, given: tuple[str, ...]
) -> tuple[str, ...]:
    for kind in given:
        if not is_ours(kind) and not _RELEASE.fullmatch(kind):
            ours = f"{OURS!r}, {OURS_ON_PYPY!r}"
            raise click.BadParameter(f"{kind!r} is neither {ours} nor a release such as 4.3.1")
    return given


@click.command()
@click.argument("kinds", nargs=3, callback=_kinds)
@click.option("--record", "file", required=True, help="Where the recording goes.")
@click.option("--writes", default=20, show_default=True, help="How many are waited for.")
def main(kinds: tuple[str, ...], file: str, writes: int) -> None:
    """Run three voters of these KINDS until WRITES are acknowledged; exit code 1 for any fault.

    A kind is "ours", "ours-on-pypy" or a release of Apache Kafka, 3.9.1 or later. All three are
    formatted for the oldest release among them.
    """
    with tempfile.TemporaryDirectory(prefix="metaquorum-mixed-") as scratch:
        with recorded_quorum(Path(scratch), kinds, run_tool, Path(file)) as quorum:
            quorum.written(writes)
            click.echo(f"node {quorum.wait_led()} leads")
            faults = quorum.end()
    for fault in faults:
        click.echo(fault)
    click.echo(f"{quorum.load.acknowledged} writes acknowledged, {len(faults)} faults")
    raise SystemExit(1 if faults else 0)


if __name__ == "__main__":
    main()
