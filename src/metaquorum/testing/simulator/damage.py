"""What a disk can do to a replica while it is down, beyond losing what was not synced.

A replica that has forgotten something it promised may not simply come back: no protocol that
counts disks survives that on a majority. So damage is kept within what a cluster can be expected
to survive (one replica at a time), and the replica is *held* until nothing depends on what it
forgot: see ``electorate.is_harmless``.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from metaquorum.records.reader import walk_batches
from metaquorum.storage.names import EPOCH_FILE, QUORUM_STATE
from metaquorum.testing.sim.disk import SimDisk
from metaquorum.testing.sim.files import Inode
from metaquorum.testing.sim.rot import turn_a_bit
from metaquorum.testing.simulator.node import PATH, ZERO_CHECKPOINT, SimNode

Damage = Callable[[SimNode, Random], bool]


def _last_log(disk: SimDisk) -> Inode | None:
    logs = sorted(path for path in disk.names_to_inodes if path.endswith(".log"))
    filled = [path for path in logs if disk.names_to_inodes[path].content]
    return disk.names_to_inodes[filled[-1]] if filled else None


def _batch_starts(inode: Inode) -> list[int]:
    starts, at = [], 0
    for header, _ in walk_batches(bytes(inode.content)):
        starts.append(at)
        at += header.size_bytes
    return starts


def rot_at_rest(node: SimNode, random: Random) -> bool:
    """Turn one bit of a file, but none of those that a checksum cannot know of."""
    disk = node.disk
    names = sorted(disk.names_to_inodes)
    chosen = [path for path in names if path.endswith((".log", ".checkpoint", QUORUM_STATE))]
    chosen += [path for path in names if path.endswith(EPOCH_FILE)]
    path = chosen[random.randrange(len(chosen))] if chosen else ""
    inode = disk.names_to_inodes.get(path)
    if inode is None or not inode.content:
        return False
    turn_a_bit(inode.content, random)
    return True


def lost_write(node: SimNode, random: Random) -> bool:
    """The last batches never reached the platter, though the disk had said so."""
    inode = _last_log(node.disk)
    if inode is None:
        return False
    starts = _batch_starts(inode)
    if not starts:
        return False
    kept = random.randrange(max(0, len(starts) - 3), len(starts))
    del inode.content[starts[kept] :]
    return True


def torn_snapshot(node: SimNode, random: Random) -> bool:
    """The last batches of the newest snapshot never reached the platter, whatever was synced."""
    disk = node.disk
    paths = sorted(path for path in disk.names_to_inodes if path.endswith(".checkpoint"))
    inode = disk.names_to_inodes[paths[-1]] if paths else None
    if inode is None or paths[-1].endswith(ZERO_CHECKPOINT):
        return False
    starts = _batch_starts(inode)
    if len(starts) < 2:
        return False
    del inode.content[starts[random.randrange(1, len(starts))] :]
    return True


def misdirected_write(node: SimNode, random: Random) -> bool:
    """The last batch went to another place of the file, over what was there."""
    inode = _last_log(node.disk)
    if inode is None:
        return False
    starts = _batch_starts(inode)
    if len(starts) < 2:
        return False
    last = bytes(inode.content[starts[-1] :])
    del inode.content[starts[-1] :]
    at = random.randrange(starts[-1])
    inode.content[at : at + len(last)] = last
    return True


def lost_rename(node: SimNode, random: Random) -> bool:
    """The directory forgot that quorum-state was replaced, though it was synced."""
    path = f"{PATH}/{QUORUM_STATE}"
    before, inode = node.disk.replaced.get(path), node.disk.names_to_inodes.get(path)
    if before is None or inode is None or bytes(inode.content) == before:
        return False
    inode.content[:] = before
    return True


def removed_quorum_state(node: SimNode, random: Random) -> bool:
    """An operator tidied up and removed a small file that looked of no use."""
    path = f"{PATH}/{QUORUM_STATE}"
    return node.disk.names_to_inodes.pop(path, None) is not None


def wiped(node: SimNode, random: Random) -> bool:
    """A new disk, formatted as on the first day."""
    node.format()
    return True
