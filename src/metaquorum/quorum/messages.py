"""What replicas say to each other, without the wire's versions and lists.

Errors are Kafka's codes. Every answer about the partition carries a ``Hint``: who leads, in which
epoch, and where that leader listens, as far as this replica knows.
"""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import NO_OFFSET, Epoch, Offset, OffsetAndEpoch
from metaquorum.base.value import value
from metaquorum.quorum.types import Endpoint, ReplicaKey, SnapshotId, Voter

NONE = 0
UNKNOWN_SERVER_ERROR = -1
CORRUPT_MESSAGE = 2
NOT_LEADER_OR_FOLLOWER = 6
REQUEST_TIMED_OUT = 7
BROKER_NOT_AVAILABLE = 8
UNSUPPORTED_VERSION = 35
INVALID_REQUEST = 42
FENCED_LEADER_EPOCH = 74
UNKNOWN_LEADER_EPOCH = 75
THROTTLING_QUOTA_EXCEEDED = 89
INVALID_UPDATE_VERSION = 95
SNAPSHOT_NOT_FOUND = 98
POSITION_OUT_OF_RANGE = 99
INVALID_VOTER_KEY = 125
DUPLICATE_VOTER = 126
VOTER_NOT_FOUND = 127

HIGH_WATERMARK_UNKNOWN = (1 << 63) - 1  # a watermark that the wire leaves out (KIP-1166)


@value
class Hint:
    """The leader as this replica knows it; ``leader_id`` is None when it knows none."""

    leader_id: NodeId | None
    epoch: Epoch
    endpoints: tuple[Endpoint, ...] = ()


@value
class LogSlice:
    """Records to be read by the host: whole batches from ``first``, none at or above ``below``."""

    first: Offset
    max_bytes: int
    below: Offset


@value
class SnapshotSlice:
    """Bytes of a snapshot file to be read by the host, from ``position``."""

    snapshot: SnapshotId
    position: int
    max_bytes: int


@value
class VoteRequest:
    """A candidate asks for a vote; with ``pre_vote`` it only asks what the answer would be.

    KIP-595 and KIP-996. ``receiver`` is whom the candidate believes to ask, None before Vote 1.
    """

    epoch: Epoch
    candidate: ReplicaKey
    log_end: OffsetAndEpoch
    pre_vote: bool = False
    receiver: ReplicaKey | None = None


@value
class VoteResponse:
    """Granted or not; ``error`` says why the question could not be taken."""

    error: int
    hint: Hint
    granted: bool = False


@value
class BeginEpochRequest:
    """A new leader announces itself to a voter that does not fetch from it yet (KIP-595)."""

    epoch: Epoch
    leader_id: NodeId
    endpoints: tuple[Endpoint, ...] = ()
    receiver: ReplicaKey | None = None


@value
class EndEpochRequest:
    """A leader resigns and names who should try first, most up to date first (KIP-595)."""

    epoch: Epoch
    leader_id: NodeId
    candidates: tuple[ReplicaKey, ...] = ()
    endpoints: tuple[Endpoint, ...] = ()


@value
class EpochResponse:
    """The answer to a leader's announcement or resignation."""

    error: int
    hint: Hint


@value
class FetchRequest:
    """A replica asks for what follows its log end; a reader has the id -1 (KIP-595).

    ``high_watermark`` is what the asker knows: None when its version cannot say, -1 when unknown.
    """

    replica: ReplicaKey
    epoch: Epoch
    offset: Offset
    last_epoch: Epoch
    max_wait_ms: Millis = 0
    max_bytes: int = 0
    high_watermark: Offset | None = None


@value
class FetchResponse:
    """Records, or where the logs part, or which snapshot to start from (KIP-595, KIP-630)."""

    error: int
    hint: Hint
    high_watermark: Offset = NO_OFFSET
    log_start: Offset = NO_OFFSET
    diverging: OffsetAndEpoch | None = None
    snapshot: SnapshotId | None = None
    records: LogSlice | object | None = None


