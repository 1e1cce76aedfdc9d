"""A link goes from state to state as its table says, and in no other way."""

from __future__ import annotations

import pytest
import trio
import trio.testing
from attrs import define, field

from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.peers.dial import Dial
from metaquorum.runtime.peers.peer_link import AT_REST, CONNECTING, IDLE, TRANSITIONS, PeerLink
from tests.unit.runtime.test_peer_link import (
    CLUSTER_ID,
    ELSEWHERE,
    VOTE,
    ScriptedPeer,
    linked,
    vote,
)

LEGAL = {(one.before, one.after) for one in TRANSITIONS}
STATES = sorted({state for pair in LEGAL for state in pair})


@define(eq=False)
class Recorded(PeerLink):
    """A link that keeps its transitions."""

    seen: list[tuple[str, str]] = field(factory=list)

    def _move(self, after: str) -> None:
        self.seen.append((self.state, after))
        super()._move(after)


def test_every_state_can_be_reached_and_left() -> None:
    assert {before for before, _ in LEGAL} == {after for _, after in LEGAL} == set(STATES)


@pytest.mark.parametrize("before", STATES)
@pytest.mark.parametrize("after", STATES)
def test_only_what_the_table_has_is_legal(before: str, after: str) -> None:
    link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", lambda event: None)
    assert link.state is IDLE
    link.state = before
    if (before, after) in LEGAL:
        link._move(after)
        assert link.state is after
    else:
        with pytest.raises(InvariantViolated):
            link._move(after)


async def until(link: PeerLink, *states: str) -> None:
    while link.state not in states:
        await trio.testing.wait_all_tasks_blocked(0.001)


async def test_every_transition_comes_about() -> None:
    actions = ["grant", "grant", "say nothing", "grant", "hang up", "grant", "say nothing", "grant"]
    script = iter(actions)
    peer, dial = ScriptedPeer(on_vote=lambda: next(script)), Dial()

    async def open_stream(host: str, port: int) -> trio.abc.Stream:
        if host == ELSEWHERE.host:
            await trio.sleep_forever()
        return await dial(host, port)

    async with linked(peer, Recorded, open_stream=open_stream) as (link, told, endpoint):
        assert isinstance(link, Recorded)
        link.prepare(ELSEWHERE)
        await until(link, CONNECTING)
        link.send(vote(endpoint, 1))  # to another address than the one that is connected to
        assert (await told.next()).correlation == 1
        await until(link, AT_REST)
        link.send(vote(endpoint, 2))
        assert (await told.next()).correlation == 2
        link.send(vote(endpoint, 3))  # is never answered
        link.send(vote(endpoint, 4))
        assert (await told.next()).correlation == 4
        await until(link, AT_REST)
        link.send(vote(endpoint, 5))  # the peer hangs up, and answers over the next connection
        assert (await told.next()).correlation == 5
        await until(link, AT_REST)
        for correlation in (6, 7):
            link.send(vote(None, correlation))
            assert (await told.next()).correlation == correlation
            await until(link, IDLE)
            if correlation == 6:
                link.prepare(endpoint)
                await until(link, AT_REST)
        link.send(vote(endpoint, 8))  # is carried by the task, and never answered
        while next(reversed(peer.seen))[0] != VOTE or peer.connections < 5:
            await trio.testing.wait_all_tasks_blocked(0.001)
        link.send(vote(endpoint, 9))
        assert (await told.next()).correlation == 9
    assert set(link.seen) == LEGAL
