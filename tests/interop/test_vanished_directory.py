"""A log directory that vanishes under a running node: nothing more is acknowledged, and it stops.

A real process on a real file system, written to without a pause (decision 198).
"""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.client.connection import ConnectionFailed
from tests.interop.hostile_target import wait_until
from tools.own_node import OwnNode
from tools.quota_writer import QuotaWriter

NOTICED_S = 3.0
DELETED = "it was deleted or moved while this node ran"
ABOVE = "/data was deleted or moved while this node ran"
REPLACED = "another one has its name now"
SEGMENT = f"{0:020d}.log"


@define(eq=False)
class Load:
    """One client that writes; when it was last told "done"."""

    acknowledged: int = 0
    last_s: float = 0.0
    is_over: threading.Event = field(factory=threading.Event)


@contextmanager
def load_on(node: OwnNode) -> Iterator[Load]:
    """Write until the end, or until the node goes away."""
    load = Load()

    def write() -> None:
        try:
            with QuotaWriter.open(node.port, timeout_ms=5_000) as writer:
                while not load.is_over.is_set():
                    writer.set("busy", "producer_byte_rate", float(load.acknowledged + 1))
                    load.acknowledged += 1
                    load.last_s = time.monotonic()
        except (ConnectionFailed, PeerError):
            pass  # it stopped

    thread = threading.Thread(target=write)
    thread.start()
    try:
        wait_until(lambda: load.acknowledged > 20)
        yield load
    finally:
        load.is_over.set()
        thread.join()


@pytest.fixture
def node(tmp_path: Path) -> Iterator[OwnNode]:
    with OwnNode(tmp_path, {"metaquorum.groups.enable": "true"}) as one:
        groups = one.data_directory / "__consumer_offsets-0"
        wait_until((groups / "quorum-state").exists)
        time.sleep(1.2)  # one look at everything while it is whole
        yield one


def replace(path: Path) -> None:
    """Another directory or file, with the same content, takes the place of this one."""
    if path.is_dir():
        shutil.copytree(path, f"{path}.new")
    else:
        shutil.copy(path, f"{path}.new")
    path.rename(f"{path}.old")
    Path(f"{path}.new").rename(path)


def delete(path: Path) -> None:
    shutil.rmtree(path) if path.is_dir() else path.unlink()


METADATA, GROUPS = "__cluster_metadata-0", "__consumer_offsets-0"
CASES: dict[str, tuple[Callable[[Path], None], str, str, str]] = {
    "the log directory deleted": (delete, "", "", ABOVE),
    "the log directory replaced": (replace, "", "", REPLACED),
    "the partition deleted": (delete, METADATA, METADATA, DELETED),
    "the partition replaced": (replace, METADATA, METADATA, REPLACED),
    "the segment deleted": (delete, f"{METADATA}/{SEGMENT}", f"{METADATA}/{SEGMENT}", DELETED),
    "the segment replaced": (replace, f"{METADATA}/{SEGMENT}", f"{METADATA}/{SEGMENT}", REPLACED),
    "quorum-state deleted": (
        delete,
        f"{METADATA}/quorum-state",
        f"{METADATA}/quorum-state",
        DELETED,
    ),
    "meta.properties deleted": (delete, "meta.properties", "meta.properties", DELETED),
    "the lock deleted": (delete, ".lock", ".lock", DELETED),
    "the offsets deleted": (delete, GROUPS, GROUPS, DELETED),
    "the segment of the offsets deleted": (
        delete,
        f"{GROUPS}/{SEGMENT}",
        f"{GROUPS}/{SEGMENT}",
        DELETED,
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_a_node_stops_when_what_it_writes_to_vanishes(node: OwnNode, case: str) -> None:
    vanish, what, named, why = CASES[case]
    with load_on(node) as load:
        vanish(node.data_directory / what)
        vanished_s = time.monotonic()
        wait_until(lambda: node.pid is None)
        ended_s = time.monotonic()
    print(
        f"\n{case}: last acknowledgement {load.last_s - vanished_s:.2f} s later, "
        f"end {ended_s - vanished_s:.2f} s later"
    )
    assert load.last_s - vanished_s < NOTICED_S
    assert ended_s - vanished_s < NOTICED_S
    assert node.stop() == 1
    last = node.log_tail(1)
    assert last.startswith("metaquorum stops: ")
    assert f"cannot go on with {node.data_directory / named}" in last
    assert why in last
    assert "Traceback" not in node.log_tail(100)


def test_an_idle_node_notices_it_as_well(node: OwnNode) -> None:
    delete(node.data_directory)
    wait_until(lambda: node.pid is None, NOTICED_S)
    assert node.stop() == 1
    assert f"its directory {node.data_directory} was deleted" in node.log_tail(1)


def test_a_node_leaves_the_lock_of_the_one_that_came_after_it(node: OwnNode) -> None:
    lock = node.data_directory / ".lock"
    lock.unlink()
    lock.write_bytes(b"")
    wait_until(lambda: node.pid is None, NOTICED_S)
    assert lock.exists()


def test_a_node_whose_directory_stays_goes_on(node: OwnNode) -> None:
    with load_on(node) as load:
        before = load.acknowledged
        time.sleep(2.5)
        assert load.acknowledged > before
    assert node.stop() == 0
