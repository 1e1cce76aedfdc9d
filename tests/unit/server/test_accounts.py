"""Whose bytes a connection's requests are: before authentication, of clients, and of voters."""

from __future__ import annotations

from metaquorum.base.limits import MEDIUM_REQUEST_BYTES, STALLED_FRAME_MS, STALLED_LARGE_FRAME_MS
from metaquorum.server.access.sasl_session import ANONYMOUS
from metaquorum.server.sockets.accounts import RequestBudgets
from metaquorum.server.sockets.connection import Connection
from metaquorum.server.sockets.connection_limits import ConnectionLimits

LIMITS = ConnectionLimits(commands=frozenset({49}))
LIMIT_BYTES = 4_000_000
QUARTER_BYTES = LIMIT_BYTES // 4


class Peer:
    """A connection with its holder, and why it was closed."""

    def __init__(self, budgets: RequestBudgets, place: str, *, proven: bool = True) -> None:
        self.holder = budgets.holder(place, is_authenticated=proven)
        self.connection = Connection(LIMITS, self.holder.account, 0)
        self.holder.connection = self.connection
        self.closed_for: list[str] = []
        self.connection.host = self

    def close(self, why: str) -> None:
        self.closed_for.append(why)
        self.connection.close()
        self.holder.closed()

    def unread_bytes(self) -> int:
        return 0

    def is_held_back(self) -> bool:
        return False

    def receives(self, data: bytes, now: int = 0) -> None:
        self.connection.bytes_received(data, now)
        self.connection.settle(now)


def half(size: int = 1_000_000, held: int = 400_000, key: int = 18) -> bytes:
    """The beginning of a frame."""
    return size.to_bytes(4, "big") + key.to_bytes(2, "big") + bytes(held - 6)


def whole(size: int, key: int = 18) -> bytes:
    return size.to_bytes(4, "big") + key.to_bytes(2, "big") + bytes(size - 2)


def make_room(budgets: RequestBudgets, now: int) -> None:
    for budget in budgets.all():
        budget.make_room_for_waiting(now)


def test_one_address_holds_no_more_than_a_quarter():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, "10.0.0.1") for _ in range(8)]
    for peer in peers:
        if peer.connection.wants_bytes:
            peer.receives(half())
    for _ in range(3):
        for peer in peers:
            if peer.connection.wants_bytes:
                peer.receives(bytes(100_000))
    held = budgets.clients.taken_bytes
    assert held <= 8 * 400_000 + 600_000  # each had begun, one may go on
    assert sum(peer.connection.wants_bytes for peer in peers) == 1
    other = Peer(budgets, "10.0.0.2")
    other.receives(half())
    assert other.connection.wants_bytes


def test_one_user_holds_no_more_than_a_quarter_from_many_addresses():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, f"10.0.0.{n}", proven=False) for n in range(4)]
    for peer in peers:
        peer.holder.is_client("User:alice")
        peer.receives(half())
    assert sum(peer.connection.wants_bytes for peer in peers) == 1
    bob = Peer(budgets, "10.0.0.9", proven=False)
    bob.holder.is_client("User:bob")
    bob.receives(half())
    assert bob.connection.wants_bytes


def test_anonymous_clients_of_many_addresses_are_not_one_user():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, f"10.0.0.{n}") for n in range(6)]
    for peer in peers:
        peer.receives(half())
    assert all(peer.connection.wants_bytes for peer in peers)


def test_before_authentication_nothing_is_taken_of_the_clients_budget():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peer = Peer(budgets, "10.0.0.1", proven=False)
    peer.receives(half())
    assert (budgets.clients.taken_bytes, budgets.unauthenticated.taken_bytes) == (0, 400_000)
    peer.holder.is_client(ANONYMOUS)
    assert (budgets.clients.taken_bytes, budgets.unauthenticated.taken_bytes) == (400_000, 0)
    peer.close("")
    assert budgets.clients.taken_bytes == 0


