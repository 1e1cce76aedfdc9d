"""Who may connect: how many in all, on a listener and from an address, and how many a second."""

from __future__ import annotations

import socket
from collections import Counter
from collections.abc import Callable, Iterable
from typing import Final

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.limits import MAX_CONNECTIONS_PER_ADDRESS, MAX_CONNECTIONS_PER_LISTENER
from metaquorum.config.node_config import NodeConfig
from metaquorum.server.access.rates import Rate
from metaquorum.server.contract.request import ServedListener
from metaquorum.server.sockets.descriptors import Descriptors

_MAPPED: Final = "::ffff:"  # how an IPv4 address looks on a socket that serves both


def plain_address(place: str) -> str:
    """An address as everybody writes it."""
    return place.removeprefix(_MAPPED)


def _none() -> int:
    """Of a server that holds nobody back."""
    return 0


@define(eq=False)
class Admission:
    """Counts connections, and says which limit one more would break.

    Clients that use up a limit of the whole node must not keep its voters out: where there are
    several listeners, ``at_most`` and ``a_second`` do not bind a controller's. What the operator
    says of one listener by its name, ``of_listener`` and ``a_second_of_listener``, always binds it.
    """

    at_most: int
    per_address: int
    a_second: int
    overrides: dict[str, int] = field(factory=dict)
    per_listener: int = MAX_CONNECTIONS_PER_LISTENER
    of_listener: dict[str, int] = field(factory=dict)
    a_second_of_listener: dict[str, int] = field(factory=dict)
    descriptors: Descriptors = field(factory=Descriptors)
    held_back: Callable[[], int] = _none
    paused_ms: Millis = 0
    _connections: int = 0
    _by_listener: Counter[str] = field(factory=Counter)
    _by_address: Counter[str] = field(factory=Counter)
    _created: Rate = field(factory=Rate)
    _created_on: dict[str, Rate] = field(factory=dict)

    @classmethod
    def of(
        cls,
        config: NodeConfig,
        descriptors: Descriptors | None = None,
        held_back: Callable[[], int] = _none,
    ) -> Admission:
        """As the operator wants it, within our own limits."""
        most = MAX_CONNECTIONS_PER_ADDRESS
        return cls(
            at_most=config.max_connections,
            per_address=min(config.max_connections_per_ip, most),
            a_second=config.max_connection_creation_rate,
            overrides={
                address: min(count, most)
                for address, count in addressed(config.max_connections_per_ip_overrides)
            },
            of_listener=dict(config.listener_max_connections),
            a_second_of_listener=dict(config.listener_connection_rates),
            descriptors=Descriptors() if descriptors is None else descriptors,
            held_back=held_back,
        )

    def refusal(self, listener: ServedListener, place: str, *, is_alone: bool) -> str | None:
        """Which limit one more connection would break, or None."""
        if self._connections >= self.at_most and not self._is_exempt(listener, is_alone):
            return f"max.connections is {self.at_most}"
        per_address = self.overrides.get(place, self.per_address)
        if self._by_address[place] >= per_address:
            return f"{per_address} of one address are allowed"
        named = self.of_listener.get(listener.name)
        if named is not None and self._by_listener[listener.name] >= named:
            return f"{_key(listener.name, 'max.connections')} is {named}"
        if self._by_listener[listener.name] >= self.per_listener:
            return f"{self.per_listener} of one listener are allowed"
        if not listener.is_controller and self.clients_hold_all:
            return self.why_no_descriptor(self.descriptors.client_connections)
        return None

    @property
    def open_sockets(self) -> int:
        """Connections that are open, those that nobody serves included."""
        return self._connections + self.held_back()

    @property
    def clients_hold_all(self) -> bool:
        """Whether only the part of the descriptors is left that is kept for voters."""
        return self.open_sockets >= self.descriptors.client_connections

    @property
    def excess(self) -> int:
        """How many more connections there are than there may be with one more; at least 0."""
        return max(0, self.open_sockets + 1 - self.descriptors.connections)

    def why_no_descriptor(self, most: int) -> str:
        """What the line about a connection says that gets no descriptor."""
        return f"the limit of open files ({self.descriptors.shares.limit}) leaves {most} for these"

    def pause(self, listener: ServedListener, now: Millis, *, is_alone: bool) -> tuple[Millis, str]:
        """For how long a listener is to take no connection as too many came of late, and why."""
        pause_ms, why = 0, ""
        if not self._is_exempt(listener, is_alone):
            pause_ms = self._created.excess_ms(self.a_second, now)
            why = f"max.connection.creation.rate is {self.a_second}"
        named, created = self.a_second_of_listener.get(listener.name), self._on(listener.name)
        if named is not None and (longer_ms := created.excess_ms(named, now)) > pause_ms:
            why = f"{_key(listener.name, 'max.connection.creation.rate')} is {named}"
            return longer_ms, why
        return pause_ms, why

    def knocked(self, listener: str, now: Millis) -> None:
        """A connection came, whether or not it may stay."""
        self._created.record(1, now)
        if listener in self.a_second_of_listener:
            self._on(listener).record(1, now)

    def _on(self, listener: str) -> Rate:
        return self._created_on.setdefault(listener, Rate())

    def came(self, listener: str, place: str) -> None:
        """A connection is open."""
        self._connections += 1
        self._by_listener[listener] += 1
        self._by_address[place] += 1

    def left(self, listener: str, place: str) -> None:
        """It is closed."""
        self._connections -= 1
        self._by_listener[listener] -= 1
        self._by_address[place] -= 1
        if not self._by_address[place]:
            del self._by_address[place]

    def on(self, listener: str) -> int:
        """How many connections are open on a listener."""
        return self._by_listener[listener]

    def by_listener(self) -> dict[str, int]:
        """The same of all that have had one."""
        return dict(self._by_listener)

    def _is_exempt(self, listener: ServedListener, is_alone: bool) -> bool:
        return listener.is_controller and not is_alone


def _key(listener: str, name: str) -> str:
    return f"listener.name.{listener.lower()}.{name}"


def addressed(overrides: Iterable[tuple[str, int]]) -> Iterable[tuple[str, int]]:
    """Hosts as addresses, the first that a name has; one that has none counts for nobody."""
    for host, count in overrides:
        try:
            found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
        except OSError:
            continue
        yield plain_address(str(found[0][4][0])), count
