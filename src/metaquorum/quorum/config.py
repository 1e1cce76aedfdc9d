"""What a replica is configured with when it is built; nothing here ever changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from attrs import field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import InvariantViolated
from metaquorum.base.ids import ZERO_UUID, NodeId
from metaquorum.base.limits import MAX_PARKED_FETCHES, MAX_UNCOMMITTED_BYTES
from metaquorum.base.offsets import Epoch, Offset
from metaquorum.base.value import value
from metaquorum.quorum.retention import Retention
from metaquorum.quorum.types import Batch, ControlValue, Endpoint, Peer, ReplicaKey, Voter


class MakeControlBatch(Protocol):
    """Builds the one batch that the core writes itself: control records, stamped for its place."""

    def __call__(
        self, values: tuple[ControlValue, ...], base_offset: Offset, epoch: Epoch
    ) -> Batch: ...


StampBatch = Callable[[Batch, Offset, Epoch], Batch]
"""Moves a built batch, payload included, to its base offset and epoch."""


@value
class ReplicaConfig:
    """Identity, time-outs (defaults: Kafka's) and the two functions that touch payloads.

    Without ``retention`` the log keeps everything; with it, it is looked at when a snapshot was
    written and every ``cleaning_interval_ms``.

    ``node_id`` is this node's id; ``news_wait_ms`` is how long a fetch waits for news, as an answer
    must come well within the fetch time-out. ``as_voter`` is this node as it would stand in a
    Voters record. ``bootstrap_peers`` are the bootstrap servers with ids that count down from -2,
    as none is known; None is this node itself.
    """

    key: ReplicaKey
    make_control_batch: MakeControlBatch
    stamp: StampBatch
    endpoints: tuple[Endpoint, ...] = ()
    controller_listener: str = "CONTROLLER"
    bootstrap: tuple[Endpoint, ...] = ()
    election_timeout_ms: Millis = 1_000
    fetch_timeout_ms: Millis = 2_000
    election_backoff_max_ms: Millis = 1_000
    request_timeout_ms: Millis = 2_000
    retry_backoff_ms: Millis = 20
    prompt_step_ms: Millis = 25
    fetch_wait_ms: Millis = 500
    fetch_max_bytes: int = 1_048_576
    snapshot_max_bytes: int = 1_048_576
    snapshot_response_max_bytes: int = 10_485_760
    observer_expiry_ms: Millis = 300_000
    uncommitted_max_bytes: int = MAX_UNCOMMITTED_BYTES
    parked_max: int = MAX_PARKED_FETCHES
    retention: Retention | None = None
    cleaning_interval_ms: Millis = 60_000
    lowest_kraft_version: int = 0
    highest_kraft_version: int = 1
    node_id: NodeId = field(init=False, eq=False, repr=False)
    news_wait_ms: Millis = field(init=False, eq=False, repr=False)
    as_voter: Voter = field(init=False, eq=False, repr=False)
    bootstrap_peers: tuple[Peer | None, ...] = field(init=False, eq=False, repr=False)

    def __attrs_post_init__(self) -> None:
        object.__setattr__(self, "node_id", self.key.id)
        wait_ms = min(self.fetch_wait_ms, self.fetch_timeout_ms // 2)
        object.__setattr__(self, "news_wait_ms", wait_ms)
        levels = (self.lowest_kraft_version, self.highest_kraft_version)
        object.__setattr__(self, "as_voter", Voter(self.key, self.endpoints, *levels))
        peers = tuple(
            None if endpoint in self.endpoints else Peer(-2 - at, endpoint)
            for at, endpoint in enumerate(self.bootstrap)
        )
        object.__setattr__(self, "bootstrap_peers", peers)
        if self.key.directory_id == ZERO_UUID:
            raise InvariantViolated(
                "a directory id of zeros says that there is none: format the directory"
            )

    @property
    def check_quorum_ms(self) -> Millis:
        """How long a leader may go without fetches from a majority."""
        return self.fetch_timeout_ms * 3 // 2

    @property
    def begin_epoch_ms(self) -> Millis:
        """How often a leader announces itself to voters that do not fetch."""
        return self.fetch_timeout_ms // 2
