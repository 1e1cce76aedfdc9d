"""``recover apply`` and ``recover undo`` on this machine's disk, under the directory's lock."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from metaquorum.base.errors import OperatorError
from metaquorum.base.ids import uuid_text
from metaquorum.recover.applying import apply_plan, check_apply, undo
from metaquorum.recover.plan import NodePlan, Plan
from metaquorum.storage import meta_properties
from metaquorum.storage.directory_lock import DirectoryLock
from metaquorum.storage.disk import DiskFailed
from metaquorum.storage.disk_errors import described
from metaquorum.storage.posix import PosixDisk


def applied(
    plan: Plan,
    log_dir: str,
    froms: Mapping[int, str],
    node_id: int | None,
    *,
    dry_run: bool,
) -> Iterator[str]:
    """Apply the plan, and say what was done; OperatorError where it cannot be."""
    disk = PosixDisk()
    with locked(log_dir):
        node = _node_of(plan, disk, log_dir, node_id)
        if dry_run:
            places = check_apply(disk, plan, node, log_dir, froms)
            needed = sum(_size_bytes(place) for place in places.values())
            free = shutil.disk_usage(log_dir).free
            if needed > free:
                raise OperatorError(
                    f"{log_dir}: at most {needed} bytes are written, and {free} are free"
                )
            yield f"node {node.node_id} can be recovered in {log_dir}; nothing was changed"
            return
        try:
            done = apply_plan(disk, plan, node, log_dir, froms)
        except DiskFailed as error:
            raise OperatorError(
                f"{described(error)}. Nothing that was there before has been lost: make it work "
                "again and apply once more, or undo"
            ) from error
    yield f"node {node.node_id} is recovered: {done.directory}"
    if done.old is not None:
        yield f"the directory from before is kept: {done.old}"
    yield f"its directory id is {uuid_text(node.directory_id)}"


def undone(log_dir: str) -> Iterator[str]:
    """Undo what was applied, and say so; OperatorError where there is nothing to undo."""
    disk = PosixDisk()
    with locked(log_dir):
        entry = undo(disk, log_dir)
        kept = f"{log_dir}/{entry.undone}"
        yield f"plan {entry.plan_id} is undone in {log_dir}: it is as it was before"
        if disk.exists(kept):
            yield f"a node has written to the recovered directory; it is kept: {kept}"


@contextmanager
def locked(log_dir: str) -> Iterator[None]:
    """Hold the lock of a log directory; OperatorError without one, or while it is in use."""
    if not os.path.isdir(log_dir):
        raise OperatorError(f"{log_dir} is no directory: make it first, for the node's user")
    lock = DirectoryLock(log_dir)
    try:
        yield
    finally:
        lock.release()


def _node_of(plan: Plan, disk: PosixDisk, log_dir: str, node_id: int | None) -> NodePlan:
    """The node whose directory this is, by its identity or by what the operator says."""
    found = None
    try:
        found = meta_properties.read(disk, log_dir)
    except OperatorError:
        if node_id is None:
            raise
    if found is not None and node_id is not None and found.node_id != node_id:
        raise OperatorError(
            f"{log_dir} is of node {found.node_id}, and node {node_id} was asked for"
        )
    wanted = found.node_id if found is not None else node_id
    if wanted is None:
        raise OperatorError(f"{log_dir} does not say which node it is of: say --node ID")
    node = plan.node(wanted)
    if node is None:
        known = ", ".join(str(one.node_id) for one in plan.nodes)
        raise OperatorError(f"the plan is for nodes {known}, and {log_dir} is of node {wanted}")
    return node


def _size_bytes(place: str) -> int:
    return sum(one.stat().st_size for one in os.scandir(place) if one.is_file())
