"""Configuration that the log carries: per resource, key to value."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

TOPIC: Final = 2
BROKER: Final = 4
BROKER_LOGGER: Final = 8
CLIENT_METRICS: Final = 16
GROUP: Final = 32

ConfigResource = tuple[int, str]
"""Resource type and name; the name "" of type BROKER is the default of all brokers."""

Settings = Mapping[str, str]
"""Never edited, never empty in the table."""


def with_setting(settings: Settings | None, key: str, value: str | None) -> Settings:
    """``settings`` after a Config record; the value None takes the key away."""
    others = {other: old for other, old in (settings or {}).items() if other != key}
    return others if value is None else {**others, key: value}
