"""What access rules are made of, under Kafka's codes (KIP-11, KIP-290): kinds, patterns, rights."""

from __future__ import annotations

from enum import IntEnum
from typing import Final

CLUSTER_NAME: Final = "kafka-cluster"
"""The one resource of the kind CLUSTER."""

WILDCARD: Final = "*"
"""Every resource, as the name of a LITERAL pattern, and every address, as a host."""

EVERYBODY: Final = "User:*"


class ResourceType(IntEnum):
    """Kinds of what is guarded; ANY stands in filters alone."""

    UNKNOWN = 0
    ANY = 1
    TOPIC = 2
    GROUP = 3
    CLUSTER = 4
    TRANSACTIONAL_ID = 5
    DELEGATION_TOKEN = 6
    USER = 7


class PatternType(IntEnum):
    """How a rule's name picks resources; ANY and MATCH stand in filters alone."""

    UNKNOWN = 0
    ANY = 1
    MATCH = 2
    LITERAL = 3
    PREFIXED = 4


class Operation(IntEnum):
    """What may be done; ANY stands in filters alone, ALL in rules."""

    UNKNOWN = 0
    ANY = 1
    ALL = 2
    READ = 3
    WRITE = 4
    CREATE = 5
    DELETE = 6
    ALTER = 7
    DESCRIBE = 8
    CLUSTER_ACTION = 9
    DESCRIBE_CONFIGS = 10
    ALTER_CONFIGS = 11
    IDEMPOTENT_WRITE = 12
    CREATE_TOKENS = 13
    DESCRIBE_TOKENS = 14
    TWO_PHASE_COMMIT = 15


class Permission(IntEnum):
    """What a rule says; ANY stands in filters alone."""

    UNKNOWN = 0
    ANY = 1
    DENY = 2
    ALLOW = 3


GRANTING: Final[dict[Operation, tuple[Operation, ...]]] = {
    Operation.DESCRIBE: (
        Operation.DESCRIBE,
        Operation.READ,
        Operation.WRITE,
        Operation.DELETE,
        Operation.ALTER,
        Operation.ALL,
    ),
    Operation.DESCRIBE_CONFIGS: (
        Operation.DESCRIBE_CONFIGS,
        Operation.ALTER_CONFIGS,
        Operation.ALL,
    ),
}
"""Which allowed operations bring a right with them, where others than itself and ALL do."""


def is_principal(text: str) -> bool:
    """Whether it has the form of a principal: a kind, a colon and a name, either maybe empty."""
    return ":" in text
