"""What all clients of one run did and saw."""

from __future__ import annotations

from collections.abc import Mapping

from attrs import define, field

from metaquorum.testing.linearizability.committed_order import Look, check_looks, check_writes
from metaquorum.testing.linearizability.history import Operation
from metaquorum.testing.linearizability.log_files import (
    Batches,
    Seen,
    changed,
    longest,
    quota_writes,
    unequal,
)
from metaquorum.testing.linearizability.register import check
from metaquorum.testing.linearizability.timeline import describe
from metaquorum.testing.linearizability.verdict import Linearizable


@define(eq=False)
class Notes:
    """Appending to a list is atomic, so threads may share it."""

    operations: list[Operation] = field(factory=list)
    looks: list[Look] = field(factory=list)
    seen: list[Seen] = field(factory=list)
    faults: list[str] = field(factory=list)

    @property
    def acknowledged(self) -> int:
        """Writes that were answered with success."""
        return sum(one.is_write and one.returned_at is not None for one in list(self.operations))

    def judged(self, logs: Mapping[int, Batches]) -> list[str]:
        """All that is wrong with these notes beside the logs of all nodes (decision 075)."""
        whole = longest(logs)
        committed = [write for base in sorted(whole) for write in quota_writes(whole[base])]
        writes = [one for one in self.operations if one.is_write]
        faults = list(self.faults)
        faults += unequal(logs)
        faults += check_writes(writes, committed)
        faults += check_looks(self.looks, writes, committed)
        faults += changed(self.seen, whole)
        verdict = check(self.operations)
        if not isinstance(verdict, Linearizable):
            faults.append(describe(verdict))
        return faults
