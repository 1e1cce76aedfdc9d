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
