"""What a handler may know of the node: narrow verbs and a few facts, never whole objects.

The node's assembly implements ``Services``; the tests have a small fake of it. Handlers hold no
state and no reference to anything behind it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.ids import Uuid
from metaquorum.base.offsets import LeaderAndEpoch, Offset
from metaquorum.config.node_config import NodeConfig
from metaquorum.fetch.plan import LogReader
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.runtime.driver.machine import AnyReply
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.server.access.client_quotas import ClientQuotas
from metaquorum.server.contract.shared_fetches import SharedFetches
from metaquorum.wire.message import AnyMessage, Message

if TYPE_CHECKING:  # a node without groups or consumers does not load theirs
    from metaquorum.controller.commands import Command
    from metaquorum.groups.commands import Command as GroupCommand
    from metaquorum.metadata.tables.catalog import StateView
    from metaquorum.metadata.tables.security import ScramCredential
    from metaquorum.server.contract.last_request import FetchAnswer
    from metaquorum.wire.enveloping import Asker
    from metaquorum.wire.generated.fetch_request import FetchRequest


class FeatureView(Protocol):
    """Feature levels (KIP-584): what this code can do, and what the quorum has settled on."""

    @property
    def supported(self) -> Mapping[str, tuple[int, int]]:
        """Feature name to the lowest and the highest level that this node understands."""

    @property
    def finalized(self) -> Mapping[str, int]:
        """Feature name to its level in the committed state, kraft.version included."""

    @property
    def finalized_epoch(self) -> int:
        """Offset of the committed record that last changed a feature; -1 while there is none."""


class ReachableEndpoint(Protocol):
    """Where clients reach a node."""

    @property
    def host(self) -> str:
        """Host name or address, without brackets."""

    @property
    def port(self) -> int:
        """TCP port."""


class HighWatermark(Protocol):
    """The number that consumers wait for."""

    def has_turn(self, now: Millis) -> bool:
        """Whether a reader whose records are there is to be answered at once; else ``wait``."""

    def wait(self, threshold: Offset, deadline: Millis, *, in_turn: bool = False) -> Promise[bool]:
        """A promise of True once the watermark reaches ``threshold``, of False at ``deadline``.

        With ``in_turn`` no sooner than all others that waited first have been woken.
        """


class GroupPort(Protocol):
    """The groups, as far as a handler is concerned; see ``groups.commands``."""

    def coordinator_id(self) -> int | None:
        """The node that coordinates all groups; None while none is known, or none can be."""

    def ask(self, command: GroupCommand, *, deadline_ms: Millis) -> Promise[AnyReply]:
        """The coordinator's reply to a command, given once what it rests on is replicated.

        Fails with RequestError NOT_COORDINATOR on a node that is not the coordinator, with
        COORDINATOR_NOT_AVAILABLE where there cannot be one.
        """


class Follower(Protocol):
    """Fetches of one replica that differ in nothing but how far it is."""

    def __call__(self, offset: Offset, high_watermark: Offset, now: Millis) -> FetchAnswer:
        """The wire response, or a promise of it."""


class Services(Protocol):
    """The node, as far as a handler is concerned."""

    @property
    def config(self) -> NodeConfig:
        """What the operator configured."""

    @property
    def cluster_id(self) -> str:
        """The cluster's id, 22 characters of base64."""

    @property
    def node_id(self) -> int:
        """This node's id."""

    @property
    def features(self) -> FeatureView:
        """Feature levels, supported and finalized; the same object until one of them changes."""

    @property
    def clock(self) -> Clock:
        """The clock of all deadlines."""

    @property
    def log(self) -> LogReader:
        """The metadata log, as far as consumers may read it."""

    @property
    def sessions(self) -> SessionCache:
        """The fetch sessions of clients and replicas."""

    @property
    def shared_fetches(self) -> SharedFetches:
        """The answers for consumers that stand at one offset."""

    @property
    def client_quotas(self) -> ClientQuotas:
        """What clients may take, and what they took."""

    @property
    def watermark(self) -> HighWatermark:
        """The log's high watermark, to wait for."""

    @property
    def groups(self) -> GroupPort | None:
        """The groups; None where this node keeps none."""

    @property
    def quorum_api_keys(self) -> frozenset[int]:
        """Which of the APIs between replicas this node's quorum serves."""

    def leader(self) -> LeaderAndEpoch:
        """The quorum's leader as this node knows it."""

    @property
    def is_active(self) -> bool:
        """Whether this node is the active controller and takes commands."""

    def voter_ids(self) -> tuple[int, ...]:
        """The ids of the present voters, in order."""

    def endpoints(self, listener: str) -> Mapping[int, ReachableEndpoint]:
        """Node id to where it is reached, for every node known on the listener of that name."""

    def ask_quorum(
        self, api_key: int, version: int, request: Message, *, deadline_ms: Millis, source: str
    ) -> Promise[AnyMessage]:
        """The quorum's answer to a wire request of replicas, as a wire response.

        ``source`` is the asker's address, for the log.
        """

    def follower(self, version: int, request: FetchRequest, source: str) -> Follower | None:
        """Who asks the quorum the same as ``request`` again, a Fetch of a replica, in few steps.

        None if that is no request of one for the metadata log. ``source`` is the asker's address.
        """

    def ask_controller(self, command: Command, *, deadline_ms: Millis) -> Promise[AnyReply]:
        """The active controller's answer to a command, given once its records are committed.

        Fails with RequestError NOT_CONTROLLER on a node that is not the active controller.
        """

    def begin_batch(self) -> None:
        """Several requests that came together follow; the last is behind ``flush_batch``."""

    @property
    def expects_more(self) -> bool:
        """Whether others are about to come, whose commands could go along with theirs."""

    def flush_batch(self) -> bool:
        """They were served: what they appended goes to the followers; whether there was any."""

    def upgrade_kraft_version(self, level: int, *, validate_only: bool) -> Promise[tuple[int, str]]:
        """The quorum's error code and words for setting kraft.version, once it is committed."""

    def forward(
        self,
        api_key: int,
        version: int,
        message: Message,
        *,
        client_id: str | None,
        deadline_ms: Millis,
        here: Callable[[], Message | AnyPromise],
        client: Asker | None = None,
    ) -> Promise[AnyMessage]:
        """The answer of the leader to the same request; ``here`` if that is this node by then.

        With ``client`` it goes in an Envelope, for that one; without, in this node's name.
        """

    def is_caught_up(self) -> bool:
        """Whether all that this node knows to be committed is in ``committed``, and it knows."""

    def new_uuid(self) -> Uuid:
        """An id that nobody else has and nobody can guess."""

    def committed(self) -> StateView:
        """The committed metadata state."""

    @property
    def first_users(self) -> Mapping[tuple[str, int], ScramCredential]:
        """The SCRAM credentials of the format, by name and mechanism, as in the state."""
