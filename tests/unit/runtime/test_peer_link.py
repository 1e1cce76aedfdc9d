"""A link carries one request at a time and says what came of it, whatever the peer does."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
import trio
import trio.testing
from attrs import define, field

from metaquorum.base.offsets import OffsetAndEpoch
from metaquorum.quorum.effects import Send
from metaquorum.quorum.events import LeaderLost, RequestFailed, ResponseArrived
from metaquorum.quorum.messages import VoteRequest, VoteResponse
from metaquorum.quorum.types import Endpoint, Peer, ReplicaKey
from metaquorum.runtime.peers import peer_link
from metaquorum.runtime.peers.dial import Dial
from metaquorum.runtime.peers.leader_watch import AT_ONCE, LeaderWatch
from metaquorum.runtime.peers.peer_link import PeerLink
from metaquorum.runtime.peers.peer_links import PeerLinks
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import api_versions_response, error_codes, index, vote_response
from metaquorum.wire.headers import put_response_header, read_request_header
from metaquorum.wire.slices import Parts

CLUSTER_ID = "4L6g3nShT-eMCtK--X86sw"
VOTE = 52
API_VERSIONS = 18
ELSEWHERE = Endpoint("CONTROLLER", "elsewhere", 9093)


@define
class ScriptedPeer:
    """A controller that grants every vote, unless ``votes`` says to do something else."""

    votes: tuple[int, int] | None = (0, 2)
    api_versions: int = 4
    on_vote: Callable[[], str] = lambda: "grant"
    seen: list[tuple[int, int, Any]] = field(factory=list)
    connections: int = 0

    async def serve(self, stream: trio.abc.Stream) -> None:
        self.connections += 1
        reader = FrameReader(1 << 20)
        async with stream:
            while data := await stream.receive_some():
                for request in reader.feed(bytes(data)):
                    if not await self.answer(stream, request):
                        return

    async def answer(self, stream: trio.abc.Stream, request: memoryview) -> bool:
        header, at = read_request_header(request)
        key, version = header.api_key, header.api_version
        message = index.request_codec(key).decode(request, version, at)
        self.seen.append((key, version, message))
        response: Any
        if key == API_VERSIONS:
            rows = [api_versions_response.ApiVersion(API_VERSIONS, 0, self.api_versions)]
            if self.votes is not None:
                rows.append(api_versions_response.ApiVersion(VOTE, *self.votes))
            response = api_versions_response.ApiVersionsResponse(api_keys=rows)
            if version > self.api_versions:
                response.error_code, version = error_codes.UNSUPPORTED_VERSION, 0
        else:
            action = self.on_vote()
            if action == "hang up":
                return False
            if action == "say nothing":
                return True
            row = vote_response.PartitionData(
                partition_index=0, leader_id=-1, leader_epoch=7, vote_granted=True
            )
            topic = vote_response.TopicData(topic_name="__cluster_metadata", partitions=[row])
            response = vote_response.VoteResponse(topics=[topic])
        parts: Parts = []
        put_response_header(parts, key, version, header.correlation_id)
        index.response_codec(key).put(parts, response, version)
        await stream.send_all(b"".join(bytes(part) for part in frame(parts)))
        return True


@define
class Leaves(ScriptedPeer):
    """Hangs up on its first client when it is told to; those who come later may stay."""

    closing: trio.Event = field(factory=trio.Event)

    async def serve(self, stream: trio.abc.Stream) -> None:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(super().serve, stream)
            if self.connections == 0:
                await self.closing.wait()
                nursery.cancel_scope.cancel()


@define
class Reports:
    """What the link reported, and a way to wait for the next report."""

    events: list[Any] = field(factory=list)
    _news: trio.Event = field(factory=trio.Event)

    def __call__(self, event: Any) -> None:
        self.events.append(event)
        self._news.set()

    async def next(self) -> Any:
        with trio.fail_after(10):
            while not self.events:
                self._news = trio.Event()
                await self._news.wait()
        return self.events.pop(0)


@asynccontextmanager
async def linked(
    peer: ScriptedPeer, link_class: type[PeerLink] = PeerLink, **options: Any
) -> AsyncIterator[tuple[PeerLink, Reports, Endpoint]]:
    told = Reports()
    link = link_class(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, **options)
    async with trio.open_nursery() as nursery:
        listeners = await nursery.start(partial(trio.serve_tcp, peer.serve, 0, host="127.0.0.1"))
        port = listeners[0].socket.getsockname()[1]
        nursery.start_soon(link.run)
        yield link, told, Endpoint("CONTROLLER", "127.0.0.1", port)
        nursery.cancel_scope.cancel()


def vote(endpoint: Endpoint | None, correlation: int, *, pre_vote: bool = False) -> Send:
    message = VoteRequest(
        epoch=7,
        candidate=ReplicaKey(1, b"d" * 16),
        log_end=OffsetAndEpoch(6, 100),
        pre_vote=pre_vote,
        receiver=ReplicaKey(2, b"e" * 16),
    )
    return Send(0, Peer(2, endpoint), correlation, message)


async def test_an_answer_comes_back_with_the_number_it_was_asked_under():
    async with linked(ScriptedPeer()) as (link, told, endpoint):
        link.send(vote(endpoint, 41))
        event = await told.next()
    assert isinstance(event, ResponseArrived) and (event.peer_id, event.correlation) == (2, 41)
    assert isinstance(event.message, VoteResponse) and event.message.granted


async def test_versions_are_asked_once_and_the_connection_is_kept():
    peer = ScriptedPeer()
    async with linked(peer) as (link, told, endpoint):
        for correlation in (1, 2, 3):
            link.send(vote(endpoint, correlation))
            assert (await told.next()).correlation == correlation
    assert peer.connections == 1
    assert [key for key, _, _ in peer.seen] == [API_VERSIONS, VOTE, VOTE, VOTE]


async def test_the_highest_version_that_both_know_is_spoken():
    peer = ScriptedPeer(votes=(0, 1))
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        await told.next()
    assert peer.seen[-1][:2] == (VOTE, 1)


async def test_a_pre_vote_that_the_peer_cannot_read_is_never_sent():
    peer = ScriptedPeer(votes=(0, 1))
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1, pre_vote=True))
        event = await told.next()
    assert isinstance(event, RequestFailed) and event.unsupported
    assert VOTE not in [key for key, _, _ in peer.seen]


async def test_a_peer_that_serves_no_such_api_is_a_failure_that_names_it():
    async with linked(ScriptedPeer(votes=(5, 9))) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        event = await told.next()
    assert isinstance(event, RequestFailed) and "Vote" in event.why and not event.unsupported


async def test_a_request_on_a_closed_connection_is_resent_on_a_new_one():
    actions = iter(["grant", "hang up", "grant"])
    peer = ScriptedPeer(on_vote=lambda: next(actions))
    async with linked(peer) as (link, told, endpoint):
        for correlation in (1, 2):
            link.send(vote(endpoint, correlation))
            assert isinstance(await told.next(), ResponseArrived)
    assert peer.connections == 2 and not told.events


async def test_a_peer_that_always_closes_is_a_failure_after_few_connections():
    peer = ScriptedPeer(on_vote=lambda: "hang up")
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        event = await told.next()
    assert isinstance(event, RequestFailed) and "closed the connection" in event.why
    assert peer.connections == AT_ONCE + 1 and not told.events


@asynccontextmanager
async def dying(actions: list[str], **options: Any) -> AsyncIterator[tuple[PeerLink, Reports]]:
    """A link over streams in memory: one connection that serves, then what ``actions`` say."""
    peer, told, script = ScriptedPeer(), Reports(), iter(["serve", *actions])
    async with trio.open_nursery() as nursery:

        async def open_stream(host: str, port: int) -> trio.abc.Stream:
            match next(script):
                case "refuse":
                    raise ConnectionRefusedError("refused")
                case "nothing":
                    await trio.sleep_forever()
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(peer.serve, theirs)
            return ours

        link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, open_stream, **options)
        nursery.start_soon(link.run)
        link.send(vote(ELSEWHERE, 1))
        assert isinstance(await told.next(), ResponseArrived)
        peer.on_vote = lambda: "hang up"
        link.send(vote(ELSEWHERE, 2))
        yield link, told
        nursery.cancel_scope.cancel()


async def test_a_peer_that_closes_and_refuses_is_gone_and_fails_its_request():
    async with dying(["refuse"]) as (_, told):
        lost, failed = await told.next(), await told.next()
    assert isinstance(lost, LeaderLost) and lost.peer_id == 2 and "refused" in lost.why
    assert isinstance(failed, RequestFailed) and failed.correlation == 2


async def test_a_dying_peer_that_still_accepts_is_gone_once_it_refuses():
    async with dying(["accept", "accept", "refuse"]) as (_, told):
        assert isinstance(await told.next(), LeaderLost)


async def test_turned_off_the_request_fails_and_nothing_else_is_told():
    async with dying(["refuse"], watch=LeaderWatch(enabled=False)) as (_, told):
        assert isinstance(await told.next(), RequestFailed)
    assert not told.events


async def test_a_peer_that_closes_and_then_is_silent_is_not_gone(
    autojump_clock: trio.testing.MockClock,
):
    async with dying(["nothing", "refuse"]) as (link, told):
        assert isinstance(await told.next(), RequestFailed)
        link.send(vote(ELSEWHERE, 3))
        event = await told.next()
    assert isinstance(event, RequestFailed) and event.correlation == 3 and not told.events


async def test_an_address_that_failed_rests_longer_each_time(
    autojump_clock: trio.testing.MockClock,
):
    told, at = Reports(), []

    async def open_stream(host: str, port: int) -> trio.abc.Stream:
        at.append(round(trio.current_time() * 1_000))
        raise ConnectionRefusedError("refused")

    link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, open_stream)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        for correlation in range(7):
            link.send(vote(ELSEWHERE, correlation))
            assert isinstance(await told.next(), RequestFailed)
        nursery.cancel_scope.cancel()
    assert [later - earlier for earlier, later in pairwise(at)] == [50, 100, 200, 400, 500, 500]


async def test_a_voter_that_moved_is_reached_at_its_new_address_at_once():
    told, places, peer = Reports(), [], ScriptedPeer()
    async with trio.open_nursery() as nursery:

        async def open_stream(host: str, port: int) -> trio.abc.Stream:
            places.append((host, port))
            if port == ELSEWHERE.port:
                raise ConnectionRefusedError("refused")
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(peer.serve, theirs)
            return ours

        link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, open_stream)
        nursery.start_soon(link.run)
        link.send(vote(ELSEWHERE, 1))
        assert isinstance(await told.next(), RequestFailed)
        link.send(vote(Endpoint("CONTROLLER", "moved", 9094), 2))
        assert isinstance(await told.next(), ResponseArrived)
        nursery.cancel_scope.cancel()
    assert places == [("elsewhere", 9093), ("moved", 9094)]


async def test_a_bootstrap_name_is_connected_to_anew_for_each_question():
    told, peer = Reports(), ScriptedPeer()
    async with trio.open_nursery() as nursery:

        async def open_stream(host: str, port: int) -> trio.abc.Stream:
            ours, theirs = trio.testing.memory_stream_pair()
            nursery.start_soon(peer.serve, theirs)
            return ours

        link = PeerLink(-2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, open_stream)
        nursery.start_soon(link.run)
        for host, connections in (("quorum", 1), ("quorum", 2), ("10.0.0.1", 3), ("10.0.0.1", 3)):
            link.send(vote(Endpoint("CONTROLLER", host, 9093), connections))
            assert isinstance(await told.next(), ResponseArrived)
            assert peer.connections == connections
        nursery.cancel_scope.cancel()


async def test_a_prepared_connection_is_there_when_the_first_word_comes():
    peer = ScriptedPeer()
    async with linked(peer) as (link, told, endpoint):
        link.prepare(endpoint)
        while not peer.seen:
            await trio.lowlevel.checkpoint()
        assert [key for key, _, _ in peer.seen] == [API_VERSIONS]
        link.send(vote(endpoint, 1))
        assert isinstance(await told.next(), ResponseArrived)
    assert peer.connections == 1


async def test_a_preparation_that_fails_is_told_to_nobody():
    told = Reports()

    async def open_stream(host: str, port: int) -> trio.abc.Stream:
        raise OSError("no route")

    link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told, open_stream)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        await trio.testing.wait_all_tasks_blocked()
        link.prepare(ELSEWHERE)
        await trio.testing.wait_all_tasks_blocked()
        nursery.cancel_scope.cancel()
    assert not told.events and link.connects == 0


async def test_a_peer_of_older_api_versions_is_asked_in_a_version_it_knows():
    peer = ScriptedPeer(api_versions=2)
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        assert isinstance(await told.next(), ResponseArrived)
    assert [(key, version) for key, version, _ in peer.seen][:2] == [
        (API_VERSIONS, 3),
        (API_VERSIONS, 2),
    ]


async def test_a_peer_without_an_api_is_a_failure_that_names_it():
    async with linked(ScriptedPeer(votes=None)) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        event = await told.next()
    assert isinstance(event, RequestFailed) and "does not serve Vote" in event.why


async def test_a_request_replacing_a_silent_one_gets_its_own_connection():
    actions = iter(["say nothing", "grant"])
    peer = ScriptedPeer(on_vote=lambda: next(actions))
    async with linked(peer) as (link, told, endpoint):
        link.send(vote(endpoint, 1))
        while len(peer.seen) < 2:
            await trio.lowlevel.checkpoint()
        link.send(vote(endpoint, 2))
        event = await told.next()
    assert isinstance(event, ResponseArrived) and event.correlation == 2
    assert peer.connections == 2 and not told.events


async def test_nobody_at_the_address_and_no_address_are_failures():
    told = Reports()
    link = PeerLink(2, "raft-client-1", CLUSTER_ID, "CONTROLLER", told)
    listener = (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0]
    port = listener.socket.getsockname()[1]
    await listener.aclose()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(link.run)
        link.send(vote(Endpoint("CONTROLLER", "127.0.0.1", port), 1))
        assert isinstance(await told.next(), RequestFailed)
        link.send(vote(None, 2))
        assert "where node 2 listens" in (await told.next()).why
        nursery.cancel_scope.cancel()


async def test_every_peer_has_a_link_of_its_own():
    one, two = ScriptedPeer(), ScriptedPeer()
    told = Reports()
    links = PeerLinks(1, CLUSTER_ID, "CONTROLLER", told)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(links.run)
        for peer_id, peer in ((2, one), (3, two)):
            listeners = await nursery.start(
                partial(trio.serve_tcp, peer.serve, 0, host="127.0.0.1")
            )
            port = listeners[0].socket.getsockname()[1]
            request = vote(Endpoint("CONTROLLER", "127.0.0.1", port), peer_id)
            links.send(Send(0, Peer(peer_id, request.peer.endpoint), peer_id, request.message))
        answered = {(await told.next()).peer_id, (await told.next()).peer_id}
        nursery.cancel_scope.cancel()
    assert answered == {2, 3}
    assert links.statistics() == {"peers": 2, "connects": 2}


async def test_an_unreadable_response_fails_its_request_and_not_the_node(
    monkeypatch: pytest.MonkeyPatch,
):
    def fail(*_: Any) -> Any:
        raise LookupError("ours")

    async with linked(ScriptedPeer()) as (link, told, endpoint):
        with monkeypatch.context() as patch:
            patch.setattr(peer_link.adapt, "read_response", fail)
            link.send(vote(endpoint, 41))
            event = await told.next()
        assert isinstance(event, RequestFailed) and event.mistake
        assert "LookupError" in event.why
        link.send(vote(endpoint, 42))
        assert isinstance(await told.next(), ResponseArrived)


async def test_an_invalid_host_name_fails_its_request_and_not_the_node():
    async with linked(ScriptedPeer()) as (link, told, endpoint):
        link.open_stream = Dial()
        link.send(vote(Endpoint("CONTROLLER", "x" * 300, 9093), 41))
        assert isinstance(await told.next(), RequestFailed)
        link.send(vote(endpoint, 42))
        assert isinstance(await told.next(), ResponseArrived)
