"""Asks the leader of a quorum: bootstrap servers in turn, and the hints in their answers."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from attrs import define, field

from metaquorum.base.errors import OperatorError, PeerError
from metaquorum.client.connection import (
    CONNECT_TIMEOUT_MS,
    CertificateRefused,
    Connection,
    ConnectionFailed,
    VersionsDoNotMeet,
)
from metaquorum.config.listeners import HostPort
from metaquorum.wire.generated import error_codes

T = TypeVar("T")

DESCRIBE_CLUSTER: Final = 60
BROKERS, CONTROLLERS = 1, 2
RETRY_BACKOFF_MS: Final = 100  # retry.backoff.ms of Kafka's admin client


class NobodyLeads(OperatorError):
    """Servers answered, and none of them led; the message has what each of them said."""


class Elsewhere(Exception):
    """This server does not lead; ``hint`` is where the leader is said to be, if anywhere."""

    def __init__(self, why: str, hint: HostPort | None) -> None:
        super().__init__(why)
        self.hint = hint


@define
class LeaderQuestion:
    """One question, put to the bootstrap servers in turn until the leader has answered it.

    ``open`` makes connections, ``now`` and ``sleep`` are in seconds: tests pass their own.
    """

    bootstrap: Sequence[HostPort]
    endpoint_type: int
    timeout_ms: int
    client_id: str = "metaquorum-admin"
    request_timeout_ms: int = 30_000
    open: Callable[..., Connection] = Connection.open
    now: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    _failures: dict[str, str] = field(factory=dict, init=False)
    _no_leaders: set[str] = field(factory=set, init=False)
    _refused: set[HostPort] = field(factory=set, init=False)
    _hinted: set[HostPort] = field(factory=set, init=False)

    def put(self, ask: Callable[[Connection], T], nobody_did: str) -> T:
        """What ``ask`` returns at the server where it does not raise Elsewhere.

        OperatorError: "nobody <nobody_did>", and what each server said; NobodyLeads where one
        of them said last that it does not lead; CertificateRefused where a certificate is not
        good at all of them, or at the leader. A connection that fails after a change was sent
        proves nothing; callers whose question changes something let ``ask`` raise OperatorError
        for that.
        """
        deadline = self.now() + self.timeout_ms / 1000
        places = list(self.bootstrap)
        at = 0
        while True:
            place = places[at % len(places)]
            try:
                with self._connect(place, deadline) as connection:
                    self._refused.discard(place)
                    return ask(connection)
            except CertificateRefused as error:
                self._failures[str(place)] = str(error)
                self._no_leaders.discard(str(place))
                self._refused.add(place)
                if self._refused.issuperset(places):
                    raise CertificateRefused(self._said()) from None
            except Elsewhere as elsewhere:
                self._failures[str(place)] = str(elsewhere)
                self._no_leaders.add(str(place))
                hint = elsewhere.hint
                if hint is not None:
                    self._hinted.add(hint)
                if hint is not None and hint not in places:
                    places.insert(at % len(places) + 1, hint)
                elif hint is not None and hint != place:
                    at = places.index(hint) - 1
            except (ConnectionFailed, PeerError) as error:
                self._failures[str(place)] = str(error)
                self._no_leaders.discard(str(place))
            except VersionsDoNotMeet as error:
                raise OperatorError(str(error)) from None
            at += 1
            if self.now() + RETRY_BACKOFF_MS / 1000 >= deadline:
                raise self._kind()(self._why(nobody_did))
            if at % len(places) == 0 or places[at % len(places)] == place:
                self.sleep(RETRY_BACKOFF_MS / 1000)

    def describe_cluster(self, connection: Connection) -> Any:
        """Nodes and controller as this server knows them; OperatorError when it is not one."""
        from metaquorum.wire.generated.describe_cluster_request import DescribeClusterRequest

        least = 0 if self.endpoint_type == BROKERS else 1
        version = connection.best_version(DESCRIBE_CLUSTER, least=least)
        request = DescribeClusterRequest(endpoint_type=self.endpoint_type)
        answer = connection.ask(DESCRIBE_CLUSTER, version, request)
        code = answer.error_code
        if code == error_codes.MISMATCHED_ENDPOINT_TYPE:
            flags = ("--bootstrap-server", "--bootstrap-controller")
            ours, theirs = flags if self.endpoint_type == BROKERS else flags[::-1]
            raise OperatorError(
                f"{connection.host}:{connection.port} is not for {ours}; use {theirs}"
            )
        if code != error_codes.NONE:
            raise OperatorError(
                f"{connection.host}:{connection.port}: {error_text(code, answer.error_message)}"
            )
        return answer

    def _connect(self, place: HostPort, deadline: float) -> Connection:
        left_ms = max(1, int((deadline - self.now()) * 1000))
        return self.open(
            place.host,
            place.port,
            client_id=self.client_id,
            connect_timeout_ms=min(left_ms, self.request_timeout_ms, CONNECT_TIMEOUT_MS),
            timeout_ms=min(left_ms, self.request_timeout_ms),
        )

    def _kind(self) -> type[OperatorError]:
        """A certificate that is not good matters unless another server says that nobody leads."""
        if self._refused & self._hinted or (self._refused and not self._no_leaders):
            return CertificateRefused
        return NobodyLeads if self._no_leaders else OperatorError

    def _why(self, nobody_did: str) -> str:
        return f"nobody {nobody_did} within {self.timeout_ms / 1000:g} s ({self._said()})"

    def _said(self) -> str:
        return "; ".join(
            why if why.startswith(place) else f"{place}: {why}"
            for place, why in self._failures.items()
        )


def error_text(code: int, message: str | None) -> str:
    """An error code by name, with the words that came with it."""
    name = error_codes.NAMES.get(code, f"error {code}")
    return f"{name}: {message}" if message else name


def controller_hint(cluster: Any, *also: int) -> HostPort | None:
    """Where a cluster says that its controller is, or a node of ``also``."""
    for row in cluster.brokers:
        if row.broker_id == cluster.controller_id or row.broker_id in also:
            return HostPort(row.host, row.port)
    return None
