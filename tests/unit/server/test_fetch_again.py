"""A fetch that comes again goes a shorter way, and hears what it would have on the long one."""

from __future__ import annotations

import random
import socket

import pytest
import trio

from metaquorum.base.ids import METADATA_TOPIC, METADATA_TOPIC_ID
from metaquorum.base.limits import LAST_FETCH_TRIES, WAITERS_AT_ONCE
from metaquorum.base.offsets import LeaderAndEpoch
from metaquorum.runtime.driver.driver import Driver
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.last_request import NOT_SOUGHT, LastFetch
from metaquorum.server.contract.request import Origin
from metaquorum.server.contract.shared_fetches import SharedFetch, SharedFetches
from metaquorum.server.pipeline.sender import Sender
from metaquorum.server.sockets.epoll_host import EpollHost
from metaquorum.testing.fake_services import FakeServices, services_with_eight_records
from metaquorum.testing.pipeline_client import (
    Exchange,
    PipelineClient,
    decoded_answer,
    joined,
    request_frame,
)
from metaquorum.wire.generated.fetch_request import (
    FetchPartition,
    FetchRequest,
    FetchTopic,
    ReplicaState,
)
from tests.unit.node.whole_node import config_of, format_directory, running

UNKNOWN = (1 << 63) - 1
VERSIONS = (7, 11, 12, 13, 18)
WITHOUT_SESSION = 3  # one of the consumers; the others have one
NONE_WANTED = (0, -1)


def only_the_long_way() -> LastFetch:
    """Of a connection that was given up as one that never asks the same again."""
    return LastFetch(tries=LAST_FETCH_TRIES + 1)


def asked(version: int, offset: int, session: tuple[int, int], **fields: int) -> FetchRequest:
    row = FetchPartition(0, fetch_offset=offset, partition_max_bytes=1 << 20, **fields)
    topic = FetchTopic(METADATA_TOPIC, partitions=[row])
    if version >= 13:
        topic = FetchTopic(topic_id=METADATA_TOPIC_ID, partitions=[row])
    return FetchRequest(
        max_wait_ms=500,
        min_bytes=1,
        max_bytes=1 << 20,
        session_id=session[0],
        session_epoch=session[1],
        topics=[topic],
    )


class NothingShared(SharedFetches):
    """Everybody is planned for anew."""

    def find(self, moment, asked, plan):
        return SharedFetch(plan())


class World:
    """A node and a few consumers at it, each on a connection of its own; the long way shares
    nothing either. With ``beside`` their sessions have a topic that is not here as well."""

    def __init__(
        self, version: int, consumers: int, *, long_way: bool, beside: bool = False
    ) -> None:
        self.version = version
        self.beside = beside
        self.services: FakeServices = services_with_eight_records()
        if long_way:
            self.services.shared_fetches = NothingShared()
        self.client = PipelineClient(self.services)
        served = self.client.origin.listener
        self.origins = [
            Origin(served, "peer", last_fetch=only_the_long_way() if long_way else LastFetch())
            for _ in range(consumers)
        ]
        self.sent: list[Exchange] = []
        self.session_ids = [self._opened(one) for one in range(consumers)]

    def reopen(self, consumer: int) -> None:
        """A client whose session is gone asks for another."""
        self.services.leading = LeaderAndEpoch(1, self.services.leading.epoch)
        self.services.quotas.clear()
        self.session_ids[consumer] = self._opened(consumer)

    def _opened(self, consumer: int) -> int:
        at = self.services.log.high_watermark
        opened = self.send(consumer, at, (0, 0), wait_ms=0, beside=self.beside)
        session_id: int = opened.response.session_id
        assert session_id
        return session_id

    def send(
        self,
        consumer: int,
        offset: int,
        session: tuple[int, int],
        wait_ms: int = 500,
        beside: bool = False,
        **row: int,
    ) -> Exchange:
        self.client.origin = self.origins[consumer]
        request = asked(self.version, offset, session, **row)
        if beside:
            absent = FetchTopic("absent", partitions=[FetchPartition(0)])
            if self.version >= 13:
                absent = FetchTopic(topic_id=bytes(15) + b"\x07", partitions=[FetchPartition(0)])
            request.topics = [absent, *request.topics]
        request.max_wait_ms = wait_ms
        self.sent.append(self.client.send(request, self.version))
        return self.sent[-1]

    def answers(self) -> list[tuple[bytes, int] | None]:
        return [None if one.delivered is None else (one.raw, one.pause_ms) for one in self.sent]

    def sessions(self) -> list[object]:
        found = [self.services.sessions.find(one) for one in self.session_ids]
        return [
            one
            and (
                one.epoch,
                one.used_at_ms,
                [(p.high_watermark, p.log_start_offset, p.wanted) for p in one.partitions],
            )
            for one in found
        ]

    def went_shorter(self, consumer: int) -> bool:
        return self.origins[consumer].last_fetch.way not in (None, NOT_SOUGHT)


