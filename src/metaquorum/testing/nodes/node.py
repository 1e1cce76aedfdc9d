"""One node of a simulated cluster: its directory, and its lives one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextvars import ContextVar
from pathlib import Path
from random import Random
from typing import TypeVar, TypeVarTuple

import trio
from attrs import define, field

from metaquorum.cli.zero_checkpoint import zero_checkpoint
from metaquorum.config.node_config import NodeConfig
from metaquorum.node.assembly import Node, assemble
from metaquorum.node.data_directory import DataDirectory
from metaquorum.node.environment import Environment
from metaquorum.node.lifecycle import (
    close_cleanly,
    lanes_closed,
    node_started,
    stop_in_order,
)
from metaquorum.observe.events import EventLog
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.runtime.loop.chance import SeededChance
from metaquorum.storage import meta_properties
from metaquorum.storage.meta_properties import MetaProperties
from metaquorum.storage.names import METADATA_DIRECTORY
from metaquorum.storage.posix import PosixDisk
from metaquorum.testing.nodes.lossy_disk import LossyDisk
from metaquorum.testing.nodes.network import SimNetwork
from metaquorum.testing.nodes.trace import Trace
from metaquorum.testing.sim.clock import WALL_START_MS, NodeClock, TrioTime
from metaquorum.testing.sim.disk import PowerLost, SimDisk

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
FEATURES = {"metadata.version": 30, "group.version": 1}
CLIENTS, CONTROLLERS = 9092, 9093
DISK_MS = (0.2, 3.0)

NODE: ContextVar[int] = ContextVar("NODE", default=0)
"""In which node's tree a task lives; 0: in none."""

Args = TypeVarTuple("Args")
R = TypeVar("R")


def host_of(node_id: int) -> str:
    """The name by which a node is reached."""
    return f"node-{node_id}"


def directory_id_of(node_id: int) -> bytes:
    """The id of a node's directory."""
    return bytes([node_id]) * 16


