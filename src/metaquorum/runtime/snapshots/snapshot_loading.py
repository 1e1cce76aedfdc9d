"""A snapshot that takes the state's place while the node serves: loaded, swapped in, cleared up.

Each turn takes a few milliseconds. Readers keep the old state until the new one is whole; the old
one's entries then go a handful a turn, since a million of them would hold up the loop.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from time import perf_counter

from attrs import define, field

from metaquorum.controller.events import SnapshotLoaded
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.machine import Loading
from metaquorum.runtime.loop import collector


@define(eq=False)
class SnapshotLoading:
    """Steps one load after the other; a newer one takes the place of one that is not done."""

    driver: Driver
    _loading: Loading | None = None
    _slices: Iterator[int] = field(default=iter(()))
    _on_loaded: Callable[[int, float], None] = field(default=lambda records, took_ms: None)
    _clearing: Iterator[None] = field(default=iter(()))
    _began: float = 0.0
    _was_on: bool = False

    @property
    def is_under_way(self) -> bool:
        """Whether the state is behind the start of the log: nothing may be applied to it."""
        return self._loading is not None

    def begin(self, loading: Loading, on_loaded: Callable[[int, float], None]) -> None:
        """Load this, a slice at once; ``on_loaded`` gets how many records and milliseconds."""
        self._was_on = collector.pause() or self._was_on
        self._loading, self._slices, self._on_loaded = loading, loading.slices(), on_loaded
        self._began = perf_counter()
        self.turn()

    def turn(self) -> bool:
        """One slice of work; False when there is none."""
        loading = self._loading
        if loading is None:
            return next(self._clearing, _DONE) is not _DONE
        if next(self._slices, None) is None:
            self._loading = None
            self._swap(loading)
        return True

    def at_start(self, loading: Loading) -> float:
        """Load this in one go, before anything runs; the milliseconds that it took."""
        was_on = collector.pause()
        began = perf_counter()
        for _ in loading.slices():
            pass
        self._put(loading, was_on=was_on)
        return (perf_counter() - began) * 1_000

    def _put(self, loading: Loading, *, was_on: bool) -> None:
        collector.resume(loading.records, was_on=was_on)
        self.driver.post_to_controller(SnapshotLoaded(loading.state))
        self.driver.next_to_apply = loading.state.end_offset

    def _swap(self, loading: Loading) -> None:
        old = self.driver.controller.state
        self._put(loading, was_on=self._was_on)
        self._was_on = False
        self.driver.state_moved()
        self._clearing = old.cleared()
        self._on_loaded(loading.records, (perf_counter() - self._began) * 1_000)


_DONE = object()