def change(world: World, chance: random.Random) -> None:
    """One thing that happens, drawn from the chance."""
    services = world.services
    kind = chance.randrange(12)
    if kind < 4:
        services.log.append([(None, bytes(chance.randrange(60)))], epoch=services.leading.epoch)
        if chance.randrange(4):
            services.commit()
    elif kind < 6:
        services.clock.now += chance.choice((1, 20, 500))
        services.watermark.expire(services.clock.now)
    elif kind == 6:
        epoch = services.leading.epoch + chance.randrange(2)
        services.leading = LeaderAndEpoch(chance.choice((1, 1, 2, None)), epoch)
    elif kind == 7:
        services.quotas.clear()
        name = chance.choice((None, "consumer_byte_rate", "request_percentage"))
        if name is not None:
            services.quotas[(("user", "ANONYMOUS"),)] = {name: chance.choice((0.001, 5.0, 1e9))}
    elif kind == 8:
        services.log.start_offset = min(services.log.start_offset + 1, services.log.high_watermark)
    elif kind == 9 and chance.randrange(4) == 0:
        services.sessions.close(chance.choice(world.session_ids), "asked for")


@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("seed", range(12))
def test_consumers_hear_the_same_on_both_ways(version: int, seed: int) -> None:
    beside = seed % 3 == 2
    worlds = [World(version, 4, long_way=long_way, beside=beside) for long_way in (False, True)]
    for world in worlds:
        world.client.pipeline.work_ns = lambda: 0
    chance = random.Random(seed)
    epochs, waiting, shorter = [1] * 4, [-1] * 4, [0] * 4
    for _ in range(250):
        consumer, noise = chance.randrange(4), chance.randrange(1 << 30)
        if waiting[consumer] >= 0 and worlds[0].sent[waiting[consumer]].delivered is None:
            for world in worlds:
                change(world, random.Random(noise))
        else:
            log = worlds[0].services.log
            offset = chance.choice((log.high_watermark, log.high_watermark, log.end_offset, 8, 99))
            epoch = epochs[consumer] + (chance.randrange(20) == 0)
            wait_ms = chance.choice((500, 500, 500, 0))
            named = {}
            if version >= 18 and chance.randrange(8) == 0:
                named["high_watermark"] = log.high_watermark
            if chance.randrange(10) == 0:
                named["current_leader_epoch"] = 3
            waiting[consumer] = len(worlds[0].sent)
            for world in worlds:
                session = world.session_ids[consumer], epoch
                if consumer == WITHOUT_SESSION:
                    session = NONE_WANTED
                world.send(consumer, offset, session, wait_ms, **named)
            told = worlds[0].sessions()[consumer]
            if told is None:
                for world in worlds:
                    world.reopen(consumer)
            epochs[consumer] = told[0] if told else 1
            shorter[consumer] += worlds[0].went_shorter(consumer)
        assert worlds[0].answers() == worlds[1].answers()
        assert worlds[0].sessions() == worlds[1].sessions()
        assert (
            worlds[0].services.watermark.statistics() == worlds[1].services.watermark.statistics()
        )
    assert all(shorter) and not any(map(worlds[1].went_shorter, range(4)))


