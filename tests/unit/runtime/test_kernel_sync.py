"""Syncs that the kernel makes aside, and where there are none."""

from __future__ import annotations

import errno
import os
import platform
import select
import sys
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from metaquorum.runtime.disk.kernel_sync import _EVENT, KernelSync

WAIT_MS = 10_000


@pytest.fixture
async def kernel() -> AsyncIterator[KernelSync]:
    found = KernelSync.found()
    assert found is not None
    yield found
    found.close()


def _is_awake(kernel: KernelSync) -> bool:
    waits = select.poll()
    waits.register(kernel.counter, select.POLLIN)
    return bool(waits.poll(WAIT_MS))


async def test_the_counter_can_be_read_once_a_file_is_synced(
    kernel: KernelSync, tmp_path: Path
) -> None:
    for name in ("one", "two", "two"):
        with (tmp_path / name).open("ab") as file:
            os.write(file.fileno(), b"bytes")
            assert kernel.begin(file.fileno())
            assert _is_awake(kernel)
            assert kernel.has_ended()
            assert not kernel.has_ended()


async def test_what_cannot_be_synced_is_not_begun(kernel: KernelSync) -> None:
    reads, writes = os.pipe()
    assert not kernel.begin(reads)
    os.close(reads)
    os.close(writes)
    assert not kernel.begin(reads)
    assert not kernel.has_ended()


async def test_a_sync_that_failed_raises_its_error(kernel: KernelSync) -> None:
    calls = kernel._kernel
    kept = calls.call

    def failed(number: int, *arguments: int) -> int:
        if number != calls.events:
            return int(kept(number, *arguments))
        calls.event[:] = _EVENT.pack(0, 0, -errno.EIO, 0)
        return 1

    calls.call = failed
    os.write(kernel.counter, (1).to_bytes(8, sys.byteorder))
    with pytest.raises(OSError, match=r"Input/output error") as caught:
        kernel.has_ended()
    assert caught.value.errno == errno.EIO


def test_where_it_is_not_known_how_to_ask_nobody_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(platform, "machine", lambda: "pdp11")
    assert KernelSync.found() is None


def test_without_its_library_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cffi", None)
    assert KernelSync.found() is None


def test_where_the_kernel_refuses_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = {platform.machine(): (1 << 20, 0, 0, 0)}  # no system call has that number
    monkeypatch.setattr("metaquorum.runtime.disk.kernel_sync._NUMBERS", numbers)
    assert KernelSync.found() is None
