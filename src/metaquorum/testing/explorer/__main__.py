"""``python -m metaquorum.testing.explorer SCOPE``: exhaust it, print the shortest failure."""

from __future__ import annotations

import sys
from time import monotonic

import click

from metaquorum.testing.explorer.scopes import DEEP, QUICK, by_name
from metaquorum.testing.explorer.search import explore
from metaquorum.testing.explorer.story import tell


@click.command()
@click.argument("scopes", nargs=-1)
@click.option("--deep", is_flag=True, help="The deep scopes too, when none is named.")
def main(scopes: tuple[str, ...], deep: bool) -> None:
    """Exhaust the SCOPES named, or all quick ones."""
    chosen = [by_name(name) for name in scopes] or [*QUICK, *(DEEP if deep else ())]
    failed = False
    for scope in chosen:
        began = monotonic()
        outcome = explore(scope)
        click.echo(f"{scope.name}: {outcome.line}, {monotonic() - began:.1f} s")
        if outcome.found is not None:
            failed = True
            click.echo(tell(scope, outcome.found.story))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
