"""Configuration that the log carries: per resource, key to value."""

from __future__ import annotations

from typing import Final

from metaquorum.metadata.tables.traced import Traced

TOPIC: Final = 2
BROKER: Final = 4
BROKER_LOGGER: Final = 8
CLIENT_METRICS: Final = 16
GROUP: Final = 32

ConfigResource = tuple[int, str]
"""Resource type and name; the name "" of type BROKER is the default of all brokers."""

Settings = Traced[str]
"""Never edited, never empty in the table."""

NO_SETTINGS: Final[Settings] = Traced()

_HIGHEST_NODE_ID: Final = (1 << 31) - 1
_MOST_DIGITS: Final = 10


def node_id_of(name: str) -> int | None:
    """The node that a resource of type BROKER or BROKER_LOGGER is; None if no node's id is this."""
    if not (name.isascii() and name.isdigit() and len(name) <= _MOST_DIGITS):
        return None
    node_id = int(name)
    return node_id if node_id <= _HIGHEST_NODE_ID else None
