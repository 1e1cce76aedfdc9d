"""Which files of the package a request crosses: how much there is to read to follow it.

Files that the loop enters from the bytes of a request to the bytes of its answer, generated ones
aside. ``docs/architecture.md`` lists them; a file that is new on a way has to be put there.
"""

from __future__ import annotations

import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import trio

import metaquorum
from metaquorum.base.ids import METADATA_TOPIC_ID
from metaquorum.server.sockets.epoll_host import EpollConnection
from metaquorum.testing.pipeline_client import request_frame
from metaquorum.wire.generated.alter_client_quotas_request import (
    AlterClientQuotasRequest,
    EntityData,
    EntryData,
    OpData,
)
from metaquorum.wire.generated.fetch_request import FetchPartition, FetchRequest, FetchTopic
from tests.unit.node.whole_node import Running, config_of, format_directory, running

PACKAGE = f"{Path(metaquorum.__file__).parent}/"
PAGE = Path(__file__).parents[3] / "docs" / "architecture.md"
NOT_COUNTED = re.compile(r"/generated/|^testing/")
ROW = re.compile(r"^\| `(\w+)/?` \| (.+) \|$", re.M)
FILE = re.compile(r"`([\w/]+\.py)`")
WRITES = 8
"""What one of them does not cross, the loop did for another meanwhile."""


@contextmanager
def entered(into: set[str]) -> Iterator[None]:
    """The files of functions that this thread calls meanwhile."""

    def note(frame: Any, event: str, argument: object) -> None:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(PACKAGE):
            into.add(name.removeprefix(PACKAGE))

    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(None)
        into -= {name for name in into if NOT_COUNTED.search(name)}


def traced(plain: Callable[..., Any], into: set[str]) -> Callable[..., Any]:
    def call(*arguments: Any) -> Any:
        with entered(into):
            return plain(*arguments)

    return call


class Client:
    """Requests over one socket of its own."""

    def __init__(self, run: Running) -> None:
        self.socket = socket.create_connection(("127.0.0.1", run.server.ports["PLAINTEXT"]))

    async def ask(self, frame: bytes) -> None:
        def blocking() -> None:
            self.socket.sendall(len(frame).to_bytes(4, "big") + frame)
            size = int.from_bytes(self.socket.recv(4, socket.MSG_WAITALL), "big")
            self.socket.recv(size, socket.MSG_WAITALL)

        await trio.to_thread.run_sync(blocking, abandon_on_cancel=True)


def fetch(offset: int) -> bytes:
    row = FetchPartition(0, fetch_offset=offset, partition_max_bytes=1 << 20)
    topic = FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])
    return request_frame(FetchRequest(min_bytes=1, max_bytes=1 << 20, topics=[topic]), 13)


def write(rate: float) -> bytes:
    entity, operation = EntityData("user", "somebody"), OpData("producer_byte_rate", rate)
    return request_frame(AlterClientQuotasRequest([EntryData([entity], [operation])]), 1)


def assert_as_listed(heading: str, files: set[str]) -> None:
    """These are the files below this heading of the page, which says how many they are."""
    section = PAGE.read_text(encoding="utf-8").split(f"### {heading}\n")[1].split("\n#")[0]
    rows = ROW.findall(section)
    listed = {f"{package}/{name}" for package, names in rows for name in FILE.findall(names)}
    assert sorted(files - listed) == [], "not on the page"
    assert sorted(listed - files) == [], "on the page, and not crossed"
    assert f" {len(files)} files" in section


async def test_a_consumers_fetch_crosses_the_listed_files(tmp_path, monkeypatch) -> None:
    format_directory(tmp_path)
    served = EpollConnection.on_ready
    async with running(config_of(tmp_path, metadata_max_idle_interval_ms="0")) as run:
        client = Client(run)
        with client.socket:
            for rate in (1.0, 2.0):
                await client.ask(write(rate))
            for offset in (1, 1, 2, 2):  # neither decoded nor planned for the first time
                await client.ask(fetch(offset))
            for heading, offset in (("A repeated Fetch", 2), ("A Fetch of another place", 3)):
                files: set[str] = set()
                with monkeypatch.context() as patched:
                    patched.setattr(EpollConnection, "on_ready", traced(served, files))
                    await client.ask(fetch(offset))
                assert_as_listed(heading, files)


async def test_a_quota_write_crosses_the_listed_files(tmp_path) -> None:
    crossed: list[set[str]] = []
    format_directory(tmp_path)
    async with running(config_of(tmp_path, metadata_max_idle_interval_ms="0")) as run:
        client = Client(run)
        with client.socket:
            await client.ask(write(0.5))
            for number in range(WRITES):
                files: set[str] = set()
                frame = write(1.0 + number)
                with entered(files):
                    await client.ask(frame)
                crossed.append(files)
    assert_as_listed("A quota write", set.intersection(*crossed))
