"""What was seen of a quorum, item by item: of its log, of its leader's answers, of its nodes.

A recording holds these items, and a log directory is read into those of them that a log has. Times
named ``time_ms`` are milliseconds since 1970: of a record by the clock of the leader that wrote it,
of everything else by the clock of the recorder.
"""

from __future__ import annotations

from enum import Enum
from typing import Final

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.ids import NodeId
from metaquorum.base.offsets import Epoch, Offset

UNKNOWN: Final = -1
CONTROLLER: Final = "controller"
BROKER: Final = "broker"


@frozen
class Wrote:
    """Batches of one epoch in a row: its leader wrote from ``first_ms`` to ``last_ms``.

    ``longest_gap_ms`` is the longest time between two of them, which ended at ``gap_end_ms``; an
    idle leader writes a NoOp every 500 ms.
    """

    first_offset: Offset
    next_offset: Offset
    epoch: Epoch
    first_ms: Millis
    last_ms: Millis
    batches: int
    longest_gap_ms: Millis = 0
    gap_end_ms: Millis = UNKNOWN


@frozen
class LeaderElected:
    """The LeaderChange record with which an epoch begins (KIP-595)."""

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    leader_id: NodeId
    voters: tuple[NodeId, ...]
    granting: tuple[NodeId, ...]


@frozen
class VotersSet:
    """A Voters record: who votes from here on (KIP-853)."""

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    voters: tuple[NodeId, ...]


@frozen
class ControllerRegistered:
    """A controller told the cluster of itself; each start of its process is an incarnation."""

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    node_id: NodeId
    incarnation: str


@frozen
class BrokerRegistered:
    """A broker registered; each start of its process is an incarnation.

    ``address`` is one of those where it listens, empty where it told none.
    """

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    node_id: NodeId
    incarnation: str
    fenced: bool
    address: str = ""
    by_tls: bool = False


@frozen
class BrokerChanged:
    """A broker was fenced, unfenced or asked to stop; None for what the record leaves as it is.

    ``leaders_moved`` is how many partitions got another leader, or none, in the same batch.
    """

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    node_id: NodeId
    fenced: bool | None
    in_shutdown: bool
    leaders_moved: int


@frozen
class BrokerRemoved:
    """A broker's registration was removed by an operator."""

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    node_id: NodeId


@frozen
class FeatureSet:
    """A feature was finalized at a level; 0 where it was removed."""

    offset: Offset
    epoch: Epoch
    time_ms: Millis
    name: str
    level: int


@frozen
class ReplicaSeen:
    """One replica in the leader's answer; -1 where the leader does not know.

    ``since_fetch_ms`` is the time since it asked for records, ``behind_ms`` since it had all.
    """

    node_id: NodeId
    is_voter: bool
    lag: int
    since_fetch_ms: Millis
    behind_ms: Millis


@frozen
class Described:
    """An answer to DescribeQuorum. ``leader_ms`` is the leader's own clock then, -1 if not told.

    It came ``took_ms`` after it was asked for.
    """

    time_ms: Millis
    took_ms: Millis
    leader_id: NodeId
    epoch: Epoch
    high_watermark: Offset
    leader_ms: Millis
    replicas: tuple[ReplicaSeen, ...]


@frozen
class NotDescribed:
    """Nobody described the quorum; ``reason`` in a word."""

    time_ms: Millis
    reason: str


class Outcome(Enum):
    """What became of a question to one node."""

    ANSWERED = "answered"
    CLOSED = "closed"
    """The node ended a connection that stood."""
    REFUSED = "refused"
    """The machine refuses the connection: nobody listens."""
    SILENT = "silent"
    """It takes connections and does not answer."""
    HANGS = "hangs"
    """A connection that stood has no answer any more; a new one was not tried yet."""
    UNREACHABLE = "unreachable"
    """No connection came about in time."""
    OTHER = "other"


@frozen
class Probed:
    """One question to one node, asked at ``time_ms`` and settled ``took_ms`` later.

    ``is_prompt`` is whether it is a node of metaquorum, whose followers notice the end of their
    leader's process without waiting for a time-out (decision 055).
    """

    time_ms: Millis
    took_ms: Millis
    node_id: NodeId
    role: str
    outcome: Outcome
    is_prompt: bool = False


OfLog = (
    Wrote
    | LeaderElected
    | VotersSet
    | ControllerRegistered
    | BrokerRegistered
    | BrokerChanged
    | BrokerRemoved
    | FeatureSet
)
Evidence = OfLog | Described | NotDescribed | Probed

KINDS: Final[dict[str, type[Evidence]]] = {
    "wrote": Wrote,
    "leader-elected": LeaderElected,
    "voters-set": VotersSet,
    "controller-registered": ControllerRegistered,
    "broker-registered": BrokerRegistered,
    "broker-changed": BrokerChanged,
    "broker-removed": BrokerRemoved,
    "feature-set": FeatureSet,
    "described": Described,
    "not-described": NotDescribed,
    "probed": Probed,
}
"""Every kind by the name that it has in a recording."""
