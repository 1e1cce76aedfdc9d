"""The way to a quorum's leader: who it is thought to be, where, and the connection to it.

Addresses come from the bootstrap list and from what controllers say about each other. A hint
never takes us back to an older epoch. An advertised address may be out of reach from here
(another network), so the bootstrap addresses stay in the rotation: one of them may be the
leader under a name that works.
"""

from __future__ import annotations

import functools
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from attrs import define, field

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.base.offsets import NO_EPOCH, Epoch
from metaquorum.client.connection import Connection, ConnectionFailed, VersionsDoNotMeet

Address = tuple[str, int]

DESCRIBE_CLUSTER: Final = 60
CONTROLLER_ENDPOINTS: Final = 2
REQUEST_TIMEOUT_MS: Final = 10_000  # a leader that hangs longer has lost its followers long ago
RETRY_BACKOFF_MS: Final = 100
MAX_RETRY_BACKOFF_MS: Final = 500  # an election takes seconds: two looks a second are enough
MAX_KNOWN_ADDRESSES: Final = 1_000


class NoLeader(OperatorError):
    """No controller led the quorum within the time that was given; the message says why."""


@define
class LeaderLink:
    """Follows the leader. ``epoch`` is the highest seen, 0 before anything is known.

    ``open`` makes connections (tests pass their own); ``now`` and ``sleep`` are in seconds.
    """

    bootstrap: Sequence[Address]
    timeout_ms: int
    open: Callable[[str, int], Connection] = field(
        default=functools.partial(Connection.open, timeout_ms=REQUEST_TIMEOUT_MS)
    )
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    epoch: Epoch = field(default=0, init=False)
    leader_id: int | None = field(default=None, init=False)
    connection: Connection | None = field(default=None, init=False)
    _addresses: dict[int, Address] = field(factory=dict, init=False)
    _next: int = field(default=0, init=False)
    _failures: dict[Address, str] = field(factory=dict, init=False)
    _backoff_ms: int = field(default=RETRY_BACKOFF_MS, init=False)
    _good_at: float | None = field(default=None, init=False)
    _prefer_leader: bool = field(default=True, init=False)
    served: bool = field(default=False, init=False)

    def connected(self) -> Connection:
        """The present connection, or a new one: to the known leader first, else in rotation.

        Raises ConnectionFailed or PeerError for one address (call ``failed`` and try again).
        """
        if self.connection is None:
            address = self._next_address()
            try:
                self.connection = self.open(*address)
            except (ConnectionFailed, PeerError) as error:
                self._failures[address] = str(error)
                raise
        return self.connection

    def succeeded(self) -> None:
        """The leader served us: forget failures."""
        self._good_at = self.now()
        self._backoff_ms = RETRY_BACKOFF_MS
        self._failures.clear()
        self._prefer_leader = True
        self.served = True

    def failed(self, why: str) -> None:
        """This address did not serve us: hang up, wait a little, take the next one.

        Raises NoLeader once nobody has served us for ``timeout_ms``.
        """
        if self.connection is not None:
            self._failures[(self.connection.host, self.connection.port)] = why
        self.hang_up()
        self._prefer_leader = not self._prefer_leader
        self._check_patience()
        self.sleep(self._backoff_ms / 1000)
        self._backoff_ms = min(self._backoff_ms * 2, MAX_RETRY_BACKOFF_MS)

    def absorb(self, leader_id: int, epoch: Epoch, endpoints: Iterable[Any]) -> bool:
        """Take a hint about the leader; False when it says nothing that helps.

        ``endpoints`` are wire structs with node_id, host and port. The connection is given up
        when the leader is known to be elsewhere.
        """
        if epoch == NO_EPOCH or epoch < self.epoch:
            return False
        newer = epoch > self.epoch
        if newer:
            self.epoch, self.leader_id = epoch, None
        for row in endpoints:
            if len(self._addresses) < MAX_KNOWN_ADDRESSES:
                self._addresses[row.node_id] = (row.host, row.port)
        if leader_id < 0 or leader_id == self.leader_id:
            return newer
        self.leader_id = leader_id
        if leader_id not in self._addresses:
            self._ask_addresses()
        self._prefer_leader = True
        address = self._addresses.get(leader_id)
        at = self.connection
        if at is not None and address is not None and (at.host, at.port) != address:
            self.hang_up()
        return True

    def hang_up(self) -> None:
        """Close the connection, if there is one."""
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def _ask_addresses(self) -> None:
        """Where the controllers are, for servers whose Fetch does not say (before 17)."""
        if self.connection is None:
            return
        from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest

        try:
            version = self.connection.best_version(DESCRIBE_CLUSTER, least=1)
            request = DescribeClusterRequest(endpoint_type=CONTROLLER_ENDPOINTS)
            answer = self.connection.ask(DESCRIBE_CLUSTER, version, request)
        except VersionsDoNotMeet:
            return
        except (ConnectionFailed, PeerError) as error:
            self._failures[(self.connection.host, self.connection.port)] = str(error)
            self.hang_up()
            return
        for row in answer.brokers[:MAX_KNOWN_ADDRESSES]:
            self._addresses[row.broker_id] = (row.host, row.port)

    def _next_address(self) -> Address:
        leader = self._addresses.get(self.leader_id) if self.leader_id is not None else None
        if leader is not None and self._prefer_leader:
            return leader
        known = list(self.bootstrap)
        known.extend(
            address for _, address in sorted(self._addresses.items()) if address not in known
        )
        address = known[self._next % len(known)]
        self._next += 1
        return address

    def keep_looking(self) -> None:
        """Grant another ``timeout_ms``."""
        self._good_at = self.now()

    def _check_patience(self) -> None:
        if self._good_at is None:
            self._good_at = self.now()  # the first failure starts the clock
        if (self.now() - self._good_at) * 1000 < self.timeout_ms:
            return
        said = "; ".join(
            why if why.startswith(f"{host}:{port}") else f"{host}:{port}: {why}"
            for (host, port), why in self._failures.items()
        )
        waited = f"no leader found in {self.timeout_ms / 1000:g} s"
        raise NoLeader(f"{waited} ({said})" if said else waited)
