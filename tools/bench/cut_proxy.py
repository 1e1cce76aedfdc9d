"""Proxies between controllers that can cut one of them off: bytes stop, connections stay open.

Each controller is reached by the others through a proxy of its own. Whose a connection is shows
in its first request, whose client id ends in the node's number ("raft-client-2"), with Kafka's
controllers and with ours. What was held while a node was cut off flows again when it is healed,
as TCP would have sent it again.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import threading
from types import TracebackType

from tools.kafka.ports import LOOPBACK

CHUNK_BYTES = 65_536
CLIENT_ID_AT = 14  # size, api key, version, correlation id, length of the client id
NUMBER = re.compile(rb"(?:raft-client-)?(\d+)$")


class CutProxies:
    """An event loop in a thread of its own; its methods are called from any other."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._cut: set[int] = set()
        self._changed = asyncio.Condition()

    def __enter__(self) -> CutProxies:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    async def _end(self) -> None:
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    def serve(self, node_id: int, port: int, behind: int) -> None:
        """Accept for a node at ``port`` and pass on to where it listens, ``behind``."""

        async def accepted(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            # Cancelled is how it ends with the proxy; asyncio would print that as a fault.
            ends = (OSError, asyncio.IncompleteReadError, asyncio.CancelledError)
            with contextlib.suppress(*ends):
                await self._pass_on(node_id, behind, reader, writer)
            writer.transport.abort()

        async def listen() -> None:
            await asyncio.start_server(accepted, LOOPBACK, port)

        asyncio.run_coroutine_threadsafe(listen(), self._loop).result()

    def cut(self, node_id: int) -> None:
        """From now on nothing reaches this node and nothing leaves it."""
        asyncio.run_coroutine_threadsafe(self._set(node_id, cut=True), self._loop).result()

    def heal(self, node_id: int) -> None:
        """Let everything through again."""
        asyncio.run_coroutine_threadsafe(self._set(node_id, cut=False), self._loop).result()

    async def _set(self, node_id: int, *, cut: bool) -> None:
        async with self._changed:
            (self._cut.add if cut else self._cut.discard)(node_id)
            self._changed.notify_all()

    async def _open_for(self, *ends: int) -> None:
        async with self._changed:
            await self._changed.wait_for(lambda: self._cut.isdisjoint(ends))

    async def _pass_on(
        self,
        node_id: int,
        behind: int,
        reader: asyncio.StreamReader,
        writer: asyncio.StreamWriter,
    ) -> None:
        first = await reader.readexactly(CLIENT_ID_AT)
        length = max(0, int.from_bytes(first[-2:], "big", signed=True))
        first += (client_id := await reader.readexactly(length))
        found = NUMBER.match(client_id)
        ends = (node_id, int(found[1])) if found else (node_id,)
        await self._open_for(*ends)
        their_reader, their_writer = await asyncio.open_connection(LOOPBACK, behind)
        their_writer.write(first)
        pumps = [
            asyncio.ensure_future(self._pump(reader, their_writer, ends)),
            asyncio.ensure_future(self._pump(their_reader, writer, ends)),
        ]
        try:
            await asyncio.wait(pumps, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for pump in pumps:
                pump.cancel()
            their_writer.transport.abort()

    async def _pump(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, ends: tuple[int, ...]
    ) -> None:
        while data := await reader.read(CHUNK_BYTES):
            await self._open_for(*ends)
            writer.write(data)
            await writer.drain()
