"""Clients of a simulated cluster: they write through any node, look at any, and take notes."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from random import Random
from typing import Any

import trio
from attrs import define, field

from metaquorum.base.errors import PeerError
from metaquorum.runtime.peers.controller_connection import ControllerConnection, NotSent
from metaquorum.testing.linearizability.committed_order import Look
from metaquorum.testing.linearizability.history import Kind, Operation
from metaquorum.testing.linearizability.log_files import QUOTA
from metaquorum.testing.linearizability.notes import Notes
from metaquorum.testing.nodes.cluster import SimCluster
from metaquorum.testing.nodes.node import CLIENTS, SimNode, host_of
from metaquorum.wire.generated import alter_client_quotas_request as alter
from metaquorum.wire.generated import describe_client_quotas_request as describe
from metaquorum.wire.generated import error_codes

ALTER_CLIENT_QUOTAS, DESCRIBE_CLIENT_QUOTAS, VERSION = 49, 48, 1
KEYS = ("ada", "ben", "cleo")
ANSWER_S = 3.0
PAUSE_S = 0.2
FRESH_LOOKS = 0.2
RECONNECTS = 0.1
VALUES_PER_CLIENT = 1_000_000
LOST = (OSError, trio.BrokenResourceError, trio.ClosedResourceError, PeerError, NotSent)

# What says that a write was not made and never will be (decision 060).
UNDONE = (error_codes.NOT_CONTROLLER, error_codes.THROTTLING_QUOTA_EXCEEDED)


def now() -> int:
    """Virtual time in nanoseconds."""
    return int(trio.current_time() * 1_000_000_000)


@define(eq=False)
class SimClient:
    """One task's worth of requests, one at a time; each waits ``answer_s`` for its answer."""

    number: int
    cluster: SimCluster
    notes: Notes
    chance: Random
    written: int = 0
    answer_s: float = ANSWER_S
    _node: SimNode | None = None
    _life: int = 0
    _connection: ControllerConnection | None = None

    @property
    def name(self) -> str:
        """The host it connects from."""
        return f"client-{self.number}"

    async def run(self) -> None:
        """Write and look until cancelled; a cancelled operation is noted as what it is."""
        try:
            while True:
                if self.chance.random() < FRESH_LOOKS:
                    await self.look_freshly()
                else:
                    await self.write(self.chance.choice(KEYS))
                if self.chance.random() < RECONNECTS:
                    await self.hang_up()
                await trio.sleep(self.chance.uniform(0.0, PAUSE_S))
        finally:
            await self.hang_up()

    async def watch(self, node: SimNode) -> None:
        """Look at one node again and again until cancelled."""
        try:
            while True:
                look = await self.look(node)
                if look is not None:
                    self.notes.looks.append(look)
                await trio.sleep(PAUSE_S)
        finally:
            await self.hang_up()

    async def write(self, key: str, node: SimNode | None = None) -> Operation | None:
        """One write of a value that nobody else writes; None when it surely was not made."""
        connection = await self._connected(node or self._chosen())
        if connection is None:
            return None
        self.written += 1
        value = float(self.number * VALUES_PER_CLIENT + self.written)
        entry = alter.EntryData(
            [alter.EntityData("user", key)], [alter.OpData(QUOTA, value, False)]
        )
        request = alter.AlterClientQuotasRequest([entry], False)
        began, code = now(), None
        try:
            answer = await self._ask(connection, ALTER_CLIENT_QUOTAS, request)
            if answer is not None:
                code = answer.entries[0].error_code
        finally:  # a cancelled client does not know either
            ended = now() if code == error_codes.NONE else None
            operation = Operation(self.name, Kind.WRITE, key, value, began, ended)
            if code not in UNDONE:
                self.notes.operations.append(operation)
        if ended is None:
            await self.hang_up()
        if code not in (None, error_codes.NONE, error_codes.REQUEST_TIMED_OUT, *UNDONE):
            self.notes.faults.append(f"{self.name} was answered {code}")
        return None if code in UNDONE else operation

    async def look(self, node: SimNode) -> Look | None:
        """All quotas that a node shows; None when it does not answer in this life."""
        connection = await self._connected(node)
        if connection is None:
            return None
        began = now()
        request = describe.DescribeClientQuotasRequest([], False)
        answer = await self._ask(connection, DESCRIBE_CLIENT_QUOTAS, request)
        if answer is None or answer.error_code != error_codes.NONE or node.lives != self._life:
            return None
        values = {
            entry.entity[0].entity_name: value.value
            for entry in answer.entries
            for value in entry.values
        }
        label = f"{node.name}, life {self._life}, to {self.name}"
        return Look(label, values, began, now())

    async def look_freshly(self) -> bool:
        """Write a marker and look at some node until it shows (decision 075)."""
        marker = await self.write(f"marker-{self.number}")
        if marker is None or marker.returned_at is None:
            return False
        node = self._chosen()
        with trio.move_on_after(ANSWER_S):
            while True:
                look = await self.look(node)
                if look is None:
                    node = self._chosen()
                elif look.values.get(marker.key) == marker.value:
                    self._note_fresh(look, marker)
                    return True
                else:
                    self.notes.looks.append(look)
                await trio.sleep(PAUSE_S)
        return False

    def _note_fresh(self, look: Look, marker: Operation) -> None:
        began, ended = marker.invoked_at, look.returned_at
        self.notes.looks.append(Look(look.node, look.values, began, ended, is_fresh=True))
        for key in KEYS:
            self.notes.operations.append(
                Operation(self.name, Kind.READ, key, look.values.get(key), began, ended)
            )

    def _chosen(self) -> SimNode:
        """The node that is connected already, else any."""
        if self._node is not None and self._connection is not None:
            return self._node
        return self.cluster.nodes[self.chance.choice(sorted(self.cluster.nodes))]

    async def _connected(self, node: SimNode) -> ControllerConnection | None:
        if self._connection is not None and (node is not self._node or node.lives != self._life):
            await self.hang_up()
        if self._connection is None:
            self._node, self._life = node, node.lives
            opener: Callable[[str, int], Awaitable[Any]] = self.cluster.network.opener(self.name)
            try:
                place = (host_of(node.id), CLIENTS)
                self._connection = await ControllerConnection.open(place, self.name, opener)
            except NotSent:
                return None
        return self._connection

    async def _ask(self, connection: ControllerConnection, api_key: int, request: Any) -> Any:
        """The answer; None when the connection broke or nothing came in time."""
        answer = None
        try:
            with trio.move_on_after(self.answer_s):
                answer = await connection.ask(api_key, VERSION, request, self.name)
        except LOST:
            answer = None
        if answer is None:
            await self.hang_up()
        return answer

    async def hang_up(self) -> None:
        """Close the connection, if there is one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with trio.CancelScope(shield=True):
                await connection.close()


@define(eq=False)
class ManyClients:
    """Some writers, and a watcher for each node."""

    cluster: SimCluster
    notes: Notes
    chance: Random
    writers: int = 2
    clients: list[SimClient] = field(factory=list)

    async def run(self) -> None:
        """Until cancelled."""
        async with trio.open_nursery() as nursery:
            for number in range(1, self.writers + 1):
                nursery.start_soon(self._client(number).run)
            for number, node in self.cluster.nodes.items():
                nursery.start_soon(self._client(100 + number).watch, node)

    def _client(self, number: int) -> SimClient:
        client = SimClient(number, self.cluster, self.notes, Random(self.chance.random()))
        self.clients.append(client)
        return client
