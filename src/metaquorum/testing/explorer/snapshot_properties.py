"""What must hold of snapshots and of the log beside them, each with the clause it comes from."""

from __future__ import annotations

from metaquorum.testing.explorer.disk import Disk
from metaquorum.testing.explorer.properties import Violation, upto
from metaquorum.testing.explorer.world import History, Node


def check_snapshots(history: History, node: Node) -> None:
    """KIP-630, Validation of Snapshot and Log: of the core's view, and of the disk."""
    replica = node.replica
    if replica is None or not (replica.log.snapshots or replica.log.start):
        return
    log, end = replica.log, history.committed_end
    ids = tuple(one for one, _ in log.snapshots)
    for start, found in ((log.start, ids), (node.disk.start, node.disk.snapshots)):
        if start > 0 and not any(one.offset >= start for one in found):
            raise Violation(
                f"node {node.id}: the log begins at {start}, its snapshots are {found}: "
                "a log that begins late has a snapshot"
            )
    for one in ids:
        if not log.start <= one.offset <= end:
            raise Violation(
                f"node {node.id}: {one} is not between {log.start} and {end}: "
                "snapshots end between log start and watermark"
            )
        last = upto(history.committed, one.offset)[-1]
        if (last.next_offset, last.epoch) != (one.offset, one.epoch):
            raise Violation(f"node {node.id}: {one} is not named by its last record, {last}")


def check_parts(node: Node, disk: Disk) -> None:
    """Files of one id are equal in state and not in bytes: all parts come from one writer."""
    if len(set(disk.part)) > 1:
        raise Violation(
            f"node {node.id} installs a file with parts of the nodes {list(disk.part)}: "
            "the parts of a snapshot come from one leader"
        )
