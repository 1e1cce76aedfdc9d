"""A batch is written and synced by a thread, by the loop or by the kernel."""

from __future__ import annotations

import os
from typing import Any

import pytest
import trio
import trio.testing

from tests.unit.runtime.lanes import FIRST, SLOW_S, FakeJournal, FakeKernel, Rig


@pytest.mark.parametrize("sends", [True, False])
async def test_a_slow_disk_is_left_to_a_thread(kernel: FakeKernel, sends: bool) -> None:
    rig = Rig(FakeJournal(7, seconds=SLOW_S), sends=sends)
    async with rig.running():
        await rig.write(*range(1, FIRST + 2))
        await rig.lane.close()
    assert set(rig.journal.names) == {"execute thread"}
    assert kernel.begun == []


@pytest.mark.parametrize("sends", [True, False])
async def test_without_fast_syncs_all_is_left_to_a_thread(sends: bool) -> None:
    rig = Rig(FakeJournal(7), sends=sends, fast_syncs=False)
    async with rig.running():
        await rig.write(*range(1, FIRST + 2))
        await rig.lane.close()
    assert set(rig.journal.names) == {"execute thread"}


async def test_the_loop_syncs_before_a_request_to_a_peer(kernel: FakeKernel) -> None:
    rig = Rig(FakeJournal(7), sends=True)
    async with rig.running():
        await rig.fast()
        rig.begin(FIRST)
        assert rig.durable[-1] == FIRST  # before ``begin`` returns
        rig.journal.seconds = SLOW_S
        await rig.write(FIRST + 1, FIRST + 2)
        await rig.lane.close()
    # The slow one was begun on the loop, as that is known only afterwards.
    assert rig.journal.names == ["execute loop", "execute loop", "execute thread"]
    assert kernel.begun == []


async def test_the_kernel_syncs_appends_while_the_disk_is_fast(kernel: FakeKernel) -> None:
    rig = Rig(FakeJournal(7))
    async with rig.running():
        await rig.fast()
        rig.journal.seconds = SLOW_S
        await rig.write(FIRST, FIRST + 1)
        await rig.lane.close()
    assert rig.journal.names == ["write loop", "execute thread"]
    assert kernel.begun == [7]
    assert rig.durable[-2:] == [FIRST, FIRST + 1]


async def test_more_than_appends_is_left_to_a_thread(kernel: FakeKernel) -> None:
    rig = Rig(FakeJournal(None))
    async with rig.running():
        await rig.fast()
        await rig.write(FIRST)
        await rig.lane.close()
    assert (rig.journal.names, kernel.begun) == (["execute thread"], [])


@pytest.mark.usefixtures("no_kernel")
async def test_without_a_kernel_that_syncs_a_thread_does() -> None:
    rig = Rig(FakeJournal(7))
    async with rig.running():
        await rig.fast()
        await rig.write(FIRST)
        await rig.lane.close()
    assert rig.journal.names == ["execute thread"]


async def test_a_sync_that_the_kernel_does_not_take_is_the_loops(
    kernel: FakeKernel, monkeypatch: pytest.MonkeyPatch
) -> None:
    rig, synced = Rig(FakeJournal(7)), list[int]()
    monkeypatch.setattr(os, "fdatasync", synced.append)
    kernel.takes = False
    async with rig.running():
        await rig.fast()
        rig.begin(FIRST)
        assert rig.durable[-1] == FIRST
        await rig.lane.close()
    assert synced == [7]


async def test_what_comes_while_the_kernel_syncs_is_the_next_batch(kernel: FakeKernel) -> None:
    rig = Rig(FakeJournal(7))
    kernel.slow = True
    async with rig.running():
        await rig.fast()
        for ticket in range(FIRST, FIRST + 4):
            rig.begin(ticket)
        kernel.wake()  # for nothing: the sync is not over
        await trio.testing.wait_all_tasks_blocked()
        assert rig.journal.tickets == [[FIRST]]
        kernel.slow = False
        kernel.end()
        await rig.lane.close()
    assert rig.journal.tickets == [[FIRST], [FIRST + 1, FIRST + 2, FIRST + 3]]
    assert rig.durable[-2:] == [FIRST, FIRST + 3]


async def test_the_real_kernel_syncs_a_file(tmp_path: Any) -> None:
    with (tmp_path / "file").open("wb") as file:
        rig = Rig(FakeJournal(file.fileno()))
        async with rig.running():
            await rig.fast()
            with trio.fail_after(10):
                await rig.write(FIRST, FIRST + 1)
            await rig.lane.close()
    assert rig.journal.names == ["write loop", "write loop"]
