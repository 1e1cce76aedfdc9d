"""A request as a handler sees it: the message, who asked, where and when."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final, Generic, Protocol, TypeAlias, TypeVar

from attrs import define, field, frozen

from metaquorum.base.clock import Millis
from metaquorum.server.access.sasl_session import ANONYMOUS
from metaquorum.server.contract.envelopes import Outcome
from metaquorum.server.contract.last_request import FetchAnswer, LastFetch, LastHeader
from metaquorum.server.contract.standing import Standing

if TYPE_CHECKING:
    from metaquorum.metadata.acl_codes import Operation, ResourceType
    from metaquorum.server.access.sasl_session import SaslSession
    from metaquorum.server.access.tls_session import TlsSession
    from metaquorum.server.contract.api_row import ApiRow
    from metaquorum.wire.generated.fetch_request import FetchRequest
    from metaquorum.wire.headers import RequestHeader

M = TypeVar("M", covariant=True)

Again: TypeAlias = "Callable[[Request[FetchRequest]], FetchAnswer | None]"
"""Answers a fetch that differs from the one before in a few numbers; None if it cannot."""


@frozen
class ServedListener:
    """A listener as the pipeline knows it: its name, its kinds, and the APIs that it offers.

    ``is_broker`` and ``is_controller`` say which of Kafka's two kinds of listener it stands for;
    the only listener of a node stands for both.
    """

    name: str
    is_broker: bool
    is_controller: bool
    api_rows: Mapping[int, ApiRow]

    @property
    def is_for_clients(self) -> bool:
        """Whether no controller is ever spoken to here: who asks need not know who leads."""
        return self.is_broker and not self.is_controller


@frozen
class Origin:
    """Where the requests of one connection come from."""

    listener: ServedListener
    peer: str
    host: str = ""
    """The address as access rules name it."""
    sasl: SaslSession | None = None
    """Who it is by its own proof; None on a listener where nobody proves anything so."""
    tls: TlsSession | None = None
    """Who it is by its certificate, if it has one; None on a listener without TLS."""
    forwarded_for: str | None = None
    """Whose request another node hands on; None where the peer asks for itself."""
    forwarded_by_token: bool = False
    """Whether that one had proved itself by a delegation token."""
    outcome: Outcome = field(factory=Outcome, eq=False, repr=False)
    last_fetch: LastFetch[Again] = field(factory=LastFetch, eq=False, repr=False)
    last_header: LastHeader = field(factory=LastHeader, eq=False, repr=False)
    standing: Standing = field(factory=Standing, eq=False, repr=False)

    @property
    def principal(self) -> str:
        """Whose requests these are."""
        if self.forwarded_for is not None:
            return self.forwarded_for
        if self.sasl is not None:
            return self.sasl.principal
        return ANONYMOUS if self.tls is None else self.tls.principal

    @property
    def is_by_token(self) -> bool:
        """Whether a delegation token proved whose requests these are."""
        if self.forwarded_for is not None:
            return self.forwarded_by_token
        return self.sasl is not None and self.sasl.is_by_token

    @property
    def is_proven(self) -> bool:
        """Whether anything proved it: to this node, or to the one that hands the request on."""
        if self.forwarded_for is not None or self.sasl is not None:
            return True
        return self.tls is not None and self.tls.principal != ANONYMOUS


class Rights(Protocol):
    """What the client may do; see ``server.rights``."""

    @property
    def are_guarded(self) -> bool:
        """Whether access rules mean anything."""

    def may(
        self, operation: Operation, resource_type: ResourceType, name: str, *, noted: bool = True
    ) -> bool:
        """Whether they may; a refusal is logged and counted if it is to be ``noted``.

        RequestError while that cannot be known.
        """


class _All:
    """The rights of everybody where nobody is refused anything."""

    are_guarded = False

    def may(
        self, operation: Operation, resource_type: ResourceType, name: str, *, noted: bool = True
    ) -> bool:
        """Yes."""
        return True


ALL_RIGHTS: Final = _All()


@define
class Request(Generic[M]):
    """One request, decoded; the right that its API needs as a whole was there."""

    header: RequestHeader
    message: M
    origin: Origin
    received_at_ms: Millis
    rights: Rights = ALL_RIGHTS

    @property
    def version(self) -> int:
        """The API version that the request was written in, which its answer is written in too."""
        return self.header.api_version
