"""Who is ready: the sockets of connections, by two epoll descriptors, one within the other.

The inner one has those who tail the log, of whom there may be hundreds that are ready at once
(``tailers``). The outer one tells only that some of them are, so everybody else is found at once.
"""

from __future__ import annotations

import select
from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

EVENT_IN: Final = getattr(select, "EPOLLIN", 1)


class Member(Protocol):
    """A connection whose socket is watched."""

    descriptor: int
    is_tailer: bool

    @property
    def watched(self) -> int:
        """The events of its socket that are waited for."""


M = TypeVar("M", bound=Member)


class ReadinessPoller(Generic[M]):
    """The members by descriptor; ``voter_ids`` tells who votes now, and so is no tailing reader."""

    __slots__ = ("_voter_ids", "_voters", "members", "poll", "tailers")

    def __init__(self, voter_ids: Callable[[], tuple[int, ...]]) -> None:
        self.poll = select.epoll()
        self.tailers = select.epoll()
        self.poll.register(self.tailers.fileno(), EVENT_IN)
        self.members: dict[int, M] = {}
        self._voter_ids = voter_ids
        self._voters: tuple[int, ...] = ()

    def add(self, member: M) -> None:
        """Watch one more."""
        self.members[member.descriptor] = member
        self.poll.register(member.descriptor, member.watched)

    def watch(self, member: M, events: int) -> None:
        """Wait for these events of its socket from now on, unless it was dropped."""
        if member.descriptor in self.members:
            self._poll_of(member).modify(member.descriptor, events)

    def drop(self, member: M) -> None:
        """Wait for nothing of its socket any more; asking twice changes nothing."""
        if self.members.pop(member.descriptor, None) is not None:
            self._poll_of(member).unregister(member.descriptor)

    def tails(self, member: M, replica_id: int) -> None:
        """It waits for the log to grow: unless it is a voter, it is one of the tailing readers."""
        if replica_id not in self._voters:
            self._move(member, add_tailer=True)

    def remove_tailer(self, member: M) -> None:
        """It asks for something else."""
        self._move(member, add_tailer=False)

    def drop_new_voters(self) -> None:
        """Where others vote than before, everybody leaves the tailing readers: who tails the log
        comes back when it waits again, and who was made a voter does not.
        """
        voters = self._voter_ids()
        if voters != self._voters:
            self._voters = voters
            for member in self.members.values():
                if member.is_tailer:
                    self.remove_tailer(member)

    def close(self) -> None:
        """Drop everybody, and give the descriptors back."""
        for member in list(self.members.values()):
            self.drop(member)
        self.tailers.close()
        self.poll.close()

    def _poll_of(self, member: M) -> select.epoll:
        return self.tailers if member.is_tailer else self.poll

    def _move(self, member: M, *, add_tailer: bool) -> None:
        if member.descriptor in self.members:
            self._poll_of(member).unregister(member.descriptor)
            member.is_tailer = add_tailer
            self._poll_of(member).register(member.descriptor, member.watched)
