"""What the epoll host serves together: who comes first, and whom it waits for without waiting."""

from __future__ import annotations

import os

import pytest
import trio
import trio.testing

from metaquorum.base.limits import (
    EMPTY_POLLS,
)
from metaquorum.server.sockets.epoll_host import EpollConnection
from metaquorum.wire.generated.list_groups_request import ListGroupsRequest
from tests.unit.server.epoll_hosted import Hosted, asked, fetch, framed, hello


@pytest.fixture
async def hosted(nursery):
    return await Hosted(nursery).run(nursery)


async def test_those_who_are_ready_together_are_batched_and_let_go(hosted, monkeypatch):
    told: list[str] = []
    services = type(hosted.services)
    monkeypatch.setattr(services, "begin_batch", lambda self: told.append("gather"))
    monkeypatch.setattr(services, "flush_batch", lambda self: told.append("tell") or False)
    for _ in range(3):
        hosted.connect()[1].send(hello())
    await trio.testing.wait_all_tasks_blocked()
    assert told == ["gather", "tell"]


async def test_anyone_who_copies_the_log_is_served_before_all_others(hosted, monkeypatch):
    *others, (replica, to_replica) = (hosted.connect() for _ in range(3))
    await asked(to_replica, fetch(max_wait_ms=0))
    assert replica.copies_log
    served = []
    on_ready = EpollConnection.on_ready

    def noted(self, flags, now):
        served.append(self)
        return on_ready(self, flags, now)

    monkeypatch.setattr(EpollConnection, "on_ready", noted)
    for _, theirs in others:
        theirs.send(framed(ListGroupsRequest(), 0))
    to_replica.send(fetch(max_wait_ms=0))
    await trio.testing.wait_all_tasks_blocked()
    assert served == [replica, *(one for one, _ in others)]


@pytest.mark.parametrize("return_at", [0, EMPTY_POLLS - 1, EMPTY_POLLS])
async def test_those_who_return_at_once_are_batched_with_who_is_there(
    hosted, monkeypatch, return_at
):
    """One comes, and another while it is waited for, at the poll that is named."""
    told: list[str] = []
    services, awaited = type(hosted.services), [2]
    monkeypatch.setattr(services, "begin_batch", lambda self: told.append("gather"))
    monkeypatch.setattr(services, "flush_batch", lambda self: told.append("tell") or False)
    monkeypatch.setattr(services, "expects_more", property(lambda self: awaited[0] > 0))
    (_, first), (_, second) = hosted.connect(), hosted.connect()
    on_ready = EpollConnection.on_ready

    def noted(self, flags, now):
        told.append("served")
        awaited[0] -= 1
        return on_ready(self, flags, now)

    in_vain = []

    def given_away():
        in_vain.append(len(in_vain))
        if len(in_vain) == return_at:
            second.send(hello())

    monkeypatch.setattr(EpollConnection, "on_ready", noted)
    monkeypatch.setattr(os, "sched_yield", given_away)
    first.send(hello())
    if not return_at:
        second.send(hello())
    await trio.testing.wait_all_tasks_blocked()
    together = ["gather", "served", "served", "tell"]
    apart = ["gather", "served", "tell", "gather", "served", "tell"]
    assert told == (apart if return_at == EMPTY_POLLS else together)
    assert len(in_vain) == return_at