@value
class FetchSnapshotRequest:
    """A replica asks for the bytes of a snapshot file from ``position`` on (KIP-630)."""

    replica: ReplicaKey
    epoch: Epoch
    snapshot: SnapshotId
    position: int
    max_bytes: int


@value
class FetchSnapshotResponse:
    """A part of the file and its whole size."""

    error: int
    hint: Hint
    snapshot: SnapshotId
    size_bytes: int = 0
    position: int = 0
    data: SnapshotSlice | bytes = b""


@value
class DescribeRequest:
    """Who votes, who observes, how far each has come (KIP-595, KIP-836)."""


@value
class ReplicaStatus:
    """One replica as the leader sees it; -1 where it has not heard.

    The two times are the core's clock (``Millis``); the border turns them into wall time.
    """

    key: ReplicaKey
    log_end: Offset = NO_OFFSET
    last_fetch_ms: Millis = -1
    last_caught_up_ms: Millis = -1


@value
class DescribeResponse:
    """The leader's view of the quorum; of another replica only error and hint mean anything."""

    error: int
    hint: Hint
    high_watermark: Offset = NO_OFFSET
    voters: tuple[ReplicaStatus, ...] = ()
    observers: tuple[ReplicaStatus, ...] = ()
    nodes: tuple[Voter, ...] = ()


@value
class AddVoterRequest:
    """Make a replica a voter (KIP-853, AddRaftVoter).

    ``key`` is as it was asked for: an id below 0, or no directory, is refused by the core. With
    ``ack_when_committed`` false (AddRaftVoter 1) the answer leaves once the record is in our log.
    The time-out of the request is not here: Kafka ignores it too.
    """

    key: ReplicaKey
    endpoints: tuple[Endpoint, ...]
    ack_when_committed: bool = True


@value
class RemoveVoterRequest:
    """Take a replica out of the voters, the leader itself too (KIP-853, RemoveRaftVoter)."""

    key: ReplicaKey


@value
class UpdateVoterRequest:
    """A voter tells the leader of ``epoch`` where it listens and what it can do (KIP-853).

    Sent by replicas to each other; under kraft.version 0 the leader keeps it in memory only.
    """

    epoch: Epoch
    key: ReplicaKey
    endpoints: tuple[Endpoint, ...]
    lowest_kraft_version: int
    highest_kraft_version: int


@value
class UpgradeRequest:
    """Finalize a higher kraft.version (KIP-853, asked for by UpdateFeatures).

    ``epoch`` is the epoch that the asker takes the leader to be in; None asks the leader of any
    epoch. With ``validate_only`` the answer is what it would be, and nothing is written.
    """

    level: int
    epoch: Epoch | None = None
    validate_only: bool = False


@value
class VoterChangeResponse:
    """The answer to adding, removing or updating a voter, and to an upgrade of kraft.version.

    ``text`` says in words what was wrong; it is empty where Kafka's answer has none either.
    REQUEST_TIMED_OUT means "ask again": an appended change is not taken back by it.
    """

    error: int
    hint: Hint
    text: str = ""


@value
class ApiVersionsRequest:
    """The leader asks a voter to be, where it says it listens, which kraft.versions it can do."""


@value
class ApiVersionsResponse:
    """The range of kraft.version that a node supports; None for one that names none.

    Only ApiVersions 4 and later name it, because its lowest level is 0 (KAFKA-17011).
    """

    error: int
    kraft_versions: tuple[int, int] | None = None


@value
class Refused:
    """A top-level error: the other side did not even look at the partition."""

    error: int


Request = (
    VoteRequest
    | BeginEpochRequest
    | EndEpochRequest
    | FetchRequest
    | FetchSnapshotRequest
    | DescribeRequest
    | AddVoterRequest
    | RemoveVoterRequest
    | UpdateVoterRequest
    | UpgradeRequest
    | ApiVersionsRequest
)
Response = (
    VoteResponse
    | EpochResponse
    | FetchResponse
    | FetchSnapshotResponse
    | DescribeResponse
    | VoterChangeResponse
    | ApiVersionsResponse
    | Refused
)
