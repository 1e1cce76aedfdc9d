"""Both hosts of a connection pass the same tests."""

from __future__ import annotations

from functools import partial

import pytest

from metaquorum.server.sockets import listener
from metaquorum.server.sockets.epoll_host import HAS_EPOLL
from metaquorum.server.sockets.listener import serve
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from tests.server.one_node import Node


@pytest.fixture(params=["epoll", "task"] if HAS_EPOLL else ["task"])
def connection_host(request, monkeypatch) -> str:
    """Which host the servers of the test have, whatever their configuration says."""
    monkeypatch.setattr(listener, "HAS_EPOLL", request.param == "epoll")
    return request.param


@pytest.fixture
async def start(nursery):
    async def start(services: FakeServices | None = None) -> Node:
        node = Node(services or services_with_eight_records())
        listeners = node.services.config.listeners
        node.server = await nursery.start(
            partial(serve, listeners, node.services, note=node.notes.append)
        )
        return node

    return start
