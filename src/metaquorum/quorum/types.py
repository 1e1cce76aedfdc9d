"""What the consensus core thinks with: keys, voters, elections, snapshot ids and batches.

All values are frozen, so that a fork of the core costs a few references.
"""

from __future__ import annotations

from attrs import field

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import NodeId, Uuid
from metaquorum.base.offsets import Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value

Ticket = int
"""The place of a disk effect in the order of the disk: 1, 2, 3 ...; 0 waits for nothing."""

RequestId = int
"""The host's name for a request that the core has to answer; never reused while it is open."""

SnapshotId = OffsetAndEpoch
"""End offset (exclusive) of a snapshot and the epoch of the record before it (KIP-630)."""

ZERO_SNAPSHOT: SnapshotId = OffsetAndEpoch(0, 0)
"""The bootstrap checkpoint: never served, never counted as state of the log (KIP-1170)."""

HIGHEST_KRAFT_VERSION = 1
"""The latest kraft.version that this code understands (KIP-853)."""


@value(order=True)
class ReplicaKey:
    """A node and the directory it keeps its log in; None where the directory is not known."""

    id: NodeId
    directory_id: Uuid | None = None

    def covers(self, presented: ReplicaKey) -> bool:
        """Whether ``presented`` is this stored key (KIP-853).

        A stored key without a directory takes any; a stored key with one takes only that one.
        """
        if self.id != presented.id:
            return False
        return self.directory_id is None or self.directory_id == presented.directory_id


@value
class Endpoint:
    """Where a node listens: listener name (upper case), host, port."""

    listener: str
    host: str
    port: int

    @property
    def is_usable(self) -> bool:
        """Whether anybody could connect there: a peer may name no host, or no port."""
        return bool(self.host) and 0 < self.port < 65_536


def endpoint_named(endpoints: tuple[Endpoint, ...], listener: str) -> Endpoint | None:
    """The endpoint of this listener, whatever its case; any, where none has that name."""
    for endpoint in endpoints:
        if endpoint.listener == listener or endpoint.listener.upper() == listener.upper():
            return endpoint
    return endpoints[0] if endpoints else None


@value
class Peer:
    """Where a request goes: a voter's id and address, or a bootstrap server's.

    Bootstrap servers, whose ids are not known yet, count down from -2.
    """

    id: NodeId
    endpoint: Endpoint | None = None


@value
class ElectionState:
    """What quorum-state remembers: the epoch, who leads in it, whom this node voted for in it."""

    epoch: Epoch = 0
    leader_id: NodeId | None = None
    voted: ReplicaKey | None = None


@value
class LeaderChangeControl:
    """First record of an epoch: who leads, who was asked, who granted (KIP-595)."""

    leader_id: NodeId
    voters: tuple[ReplicaKey, ...]
    granting: tuple[ReplicaKey, ...]


@value
class KRaftVersionControl:
    """The finalized kraft.version from here on (KIP-853)."""

    level: int


@value
class VotersControl:
    """The voters from here on (KIP-853)."""

    voters: tuple[Voter, ...]


@value
class Voter:
    """A member of the voter set: key, where it listens, the kraft.version levels it can do."""

    key: ReplicaKey
    endpoints: tuple[Endpoint, ...] = ()
    lowest_kraft_version: int = 0
    highest_kraft_version: int = 0

    @property
    def id(self) -> NodeId:
        """The node id, unique in a voter set."""
        return self.key.id

    def says_the_same(self, other: Voter) -> bool:
        """Whether two records of a voter mean the same: the order of endpoints does not count."""
        return self == other or self._as_told() == other._as_told()

    def _as_told(self) -> tuple[object, ...]:
        endpoints = sorted((one.listener.upper(), one.host, one.port) for one in self.endpoints)
        return (self.key, endpoints, self.lowest_kraft_version, self.highest_kraft_version)


ControlValue = LeaderChangeControl | KRaftVersionControl | VotersControl


@value
class Control:
    """A control record that concerns consensus, and where it is in the log."""

    offset: Offset
    value: ControlValue


@value
class Batch:
    """One record batch as consensus sees it; ``payload`` is the encoded batch, never looked at.

    Built batches start at offset 0 and epoch 0 and are moved to their place when they are
    appended. ``controls`` holds the control records that consensus acts on.
    """

    base_offset: Offset
    last_offset: Offset
    epoch: Epoch
    size_bytes: int
    record_count: int
    append_time_ms: int = 0
    controls: tuple[Control, ...] = ()
    payload: object = field(default=b"", repr=False)

    @property
    def next_offset(self) -> Offset:
        """One past the last offset."""
        return self.last_offset + 1

    def moved(self, base_offset: Offset, epoch: Epoch, payload: object) -> Batch:
        """This batch at another place, with the payload stamped for it."""
        if self.last_offset < self.base_offset:
            raise InvariantViolated(
                f"a batch ends at {self.last_offset}, before {self.base_offset}"
            )
        by, controls = base_offset - self.base_offset, self.controls
        if controls:
            controls = tuple(Control(one.offset + by, one.value) for one in controls)
        return Batch(  # for every batch that is appended, so without ``evolve``
            base_offset,
            self.last_offset + by,
            epoch,
            self.size_bytes,
            self.record_count,
            self.append_time_ms,
            controls,
            payload,
        )


@value
class LostLeader:
    """A leader whose connection was refused: why, and the campaigns lost since."""

    leader_id: NodeId
    why: str
    tries: int = 0
