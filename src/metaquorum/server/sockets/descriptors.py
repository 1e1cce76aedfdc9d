"""How the file descriptors of the process are shared out: files, links, metrics, connections.

The log cannot be rolled, a snapshot cannot be written and a voter cannot be reached without a
descriptor, so connections that come in may take what is left of RLIMIT_NOFILE and no more. Of that
a part is kept for the controller listener, where the other voters come in. See docs/decisions/195.
"""

from __future__ import annotations

from collections.abc import Callable

from attrs import frozen

from metaquorum.base.errors import OperatorError
from metaquorum.base.limits import (
    LEAST_CONNECTION_DESCRIPTORS,
    LEAST_FILE_DESCRIPTORS,
    LEAST_LINK_DESCRIPTORS,
    LEAST_METRICS_DESCRIPTORS,
    LEAST_VOTER_DESCRIPTORS,
    MAX_DESCRIPTORS,
    MAX_FILE_DESCRIPTORS,
    MAX_LINK_DESCRIPTORS,
    MAX_METRICS_CONNECTIONS,
    MAX_VOTER_DESCRIPTORS,
    SPARE_FILE_DESCRIPTORS,
)

LEAST_DESCRIPTORS = (
    LEAST_FILE_DESCRIPTORS
    + LEAST_LINK_DESCRIPTORS
    + LEAST_METRICS_DESCRIPTORS
    + LEAST_VOTER_DESCRIPTORS
    + LEAST_CONNECTION_DESCRIPTORS
)
"""The lowest RLIMIT_NOFILE that a node starts with."""


def _no_files() -> int:
    """No log is open: for servers without one."""
    return 0


def _within(wanted: int, least: int, most: int) -> int:
    return max(least, min(wanted, most))


@frozen
class DescriptorShares:
    """Parts of ``limit``, all in descriptors.

    ``files`` are for segments, indexes, snapshots, certificates and imports, ``links`` for
    connections to other nodes, ``metrics`` for connections to the metrics listener, ``connections``
    for those that come in on all other listeners together. ``voters`` is the part of the latter
    that only the controller listener may use.
    """

    limit: int
    files: int
    links: int
    metrics: int
    voters: int

    @classmethod
    def of(cls, limit: int) -> DescriptorShares:
        """The parts of that limit; OperatorError if it is too low to run with."""
        if limit < LEAST_DESCRIPTORS:
            raise OperatorError(
                f"the limit of open files (ulimit -n) is {limit}, and a node needs "
                f"{LEAST_DESCRIPTORS} at least"
            )
        return cls(
            limit,
            files=_within(limit // 4, LEAST_FILE_DESCRIPTORS, MAX_FILE_DESCRIPTORS),
            links=_within(limit // 8, LEAST_LINK_DESCRIPTORS, MAX_LINK_DESCRIPTORS),
            metrics=_within(limit // 20, LEAST_METRICS_DESCRIPTORS, MAX_METRICS_CONNECTIONS),
            voters=_within(limit // 8, LEAST_VOTER_DESCRIPTORS, MAX_VOTER_DESCRIPTORS),
        )

    @property
    def reserved(self) -> int:
        """What connections that come in may not take."""
        return self.files + self.links + self.metrics

    @property
    def connections(self) -> int:
        """How many connections may come in while the logs have few files."""
        return self.limit - self.reserved

    def connections_beside(self, open_files: int) -> int:
        """How many may come in while so many files of logs and snapshots are open.

        A log of many segments has a descriptor for each, so it may outgrow ``files``: connections
        make way for it before that.
        """
        beyond = max(0, open_files + SPARE_FILE_DESCRIPTORS - self.files)
        return max(0, self.connections - beyond)

    def check(self, open_files: int) -> None:
        """OperatorError if so many open files leave too few descriptors for connections."""
        least = self.voters + LEAST_CONNECTION_DESCRIPTORS
        missing = least - self.connections_beside(open_files)
        if missing > 0:
            raise OperatorError(
                f"the limit of open files (ulimit -n) is {self.limit}, and a node with "
                f"{open_files} open files of logs and snapshots needs about "
                f"{self.limit + 2 * missing}"
            )


ALL_DESCRIPTORS = DescriptorShares.of(MAX_DESCRIPTORS)
"""The parts of as many as a node ever asks for."""


@frozen
class Descriptors:
    """The shares, and how many files of logs and snapshots are open at the moment."""

    shares: DescriptorShares = ALL_DESCRIPTORS
    open_files: Callable[[], int] = _no_files

    @property
    def connections(self) -> int:
        """How many connections may be open now, on all listeners together."""
        return self.shares.connections_beside(self.open_files())

    @property
    def client_connections(self) -> int:
        """The same without the part that is kept for the controller listener."""
        return max(0, self.connections - self.shares.voters)
