"""The epoll host: what a request costs, what is watched, and who is cleared away."""

from __future__ import annotations

import socket
from contextlib import suppress

import pytest
import trio
import trio.testing

from metaquorum.base.limits import (
    LARGE_REQUEST_BYTES,
    LONG_TURN_MS,
    REQUESTS_PER_TURN,
    TAILERS_AT_ONCE,
)
from metaquorum.server.pipeline.pipeline import Pipeline
from metaquorum.server.sockets.connection_states import CLOSED
from metaquorum.server.sockets.epoll_host import EpollConnection
from metaquorum.server.sockets.fair_queue import SLOW_IN_A_ROW
from metaquorum.testing.fake_services import FakeFeatures
from metaquorum.testing.pipeline_client import decoded_answer
from metaquorum.wire.generated.alter_client_quotas_request import AlterClientQuotasRequest
from metaquorum.wire.generated.alter_client_quotas_response import AlterClientQuotasResponse
from metaquorum.wire.generated.api_versions_request import ApiVersionsRequest
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from metaquorum.wire.generated.sasl_authenticate_request import SaslAuthenticateRequest
from tests.unit.server.epoll_hosted import Hosted, asked, fetch, framed, hello

ROUNDS = 50


@pytest.fixture
async def hosted(nursery):
    return await Hosted(nursery).run(nursery)


class Spawned(trio.abc.Instrument):
    def __init__(self) -> None:
        self.count = 0

    def task_spawned(self, task) -> None:
        self.count += 1


async def test_a_request_costs_no_task_no_event_and_no_channel(hosted, monkeypatch):
    made = []
    for name in ("Event", "Lock", "Condition", "Semaphore", "CancelScope", "open_memory_channel"):
        kind = getattr(trio, name)
        monkeypatch.setattr(
            trio, name, lambda *rest, kind=kind, **more: made.append(kind) or kind(*rest, **more)
        )
    _, theirs = hosted.connect()
    questions = (hello(), framed(ListGroupsRequest(), 0), fetch())
    for question in questions[:2]:
        await asked(theirs, question)
    spawned = Spawned()
    trio.lowlevel.add_instrument(spawned)
    for _ in range(ROUNDS):
        for question in questions[:2]:
            assert await asked(theirs, question)
    assert await asked(theirs, questions[2]) == b""  # parked
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    await trio.testing.wait_all_tasks_blocked()
    assert theirs.recv(1 << 20)
    trio.lowlevel.remove_instrument(spawned)
    assert spawned.count == 0
    assert made == []


class CountingSocket:
    """A socket that remembers what it was told to send."""

    def __init__(self, sock: socket.socket) -> None:
        self._socket = sock
        self.sends: list[int] = []

    def __getattr__(self, name):
        return getattr(self._socket, name)

    def send(self, data) -> int:
        self.sends.append(self._socket.send(data))
        return self.sends[-1]

    def sendmsg(self, parts, *rest) -> int:
        self.sends.append(self._socket.sendmsg(parts, *rest))
        return self.sends[-1]


@pytest.mark.parametrize(
    "message,version", [(ApiVersionsRequest("a", "1"), 3), (ListGroupsRequest(), 5)]
)
async def test_what_is_pipelined_is_answered_in_one_send(hosted, message, version):
    member, theirs = hosted.connect()
    counting = CountingSocket(member._sender._socket)
    member._sender._socket = counting
    frames = [framed(message, version, number) for number in range(REQUESTS_PER_TURN)]
    received = await asked(theirs, *frames)
    assert counting.sends == [len(received)]
    key, order = int.from_bytes(frames[0][4:6], "big"), []
    while received:
        size = int.from_bytes(received[:4], "big") + 4
        order.append(decoded_answer(received[:size], key, version)[0])
        received = received[size:]
    assert order == list(range(REQUESTS_PER_TURN))