def test_tailers_of_consumers_waits_for_its_turn_on_both_ways() -> None:
    count = WAITERS_AT_ONCE + 20
    told = []
    for long_way in (False, True):
        world = World(13, count, long_way=long_way)
        for round_ in range(1, 5):
            at = world.services.log.high_watermark
            for consumer in range(count):
                world.send(consumer, at, (world.session_ids[consumer], round_))
            world.services.log.append([(None, b"more")])
            world.services.commit()
            told.append(sum(one is not None for one in world.answers()))
            world.services.clock.now += 100
            world.services.watermark.expire(world.services.clock.now)
            told.append(sum(one is not None for one in world.answers()))
        assert all(world.went_shorter(one) is not long_way for one in range(count))
    assert told[: len(told) // 2] == told[len(told) // 2 :]


class Replica:
    """An observer of a whole node that asks on the short way, and its twin on the long one."""

    def __init__(self, run) -> None:
        self.pipeline, self.clock = run.server.pipeline, run.node.driver.clock
        listener = next(one for one, _ in run.server._bound if one.is_controller)
        self.origins = [
            Origin(listener, "peer", last_fetch=one) for one in (LastFetch(), only_the_long_way())
        ]

    async def ask(self, request: FetchRequest, version: int) -> list[object]:
        """What both of them hear."""
        heard: list[object] = []
        parked: list[Promise[object]] = []
        both_heard = trio.Event()
        for origin in self.origins:
            frame = request_frame(request, version)

            def deliver(parts, pause_ms=0):
                heard.append((decoded_answer(joined(parts), 1, version), pause_ms))
                if len(heard) == len(self.origins):
                    both_heard.set()

            promise = self.pipeline.serve(frame, origin, self.clock.now_ms(), deliver)
            parked += [] if promise is None else [promise]
        assert len(parked) in (0, 2)
        with trio.fail_after(10):
            await both_heard.wait()
        return heard


@pytest.mark.parametrize("steps", (False, True), ids=("looks", "steps the core"))
@pytest.mark.parametrize("version", (13, 15, 17, 18))
async def test_replicas_hear_the_same_on_both_ways(
    tmp_path, monkeypatch, version: int, steps: bool
) -> None:
    if steps:  # as each fetch of a voter does
        monkeypatch.setattr(Driver, "look", lambda *ignored: None)
    format_directory(tmp_path)
    # A record that a leader writes by the clock may come between the two.
    config = config_of(tmp_path, metadata_max_idle_interval_ms="0")
    async with running(config) as run:
        replica = Replica(run)
        epoch = run.node.driver.leader.epoch
        for number in range(30):
            log = run.node.driver.replica.log
            known = log.high_watermark if number % 3 else -1
            offset = (log.end, log.high_watermark, 0, log.end + 3, 2)[number % 5]
            request = asked(
                version, offset, (0, -1), current_leader_epoch=epoch, last_fetched_epoch=epoch
            )
            if version >= 15:
                request.replica_state = ReplicaState(1_001, -1)
            else:
                request.replica_id = 1_001
            if version >= 18:
                request.topics[0].partitions[0].high_watermark = UNKNOWN if number == 7 else known
            request.max_wait_ms = 20
            first, second = await replica.ask(request, version)
            assert first == second, request
            if number % 4 == 0:
                await run.alter_quota("somebody", float(number))
        ways = [one.last_fetch.way for one in replica.origins]
        assert ways[0] not in (None, NOT_SOUGHT) and ways[1] is NOT_SOUGHT


async def test_what_a_socket_does_not_take_at_once_leaves_in_order(tmp_path, monkeypatch) -> None:
    add, took_all = EpollHost.add, []

    def add_narrow(self, sock, *more):
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4_096)
        return add(self, sock, *more)

    def send_bytes(self, data: bytes) -> bool:
        took_all.append(plainly(self, data))
        return took_all[-1]

    plainly = Sender.send_bytes
    monkeypatch.setattr(EpollHost, "add", add_narrow)
    monkeypatch.setattr(Sender, "send_bytes", send_bytes)
    format_directory(tmp_path)
    async with running(config_of(tmp_path)) as run:
        for number in range(60):
            await run.alter_quota(f"{number}" * 100, 1.0)
        epoch, port = run.node.driver.leader.epoch, run.server.ports["CONTROLLER"]

        def heard() -> list[int]:
            """The correlation ids of answers to fetches two of which are always on their way."""
            with socket.socket() as peer:
                peer.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
                peer.connect(("127.0.0.1", port))
                for correlation in range(12):
                    request = asked(
                        17, 2, (0, -1), current_leader_epoch=epoch, last_fetched_epoch=epoch
                    )
                    request.replica_state = ReplicaState(1_001, -1)
                    frame = request_frame(request, 17, correlation=correlation)
                    peer.sendall(len(frame).to_bytes(4, "big") + frame)
                    if correlation % 2:
                        ids.extend(received(peer) for _ in range(2))
            return ids

        ids: list[int] = []
        assert await trio.to_thread.run_sync(heard) == list(range(12))
    assert not all(took_all)


def received(peer: socket.socket) -> int:
    """The correlation id of one answer, read in small pieces."""
    data = b""
    while len(data) < 4 or len(data) < int.from_bytes(data[:4], "big") + 4:
        most = 4 - len(data) if len(data) < 4 else int.from_bytes(data[:4], "big") + 4 - len(data)
        data += peer.recv(min(most, 1_000))
    return decoded_answer(data, 1, 17)[0]
