"""The settings of a client metrics subscription (KIP-714): types and defaults.

Facts of Kafka 4.3.1's ClientMetricsConfigs; ``tests/interop/test_configs_beside_kafka.py``
compares them with what a controller of Kafka describes and refuses.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from metaquorum.config.key import Key, Type

INTERVAL_MS: Final = "interval.ms"
METRICS: Final = "metrics"
MATCH: Final = "match"
LEAST_INTERVAL_MS: Final = 100
MOST_INTERVAL_MS: Final = 3_600_000
CLIENT_PARTS: Final = frozenset(
    (
        "client_id",
        "client_instance_id",
        "client_software_name",
        "client_software_version",
        "client_source_address",
        "client_source_port",
    )
)
"""What of a client a pattern of ``match`` can be held against."""

CLIENT_METRICS_KEYS: Final[Mapping[str, Key]] = {
    key.name: key
    for key in (
        Key(INTERVAL_MS, Type.INT, "300000"),
        Key(MATCH, Type.LIST, ""),
        Key(METRICS, Type.LIST, ""),
    )
}
