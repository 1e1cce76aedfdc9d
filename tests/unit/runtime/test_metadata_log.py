"""What is left to be read when an answer leaves, and may not be there any more."""

from __future__ import annotations

import errno
from typing import Any, cast

import pytest
from attrs import frozen

from metaquorum.quorum.messages import SnapshotSlice
from metaquorum.quorum.types import SnapshotId
from metaquorum.runtime.metadata_log import MetadataLog

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
