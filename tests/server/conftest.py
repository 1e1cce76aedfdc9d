"""Both hosts of a connection pass the same tests."""

from __future__ import annotations

import pytest

from metaquorum.server import listener
from metaquorum.server.epoll_host import HAS_EPOLL


@pytest.fixture(params=["epoll", "task"] if HAS_EPOLL else ["task"])
def connection_host(request, monkeypatch) -> str:
    """Which host the servers of the test have, whatever their configuration says."""
    monkeypatch.setattr(listener, "HAS_EPOLL", request.param == "epoll")
    return request.param
