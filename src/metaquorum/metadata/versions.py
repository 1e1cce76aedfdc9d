"""The levels of metadata.version, and from which of them what may be written (KIP-778)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

LEVEL_NAMES: Final[dict[int, str]] = dict(
    enumerate(
        (
            *("3.0-IV1", "3.1-IV0", "3.2-IV0", "3.3-IV0", "3.3-IV1", "3.3-IV2", "3.3-IV3"),
            *("3.4-IV0", "3.5-IV0", "3.5-IV1", "3.5-IV2", "3.6-IV0", "3.6-IV1", "3.6-IV2"),
            *("3.7-IV0", "3.7-IV1", "3.7-IV2", "3.7-IV3", "3.7-IV4", "3.8-IV0", "3.9-IV0"),
            *("4.0-IV0", "4.0-IV1", "4.0-IV2", "4.0-IV3", "4.1-IV0", "4.1-IV1", "4.2-IV0"),
            *("4.2-IV1", "4.3-IV0", "4.4-IV0", "4.4-IV1", "4.4-IV2", "4.5-IV0"),
        ),
        start=1,
    )
)
"""Level to Kafka's name of it, as the 4.4.0 release knows them."""

MINIMUM: Final = 7  # 3.3-IV3: below it a 4.x broker does not start
LATEST_PRODUCTION: Final = 33  # 4.4-IV2
DEFAULT: Final = 30  # 4.3-IV0: the newest release of which brokers and tools can be had whole
HIGHEST_KNOWN: Final = 34  # 4.5-IV0, not yet for production

NO_OP_FROM: Final = 5  # 3.3-IV1
SCRAM_FROM: Final = 11  # 3.5-IV2
SAME_EPOCH_ON_SHRINK_FROM: Final = 12  # 3.6-IV0: a leader that drops a follower keeps its epoch
TRANSACTIONS_FROM: Final = 13  # 3.6-IV1
DELEGATION_TOKENS_FROM: Final = 14  # 3.6-IV2
CONTROLLER_REGISTRATION_FROM: Final = 15  # 3.7-IV0
KRAFT_VERSION_1_FROM: Final = 21  # 3.9-IV0
UNREGISTER_CONTROLLER_FROM: Final = 33  # 4.4-IV2
DIRECTORIES_FROM: Final = 17  # 3.7-IV2
ELR_FROM: Final = 23  # 4.0-IV1
CORDONED_DIRECTORIES_FROM: Final = 30  # 4.3-IV0

CHANGED_METADATA: Final = (1, 3, 5, 6, 7, 8, 11, 13, 14, 15, 17, 23, 30, 32, 33)
"""Levels that brought records, or fields of them, which an older level could not hold."""

DEPENDENCIES: Final[Mapping[tuple[str, int], tuple[tuple[str, int], ...]]] = {
    ("eligible.leader.replicas.version", 1): (("metadata.version", 23),),
}
"""Feature and level to the other features, and their least levels, that it needs (KIP-1022)."""


def level_name(level: int) -> str:
    """Kafka's name of a level, or the number itself when it is not known here."""
    return LEVEL_NAMES.get(level, str(level))


def partition_version(level: int) -> int:
    """The version of Partition and PartitionChange records at a level of metadata.version."""
    return (level >= DIRECTORIES_FROM) + (level >= ELR_FROM)


def register_broker_version(level: int) -> int:
    """The same of RegisterBroker records: 3.3-IV3, 3.4-IV0, 3.7-IV2 and 4.3-IV0 raised it."""
    return sum(level >= raised for raised in (7, 8, DIRECTORIES_FROM, CORDONED_DIRECTORIES_FROM))