@define(eq=False)
class SimNode:
    """``life`` runs one process; ``crash`` and ``stop`` end it, as a kill and SIGTERM do."""

    id: int
    root: Path
    network: SimNetwork
    trace: Trace
    chance: Random
    disk: LossyDisk = field(init=False)
    config: NodeConfig = field(init=False)
    lives: int = 0
    running: Node | None = None
    slow_disk: int = 1
    # The poller sleeps by trio's time, as a process's clock and trio's show the same.
    clock: NodeClock = field(factory=lambda: NodeClock(TrioTime(), start_us=0))
    crashed: bool = False
    errors: list[BaseException] = field(factory=list)
    lines: list[str] = field(factory=list)
    leaks: list[str] = field(factory=list)
    _scope: trio.CancelScope | None = None
    _stopping: trio.CancelScope = field(factory=trio.CancelScope)
    _stop: trio.Event = field(factory=trio.Event)
    _ended: trio.Event = field(factory=trio.Event)

    def format(self, voters: Sequence[int], changes: dict[str, str]) -> None:
        """What ``storage format --initial-controllers`` leaves, with ids that never change."""
        log_directory = self.root / METADATA_DIRECTORY
        log_directory.mkdir(parents=True)
        own = MetaProperties(CLUSTER_ID, self.id, directory_id_of(self.id))
        meta_properties.write(PosixDisk(), str(self.root), own)
        rows = [
            Voter(
                ReplicaKey(one, directory_id_of(one)),
                (Endpoint("CONTROLLER", host_of(one), CONTROLLERS),),
                0,
                1,
            )
            for one in voters
        ]
        checkpoint = log_directory / "00000000000000000000-0000000000.checkpoint"
        checkpoint.write_bytes(zero_checkpoint(FEATURES, 1, rows, WALL_START_MS))
        self.disk = LossyDisk(str(self.root), self.chance)
        host = host_of(self.id)
        servers = ",".join(f"{host_of(one)}:{CONTROLLERS}" for one in voters)
        self.config, _ = NodeConfig.of(
            {
                "process.roles": "controller",
                "node.id": str(self.id),
                "controller.quorum.bootstrap.servers": servers,
                "controller.listener.names": "CONTROLLER",
                "listeners": f"PLAINTEXT://{host}:{CLIENTS},CONTROLLER://{host}:{CONTROLLERS}",
                "listener.security.protocol.map": "PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT",
                "log.dirs": str(self.root),
                **changes,
            },
            "server.properties",
        )

    @property
    def name(self) -> str:
        """The name in traces."""
        return host_of(self.id)

    @property
    def link_end(self) -> str:
        """What stands for it in ``Links``."""
        return self.name

    @property
    def faulty_disk(self) -> SimDisk:
        """The account of its disk, with the switches of what goes wrong."""
        return self.disk.account

    @property
    def is_alive(self) -> bool:
        """Whether a process runs."""
        return self._scope is not None

    def begin(self) -> None:
        """It counts as alive from here on; ``life`` must follow."""
        self.lives += 1
        self.crashed = False
        self._scope, self._stopping = trio.CancelScope(), trio.CancelScope()
        self._stop, self._ended = trio.Event(), trio.Event()

    def _begun(self) -> trio.CancelScope:
        assert self._scope is not None
        return self._scope

    async def life(self, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """One process from start to end. Errors of ours that end it are kept in ``errors``."""
        NODE.set(self.id)
        self.trace.note(self.name, f"life {self.lives} begins")
        try:
            with self._begun():
                await self._process(task_status)
        except (Exception, PowerLost, BaseExceptionGroup) as error:
            # Without except*: on PyPy 8.0 that fails where it takes a part and leaves another.
            rest = self._kept(error)
            if rest is not None:
                raise rest from None
        finally:
            self._scope, self.running = None, None
            self.trace.note(self.name, f"life {self.lives} ended")
            self._ended.set()

    def _kept(self, error: BaseException) -> BaseExceptionGroup[BaseException] | None:
        """Keep what ended a life, of a group each part; give the rest, which is trio's own."""
        group = error if isinstance(error, BaseExceptionGroup) else BaseExceptionGroup("", [error])
        died, living = group.split(PowerLost)
        if died is not None:
            self.crashed = True
            self.trace.note(self.name, f"lost its power: {self.disk.crash()}")
        ours, rest = living.split(Exception) if living is not None else (None, None)
        if ours is not None:
            self.errors.extend(ours.exceptions)
        return rest

    async def _process(self, task_status: trio.TaskStatus[None]) -> None:
        directory: DataDirectory | None = None
        try:
            directory = DataDirectory.open(self.config, self.disk)
            async with trio.open_nursery() as root:
                node = assemble(
                    self.config,
                    directory,
                    EventLog(self._tell, self.clock.wall_ms),
                    seed=self.chance.getrandbits(32),
                    clock=self.clock,
                    env=self._env(),
                )
                self.running = node
                server = await node_started(node, root)
                task_status.started()
                await self._stop.wait()
                with self._stopping:
                    await stop_in_order(node, server)
                await lanes_closed(node)
                root.cancel_scope.cancel()
            if not self.crashed:
                close_cleanly(node)
        finally:
            if self.running is not None:
                self.leaks += [f"life {self.lives}: {leak}" for leak in left_over(self.running)]
            if directory is not None:
                directory.release()

    def _env(self) -> Environment:
        async def with_delay(
            work: Callable[[*Args], R], /, *args: *Args, limiter: trio.CapacityLimiter
        ) -> R:
            await trio.sleep(self.chance.uniform(*DISK_MS) * self.slow_disk / 1_000)
            return work(*args)

        return Environment(
            open_stream=self.network.opener(self.name),
            run_in_thread=with_delay,
            listen=self.network.listen,  # type: ignore[arg-type]
            # Not drawn from the run's own chance, whose later draws it would move.
            unguessable=SeededChance(self.id << 32 | self.lives),
            # Nor are the times of the disk, of which each check would take one.
            directory_check_ms=None,
        )

    def _tell(self, line: str) -> None:
        self.lines.append(line)
        self.trace.note(self.name, line)

    async def stop(self) -> None:
        """SIGTERM, and wait for the end."""
        self._stop.set()
        await self._ended.wait()
        if not self.crashed:
            self.disk.reopen()

    def hurry(self) -> None:
        """A second SIGTERM: do not wait for anybody."""
        self._stopping.cancel()

    def kill(self) -> None:
        """The process ends here and now; ``left`` must follow once it has."""
        self.crashed = True
        if self._scope is not None:
            self._scope.cancel()

    async def ended(self) -> None:
        """Wait until the process has ended, by itself or not."""
        await self._ended.wait()

    async def left(self, *, machine: bool) -> str:
        """Wait until the process has ended; with ``machine`` lose what was not synced."""
        await self._ended.wait()
        if machine:
            return self.disk.crash()
        self.disk.reopen()
        return "everything written survived"


def left_over(node: Node) -> list[str]:
    """What a node that has ended still holds, and should not."""
    found: list[str] = []
    if node.server is not None:
        counts = node.server.statistics()
        found.append(f"connections {counts['connections']}")
        found.append(f"bytes of requests {counts['budget']['taken_bytes']}")
        found.append(f"waiting for bytes {counts['budget']['waiting']}")
    forwarder = node.services.forwarder.statistics()
    found.append(f"requests to the leader {forwarder['open']}")
    found.append(f"connections to the leader {forwarder['idle']}")
    found.append(f"parked fetches {node.driver.watermark.statistics()['parked']}")
    return [one for one in found if not one.endswith(" 0")]
