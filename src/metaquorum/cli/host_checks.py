"""The checks of ``metaquorum check host``: what of a machine matters to a node, and why.

Only what a node was seen to depend on is here; docs/how-to/run-as-a-service.md has the facts, and
what was left out on purpose.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from enum import IntEnum
from typing import Final

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import MAX_DESCRIPTORS
from metaquorum.cli.host_facts import HostFacts, PortRange
from metaquorum.config.node_config import NodeConfig
from metaquorum.server.sockets.descriptors import DescriptorShares
from metaquorum.storage.names import METADATA_DIRECTORY

SLOW_SYNC_MS: Final = 10.0
"""The slowest of a hundred syncs; every write waits for one on a majority of the voters."""
LEAST_FREE_BYTES: Final = 67_108_864
LEAST_FREE_AIO: Final = 1_024
MOST_SWAPPINESS: Final = 10
VOLATILE: Final = ("tmpfs", "ramfs")
REMOTE: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "glusterfs", "fuse.glusterfs")
LAYERED: Final = ("overlay", "aufs")


class Grade(IntEnum):
    """How a check came out; the number is the exit code of a run in which nothing was worse."""

    FINE = 0
    ADVICE = 1
    BAD = 2


@frozen
class Checked:
    """One check: what was found, what would be better, and why that matters to a node."""

    name: str
    grade: Grade
    found: str
    wanted: str
    why: str


def host_checks(config: NodeConfig | None, facts: HostFacts) -> Iterator[Checked]:
    """Each check in turn; without a configuration only those that need none."""
    yield _open_files(facts)
    yield _clock(facts)
    yield _swapping(facts)
    yield _asynchronous_io(facts)
    if config is None:
        return
    yield _backlog(config, facts)
    yield _ports(config, facts)
    for directory in dict.fromkeys((config.metadata_log_dir, *config.log_dirs)):
        yield from _directory(config, directory, facts)


def _open_files(facts: HostFacts) -> Checked:
    limit = facts.open_files_limit()
    why = "each connection needs one, and the log one a segment; the node shares them out"
    wanted = f"at least {MAX_DESCRIPTORS}: LimitNOFILE=, ulimit -Hn"
    if limit is None:
        return Checked("open files", Grade.FINE, "no limit", wanted, why)
    try:
        connections = DescriptorShares.of(min(limit, MAX_DESCRIPTORS)).connections
    except OperatorError as error:
        return Checked("open files", Grade.BAD, str(limit), wanted, str(error))
    grade = Grade.FINE if limit >= MAX_DESCRIPTORS else Grade.ADVICE
    return Checked("open files", grade, f"{limit}, for {connections} connections", wanted, why)


def _clock(facts: HostFacts) -> Checked:
    why = "elections do not depend on it; times of records, retention by age and certificates do"
    wanted = "synchronised: chrony, systemd-timesyncd"
    synchronised = facts.clock_is_synchronised()
    found = {None: "not told", True: "synchronised", False: "not synchronised"}[synchronised]
    grade = Grade.ADVICE if synchronised is False else Grade.FINE
    return Checked("clock", grade, found, wanted, why)


def _swapping(facts: HostFacts) -> Checked:
    why = "a node that was swapped out answers after its election timeout"
    wanted = f"no swap, or vm.swappiness up to {MOST_SWAPPINESS}"
    swaps = (facts.kernel_text("/proc/swaps") or "").splitlines()[1:]
    swappiness = facts.kernel_text("/proc/sys/vm/swappiness")
    if not swaps:
        return Checked("swapping", Grade.FINE, "no swap", wanted, why)
    if swappiness is None or not swappiness.isdigit():
        return Checked("swapping", Grade.FINE, "not told", wanted, why)
    grade = Grade.FINE if int(swappiness) <= MOST_SWAPPINESS else Grade.ADVICE
    return Checked("swapping", grade, f"swap, vm.swappiness={swappiness}", wanted, why)


def _asynchronous_io(facts: HostFacts) -> Checked:
    why = "the kernel syncs the log of a busy leader; without it a thread does, which takes longer"
    wanted = f"{LEAST_FREE_AIO} free: fs.aio-max-nr"
    texts = [facts.kernel_text(f"/proc/sys/fs/{name}") for name in ("aio-nr", "aio-max-nr")]
    used, most = (int(text) if text is not None and text.isdigit() else None for text in texts)
    if used is None or most is None:
        return Checked("asynchronous I/O", Grade.FINE, "not told", wanted, why)
    grade = Grade.FINE if most - used >= LEAST_FREE_AIO else Grade.ADVICE
    return Checked("asynchronous I/O", grade, f"{most - used} of {most} free", wanted, why)


def _backlog(config: NodeConfig, facts: HostFacts) -> Checked:
    backlog = config.socket_listen_backlog
    why = "the kernel cuts socket.listen.backlog.size to it; beyond that clients try again in 1 s"
    wanted = f"net.core.somaxconn from {backlog}"
    text = facts.kernel_text("/proc/sys/net/core/somaxconn")
    if text is None or not text.isdigit():
        return Checked("backlog", Grade.FINE, "not told", wanted, why)
    grade = Grade.FINE if int(text) >= backlog else Grade.ADVICE
    return Checked("backlog", grade, f"net.core.somaxconn={text}", wanted, why)


def _ports(config: NodeConfig, facts: HostFacts) -> Checked:
    ports = {listener.name: listener.port for listener in config.listeners}
    if config.metrics_listener is not None:
        ports["metrics.listener"] = config.metrics_listener.port
    why = "a connection that this machine makes may have the port when the node starts again"
    wanted = "outside of net.ipv4.ip_local_port_range, or in net.ipv4.ip_local_reserved_ports"
    limits = (facts.kernel_text("/proc/sys/net/ipv4/ip_local_port_range") or "").split()
    if len(limits) != 2 or not all(limit.isdigit() for limit in limits):
        return Checked("ports", Grade.FINE, "not told", wanted, why)
    reserved = facts.kernel_text("/proc/sys/net/ipv4/ip_local_reserved_ports") or ""
    taken = PortRange(int(limits[0]), int(limits[1]), reserved)
    inside = [f"{name} {port}" for name, port in ports.items() if taken.may_take(port)]
    if not inside:
        return Checked("ports", Grade.FINE, f"none in {limits[0]}-{limits[1]}", wanted, why)
    found = f"{', '.join(inside)} in {limits[0]}-{limits[1]}"
    return Checked("ports", Grade.ADVICE, found, wanted, why)


def _directory(config: NodeConfig, directory: str, facts: HostFacts) -> Iterator[Checked]:
    place = directory
    while not os.path.isdir(place) and place != os.path.dirname(place):
        place = os.path.dirname(place)
    yield _file_system(directory, place, facts)
    try:
        yield _free_space(config, directory, place, facts)
        yield _sync_speed(config, directory, place, facts)
    except OSError as error:
        why = "the node has to write here; run this check as its user"
        wanted = "a directory that can be written"
        yield Checked(f"directory {directory}", Grade.BAD, f"{error.strerror}", wanted, why)


def _file_system(directory: str, place: str, facts: HostFacts) -> Checked:
    name, wanted = f"file system of {directory}", "ext4 or xfs on a disk of this machine"
    kind = facts.file_system(place)
    grade, why = Grade.FINE, "votes and committed records must outlast a crash of the machine"
    if kind in VOLATILE:
        grade, why = Grade.BAD, "a voter that forgets its vote may elect a second leader"
    elif kind in REMOTE:
        grade, why = Grade.ADVICE, "when its server is away, every sync of the log waits"
    elif kind in LAYERED:
        grade, why = Grade.ADVICE, "the layer of a container is gone with it; mount a volume"
    return Checked(name, grade, kind or "not told", wanted, why)


def _free_space(config: NodeConfig, directory: str, place: str, facts: HostFacts) -> Checked:
    retention = max(0, config.metadata_max_retention_bytes)
    whole = config.metadata_log_segment_bytes + 2 * retention
    if directory != config.metadata_log_dir:
        whole = LEAST_FREE_BYTES
    free = facts.free_bytes(place)
    used = facts.used_bytes(os.path.join(directory, METADATA_DIRECTORY))
    needed = max(LEAST_FREE_BYTES, whole - used)
    grade = Grade.FINE if free >= needed else Grade.ADVICE
    if free < LEAST_FREE_BYTES:
        grade = Grade.BAD
    why = "a segment, and snapshots and older segments up to metadata.max.retention.bytes"
    return Checked(
        f"free space of {directory}", grade, _mebibytes(free), f"{_mebibytes(needed)} or more", why
    )


def _sync_speed(config: NodeConfig, directory: str, place: str, facts: HostFacts) -> Checked:
    took = sorted(facts.sync_times_ms(place))
    if not took:
        raise OSError(0, "no sync came back in time")
    middle, slow = took[len(took) // 2], took[min(len(took) - 1, len(took) * 99 // 100)]
    grade = Grade.FINE if slow <= SLOW_SYNC_MS else Grade.ADVICE
    if slow > config.quorum_election_timeout_ms / 4:
        grade = Grade.BAD
    why = (
        "each write waits for a sync on a majority, and each vote for one within "
        "controller.quorum.election.timeout.ms"
    )
    found = f"{middle:.2f} ms, 99 % within {slow:.2f} ms, of {len(took)}"
    wanted = f"99 % within {SLOW_SYNC_MS:.0f} ms"
    return Checked(f"sync of {directory}", grade, found, wanted, why)


def _mebibytes(size_bytes: int) -> str:
    return f"{size_bytes / 1_048_576:,.0f} MiB"
