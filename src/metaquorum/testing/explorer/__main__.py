"""``python -m metaquorum.testing.explorer SCOPE``: exhaust it, print the shortest failure."""

from __future__ import annotations

import sys
from time import monotonic

import click

from metaquorum.testing.explorer.actions import Action
from metaquorum.testing.explorer.outcome import Found
from metaquorum.testing.explorer.partitions.scope import DEEP as PARTITIONS_DEEP
from metaquorum.testing.explorer.partitions.scope import QUICK as PARTITIONS_QUICK
from metaquorum.testing.explorer.partitions.scope import PartitionScope
from metaquorum.testing.explorer.partitions.search import explore_partitions, tell_partitions
from metaquorum.testing.explorer.scope import Scope
from metaquorum.testing.explorer.scopes import ALL_DEEP, ALL_QUICK, STORMS, by_name
from metaquorum.testing.explorer.search import explore
from metaquorum.testing.explorer.story import tell
from metaquorum.testing.explorer.walk import walk


@click.command()
@click.argument("scopes", nargs=-1)
@click.option("--deep", is_flag=True, help="The deep scopes too, when none is named.")
@click.option("--walks", default=100, show_default=True, help="Random walks through a storm.")
@click.option("--steps", default=2_000, show_default=True, help="Steps of each walk.")
@click.option("--seed", default=0, show_default=True, help="Seed of the first walk.")
def main(scopes: tuple[str, ...], deep: bool, walks: int, steps: int, seed: int) -> None:
    """Exhaust the SCOPES named, or all quick ones; walk through storms at random.

    Scopes of brokers and partitions are among them.
    """
    try:
        chosen = [_named(name) for name in scopes]
    except KeyError as unknown:
        raise click.BadParameter(str(unknown.args[0])) from None
    failed = False
    quick: list[Scope | PartitionScope] = [*ALL_QUICK, *PARTITIONS_QUICK]
    rest: list[Scope | PartitionScope] = [*ALL_DEEP, *PARTITIONS_DEEP]
    for scope in chosen or [*quick, *(rest if deep else ())]:
        if isinstance(scope, PartitionScope):
            failed = not _exhaust_partitions(scope) or failed
            continue
        if scope in STORMS:
            found = _walk(scope, range(seed, seed + walks), steps)
        else:
            found = _exhaust(scope)
        if found is not None:
            failed = True
            click.echo(tell(scope, found.story))
    sys.exit(1 if failed else 0)


def _named(name: str) -> Scope | PartitionScope:
    for one in (*PARTITIONS_QUICK, *PARTITIONS_DEEP):
        if one.name == name:
            return one
    return by_name(name)


def _exhaust_partitions(scope: PartitionScope) -> bool:
    """Whether no rule broke."""
    began = monotonic()
    outcome = explore_partitions(scope)
    click.echo(f"{scope.name}: {outcome.line}, {monotonic() - began:.1f} s")
    if outcome.found is not None:
        click.echo(tell_partitions(scope, outcome.found.story))
    return outcome.found is None


def _exhaust(scope: Scope) -> Found[Action] | None:
    began = monotonic()
    outcome = explore(scope)
    click.echo(f"{scope.name}: {outcome.line}, {monotonic() - began:.1f} s")
    return outcome.found


def _walk(scope: Scope, seeds: range, steps: int) -> Found[Action] | None:
    began, committed = monotonic(), 0
    for seed in seeds:
        walked = walk(scope, seed, steps)
        committed += walked.committed_end
        if walked.found is not None:
            click.echo(f"{scope.name}: seed {seed}: {walked.found.what}")
            return walked.found
    took = f"{monotonic() - began:.1f} s"
    click.echo(f"{scope.name}: {len(seeds)} walks, {committed} records committed, {took}")
    return None


if __name__ == "__main__":
    main()
