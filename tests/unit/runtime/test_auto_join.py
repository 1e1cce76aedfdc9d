"""The task that joins: what leaves on the wire, in which version, and what the log says."""

from __future__ import annotations

from typing import Any

import pytest
import trio
import trio.testing
from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.observe.events import EventLog
from metaquorum.quorum.auto_join import AutoJoin
from metaquorum.quorum.types import Endpoint, ReplicaKey, Voter
from metaquorum.quorum.voters import VoterHistory, VoterSet
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.loop.promise import Promise
from metaquorum.runtime.peers.auto_join import AutoJoinTask
from metaquorum.wire.generated import add_raft_voter_response, error_codes

PLACE = (Endpoint("CONTROLLER", "d", 9093),)
OURS, OLD = ReplicaKey(4, b"d" * 16), ReplicaKey(4, b"o" * 16)


@define
class Quorum:
    """A leader that says what it is told to, one answer for each request."""

    says: list[int]
    voters: tuple[ReplicaKey, ...] = ()
    asked: list[tuple[int, int, Any]] = field(factory=list)
    lines: list[str] = field(factory=list)

    def history(self) -> VoterHistory:
        members = VoterSet(tuple(Voter(key, PLACE, 0, 1) for key in self.voters))
        return VoterHistory(None, ((3, members),), ((2, 1),))

    def send(self, api_key: int, version: int, request: Any, deadline_ms: int) -> Promise[Any]:
        self.asked.append((api_key, version, request))
        promise: Promise[Any] = Promise()
        code = self.says.pop(0)
        if code == error_codes.UNSUPPORTED_VERSION:
            promise.fail(RequestError(code, "only version 0 is served"))
        else:
            promise.complete(add_raft_voter_response.AddRaftVoterResponse(0, code, "words"))
        return promise

    async def lived(self, seconds: float) -> None:
        task = AutoJoinTask(
            auto_join=AutoJoin(OURS, PLACE, 2_000),
            clock=TrioClock(),
            log=EventLog(self.lines.append, TrioClock().wall_ms),
            voters=self.history,
            leader=lambda: LeaderAndEpoch(1, 7),
            send=self.send,
            cluster_id="4L6g3nShT-eMCtK--X86sw",
            request_timeout_ms=2_000,
        )
        with trio.move_on_after(seconds):
            await task.run()


@pytest.fixture
def autojump_clock() -> trio.testing.MockClock:
    return trio.testing.MockClock(autojump_threshold=0)


async def test_it_is_added_with_an_early_answer(autojump_clock: Any) -> None:
    quorum = Quorum([error_codes.NONE])
    await quorum.lived(3)
    ((key, version, request),) = quorum.asked
    assert (key, version, request.ack_when_committed) == (80, 1, False)
    assert (request.voter_id, request.voter_directory_id) == (4, b"d" * 16)
    assert (request.cluster_id, request.timeout_ms) == ("4L6g3nShT-eMCtK--X86sw", 2_000)
    assert [(one.name, one.host, one.port) for one in request.listeners] == [
        ("CONTROLLER", "d", 9093)
    ]
    assert " auto-join-added leader=1" in quorum.lines[0]


async def test_an_older_leader_is_asked_in_its_version(autojump_clock: Any) -> None:
    quorum = Quorum([error_codes.UNSUPPORTED_VERSION, error_codes.NONE])
    await quorum.lived(3)
    assert [(key, version) for key, version, _ in quorum.asked] == [(80, 1), (80, 0)]
    assert quorum.asked[1][2].ack_when_committed


async def test_its_old_directory_is_removed(autojump_clock: Any) -> None:
    quorum = Quorum([error_codes.NONE], voters=(OLD,))
    await quorum.lived(3)
    ((key, version, request),) = quorum.asked
    assert (key, version, request.voter_id, request.voter_directory_id) == (81, 0, 4, b"o" * 16)
    assert " auto-join-removed-old-directory leader=1" in quorum.lines[0]


async def test_a_refusal_is_told_and_asked_again_a_period_later(autojump_clock: Any) -> None:
    quorum = Quorum([error_codes.REQUEST_TIMED_OUT, error_codes.NONE])
    await quorum.lived(5)
    assert len(quorum.asked) == 2
    assert "auto-join-refused error=REQUEST_TIMED_OUT why=words" in quorum.lines[0]
