"""The node as its handlers see it: ``server.services.Services``, made of the node's parts."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import trio
from attrs import define, field, frozen

from metaquorum.base.clock import Clock, Millis
from metaquorum.base.errors import RequestError
from metaquorum.base.ids import Uuid, is_never_drawn, random_uuid
from metaquorum.base.limits import ENCODED_ANSWERS
from metaquorum.base.offsets import NO_OFFSET, LeaderAndEpoch, Offset
from metaquorum.config.listeners import Listener
from metaquorum.config.node_config import NodeConfig
from metaquorum.fetch.session_cache import SessionCache
from metaquorum.metadata import versions
from metaquorum.metadata.tables.catalog import StateView
from metaquorum.metadata.tables.features import (
    METADATA_VERSION,
)
from metaquorum.metadata.tables.nodes import NodeEndpoint
from metaquorum.metadata.tables.security import ScramCredential, scram_credential_of
from metaquorum.quorum import adapt
from metaquorum.quorum.adapt.log_names import GROUPS_LOG, LogName, is_about
from metaquorum.quorum.effects import Complaint
from metaquorum.quorum.messages import (
    FetchRequest,
    FetchResponse,
    Response,
    UpgradeRequest,
    VoterChangeResponse,
)
from metaquorum.quorum.types import HIGHEST_KRAFT_VERSION, Endpoint
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.runtime.disk.metadata_log import MetadataLog
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.driver.watermark import Watermark
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.controller_connection import Place
from metaquorum.runtime.peers.dial import OpenStream
from metaquorum.runtime.peers.forwarder import HERE, Forwarder
from metaquorum.server.access.client_quotas import ClientQuotas
from metaquorum.server.contract.api import FETCH
from metaquorum.server.contract.services import Follower, GroupPort
from metaquorum.server.contract.shared_fetches import SharedFetches
from metaquorum.server.contract.steps import Encoded
from metaquorum.wire.generated import error_codes

if TYPE_CHECKING:
    from metaquorum.wire.enveloping import Asker

KRAFT_VERSION = "kraft.version"
USER_SCRAM_CREDENTIAL = 11
_HALF_A_UUID = (1 << 64) - 1

# What a node of this code can take part in, whatever is finalized: levels that replay understands.
SUPPORTED_FEATURES: Mapping[str, tuple[int, int]] = {
    METADATA_VERSION: (versions.MINIMUM, versions.LATEST_PRODUCTION),
    KRAFT_VERSION: (0, HIGHEST_KRAFT_VERSION),
    "eligible.leader.replicas.version": (0, 1),
    "group.version": (0, 1),
    "share.version": (0, 1),
    "streams.version": (0, 1),
    "transaction.version": (0, 2),
}


def supported_features(config: NodeConfig) -> Mapping[str, tuple[int, int]]:
    """What a node says that it supports: no metadata.version above the one it is configured to.

    A level that is finalized already is served all the same.
    """
    levels = (versions.MINIMUM, config.metadata_version_max)
    return {**SUPPORTED_FEATURES, METADATA_VERSION: levels}


@frozen
class Features:
    """Feature levels: what this code can do, and what the quorum has settled on (KIP-584)."""

    supported: Mapping[str, tuple[int, int]]
    finalized: Mapping[str, int]
    finalized_epoch: Offset


MakeContext = Callable[[Callable[[Any], Any]], adapt.AnswerContext]
"""The context of an answer, with what its slices are resolved by."""


class SecondLog(Protocol):
    """A partition beside the metadata log, as far as its replicas ask for it."""

    @property
    def name(self) -> LogName:
        """Which log it is."""

    def ask(
        self, api_key: int, version: int, request: Any, context: MakeContext, source: str
    ) -> Promise[Any]:
        """The answer of its core to a request of replicas, in the wire's form."""


