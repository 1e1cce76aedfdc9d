"""How much of the loop a snapshot takes while others want it, in virtual time."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import pytest
import trio
from attrs import define, field

from metaquorum.base.limits import SNAPSHOT_REST_PERCENT
from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.log_view import LogView
from metaquorum.runtime.snapshots import snapshot_task
from metaquorum.runtime.snapshots.snapshot_task import SnapshotTask

SLICES, SLICE_S = 20, 0.25


@define
class Node:
    """Everything that a snapshot task asks of a node, and a snapshot of some slices."""

    log: LogView
    posted: list[Any] = field(factory=list)

    @property
    def task(self) -> SnapshotTask:
        driver: Any = SimpleNamespace(
            controller=SimpleNamespace(state=None),
            replica=SimpleNamespace(log=self.log),
            clock=SimpleNamespace(now_ms=lambda: 0, wall_ms=lambda: 0),
            post=self.posted.append,
        )
        facts = SimpleNamespace(records=SLICES, size_bytes=SLICES)
        part = SimpleNamespace(append_all=lambda slices: None, discard=lambda: None)
        files: Any = SimpleNamespace(
            begin=lambda id: part, freeze=lambda part: facts, frozen=lambda id: None
        )
        quiet: Any = SimpleNamespace(
            restart=lambda now: None,
            info=lambda *words, **fields: None,
            generated=lambda *numbers: None,
        )
        return SnapshotTask(
            *(driver, files, quiet, quiet, quiet),
            run_in_thread=self.at_once,
            begin=lambda state, replica, wall_ms: self.writing(),
            load_codecs=lambda: None,
        )

    @staticmethod
    async def at_once(work: Any, *arguments: Any, limiter: Any) -> Any:
        """A thread that takes no time."""
        return work(*arguments)

    def writing(self) -> Any:
        """A snapshot that is wanted to its end."""
        return SimpleNamespace(
            id=OffsetAndEpoch(1, 5),
            batches=iter([b"slice"] * SLICES),
            is_wanted=lambda state: True,
            wrote=lambda records: None,
            end=lambda: None,
        )


@pytest.mark.parametrize(("high_watermark", "percent"), [(9, SNAPSHOT_REST_PERCENT), (10, 0)])
async def test_snapshot_rests_while_anything_is_not_committed(
    autojump_clock: Any, monkeypatch: pytest.MonkeyPatch, high_watermark: int, percent: int
) -> None:
    ticks = count()
    monkeypatch.setattr(snapshot_task, "perf_counter", lambda: next(ticks) * SLICE_S)
    node = Node(LogView(end=10, high_watermark=high_watermark))
    began = trio.current_time()
    assert await node.task.write("bytes")
    assert trio.current_time() - began == pytest.approx(SLICES * SLICE_S * percent / 100)
    assert len(node.posted) == 1
