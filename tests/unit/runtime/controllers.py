"""Controllers in memory that a forwarder takes requests to."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import trio
import trio.testing
from attrs import define, field

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.runtime.loop.clock import TrioClock
from metaquorum.runtime.loop.waiting import result_of
from metaquorum.runtime.peers.controller_connection import Place
from metaquorum.runtime.peers.forwarder import Forwarder
from metaquorum.wire.enveloping import Asker
from metaquorum.wire.frames import FrameReader, frame
from metaquorum.wire.generated import (
    alter_client_quotas_request,
    alter_client_quotas_response,
    api_versions_response,
    default_principal_data,
    describe_quorum_request,
    describe_quorum_response,
    envelope_response,
    error_codes,
    index,
    remove_raft_voter_request,
    remove_raft_voter_response,
)
from metaquorum.wire.generated.default_principal_data import DefaultPrincipalData
from metaquorum.wire.headers import put_response_header, read_request_header
from metaquorum.wire.slices import Parts

QUOTAS, DESCRIBE, ENVELOPE, REMOVE = 49, 55, 58, 81
A, B = ("a", 1), ("b", 2)
OK = error_codes.NONE


@define
class Leader:
    """A controller whose answers are codes from ``say``: a code, or "hang up", or "silence".

    An Envelope gets the code itself if that is NOT_CONTROLLER or INVALID_REQUEST, as with Kafka.

    While ``is_frozen`` it answers nothing at all; what came meanwhile it answers afterwards.
    It hangs up on so many reads in place of an answer.
    """

    say: Callable[[], int | str] = lambda: OK
    leads: Callable[[], bool] = lambda: True
    versions: tuple[int, int] = (0, 1)
    opens_envelopes: bool = True
    enveloped_for: list[DefaultPrincipalData] = field(factory=list)
    asked: list[tuple[int, str | None]] = field(factory=list)
    connections: int = 0
    hang_ups: int = 0
    is_frozen: bool = False
    hangs_up_on_reads: int = 0
    thawed: trio.Event = field(factory=trio.Event)

    def thaw(self) -> None:
        self.is_frozen = False
        self.thawed.set()

    async def serve(self, stream: Any) -> None:
        self.connections += 1
        reader = FrameReader(1 << 20)
        try:
            while data := await stream.receive_some():
                for request in reader.feed(bytes(data)):
                    if self.is_frozen:
                        await self.thawed.wait()
                    if not await self._answer(stream, request):
                        await stream.aclose()
                        return
        except trio.BrokenResourceError:
            pass
        self.hang_ups += 1

    async def _answer(self, stream: Any, request: memoryview) -> bool:
        header, _ = read_request_header(request)
        response: Any
        if header.api_key in (QUOTAS, REMOVE):
            said = self.say()
            self.asked.append((header.api_version, header.client_id))
            if said == "silence":
                return True
            if said == "hang up":
                return False
            response = answer_of(header.api_key, int(said))
        elif header.api_key == ENVELOPE:
            said = self.say()
            if said == "hang up":
                return False
            response = self._enveloped(request, int(said))
        elif header.api_key == DESCRIBE:
            if self.hangs_up_on_reads:
                self.hangs_up_on_reads -= 1
                return False
            code = OK if self.leads() else error_codes.NOT_LEADER_OR_FOLLOWER
            row = describe_quorum_response.PartitionData(0, code)
            topic = describe_quorum_response.TopicData("__cluster_metadata", [row])
            response = describe_quorum_response.DescribeQuorumResponse(OK, None, [topic])
        else:
            ranges = [(QUOTAS, self.versions), (DESCRIBE, (0, 2)), (REMOVE, (0, 0))]
            if self.opens_envelopes:
                ranges.append((ENVELOPE, (0, 0)))
            served = [api_versions_response.ApiVersion(key, *one) for key, one in ranges]
            response = api_versions_response.ApiVersionsResponse(api_keys=served)
        parts: Parts = []
        put_response_header(parts, header.api_key, header.api_version, header.correlation_id)
        index.response_codec(header.api_key).put(parts, response, header.api_version)
        await stream.send_all(b"".join(bytes(part) for part in frame(parts)))
        return True

    def _enveloped(self, request: memoryview, code: int) -> Any:
        header, at = read_request_header(request)
        outer: Any = index.request_codec(ENVELOPE).decode(bytes(request), header.api_version, at)
        inner, _ = read_request_header(bytes(outer.request_data))
        principal = bytes(outer.request_principal)
        self.enveloped_for.append(default_principal_data.decode(principal, 0, 2))
        self.asked.append((inner.api_version, inner.client_id))
        if code in (error_codes.NOT_CONTROLLER, error_codes.INVALID_REQUEST):
            return envelope_response.EnvelopeResponse(None, code)
        parts: Parts = []
        put_response_header(parts, inner.api_key, inner.api_version, inner.correlation_id)
        index.response_codec(inner.api_key).put(
            parts, answer_of(inner.api_key, code), inner.api_version
        )
        return envelope_response.EnvelopeResponse(b"".join(bytes(one) for one in parts), OK)


def answer_of(api_key: int, code: int) -> Any:
    if api_key == REMOVE:
        return remove_raft_voter_response.RemoveRaftVoterResponse(0, code, None)
    rows = [alter_client_quotas_response.EntryData(code, None, [])]
    return alter_client_quotas_response.AlterClientQuotasResponse(entries=rows)


@define
class Town:
    """Controllers by place, and who is thought to lead."""

    nursery: trio.Nursery
    leaders: dict[Place, Leader]
    place: Place | None = A
    epoch: int = 1
    here: Callable[[], Any] = lambda: None
    forwarder: Forwarder = field(init=False)

    async def open(self, host: str, port: int) -> trio.abc.Stream:
        leader = self.leaders.get((host, port))
        if leader is None:
            raise OSError("refused")
        ours, theirs = trio.testing.memory_stream_pair()
        self.nursery.start_soon(leader.serve, theirs)
        return ours

    def elect(self, leader_id: int | None, place: Place | None) -> None:
        """The forwarding node learns of the next epoch, and who leads it if anybody does."""
        self.epoch += 1
        self.place = place
        self.forwarder.leader_changed(LeaderAndEpoch(leader_id, self.epoch))

    async def ask(self, version: int = 1, wait_ms: int = 1_000, client: Asker | None = None) -> Any:
        """The code of the first entry's answer, or the RequestError that came instead."""
        request = alter_client_quotas_request.AlterClientQuotasRequest([], False)
        answer = await self._answer(QUOTAS, version, request, wait_ms, client)
        return answer if isinstance(answer, RequestError) else answer.entries[0].error_code

    async def describe(self, wait_ms: int = 1_000) -> Any:
        """The code of the answer to DescribeQuorum, or the RequestError that came instead."""
        request = describe_quorum_request.DescribeQuorumRequest([])
        answer = await self._answer(DESCRIBE, 0, request, wait_ms)
        if isinstance(answer, RequestError):
            return answer
        return answer.topics[0].partitions[0].error_code

    async def remove(self, wait_ms: int = 1_000) -> Any:
        """The code of the answer to a removal, or the RequestError that came instead."""
        request = remove_raft_voter_request.RemoveRaftVoterRequest(None, 3, bytes(range(16)))
        answer = await self._answer(REMOVE, 0, request, wait_ms)
        return answer if isinstance(answer, RequestError) else answer.error_code

    async def _answer(
        self,
        api_key: int,
        version: int,
        request: Any,
        wait_ms: int,
        client: Asker | None = None,
    ) -> Any:
        """What is promised for the request, or the RequestError that came instead."""
        promise = self.forwarder.forward(
            api_key,
            version,
            request,
            client_id="asker",
            deadline_ms=self.forwarder.clock.now_ms() + wait_ms,
            here=self.here,
            client=client,
        )
        try:
            return await result_of(promise)
        except RequestError as error:
            return error


@asynccontextmanager
async def town(**leaders: Leader) -> AsyncIterator[Town]:
    async with trio.open_nursery() as nursery:
        places = {
            (name, number): leader for number, (name, leader) in enumerate(leaders.items(), 1)
        }
        made = Town(nursery, places)
        made.forwarder = Forwarder("7", TrioClock(), lambda: made.place, made.open)
        made.forwarder.leader_changed(LeaderAndEpoch(1, made.epoch))
        nursery.start_soon(made.forwarder.run)
        yield made
        nursery.cancel_scope.cancel()


async def later(seconds: float, act: Callable[[], object]) -> None:
    await trio.sleep(seconds)
    act()
