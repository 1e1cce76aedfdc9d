"""Who may do what. Until ACLs are served everybody may do everything, and this is the place.

The stage stands in the pipeline already, so that an authoriser is one class more and no handler
changes: it answers for a principal and a right before the handler is called.
"""

from __future__ import annotations

from enum import Enum
from typing import Protocol


class Right(Enum):
    """What a request needs to be allowed, on the cluster as a whole."""

    NONE = "none"
    DESCRIBE = "describe"
    READ = "read"
    WRITE = "write"
    ALTER = "alter"
    DESCRIBE_CONFIGS = "describe_configs"
    ALTER_CONFIGS = "alter_configs"
    CLUSTER_ACTION = "cluster_action"


class Authoriser(Protocol):
    """Decides, without waiting."""

    def allows(self, principal: str, right: Right) -> bool:
        """Whether the principal has the right."""


class AllowEverybody:
    """The authoriser of a cluster without ACLs, as Kafka's default."""

    def allows(self, principal: str, right: Right) -> bool:
        """Yes."""
        return True