def test_a_voters_requests_are_its_own_whatever_clients_hold():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    for n in range(12):
        Peer(budgets, f"10.0.0.{n}").receives(half())
    assert budgets.clients.is_spent
    voter = Peer(budgets, "10.0.0.1")
    voter.holder.is_voter()
    voter.receives(whole(200_000, key=1))
    assert voter.connection.next_request() is not None
    voter.connection.settle(0)
    assert budgets.voters.taken_bytes == 8 * 200_000


def test_who_has_left_a_request_unfinished_makes_way_for_a_small_one():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, "10.0.0.1") for _ in range(4)]
    for peer in peers:
        peer.receives(half())
    polite = Peer(budgets, "10.0.0.1")
    polite.receives(whole(28_000)[:4_000], STALLED_FRAME_MS - 1)
    assert not any(peer.closed_for for peer in peers)
    polite.receives(b"", STALLED_FRAME_MS)
    assert [bool(peer.closed_for) for peer in peers] == [True, True, False, False]
    assert "makes way for another" in peers[0].closed_for[0]
    assert polite.connection.wants_bytes


def test_who_gets_on_with_a_large_request_does_not_make_way():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    stalled, busy = Peer(budgets, "10.0.0.1"), Peer(budgets, "10.0.0.1")
    busy.receives(half(1_040_000, 900_000))
    stalled.receives(half())
    busy.receives(bytes(100_000), STALLED_FRAME_MS)
    Peer(budgets, "10.0.0.1").receives(whole(28_000)[:4_000], STALLED_FRAME_MS)
    assert stalled.closed_for and not busy.closed_for


def test_a_stalled_request_is_closed_to_admit_a_waiting_large_one():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, "10.0.0.1") for _ in range(4)]
    for peer in peers:
        peer.receives(half())
    assert peers[0].connection.wants_bytes  # it may overdraw
    large = Peer(budgets, "10.0.0.1")
    large.receives(half(), 10)
    resumed: list[bool] = []
    assert not large.connection.wants_bytes
    large.connection.when_budget_allows(lambda: resumed.append(True))
    make_room(budgets, STALLED_LARGE_FRAME_MS - 1)
    assert not resumed and not any(peer.closed_for for peer in peers)
    make_room(budgets, STALLED_LARGE_FRAME_MS)
    assert resumed
    assert any(peer.closed_for for peer in peers) and not large.closed_for


def test_an_exhausted_budget_serves_medium_queries_but_not_commands():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    for _ in range(3):
        Peer(budgets, "10.0.0.1").receives(half())
    first = Peer(budgets, "10.0.0.1")
    first.receives(half())
    assert first.connection.wants_bytes  # it may overdraw
    question, command = Peer(budgets, "10.0.0.1"), Peer(budgets, "10.0.0.1")
    question.receives(whole(MEDIUM_REQUEST_BYTES))
    command.receives(whole(MEDIUM_REQUEST_BYTES, key=49))
    assert question.connection.has_request
    assert not command.connection.has_request


def test_an_address_without_connections_is_forgotten():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    peers = [Peer(budgets, f"10.0.{n}.1", proven=n % 2 > 0) for n in range(50)]
    assert len(budgets._addresses) + len(budgets._strangers) == 50
    for peer in peers:
        peer.close("")
    assert len(budgets._addresses) == len(budgets._strangers) == 0


def test_waits_for_an_address_share_and_for_the_total_do_not_deadlock():
    budgets = RequestBudgets.of(LIMIT_BYTES)
    for n in range(5):
        for _ in range(3):
            Peer(budgets, f"10.0.0.{n}").receives(half())
    one, other = Peer(budgets, "10.0.0.0"), Peer(budgets, "10.0.0.9")
    one.receives(half())
    other.receives(half())
    assert other.connection.wants_bytes  # it has the whole, its own share is not spent
    assert not one.connection.wants_bytes
    other.close("")
    assert one.connection.wants_bytes
