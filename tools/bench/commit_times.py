"""A node that writes down when each of its commits was: the leader that ``observers.py`` watches.

A commit is when the leader's high watermark moves over a record. Nobody outside can see that
moment, only the answers that follow it, so the node itself notes it: one row a commit, in the time
that all processes of the machine share.
"""

from __future__ import annotations

import os
import struct
import time
from bisect import bisect_left
from pathlib import Path
from typing import TYPE_CHECKING

from attrs import frozen

from metaquorum.base.offsets import Offset
from metaquorum.quorum.handlers import commit as commits

if TYPE_CHECKING:
    from metaquorum.quorum.effects import Effect
    from metaquorum.quorum.state import ReplicaState

_ROW = struct.Struct(">qq")
_ROOT = Path(__file__).resolve().parents[2]


def noting_program(file: Path) -> str:
    """Python that stands in for the command ``metaquorum`` and notes commits in ``file``."""
    return (
        f"import sys; sys.path.insert(0, {str(_ROOT)!r})\n"
        "from tools.bench.commit_times import note_commits\n"
        f"note_commits({str(file)!r})\n"
        "from metaquorum.cli.main import main; main()"
    )


def note_commits(file: str) -> None:
    """From now on every commit of this process's leader is a row of ``file``."""
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    commit = commits.commit

    def noted(replica: ReplicaState, offset: Offset, out: list[Effect]) -> None:
        os.write(descriptor, _ROW.pack(offset, time.monotonic_ns()))
        commit(replica, offset, out)

    commits.commit = noted


@frozen
class CommitTimes:
    """High watermarks in their order, and the nanosecond at which each was reached."""

    watermarks: tuple[Offset, ...]
    at_ns: tuple[int, ...]

    @classmethod
    def read(cls, file: Path) -> CommitTimes:
        """What the node noted."""
        rows = tuple(_ROW.iter_unpack(file.read_bytes()))
        return cls(tuple(offset for offset, _ in rows), tuple(at_ns for _, at_ns in rows))

    def of(self, end: Offset) -> int:
        """When everything below ``end`` was committed; LookupError if it never was."""
        return self.at_ns[bisect_left(self.watermarks, end)]
