"""Syncs that the kernel makes aside, and where there are none."""

from __future__ import annotations

import errno
import os
import platform
import select
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from metaquorum.runtime.disk.kernel_sync import _EVENT, KernelSync
from metaquorum.runtime.loop.event_counter import event_counter

WAIT_MS = 10_000


@pytest.fixture
def kernel() -> Iterator[KernelSync]:
    found = KernelSync.found()
    assert found is not None
    yield found
    found.close()


@pytest.fixture
def counter() -> Iterator[int]:
    made = event_counter()
    yield made
    os.close(made)


def _end(counter: int) -> int:
    """What the counter says once it can be read."""
    waits = select.poll()
    waits.register(counter, select.POLLIN)
    assert waits.poll(WAIT_MS)
    return int.from_bytes(os.read(counter, 8), sys.byteorder)


def test_a_file_is_synced_and_the_counter_says_when(
    kernel: KernelSync, counter: int, tmp_path: Path
) -> None:
    for name in ("one", "two", "two"):
        with (tmp_path / name).open("ab") as file:
            os.write(file.fileno(), b"bytes")
            assert kernel.begin(file.fileno(), counter)
            assert _end(counter) == 1
            assert kernel.has_ended()
            assert not kernel.has_ended()


def test_what_cannot_be_synced_is_not_begun(kernel: KernelSync, counter: int) -> None:
    reads, writes = os.pipe()
    assert not kernel.begin(reads, counter)
    os.close(reads)
    os.close(writes)
    assert not kernel.begin(reads, counter)
    assert not kernel.has_ended()


def test_a_sync_that_failed_is_told_as_an_error(kernel: KernelSync) -> None:
    calls = kernel._kernel
    kept = calls.call

    def failed(number: int, *arguments: int) -> int:
        if number != calls.events:
            return int(kept(number, *arguments))
        calls.event[:] = _EVENT.pack(0, 0, -errno.EIO, 0)
        return 1

    calls.call = failed
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
