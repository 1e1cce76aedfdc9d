"""The garbage collector's part in the loop's pauses, measured in docs/decisions/096.

A state of a million partitions is a million objects that the collector would walk in every full
pass: half a second in which nobody is served, longer than a sane election time-out. None of them
can be garbage by itself. So the collector rests while a large state is loaded, what was loaded is
then frozen, and passes are rarer than by default. A state that grows record by record is frozen
when a full pass would go through it (docs/decisions/270). What becomes garbage later is freed as
long as it is no cycle; our connections and requests are none.

PyPy's collector walks what is old in steps by itself, between which everybody is served: it has
neither thresholds nor a freeze, and wants none. It rests like CPython's. But it alone finds files
that nobody holds any more, which CPython closes at once, and on a quiet node it would not look for
hours: a segment that was deleted would keep its space on the disk for as long.
"""

from __future__ import annotations

import gc
from typing import Final

import trio

from metaquorum.base.limits import (
    GC_FREEZE_OBJECTS,
    GC_FREEZE_RECORDS,
    GC_STEP_EVERY_S,
    GC_THRESHOLDS,
)

FULL_PASS: Final = 2  # the oldest generation, and the younger ones with it


def set_thresholds() -> None:
    """Have passes that are short: once, at the start of the process."""
    if _makes_full_passes():
        gc.set_threshold(*GC_THRESHOLDS)
        if _freeze_much not in gc.callbacks:
            gc.callbacks.append(_freeze_much)


def _freeze_much(phase: str, about: dict[str, int]) -> None:
    """Called by the collector before and after each pass: a full one finds little to walk."""
    is_next = phase == "start" and about["generation"] == FULL_PASS
    if is_next and len(gc.get_objects(FULL_PASS)) >= GC_FREEZE_OBJECTS:
        gc.freeze()


def freeze() -> None:
    """What is there now is meant to stay: no pass goes through it again."""
    if _makes_full_passes():
        gc.freeze()


def unfreeze() -> None:
    """What was frozen may go."""
    if _makes_full_passes():
        gc.unfreeze()


def pause() -> bool:
    """No pass until ``resume``, which wants to know what this gives: everything that is made now
    is meant to stay.
    """
    was_on = gc.isenabled()
    gc.disable()
    return was_on


def resume(records: int, *, was_on: bool) -> None:
    """So many records were loaded. A large state is never walked again; a small one may be.

    A process that has put the collector off altogether, as a simulation does, has it
    off afterwards too.
    """
    if records >= GC_FREEZE_RECORDS:
        freeze()
    if was_on:
        gc.enable()


async def keep_stepping() -> None:
    """Where passes go in steps, one every now and then: a whole one takes some six.

    Ends at once on CPython, otherwise by cancellation.
    """
    step = getattr(gc, "collect_step", None)
    while step is not None:
        await trio.sleep(GC_STEP_EVERY_S)
        if gc.isenabled():  # what is being loaded is meant to stay
            step()


def _makes_full_passes() -> bool:
    """Whether it stops the process for a whole pass, as CPython's does; PyPy's does not."""
    return hasattr(gc, "freeze")
