"""What is left to be read when an answer leaves, and may not be there any more."""

from __future__ import annotations

import errno
from types import SimpleNamespace
from typing import Any, cast

import pytest
from attrs import define, frozen

from metaquorum.base.limits import ENCODED_ANSWERS
from metaquorum.quorum.messages import SnapshotSlice
from metaquorum.quorum.types import SnapshotId
from metaquorum.runtime.disk.metadata_log import MetadataLog, Plan
from metaquorum.runtime.disk.tail import Tail

ASKED = SnapshotSlice(SnapshotId(3, 40), 0, 1024)


@frozen
class Refusing:
    """Snapshots that cannot be opened."""

    error: Exception

    def plan(self, snapshot: object, position: int, max_bytes: int) -> object:
        raise self.error


def log_with(error: Exception) -> MetadataLog:
    none = cast(Any, None)
    return MetadataLog(none, none, none, cast(Any, Refusing(error)))


@pytest.mark.parametrize(
    "error",
    [
        KeyError(3),
        FileNotFoundError(2, "gone"),
        OSError(errno.EMFILE, "too many"),
        OSError(errno.ENFILE, ""),
    ],
)
def test_what_is_gone_or_cannot_be_opened_now_is_none(error: Exception) -> None:
    assert log_with(error).resolve(ASKED) is None


def test_a_disk_that_fails_is_no_answer() -> None:
    with pytest.raises(OSError, match="broken"):
        log_with(OSError(errno.EIO, "broken")).resolve(ASKED)


@define
class CountingFile:
    """A file of the log that counts how often it is asked."""

    end_offset: int = 100
    asked: int = 0

    def read_plan(self, offset: int, max_bytes: int, below: int, whole_first: bool) -> Plan:
        self.asked += 1
        return Plan((f"{offset} below {below}".encode(),), 1, below)


def test_the_same_place_is_looked_up_once_until_the_log_moves_on() -> None:
    file, replica = CountingFile(), SimpleNamespace(log=object())
    log = MetadataLog(cast(Any, file), Tail(), cast(Any, replica), cast(Any, None))
    first = log.read_plan(5, 1_000, 9)
    assert log.read_plan(5, 1_000, 9) is first and file.asked == 1
    assert log.read_plan(6, 1_000, 9) is not first
    assert log.read_plan(5, 1_000, 8).slices == [b"5 below 8"]
    replica.log = object()
    assert log.read_plan(5, 1_000, 9) is not first
    for offset in range(50):
        log.read_plan(offset, 1_000, 60)
    assert len(log._planned) == ENCODED_ANSWERS
