"""The one place that knows how trio chooses among tasks that could run, and seeds that choice.

trio shuffles each batch of runnable tasks with a private ``Random``, after sorting it if a private
switch says so. A test of this file fails as soon as trio does it otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from random import Random
from typing import Any

from trio._core import _run

_SWITCH = "_ALLOW_DETERMINISTIC_SCHEDULING"
_CHANCE = "_r"


class TrioChanged(Exception):
    """trio's scheduler is not the one that this file knows."""


@contextmanager
def seeded_scheduler(seed: int) -> Iterator[None]:
    """Within it every ``trio.run`` with the same tasks runs them in the same order.

    Raises TrioChanged where trio's private names are not there.
    """
    module: Any = _run
    before = getattr(module, _SWITCH, None), getattr(module, _CHANCE, None)
    if not isinstance(before[0], bool) or not isinstance(before[1], Random):
        raise TrioChanged(f"trio has no {_SWITCH} and {_CHANCE} any more")
    setattr(module, _SWITCH, True)
    setattr(module, _CHANCE, Random(seed))
    try:
        yield
    finally:
        setattr(module, _SWITCH, before[0])
        setattr(module, _CHANCE, before[1])
