"""A server over a fake node, and a client's end of its connections."""

from __future__ import annotations

import trio

from metaquorum.server.sockets.listener import Server
from metaquorum.testing.fake_services import FakeServices
from metaquorum.testing.pipeline_client import decoded_answer, request_frame
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic


def framed(message, version, correlation=7) -> bytes:
    frame = request_frame(message, version, correlation=correlation)
    return len(frame).to_bytes(4, "big") + frame


def fetch(offset=8, max_wait_ms=60_000, max_bytes=1 << 30) -> FetchRequest:
    one = FetchPartition(fetch_offset=offset, partition_max_bytes=max_bytes)
    topic = FetchTopic("__cluster_metadata", partitions=[one])
    return FetchRequest(max_wait_ms=max_wait_ms, min_bytes=1, max_bytes=max_bytes, topics=[topic])


class Wire:
    """A client's end of one connection."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._held = b""

    async def send(self, *frames: bytes) -> None:
        await self.stream.send_all(b"".join(frames))

    async def _exactly(self, count: int) -> bytes:
        while len(self._held) < count:
            data = await self.stream.receive_some()
            assert data, "the server closed the connection"
            self._held += data
        taken, self._held = self._held[:count], self._held[count:]
        return taken

    async def answer(self, key: int, version: int):
        size = await self._exactly(4)
        frame = await self._exactly(int.from_bytes(size, "big"))
        return decoded_answer(size + frame, key, version)

    async def is_closed_by_the_server(self) -> bool:
        try:
            return await self.stream.receive_some() == b""
        except trio.BrokenResourceError:
            return True


class Node:
    """A server over a fake node, and the lines that it noted."""

    def __init__(self, services: FakeServices) -> None:
        self.services = services
        self.notes: list[str] = []
        self.server: Server

    async def connect(self, name: str = "CONTROLLER") -> Wire:
        return Wire(await trio.open_tcp_stream("127.0.0.1", self.server.ports[name]))

    async def until(self, condition) -> None:
        with trio.fail_after(10):
            while not condition():
                await trio.sleep(0.001)

    @property
    def parked(self) -> int:
        return self.services.watermark.statistics()["parked"]

    @property
    def connections(self) -> int:
        return self.server.statistics()["connections"]