async def test_all_who_are_ready_together_are_served_in_one_pass(hosted):
    members = [hosted.connect()[1] for _ in range(40)]
    for theirs in members:
        theirs.send(hello())
    before = hosted.host.passes
    await trio.testing.wait_all_tasks_blocked()
    assert hosted.host.passes == before + 1
    assert all(theirs.recv(1 << 16) for theirs in members)


async def test_a_connection_with_a_waiting_request_is_not_polled_repeatedly(hosted):
    _, theirs = hosted.connect()
    await asked(theirs, fetch(), hello(8))
    theirs.send(hello(9))
    before = hosted.host.passes
    for _ in range(20):
        await trio.lowlevel.checkpoint()
    assert hosted.host.passes == before
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    await trio.testing.wait_all_tasks_blocked()
    assert theirs.recv(1 << 20)


async def test_a_disconnect_while_reads_are_paused_closes_the_connection(hosted):
    member, theirs = hosted.connect()
    await asked(theirs, fetch(), hello(8))
    theirs.close()
    await trio.testing.wait_all_tasks_blocked()
    assert member.connection.state is CLOSED
    assert hosted.services.watermark.statistics()["parked"] == 0


async def test_a_hang_up_is_told_once_and_takes_the_connection_with_it(hosted):
    member, theirs = hosted.connect()
    closed = []
    member.on_closed = lambda: closed.append(member)
    theirs.close()
    await trio.testing.wait_all_tasks_blocked()
    member.close()
    assert closed == [member]
    assert hosted.notes == []


async def test_a_slow_reader_has_the_rest_when_it_reads_and_holds_nobody_up(hosted):
    member, theirs = hosted.connect()
    _, other = hosted.connect()
    fill(member)
    theirs.send(framed(ListGroupsRequest(), 0))
    await trio.testing.wait_all_tasks_blocked()
    assert member._draining
    assert await asked(other, hello())
    while True:
        try:
            theirs.recv(1 << 20)
        except BlockingIOError:
            if not member._draining:
                break
        await trio.testing.wait_all_tasks_blocked()
    assert member._sender.is_empty


def fill(member) -> int:
    """Leave no room in the socket, so that an answer has to wait; how many bytes that took."""
    filled = 0
    try:
        while True:
            filled += member._socket.send(bytes(65_536))
    except BlockingIOError:
        return filled


async def test_a_large_request_is_read_in_turns_of_its_own(hosted):
    member, theirs = hosted.connect()
    large = framed(SaslAuthenticateRequest(bytes(20 * LARGE_REQUEST_BYTES)), 2)
    sent, answer = 0, b""
    while not answer:
        with suppress(BlockingIOError):
            sent += theirs.send(large[sent : sent + 65_536]) if sent < len(large) else 0
        answer = await asked(theirs, b"")
    assert decoded_answer(answer, 36, 2)[1].error_code == 34
    assert hosted.shared.fair_queue.taken > 1
    assert member.connection.state is not CLOSED
    assert hosted.budget.taken_bytes == 0


async def test_a_small_request_of_a_slow_api_waits_for_its_turn(hosted, monkeypatch):
    _, theirs = hosted.connect()
    serve = Pipeline.serve

    def slowly(self, *rest):
        hosted.services.clock.now += LONG_TURN_MS
        return serve(self, *rest)

    monkeypatch.setattr(Pipeline, "serve", slowly)
    for _ in range(SLOW_IN_A_ROW):
        assert await asked(theirs, framed(ListGroupsRequest(), 0))
    assert hosted.shared.fair_queue.taken == 0
    _, other = hosted.connect()
    assert await asked(other, framed(ListGroupsRequest(), 0))
    assert hosted.shared.fair_queue.taken == 1


