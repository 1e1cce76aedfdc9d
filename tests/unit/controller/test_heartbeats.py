"""Heartbeats of brokers: Kafka's states, what they write, and what silence does."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.clock import NEVER
from metaquorum.wire.generated import error_codes
from tests.unit.controller.brokers_of_host import (
    BROKER,
    answer,
    bootstrap,
    broker,
    code_of,
    directory,
    heartbeat,
    registered,
    settle,
    unfenced,
)

SESSION_MS = 9_000


def changes(host: Any) -> list[tuple[int, int]]:
    """Broker and change of fencing of each BrokerRegistrationChange."""
    return [
        (one.message.broker_id, one.message.fenced)
        for _, _, records in host.log
        for one in records
        if one.type == 17
    ]


def test_broker_is_unfenced_once_it_has_its_own_registration(host: Any) -> None:
    epoch = registered(host)
    at = broker(host).registered_offset
    early = answer(host, heartbeat(epoch, current_metadata_offset=at - 1))
    assert (early.is_caught_up, early.is_fenced) == (False, True)
    waiting = answer(host, heartbeat(epoch, current_metadata_offset=at, want_fence=True))
    assert (waiting.is_caught_up, waiting.is_fenced) == (True, True)
    served = answer(host, heartbeat(epoch, current_metadata_offset=at))
    assert (served.is_caught_up, served.is_fenced, served.should_shut_down) == (True, False, False)
    assert not broker(host).fenced
    assert changes(host) == [(BROKER, -1)]


def test_silence_is_told_since_the_last_heartbeat_even_a_late_one(host: Any) -> None:
    epoch = unfenced(host)
    host.now += 70
    assert host.core.silences_ms(host.now) == {BROKER: 70}
    host.ask(heartbeat(epoch), deadline_ms=host.now)
    assert host.core.silences_ms(host.now + 5) == {BROKER: 5}
    assert host.core.operations.heartbeats_timed_out == 1
    host.follow()
    assert host.core.silences_ms(host.now) == {}


def test_second_fencing_does_not_raise_the_bar_for_unfencing(host: Any) -> None:
    epoch = unfenced(host)
    at = broker(host).registered_offset
    answer(host, heartbeat(epoch, want_fence=True))
    assert broker(host).fenced and broker(host).registered_offset == at
    assert not answer(host, heartbeat(epoch, current_metadata_offset=at)).is_fenced


@pytest.mark.parametrize(("want_shut_down", "fenced"), [(False, True), (True, True)])
def test_broker_that_wants_to_be_fenced_is(host: Any, want_shut_down: bool, fenced: bool) -> None:
    epoch = unfenced(host)
    reply = answer(host, heartbeat(epoch, want_fence=True, want_shut_down=want_shut_down))
    assert (reply.is_fenced, reply.should_shut_down) == (fenced, want_shut_down)
    assert broker(host).fenced


def test_broker_that_leads_nothing_shuts_down_at_once(host: Any) -> None:
    epoch = unfenced(host)
    reply = answer(host, heartbeat(epoch, want_shut_down=True))
    assert (reply.is_fenced, reply.should_shut_down) == (True, True)
    written = host.end
    again = answer(host, heartbeat(epoch, want_shut_down=True))
    assert again.should_shut_down
    assert host.end == written, "it is fenced already"


def test_stale_epoch_and_unknown_broker_are_refused(host: Any) -> None:
    epoch = unfenced(host)
    for stale in (heartbeat(epoch - 1), heartbeat(epoch, 101)):
        assert code_of(answer(host, stale)) == error_codes.STALE_BROKER_EPOCH


def test_silent_broker_is_fenced_after_its_session(host: Any) -> None:
    epoch = unfenced(host)
    host.wait(SESSION_MS)
    assert changes(host) == [(BROKER, -1)]
    host.wait(1)
    settle(host)
    assert changes(host) == [(BROKER, -1), (BROKER, 1)]
    host.wait(3 * SESSION_MS)
    assert len(changes(host)) == 2, "it is fenced once"
    assert host.core.deadline == NEVER, "and has no session any more"
    assert not answer(host, heartbeat(epoch)).is_fenced, "it may come back"


def test_heartbeats_in_time_keep_a_broker_in_service(host: Any) -> None:
    epoch = unfenced(host)
    for _ in range(20):
        host.wait(SESSION_MS)
        answer(host, heartbeat(epoch))
    assert changes(host) == [(BROKER, -1)]


def test_late_heartbeat_is_contact_and_changes_nothing(host: Any) -> None:
    epoch = unfenced(host)
    host.wait(SESSION_MS)
    reply = answer(host, heartbeat(epoch, want_fence=True), deadline_ms=host.now)
    assert code_of(reply) == error_codes.REQUEST_TIMED_OUT
    host.wait(SESSION_MS)
    assert changes(host) == [(BROKER, -1)]


def test_brokers_that_expire_together_are_fenced_oldest_first(host: Any) -> None:
    epochs = [unfenced(host, one) for one in (101, 102, 103)]
    host.wait(1)
    answer(host, heartbeat(epochs[0], 101))
    host.wait(2 * SESSION_MS)
    settle(host)
    assert changes(host)[3:] == [(102, 1), (103, 1), (101, 1)]


def test_refused_fencing_is_tried_again_a_session_later(host: Any) -> None:
    unfenced(host)
    host.refuse_with = error_codes.THROTTLING_QUOTA_EXCEEDED
    host.wait(SESSION_MS + 1)
    assert not broker(host).fenced
    host.refuse_with = None
    host.wait(SESSION_MS + 1)
    settle(host)
    assert broker(host).fenced


def test_answer_without_records_waits_only_for_its_own_broker(host: Any) -> None:
    epoch = unfenced(host)
    other = registered(host, 101)
    host.ask(heartbeat(other, 101))  # its unfencing is not committed
    calm = host.ask(heartbeat(epoch))
    assert host.replies[calm].error_code == error_codes.NONE
    waits = host.ask(heartbeat(other, 101))
    assert waits not in host.replies
    settle(host)
    assert not host.replies[waits].is_fenced


def test_cordoned_directories_are_written_when_they_change(host: Any) -> None:
    epoch = unfenced(host)
    answer(host, heartbeat(epoch, cordoned_log_dirs=[]))
    assert broker(host).cordoned_log_dirs == ()
    written = host.end
    answer(host, heartbeat(epoch, cordoned_log_dirs=[]))
    answer(host, heartbeat(epoch))
    assert host.end == written
    answer(host, heartbeat(epoch, cordoned_log_dirs=[directory(9)]))
    assert broker(host).cordoned_log_dirs == (directory(9),)
    assert [one.version for _, _, records in host.log[-1:] for one in records] == [3]


def test_cordoned_directories_are_not_written_below_4_3(make_host: Callable[..., Any]) -> None:
    host = make_host(bootstrap(29), max_idle_interval_ms=0)
    host.lead()
    host.commit()
    epoch = unfenced(host)
    written = host.end
    answer(host, heartbeat(epoch, cordoned_log_dirs=[]))
    assert host.end == written


def test_offline_directory_leaves_the_registration(host: Any) -> None:
    epoch = unfenced(host, log_dirs=[directory(1), directory(2)])
    answer(host, heartbeat(epoch, offline_log_dirs=[directory(1), directory(3)]))
    assert broker(host).log_dirs == (directory(2),)
    written = host.end
    answer(host, heartbeat(epoch, offline_log_dirs=[directory(1)]))
    assert host.end == written, "it is known to be offline"
    answer(host, heartbeat(epoch, offline_log_dirs=[directory(1), directory(2)]))
    assert broker(host).log_dirs == (directory(2),), "that none is left cannot be written"
