"""A counter wakes who reads it, whichever call has made it."""

from __future__ import annotations

import errno
import os
import sys
from collections.abc import Callable, Iterator

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.loop import event_counter as module
from metaquorum.runtime.loop.event_counter import (
    HAS_EVENTFD,
    MakeCounter,
    event_counter,
    known_eventfd,
    library_eventfd,
)

NO_SUCH_FLAG = 1 << 30


def _library() -> MakeCounter:
    made = library_eventfd()
    assert made is not None
    return made


def _by_library() -> int:
    return _library()(0, os.O_CLOEXEC)


@pytest.fixture(params=[event_counter, _by_library])
def counter(request: pytest.FixtureRequest) -> Iterator[int]:
    make: Callable[[], int] = request.param
    descriptor = make()
    yield descriptor
    os.close(descriptor)


def test_what_was_added_is_read_at_once_and_is_gone(counter: int) -> None:
    for number in (1, 41):
        os.write(counter, number.to_bytes(8, sys.byteorder))
    assert int.from_bytes(os.read(counter, 8), sys.byteorder) == 42
    os.set_blocking(counter, False)
    with pytest.raises(BlockingIOError):
        os.read(counter, 8)


def test_child_processes_do_not_inherit_it(counter: int) -> None:
    assert not os.get_inheritable(counter)


def test_the_library_counts_from_where_it_is_told() -> None:
    descriptor = _library()(7, 0)
    try:
        assert int.from_bytes(os.read(descriptor, 8), sys.byteorder) == 7
    finally:
        os.close(descriptor)


def test_a_refusal_of_the_library_is_an_error_with_its_number() -> None:
    with pytest.raises(OSError) as refused:
        _library()(0, NO_SUCH_FLAG)
    assert refused.value.errno == errno.EINVAL


def test_a_python_without_it_takes_the_librarys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "eventfd", raising=False)
    make = known_eventfd()
    assert make is not None
    os.close(make(0, os.O_CLOEXEC))


def test_elsewhere_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert HAS_EVENTFD
    monkeypatch.setattr(sys, "platform", "darwin")
    assert known_eventfd() is None
    monkeypatch.setattr(module, "_MAKE", None)
    with pytest.raises(InvariantViolated, match="no eventfd"):
        event_counter()