async def test_work_started_by_a_controller_fetch_does_not_mark_it_slow(hosted, monkeypatch):
    member, theirs = hosted.connect()
    serve = Pipeline.serve

    def slowly(self, *rest):
        hosted.services.clock.now += LONG_TURN_MS
        return serve(self, *rest)

    monkeypatch.setattr(Pipeline, "serve", slowly)
    for _ in range(2 * SLOW_IN_A_ROW):
        assert await asked(theirs, fetch(max_wait_ms=0))
    assert (hosted.shared.fair_queue.taken, member._long_turns) == (0, 0)


async def test_an_invalid_frame_closes_its_connection_with_a_log_line(hosted):
    member, theirs = hosted.connect()
    await asked(theirs, (-5).to_bytes(4, "big", signed=True) + bytes(8))
    assert member.connection.state is CLOSED
    assert len(hosted.notes) == 1 and "a frame of -5 bytes" in hosted.notes[0]


async def test_a_repeated_request_is_answered_anew_after_features_change(hosted):
    _, theirs = hosted.connect()
    first = decoded_answer(await asked(theirs, hello(1)), 18, 3)
    assert decoded_answer(await asked(theirs, hello(2)), 18, 3) == (2, first[1])
    hosted.services.features = FakeFeatures(finalized_epoch=12)
    third = decoded_answer(await asked(theirs, hello(3)), 18, 3)
    assert third[0] == 3
    assert third[1].finalized_features_epoch == 12
    assert hosted.shared.pipeline.served("ApiVersions") == 3


async def test_requests_behind_a_late_response_are_served_without_queueing(hosted):
    _, theirs = hosted.connect()
    assert await asked(theirs, fetch(), hello(8)) == b""
    before = hosted.shared.fair_queue.taken
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    await trio.testing.wait_all_tasks_blocked()
    received = theirs.recv(1 << 20)
    size = int.from_bytes(received[:4], "big") + 4
    assert int.from_bytes(received[size + 4 : size + 8], "big") == 8
    assert hosted.shared.fair_queue.taken == before


@pytest.mark.parametrize("is_full", [False, True], ids=["with room", "without"])
async def test_a_late_answer_leaves_whole_and_once(hosted, is_full):
    member, theirs = hosted.connect()
    assert await asked(theirs, framed(AlterClientQuotasRequest(), 1)) == b""
    filled = fill(member) if is_full else 0
    hosted.services.answers[-1].complete(AlterClientQuotasResponse())
    assert member._draining == is_full
    received = b""
    while piece := await asked(theirs):
        received += piece
    correlation, answer = decoded_answer(received[filled:], 49, 1)
    assert (correlation, answer.entries) == (7, [])
    assert hosted.budget.taken_bytes == 0
    assert await asked(theirs, hello(8))


async def test_pipelined_commands_run_together_and_answer_in_one_send(hosted):
    member, theirs = hosted.connect()
    member._sender._socket = counting = CountingSocket(member._socket)
    commands = [framed(AlterClientQuotasRequest(), 1, number) for number in (1, 2, 3)]
    assert await asked(theirs, *commands, hello(4)) == b""
    assert len(hosted.services.answers) == 3
    for later in reversed(hosted.services.answers):
        assert counting.sends == []
        later.complete(AlterClientQuotasResponse())
    received = await asked(theirs)
    found = []
    while received:
        size = 4 + int.from_bytes(received[:4], "big")
        found.append(int.from_bytes(received[4:8], "big"))
        received = received[size:]
    assert found == [1, 2, 3, 4]
    assert len(counting.sends) == 2
    assert hosted.budget.taken_bytes == 0


async def tail(hosted, count: int):
    """So many whose fetch came again and waits: the members and the other ends."""
    pairs = [hosted.connect() for _ in range(count)]
    for _, theirs in pairs:
        answer = await asked(theirs, fetch(offset=7, session=(0, 0)))
        session_id = int.from_bytes(answer[15:19], "big")
        assert await asked(theirs, fetch(offset=7, session=(session_id, 1)))
        assert not await asked(theirs, fetch(session=(session_id, 2)))
    return pairs


