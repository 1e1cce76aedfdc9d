"""Recoveries that are broken on purpose: the judge has to notice each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any, Final
from unittest.mock import patch

from attrs import evolve

from metaquorum.recover import applying, history, log_reading, planning
from metaquorum.recover.history import History
from metaquorum.recover.journal import Phase, write_journal
from metaquorum.recover.plan import Plan
from metaquorum.recover.survey import Committed, Survey
from metaquorum.storage.names import METADATA_DIRECTORY

Mutant = Callable[[], ExitStack]


def _stack(*patches: Any) -> ExitStack:
    stack = ExitStack()
    for one in patches:
        stack.enter_context(one)
    return stack


def longest_wins() -> ExitStack:
    """The longest log is taken, whatever its epoch."""
    real = history._assembled

    def by_offset(surveys: Any) -> Any:
        top = max(one.end.offset for one in surveys)
        keep = [one if one.end.offset == top else history.cut_at(one, 0) for one in surveys]
        return real(keep)

    return _stack(patch.object(history, "_assembled", by_offset))


def stale_disks_count() -> ExitStack:
    """What the operator says of stale disks is not listened to."""
    real = planning.make_plan

    def deaf(surveys: Any, wishes: Any, *more: Any) -> Plan:
        return real(surveys, evolve(wishes, stale=frozenset()), *more)

    from metaquorum.testing.disasters import judge

    return _stack(patch.object(judge, "make_plan", deaf), _told_apart())


def _told_apart() -> Any:
    return patch.object(planning, "check_told_apart", lambda surveys, stale: None)


def brokers_count() -> ExitStack:
    """Any disk counts as that of a voter."""

    def everyone(voter: Any, surveys: Any, wishes: Any) -> tuple[int, ...]:
        return tuple(range(len(surveys)))

    return _stack(patch.object(planning, "surveys_of", everyone))


def torn_ends_do_not_matter() -> ExitStack:
    """A disk whose end cannot be read counts as if it showed all."""
    return _stack(patch.object(Survey, "shows_its_end", property(lambda self: True)))


def fillers_are_not_compared() -> ExitStack:
    """A gap is filled by anybody who has something of these offsets."""

    def anybody(surveys: Any, above: Any, need: int) -> Any:
        found = [
            (stretch.start, at, stretch)
            for at, one in enumerate(surveys)
            for stretch in one.stretches
            if stretch.start < need <= stretch.end
        ]
        return min(found, key=lambda one: one[:2])[1:] if found else None

    return _stack(patch.object(history, "_below", anybody))


def all_that_is_there_was_committed() -> ExitStack:
    """The end of the log is taken for the bound."""

    def proven(found: History, surveys: Any) -> Committed:
        return Committed(found.end.offset, found.end.epoch, "it is there")

    return _stack(patch.object(planning, "proven_committed", proven))


def gaps_cost_nothing() -> ExitStack:
    """A history that ends at a gap is said to be whole."""
    real = history.best_history

    def whole(surveys: Any) -> History:
        return evolve(real(surveys), kept_from_damage=None)

    return _stack(patch.object(planning, "best_history", whole))


def snapshots_alone() -> ExitStack:
    """The log behind the snapshot is left out."""
    real = history._assembled

    def short(surveys: Any) -> Any:
        found = real(surveys)
        if isinstance(found, History) and found.base is not None:
            return evolve(found, end=found.base.seen.snapshot, pieces=(), runs=())
        return found

    return _stack(patch.object(history, "_assembled", short))


def rot_ends_the_log() -> ExitStack:
    """What follows a broken batch is not looked for."""
    return _stack(
        patch.object(log_reading, "valid_batch_after", lambda file, fault, end: None),
    )


def undo_forgets_the_identity() -> ExitStack:
    """The meta.properties of before does not come back."""
    real = applying._move_back

    def without(disk: Any, log_dir: str, entry: Any) -> None:
        real(disk, log_dir, evolve(entry, writes_identity=False))

    return _stack(patch.object(applying, "_move_back", without))


def the_old_directory_is_written_over() -> ExitStack:
    """The new directory takes the old one's place without keeping it."""

    def over(disk: Any, plan: Any, node: Any, log_dir: str, entry: Any) -> None:
        current = f"{log_dir}/{METADATA_DIRECTORY}"
        if disk.exists(f"{log_dir}/{entry.new}"):
            if disk.exists(current):
                applying.remove(disk, log_dir, METADATA_DIRECTORY)
            disk.rename(f"{log_dir}/{entry.new}", current)
        applying._write_identity(disk, plan, node, log_dir, entry)

    return _stack(patch.object(applying, "_move", over))


def half_built_is_whole() -> ExitStack:
    """An interrupted writing is taken for a finished one."""
    real = applying._begin

    def begun(disk: Any, plan: Any, node: Any, log_dir: str) -> Any:
        entry = real(disk, plan, node, log_dir)
        write_journal(disk, log_dir, evolve(entry, phase=Phase.MOVING))
        return entry

    return _stack(patch.object(applying, "_begin", begun))


MUTANTS: Final[Mapping[str, Mutant]] = {
    one.__name__: one
    for one in (
        longest_wins,
        stale_disks_count,
        brokers_count,
        torn_ends_do_not_matter,
        fillers_are_not_compared,
        all_that_is_there_was_committed,
        gaps_cost_nothing,
        snapshots_alone,
        rot_ends_the_log,
        undo_forgets_the_identity,
        the_old_directory_is_written_over,
        half_built_is_whole,
    )
}


@contextmanager
def planted(name: str) -> Iterator[None]:
    """Let the recovery be broken in this way."""
    with MUTANTS[name]():
        yield
