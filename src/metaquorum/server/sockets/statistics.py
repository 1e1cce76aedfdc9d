"""What the server counts for its metrics."""

from __future__ import annotations

from typing import TypedDict


class ServerStatistics(TypedDict):
    """Of ``Server.statistics``: ``requests`` by API, ``budget`` and ``unsent`` in bytes."""

    connections: int
    connections_by_listener: dict[str, int]
    accepted: int
    refused: int
    requests: dict[str, int]
    budget: dict[str, int]
    unsent: dict[str, int]