def note_served(monkeypatch, services) -> list[object]:
    """Who is served, and when the disk is told to begin."""
    served: list[object] = []
    on_ready, flush_batch = EpollConnection.on_ready, type(services).flush_batch

    def noted(self, flags, now):
        served.append(self)
        return on_ready(self, flags, now)

    def told(self):
        served.append("disk")
        return flush_batch(self)

    monkeypatch.setattr(EpollConnection, "on_ready", noted)
    monkeypatch.setattr(type(services), "flush_batch", told)
    return served


async def test_tailing_fetches_run_a_few_at_a_time_after_the_disk_starts(hosted, monkeypatch):
    tailers = await tail(hosted, TAILERS_AT_ONCE + 4)
    assert all(member.is_tailer for member, _ in tailers)
    other, to_other = hosted.connect()
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    served = note_served(monkeypatch, hosted.services)
    for _, theirs in tailers:
        assert theirs.recv(1 << 20)
        theirs.send(fetch())
    to_other.send(framed(ListGroupsRequest(), 0))
    await trio.testing.wait_all_tasks_blocked()
    members = [member for member, _ in tailers]
    assert served == [
        *(other, "disk", *members[:TAILERS_AT_ONCE]),
        *("disk", *members[TAILERS_AT_ONCE:]),
    ]


async def test_who_has_a_vote_is_not_one_of_the_tailers(hosted, monkeypatch):
    hosted.services.voters = (1, 2)
    (first, to_first), (second, _) = await tail(hosted, 2)
    hosted.host.watched.remove_tailer(first)
    hosted.host.watched.tails(first, 2)
    assert (first.is_tailer, second.is_tailer) == (False, True)
    hosted.host.watched.tails(first, 3)
    assert first.is_tailer
    hosted.services.voters = (1, 2, 3)
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    assert await asked(to_first, hello()) != b""
    assert (first.is_tailer, second.is_tailer) == (False, False)


async def test_who_asks_for_something_else_leaves_the_tailers(hosted):
    ((member, theirs),) = await tail(hosted, 1)
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    assert theirs.recv(1 << 20)
    assert await asked(theirs, hello()) != b""
    assert not member.is_tailer
    assert await asked(theirs, hello()) != b""


async def test_one_of_the_tailers_that_hangs_up_is_cleared_away(hosted):
    (member, theirs), (other, to_other) = await tail(hosted, 2)
    theirs.close()
    await trio.testing.wait_all_tasks_blocked()
    assert member.connection.state is CLOSED
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    await trio.testing.wait_all_tasks_blocked()
    assert to_other.recv(1 << 20)
    assert other.connection.state is not CLOSED


def twice(event: str):
    """A host's call that puts ``event`` to its connection once more than its state has it."""
    return {
        "answer": lambda member: (member.connection.answered_at_rest(0), member._deliver([b"no"])),
        "answer with a pause": lambda member: (
            member.connection.answered_at_rest(0),
            member._deliver([b"no"], 100),
        ),
        "resume": lambda member: member._go_on(),
    }[event]


@pytest.mark.parametrize("event", ["answer", "answer with a pause", "resume"])
async def test_an_illegal_event_closes_its_own_connection_alone(hosted, event):
    (member, theirs), (_, other) = hosted.connect(), hosted.connect()
    for one in (theirs, other):
        assert await asked(one, fetch()) == b""  # parked
    twice(event)(member)
    assert member.connection.state is CLOSED
    assert theirs.recv(100) == b""
    hosted.services.log.append([(None, b"eight")])
    hosted.services.commit()
    await trio.testing.wait_all_tasks_blocked()
    assert other.recv(1 << 20)
    assert await asked(other, hello())
    assert hosted.client.pipeline.failures.count == 1
    assert len(hosted.notes) == 1 and "connection" in hosted.notes[0]
