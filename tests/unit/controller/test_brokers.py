"""Registrations of brokers: Kafka's checks in their order, epochs, restarts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.metadata.tables.nodes import NodeEndpoint
from metaquorum.wire.generated import broker_registration_request as wire
from metaquorum.wire.generated import error_codes
from tests.unit.controller.brokers_of_host import (
    BROKER,
    FEATURES,
    LIFE,
    NEXT_LIFE,
    answer,
    bootstrap,
    broker,
    code_of,
    directory,
    heartbeat,
    registered,
    registration,
    unfenced,
    unregistration,
)

SESSION_MS = 9_000
WRONG_RANGE = [wire.Feature("metadata.version", 7, 29), *FEATURES[1:]]


def test_broker_is_registered_fenced_with_the_offset_as_epoch(host: Any) -> None:
    at = host.end
    asked = host.ask(registration())
    assert asked not in host.replies, "not committed yet"
    host.commit()
    reply = host.replies[asked]
    assert (reply.error_code, reply.broker_epoch) == (error_codes.NONE, at)
    found = broker(host)
    assert found.fenced and not found.in_controlled_shutdown
    assert (found.epoch, found.registered_offset, found.incarnation_id) == (at, at, LIFE)
    assert found.endpoints == (NodeEndpoint("PLAINTEXT", "a", 9092, 0),)
    assert found.log_dirs == (directory(BROKER),) and found.cordoned_log_dirs is None


@pytest.mark.parametrize(("level", "version"), [(7, 1), (8, 2), (16, 2), (17, 3), (29, 3), (30, 4)])
def test_record_version_follows_the_metadata_version(
    make_host: Callable[..., Any], level: int, version: int
) -> None:
    host = make_host(bootstrap(level), max_idle_interval_ms=0)
    host.lead()
    host.commit()
    registered(host, kraft_version=0)
    (record,) = host.log[-1][2]
    assert (record.type, record.version) == (0, version)
    assert bool(record.message.log_dirs) == (level >= 17)


INVALID = error_codes.INVALID_REGISTRATION
UNSUPPORTED = error_codes.UNSUPPORTED_VERSION
CHECKS: list[tuple[int, dict[str, Any]]] = [
    (error_codes.INCONSISTENT_CLUSTER_ID, {"cluster_id": "another"}),
    (error_codes.BROKER_ID_NOT_REGISTERED, {"is_migrating_zk_broker": True}),
    (INVALID, {"log_dirs": []}),
    (INVALID, {"log_dirs": [directory(1), directory(1)]}),
    (INVALID, {"log_dirs": [bytes(15) + b"\1"]}),
    (INVALID, {"log_dirs": [directory(50)]}),
    (INVALID, {"listeners": [wire.Listener("A", "a", 1, 0), wire.Listener("A", "b", 2, 0)]}),
    (INVALID, {"broker_id": -1}),
    (INVALID, {"features": list(FEATURES[1:])}),
    (INVALID, {"features": [*FEATURES, FEATURES[0]]}),
    (UNSUPPORTED, {"features": WRONG_RANGE}),
    (UNSUPPORTED, {"features": [FEATURES[0], FEATURES[1], wire.Feature("group.version", 1, 2)]}),
    (UNSUPPORTED, {"features": [FEATURES[0], FEATURES[2]]}),  # kraft.version is 1
    (UNSUPPORTED, {"features": [*FEATURES, wire.Feature("unknown", 1, 2)]}),
]


@pytest.mark.parametrize(("code", "changes"), CHECKS)
def test_registration_that_cannot_hold_is_refused(
    host: Any, code: int, changes: dict[str, Any]
) -> None:
    registered(host, 50)
    before = host.end
    assert code_of(answer(host, registration(**changes))) == code
    assert host.end == before


def test_checks_of_a_registration_come_in_kafkas_order(host: Any) -> None:
    epoch = registered(host)
    answer(host, heartbeat(epoch))
    wrong: dict[str, Any] = {
        "cluster_id": "another",
        "incarnation_id": NEXT_LIFE,
        "is_migrating_zk_broker": True,
        "log_dirs": [],
        "features": WRONG_RANGE,
    }
    codes = []
    for name, right in (
        ("cluster_id", None),
        ("incarnation_id", LIFE),
        ("is_migrating_zk_broker", False),
        ("log_dirs", [directory(BROKER)]),
        ("features", list(FEATURES)),
    ):
        codes.append(code_of(answer(host, registration(**wrong))))
        del wrong[name]
        if right is not None:
            wrong[name] = right
    assert codes == [104, 101, 102, 119, 35]
    assert code_of(answer(host, registration(**wrong))) == error_codes.NONE


def test_directories_are_not_asked_for_below_3_7_iv2(make_host: Callable[..., Any]) -> None:
    host = make_host(bootstrap(16), max_idle_interval_ms=0)
    host.lead()
    host.commit()
    registered(host, log_dirs=[], kraft_version=0)


def test_same_process_again_keeps_its_epoch_and_state(host: Any) -> None:
    epoch = unfenced(host)
    answer(host, heartbeat(epoch, cordoned_log_dirs=[directory(BROKER)]))
    assert registered(host, rack="r1") == epoch
    found = broker(host)
    assert (found.epoch, found.fenced, found.rack) == (epoch, False, "r1")
    assert found.cordoned_log_dirs is None  # until a heartbeat tells them again


def test_second_process_is_refused_until_the_session_expires(host: Any) -> None:
    epoch = unfenced(host)
    again = registration(incarnation_id=NEXT_LIFE)
    host.wait(SESSION_MS)
    assert code_of(answer(host, again)) == error_codes.DUPLICATE_BROKER_REGISTRATION
    host.wait(1)
    reply = answer(host, again)
    assert reply.error_code == error_codes.NONE and reply.broker_epoch > epoch
    assert broker(host).fenced and broker(host).incarnation_id == NEXT_LIFE
    stale = answer(host, heartbeat(epoch))
    assert code_of(stale) == error_codes.STALE_BROKER_EPOCH


def test_session_of_a_fenced_broker_counts_too(host: Any) -> None:
    epoch = registered(host)
    answer(host, heartbeat(epoch, want_fence=True))
    again = registration(incarnation_id=NEXT_LIFE)
    assert code_of(answer(host, again)) == error_codes.DUPLICATE_BROKER_REGISTRATION


def test_broker_that_never_sent_a_heartbeat_is_replaced_at_once(host: Any) -> None:
    registered(host)
    registered(host, incarnation_id=NEXT_LIFE)


def test_broker_that_stopped_in_order_comes_back_at_once(host: Any) -> None:
    epoch = unfenced(host)
    assert answer(host, heartbeat(epoch, want_shut_down=True)).should_shut_down
    again = registered(host, incarnation_id=NEXT_LIFE, previous_broker_epoch=epoch)
    assert again > epoch


def test_without_quick_restarts_a_stopped_broker_waits(make_host: Callable[..., Any]) -> None:
    host = make_host(bootstrap(), max_idle_interval_ms=0, broker_quick_restart=False)
    host.lead()
    host.commit()
    epoch = unfenced(host)
    assert answer(host, heartbeat(epoch, want_shut_down=True)).should_shut_down
    again = registration(incarnation_id=NEXT_LIFE, previous_broker_epoch=epoch)
    host.wait(SESSION_MS)
    assert code_of(answer(host, again)) == error_codes.DUPLICATE_BROKER_REGISTRATION
    host.wait(1)
    assert registered(host, incarnation_id=NEXT_LIFE, previous_broker_epoch=epoch) > epoch


def test_known_epoch_does_not_replace_a_broker_in_service(host: Any) -> None:
    epoch = unfenced(host)
    again = registration(incarnation_id=NEXT_LIFE, previous_broker_epoch=epoch)
    assert code_of(answer(host, again)) == error_codes.DUPLICATE_BROKER_REGISTRATION


def test_new_controller_knows_unfenced_brokers_as_just_seen(host: Any) -> None:
    unfenced(host)
    registered(host, 101)
    host.wait(SESSION_MS - 1)
    host.follow()
    host.lead()
    host.commit()
    again = registration(incarnation_id=NEXT_LIFE)
    assert code_of(answer(host, again)) == error_codes.DUPLICATE_BROKER_REGISTRATION
    registered(host, 101, incarnation_id=NEXT_LIFE)
    host.wait(SESSION_MS)
    assert not broker(host).fenced


def test_unregistered_broker_is_forgotten(host: Any) -> None:
    epoch = unfenced(host)
    assert code_of(answer(host, unregistration())) == error_codes.NONE
    assert host.core.committed().brokers.get(BROKER) is None
    assert code_of(answer(host, heartbeat(epoch))) == error_codes.STALE_BROKER_EPOCH
    gone = answer(host, unregistration())
    assert code_of(gone) == error_codes.BROKER_ID_NOT_REGISTERED
    host.wait(2 * SESSION_MS)
    assert host.core.committed().brokers.get(BROKER) is None
