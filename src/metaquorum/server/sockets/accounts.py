"""Whose bytes a connection's requests are: three budgets, and a share of each address and user.

Before it has authenticated a connection draws on a small budget. Then it draws on that of clients,
or, once it has spoken as a voter, on that of voters, which no client can spend. Of the first two no
address holds more than a quarter, and of the second no user either, so that nobody alone keeps the
others waiting. Everybody on a listener without authentication is the same anonymous user, which
therefore has no share of its own. See docs/decisions/196.
"""

from __future__ import annotations

from typing import Final

from attrs import define, field

from metaquorum.base.limits import (
    MAX_REQUEST_BYTES_IN_FLIGHT,
    MAX_UNAUTHENTICATED_BYTES,
    MAX_VOTER_REQUEST_BYTES,
    SHARES_OF_BUDGET,
)
from metaquorum.server.access.sasl_session import ANONYMOUS
from metaquorum.server.sockets.budget import Account, Budget, ByteBudget
from metaquorum.server.sockets.connection import Connection


@define(eq=False)
class Shares:
    """A budget and the part of it that each of many names holds; a name without connections is
    forgotten.
    """

    whole: ByteBudget
    of_whom: str
    _parts: dict[str, ByteBudget] = field(factory=dict)
    _connections: dict[str, int] = field(factory=dict)

    def enter(self, name: str) -> ByteBudget:
        """The part of that name, for one more connection."""
        part = self._parts.get(name)
        if part is None:
            limit = max(1, self.whole.limit_bytes // SHARES_OF_BUDGET)
            part = self._parts[name] = ByteBudget(limit, of_whom=self.of_whom)
        self._connections[name] = self._connections.get(name, 0) + 1
        return part

    def leave(self, name: str) -> None:
        """A connection of that name is gone, or is another's."""
        self._connections[name] -= 1
        if not self._connections[name]:
            del self._connections[name], self._parts[name]

    def all(self) -> list[ByteBudget]:
        """The part of each name."""
        return list(self._parts.values())

    def __len__(self) -> int:
        return len(self._parts)


ADDRESS: Final = "requests of this address"
USER: Final = "requests of this user"


@define(eq=False)
class RequestBudgets:
    """The budgets of one server. ``clients`` is what operators limit."""

    clients: ByteBudget
    unauthenticated: ByteBudget = field(
        factory=lambda: ByteBudget(
            MAX_UNAUTHENTICATED_BYTES, of_whom="requests before authentication"
        )
    )
    voters: ByteBudget = field(
        factory=lambda: ByteBudget(MAX_VOTER_REQUEST_BYTES, of_whom="requests of voters")
    )
    _addresses: Shares = field(init=False)
    _users: Shares = field(init=False)
    _strangers: Shares = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._addresses = Shares(self.clients, ADDRESS)
        self._users = Shares(self.clients, USER)
        self._strangers = Shares(self.unauthenticated, ADDRESS)

    @classmethod
    def of(cls, limit_bytes: int = MAX_REQUEST_BYTES_IN_FLIGHT) -> RequestBudgets:
        """With that limit for clients."""
        return cls(ByteBudget(limit_bytes))

    def holder(self, address: str, *, is_authenticated: bool) -> Holder:
        """For a new connection; one that has nothing to prove is a client from the start."""
        holder = Holder(self, address)
        if is_authenticated:
            holder.is_client(ANONYMOUS)
        else:
            holder.is_stranger()
        return holder

    def resume_whole(self) -> bool:
        """Let those read on whose requests have come whole while they waited; whether any wait."""
        return sum(one.resume_whole() for one in self.all()) > 0

    def all(self) -> list[ByteBudget]:
        """The three of them and the share of everybody."""
        shares = (*self._addresses.all(), *self._users.all(), *self._strangers.all())
        return [self.clients, self.unauthenticated, self.voters, *shares]

    def stranger(self, address: str) -> tuple[Account, list[tuple[Shares, str]]]:
        """Before authentication."""
        part = self._strangers.enter(address)
        return Account(part, self.unauthenticated), [(self._strangers, address)]

    def client(self, address: str, principal: str) -> tuple[Account, list[tuple[Shares, str]]]:
        """A client, with an address and, unless it is anonymous, a user."""
        parts, entered = [self._addresses.enter(address)], [(self._addresses, address)]
        if principal != ANONYMOUS:
            parts.append(self._users.enter(principal))
            entered.append((self._users, principal))
        return Account(*parts, self.clients), entered


@define(eq=False)
class Holder:
    """What one connection is charged to at the moment; ``connection`` moves along."""

    budgets: RequestBudgets
    address: str
    account: Budget = field(init=False)
    connection: Connection | None = None
    _entered: list[tuple[Shares, str]] = field(factory=list)
    _is_voter: bool = False

    def is_stranger(self) -> None:
        """It has yet to prove who it is."""
        self._move(*self.budgets.stranger(self.address))

    def is_client(self, principal: str) -> None:
        """It may ask now, as that user."""
        if not self._is_voter:
            self._move(*self.budgets.client(self.address, principal))

    def is_voter(self) -> None:
        """It has spoken as one."""
        self._is_voter = True
        self._move(self.budgets.voters, [])

    def closed(self) -> None:
        """The connection is; it has given back all that it held."""
        self.connection = None
        self._leave()

    def _move(self, account: Budget, entered: list[tuple[Shares, str]]) -> None:
        self.account = account
        if self.connection is not None:
            self.connection.charge_to(account)
        self._leave()
        self._entered = entered

    def _leave(self) -> None:
        entered, self._entered = self._entered, []
        for shares, name in entered:
            shares.leave(name)
