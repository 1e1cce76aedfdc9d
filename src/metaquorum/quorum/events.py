"""What can happen to a replica. The host tells it by ``Replica.step(event, now)``."""

from __future__ import annotations

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.quorum.messages import Request, Response
from metaquorum.quorum.retention import Measured
from metaquorum.quorum.types import Batch, Control, RequestId, SnapshotId, Ticket


@value
class Started:
    """The first event, once: the replica takes up its place in the quorum."""


@value
class RequestArrived:
    """A request to be answered by an ``Answer`` with the same id, now or when it may be.

    ``source`` says for the log where it came from, an address for instance. With ``more_follow``
    others come at once and then ``AppendsPaused``: until that, a voter is sent no records.
    """

    id: RequestId
    message: Request
    source: str = ""
    more_follow: bool = False


@value
class RequestGone:
    """The sender of this request hung up: a parked fetch is forgotten, no answer is wanted."""

    id: RequestId


@value
class ResponseArrived:
    """The answer to our request; an answer that is no longer expected is ignored."""

    peer_id: int
    correlation: int
    message: Response


@value
class RequestFailed:
    """Our request brought no answer: no connection, a time-out of the host, a refused version.

    ``unsupported`` says that the peer's version cannot carry the request (KIP-996: no pre-vote);
    ``mistake`` that it answered, with what is no answer.
    """

    peer_id: int
    correlation: int
    why: str
    unsupported: bool = False
    mistake: bool = False


@value
class LeaderLost:
    """The leader's process is plainly gone: its connection was reset or closed, and a new one was
    refused at once.

    A follower of this peer takes its fetch deadline for passed and asks for pre-votes; anybody
    else ignores it. A wrong hint moves nothing: voters that still hear from the leader refuse.
    """

    peer_id: int
    why: str


@value
class AppendAsked:
    """Append these batches, built at offset 0, as the leader of ``epoch``.

    Answered in the same step by ``Appended`` or ``AppendDropped``. With ``more_follow`` others come
    at once and then ``AppendsPaused``: until that, no fetch that waits for records is answered with
    these, so that all of them travel together.
    """

    id: RequestId
    batches: tuple[Batch, ...]
    epoch: Epoch
    more_follow: bool = False


@value
class AppendsPaused:
    """The last of the appends that came together was asked for."""


@value
class Durable:
    """Every disk effect up to this ticket is on the disk."""

    ticket: Ticket


@value
class DiskFailed:
    """A disk effect failed; there is no way on from here."""

    ticket: Ticket
    why: str


@value
class SnapshotWritten:
    """The host has a snapshot of committed state on the disk, whole and named."""

    id: SnapshotId
    size_bytes: int


@value
class LogMeasured:
    """The answer to ``MeasureLog``: how large segments and snapshots are, and how old."""

    measured: Measured


@value
class SnapshotInstalled:
    """A downloaded snapshot is in place and the log starts at its end; its control records."""

    id: SnapshotId
    size_bytes: int
    controls: tuple[Control, ...]


@value
class SnapshotRejected:
    """A downloaded snapshot did not hold what it should; it is fetched anew."""

    id: SnapshotId
    why: str


@value
class TimePassed:
    """Look at the deadlines.

    ``only`` names one timer to fire whatever the clock says: the freedom of the explorer, which
    has no clock. A host with a clock leaves it out.
    """

    only: str | None = None


@value
class ResignAsked:
    """The controller gives up the leadership of this epoch; older epochs are ignored."""

    epoch: Epoch
    why: str = ""


@value
class ShutdownAsked:
    """Stop within ``grace_ms``: a leader hands over, nobody campaigns any more."""

    grace_ms: Millis


Event = (
    Started
    | RequestArrived
    | RequestGone
    | ResponseArrived
    | RequestFailed
    | LeaderLost
    | AppendAsked
    | AppendsPaused
    | Durable
    | DiskFailed
    | SnapshotWritten
    | LogMeasured
    | SnapshotInstalled
    | SnapshotRejected
    | TimePassed
    | ResignAsked
    | ShutdownAsked
)