@define(eq=False)
class NodeServices:
    """Narrow verbs over driver, log and state."""

    config: NodeConfig
    cluster_id: str
    clock: Clock
    driver: Driver
    log: MetadataLog
    sessions: SessionCache
    open_stream: OpenStream = trio.open_tcp_stream
    bootstrap_records: Callable[[], Sequence[MetadataRecord]] = tuple
    stopping: bool = False
    groups: GroupPort | None = None
    quorum_api_keys: frozenset[int] = field(default=frozenset(adapt.SERVED))
    second_log: SecondLog | None = None
    shared_fetches: SharedFetches = field(factory=SharedFetches)
    client_quotas: ClientQuotas = field(init=False)
    forwarder: Forwarder = field(init=False)
    _first_users: dict[tuple[str, int], ScramCredential] | None = field(default=None, init=False)
    _features: tuple[Features, object, object] = field(init=False)
    _voter_ids: tuple[object, tuple[int, ...]] = field(default=(None, ()), init=False)
    _encoded_fetches: deque[tuple[FetchResponse, int, Any]] = field(
        init=False, factory=lambda: deque(maxlen=ENCODED_ANSWERS)
    )

    def __attrs_post_init__(self) -> None:
        controller = self.driver.controller
        self.client_quotas = ClientQuotas(
            lambda: self.committed().quotas.get, lambda: controller.state.stable_offset
        )
        self._features = (Features(supported_features(self.config), {}, NO_OFFSET), None, None)
        self.forwarder = Forwarder(
            str(self.node_id), self.clock, self.leader_place, self.open_stream
        )
        self.driver.listeners.leader.append(self.forwarder.leader_changed)

    @property
    def node_id(self) -> int:
        """This node's id."""
        return self.config.node_id

    @property
    def watermark(self) -> Watermark:
        """The high watermark, to wait for."""
        return self.driver.watermark

    @property
    def features(self) -> Features:
        """Levels in the committed state; kraft.version is the voters' own."""
        committed_at, voters = self.driver.controller.state.provenance, self.driver.replica.voters
        known, of_state, of_voters = self._features
        if of_state is committed_at and of_voters is voters:
            return known
        committed = self.driver.controller.committed().features
        finalized = dict(committed)
        if committed.epoch != NO_OFFSET and voters.kraft_version > 0:
            finalized[KRAFT_VERSION] = voters.kraft_version
        if (finalized, committed.epoch) != (known.finalized, known.finalized_epoch):
            known = Features(known.supported, finalized, committed.epoch)
        self._features = (known, committed_at, voters)
        return known

    def leader(self) -> LeaderAndEpoch:
        """The leader as this node may tell it: only what is on the disk."""
        return self.driver.leader

    @property
    def is_active(self) -> bool:
        """Whether this node is the active controller and takes commands."""
        return self.driver.controller.is_active and not self.stopping

    def voter_ids(self) -> tuple[int, ...]:
        """The ids of the present voters, in order."""
        voters = self.driver.replica.voters.latest
        if voters is not self._voter_ids[0]:  # asked for in every turn of the connections
            self._voter_ids = voters, tuple(voter.id for voter in voters)
        return self._voter_ids[1]

    def endpoints(self, listener: str) -> Mapping[int, Endpoint | NodeEndpoint | Listener]:
        """Every node that is known to be reached on the listener of that name.

        Voters publish their controller listeners in the voter set, and every controller all its
        listeners in its registration (KIP-919); of itself a node knows what it advertises.
        """
        known: dict[int, Endpoint | NodeEndpoint | Listener] = {}
        for voter in self.driver.replica.voters.latest:
            for endpoint in voter.endpoints:
                if endpoint.listener == listener:
                    known[voter.id] = endpoint
        for node_id, controller in self.driver.controller.committed().controllers.items():
            for registered in controller.endpoints:
                if registered.listener == listener:
                    known[node_id] = registered
        for own in self.config.advertised_listeners:
            if own.name == listener:
                known[self.node_id] = own
        return known

    def leader_place(self) -> Place | None:
        """Where the leader's controller listener is: None if nobody leads, HERE if this node."""
        leader_id = self.driver.leader.leader_id
        if leader_id is None:
            return None
        if leader_id == self.node_id:
            return HERE
        name = self.driver.replica.config.controller_listener
        hint = self.driver.replica.hint
        for endpoint in hint.endpoints if hint.leader_id == leader_id else ():
            if endpoint.listener.upper() == name.upper():
                return endpoint.host, endpoint.port
        known = self.endpoints(name).get(leader_id)
        return None if known is None else (known.host, known.port)

    def upgrade_kraft_version(self, level: int, *, validate_only: bool) -> Promise[tuple[int, str]]:
        """The core's answer to an upgrade of kraft.version (KIP-853)."""

        def code_and_text(answer: Response) -> tuple[int, str]:
            assert isinstance(answer, VoterChangeResponse)
            return answer.error, answer.text

        message = UpgradeRequest(level, validate_only=validate_only)
        return self.driver.ask_quorum(message).map(code_and_text)

    def forward(
        self,
        api_key: int,
        version: int,
        message: Any,
        *,
        client_id: str | None,
        deadline_ms: Millis,
        here: Callable[[], Any],
        client: Asker | None = None,
    ) -> Promise[Any]:
        """The leader's answer to the same request."""
        if self.stopping:
            return _refused("this node is stopping")
        return self.forwarder.forward(
            *(api_key, version, message),
            client_id=client_id,
            deadline_ms=deadline_ms,
            here=here,
            client=client,
        )

    def ask_quorum(
        self, api_key: int, version: int, request: Any, *, deadline_ms: Millis, source: str
    ) -> Promise[Any]:
        """The core's answer to a request of replicas, translated both ways."""
        second = self.second_log
        if second is not None and is_about(api_key, request, second.name):
            return second.ask(api_key, version, request, self._context, source)
        message = adapt.read_request(api_key, version, request, self.cluster_id)
        if isinstance(message, adapt.Settled):
            settled: Promise[Any] = Promise()
            hint = self.driver.replica.hint
            wrong = adapt.settled_complaint(api_key, request, message, source)
            if is_about(api_key, request, GROUPS_LOG):
                message = adapt.not_open_yet(message)
            elif wrong is not None:
                self.driver.notice(Complaint(wrong))
            settled.complete(adapt.settled_response(api_key, message, hint, self._context()))
            return settled

        def write(response: Any) -> Any:
            return self._written(api_key, version, request, response)

        return self.driver.ask_quorum(message, source).map(write)

    def follower(self, version: int, request: Any, source: str) -> Follower | None:
        """As ``Services.follower``."""
        second = self.second_log
        if second is not None and is_about(FETCH, request, second.name):
            return None
        first = adapt.read_request(FETCH, version, request, self.cluster_id)
        if not isinstance(first, FetchRequest):
            return None
        last = adapt.fetch_answer_template(version, self._context())

        def write(response: Any) -> Any:
            return self._written(FETCH, version, request, response)

        def write_to_voter(response: Any) -> Any:
            body = last.body(response)
            if body is not None:
                return Encoded([body])
            last.keep(response)
            return write(response)

        moved = adapt.fetch_mover(version, first)

        def ask(offset: Offset, high_watermark: Offset, now: Millis) -> Any:
            message = moved(offset, high_watermark)
            answer = self.driver.look(message, now)
            if answer is None:
                return self.driver.step_request(message, source).map(write_to_voter)
            return answer.map(write) if isinstance(answer, Promise) else write(answer)

        return ask

    def _written(self, api_key: int, version: int, request: Any, response: Any) -> Any:
        """The wire form; the same object for all that are sent the same of the log."""
        if not isinstance(response, FetchResponse):
            return adapt.write_response(api_key, version, request, response, self._context())
        for known, known_version, written in self._encoded_fetches:
            if known is response and known_version == version:
                return written
        written = adapt.write_response(api_key, version, request, response, self._context())
        self._encoded_fetches.append((response, version, written))
        return written

    def _context(self, resolve: Callable[[Any], Any] | None = None) -> adapt.AnswerContext:
        names = self.config.controller_listener_names
        return adapt.AnswerContext(
            # The leader's other listeners are not in the voter set, so its controller listener
            # is the one to be named, wherever the question came in.
            listener=names[0] if names else "",
            resolve=self.log.resolve if resolve is None else resolve,
            wall_minus_now_ms=self.clock.wall_ms() - self.clock.now_ms(),
        )

    def ask_controller(self, command: object, *, deadline_ms: Millis) -> Promise[Any]:
        """The active controller's answer, given once its records are committed."""
        if self.stopping:
            return _refused("this node is stopping")
        return self.driver.ask_controller(command, deadline_ms)

    def begin_batch(self) -> None:
        """Several requests that came together follow."""
        self.driver.begin_batch()

    @property
    def expects_more(self) -> bool:
        """Whether others are about to come that could be gathered with them."""
        return self.driver.expects_more

    def flush_batch(self) -> bool:
        """They were served; whether there is anything for followers."""
        return self.driver.flush_batch()

    def is_caught_up(self) -> bool:
        """Whether all that this node knows to be committed is in ``committed``, and it knows."""
        driver = self.driver
        if driver.watermark.value < 0:
            return False
        if driver.active_from is not None:
            return driver.controller.is_active
        return driver.next_to_apply >= driver.watermark.value

    def new_uuid(self) -> Uuid:
        """A random one, not reserved."""
        while True:
            halves = (self.sessions.chance.jitter(0, _HALF_A_UUID) for _ in range(2))
            drawn = random_uuid(b"".join(half.to_bytes(8, "big") for half in halves))
            if not is_never_drawn(drawn):
                return drawn

    @property
    def first_users(self) -> Mapping[tuple[str, int], ScramCredential]:
        """As ``Services.first_users``."""
        if self._first_users is None:
            self._first_users = {
                (one.message.name, one.message.mechanism): scram_credential_of(one.message)
                for one in self.bootstrap_records()
                if one.type == USER_SCRAM_CREDENTIAL
            }
        return self._first_users

    def committed(self) -> StateView:
        """The committed metadata state."""
        state: StateView = self.driver.controller.committed()
        return state


def _refused(why: str) -> Promise[Any]:
    refused: Promise[Any] = Promise()
    refused.fail(RequestError(error_codes.NOT_CONTROLLER, why))
    return refused
