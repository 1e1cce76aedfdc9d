"""A request that leaves the moment the disk has what it promises, said by the disk's own thread.

A follower's next fetch tells the leader that its disk has the last records, and the leader, its
client and everybody behind it wait for that word. Between the end of a sync and the word lay the
way back to the loop: a wake-up, a turn of the scheduler, a step. The word itself is known before
the sync begins, because the gate holds it; so the thread that syncs says it, and the loop hears of
both. See docs/decisions/169.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio
from attrs import define

from metaquorum.quorum.effects import Send
from metaquorum.quorum.gate import DurabilityGate
from metaquorum.quorum.types import Ticket
from metaquorum.runtime.peers.peer_connection import PeerConnection, Said

Say = Callable[[], None]
"""Says one word; called once, by any thread."""


class SaysEarly(Protocol):
    """The links to the peers, as far as they can be spoken for by another thread."""

    def early(self, request: Send) -> Say | None:
        """What says this request, None if only its link can."""


@define(eq=False)
class EarlyWord:
    """A request that was encoded for a connection; ``said`` is what came of it."""

    request: Send
    api_key: int
    version: int
    connection: PeerConnection
    data: bytes
    said: Said = Said.NOT
    awaited: trio.Event | None = None
    """Set when the driver releases the request: its answer is not to be heard before."""

    def say(self) -> None:
        """In any thread, at any time: also when the connection was closed meanwhile."""
        self.said = self.connection.say_encoded(self.data)

    def release(self) -> None:
        """The driver says the request now."""
        if self.awaited is not None:
            self.awaited.set()


def early_words(gate: DurabilityGate, links: SaysEarly) -> Callable[[Ticket], Say | None]:
    """What says the word that waits for a ticket, if it is the next of all that the gate holds.

    Nothing that waits behind it can overtake it, and nothing before it is overtaken.
    """

    def word_after(ticket: Ticket) -> Say | None:
        word = gate.first
        if not isinstance(word, Send) or word.after > ticket:
            return None
        return links.early(word)

    return word_after
