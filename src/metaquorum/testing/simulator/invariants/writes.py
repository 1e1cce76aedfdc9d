"""Rules of what clients see: acknowledged writes, reads, order."""

from __future__ import annotations

from metaquorum.base.offsets import Offset
from metaquorum.testing.simulator.invariants.rule import broken, rule


@rule("KIP-595, High Watermark", "A write that was acknowledged is committed, and stays so.")
def acknowledged_writes_are_kept(write: int, committed: dict[int, Offset]) -> None:
    if write not in committed:
        broken(acknowledged_writes_are_kept, f"write {write} was acknowledged and is not there")


@rule("KIP-595, Appends", "A write that was asked for once is committed at most once.")
def a_write_is_committed_once(write: int, committed: dict[int, Offset], offset: Offset) -> None:
    before = committed.setdefault(write, offset)
    if before != offset:
        broken(a_write_is_committed_once, f"write {write} stands at {before} and at {offset}")


@rule(
    "KIP-595, High Watermark",
    "A write that began after another was acknowledged comes after it in the log.",
)
def writes_keep_their_order(write: int, offset: Offset, acknowledged: Offset) -> None:
    if offset <= acknowledged:
        broken(
            writes_keep_their_order,
            f"write {write} is at {offset}; before it began one at {acknowledged} was acknowledged",
        )


@rule("KIP-595, Appends", "A write whose failure was told as final is never committed.")
def refused_writes_leave_nothing(write: int, offset: Offset, refused: bool) -> None:
    if refused:
        broken(refused_writes_leave_nothing, f"write {write} was refused and stands at {offset}")


@rule("KIP-631, Metadata", "What a node shows is what was committed, up to the offset it names.")
def reads_show_what_is_committed(node: int, key: str, shown: int, expected: int) -> None:
    if shown != expected:
        broken(reads_show_what_is_committed, f"node {node} shows {key}={shown}, not {expected}")
