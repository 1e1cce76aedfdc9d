"""Registrations of controllers: what is written, and what is refused before it does harm."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.base.limits import MAX_LISTENERS_PER_NODE
from metaquorum.controller.commands import RegisterController, UnregisterController
from metaquorum.records.metadata_record import MetadataRecord
from metaquorum.wire.generated import controller_registration_request as wire
from metaquorum.wire.generated import error_codes
from metaquorum.wire.generated.records.feature_level_record import FeatureLevelRecord
from metaquorum.wire.generated.unregister_controller_request import UnregisterControllerRequest

LIFE = bytes(range(16))
FEATURES = [wire.Feature("metadata.version", 7, 33), wire.Feature("kraft.version", 0, 1)]
LISTENERS = [wire.Listener("CONTROLLER", "a", 9093, 0), wire.Listener("PLAINTEXT", "a", 9092, 0)]


def registration(**changes: Any) -> wire.ControllerRegistrationRequest:
    fields: dict[str, Any] = {
        "controller_id": 2,
        "incarnation_id": LIFE,
        "listeners": LISTENERS,
        "features": FEATURES,
    }
    return wire.ControllerRegistrationRequest(**(fields | changes))


def leading(make_host: Callable[..., Any], level: int = 33) -> Any:
    bootstrap = [MetadataRecord(12, 0, FeatureLevelRecord("metadata.version", level))]
    host = make_host(bootstrap)
    host.lead()
    host.commit()
    return host


def code_of(host: Any, command: object) -> int:
    asked = host.ask(command)
    host.commit()
    reply = host.replies[asked]
    return reply.code if isinstance(reply, RequestError) else int(reply.error_code)


def test_a_registration_is_seen_once_it_is_committed(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    assert code_of(host, RegisterController(registration())) == error_codes.NONE
    known = host.core.committed().controllers.get(2)
    assert [(one.listener, one.host, one.port) for one in known.endpoints] == [
        ("CONTROLLER", "a", 9093),
        ("PLAINTEXT", "a", 9092),
    ]
    assert known.incarnation_id == LIFE
    assert [(one.name, one.lowest, one.highest) for one in known.features] == [
        ("kraft.version", 0, 1),
        ("metadata.version", 7, 33),
    ]


def test_the_same_registration_again_costs_no_record(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    code_of(host, RegisterController(registration()))
    before = host.end
    assert code_of(host, RegisterController(registration())) == error_codes.NONE
    assert host.end == before
    assert code_of(host, RegisterController(registration(incarnation_id=LIFE[::-1]))) == 0
    assert host.end == before + 1


@pytest.mark.parametrize(
    "changes",
    [
        {"controller_id": -1},
        {"incarnation_id": bytes(16)},
        {"listeners": []},
        {"listeners": [wire.Listener("CONTROLLER", "", 9093, 0)]},
        {"listeners": [wire.Listener("CONTROLLER", "a", 0, 0)]},
        {"listeners": [*LISTENERS, LISTENERS[0]]},
        {
            "listeners": [
                wire.Listener(f"L{n}", "a", 1, 0) for n in range(MAX_LISTENERS_PER_NODE + 1)
            ]
        },
        {"features": []},
        {"features": [wire.Feature("kraft.version", 0, 1)]},
        {"features": [*FEATURES, FEATURES[1]]},
        {"features": [*FEATURES, wire.Feature("group.version", 2, 1)]},
    ],
    ids=",".join,
)
def test_a_registration_of_no_use_is_refused(
    make_host: Callable[..., Any], changes: dict[str, Any]
) -> None:
    host = leading(make_host)
    command = RegisterController(registration(**changes))
    assert code_of(host, command) == error_codes.INVALID_REQUEST
    assert not host.core.committed().controllers.keys()


def test_before_its_metadata_version_nobody_registers(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level=14)
    assert code_of(host, RegisterController(registration())) == error_codes.UNSUPPORTED_VERSION


def test_a_controller_that_is_gone_is_forgotten(make_host: Callable[..., Any]) -> None:
    host = leading(make_host)
    code_of(host, RegisterController(registration()))
    gone = UnregisterController(UnregisterControllerRequest(2), active_id=1)
    assert code_of(host, gone) == error_codes.NONE
    assert host.core.committed().controllers.get(2) is None
    assert code_of(host, gone) == error_codes.CONTROLLER_ID_NOT_REGISTERED
    itself = UnregisterController(UnregisterControllerRequest(1), active_id=1)
    assert code_of(host, itself) == error_codes.INVALID_REQUEST


def test_before_its_metadata_version_nobody_is_forgotten(make_host: Callable[..., Any]) -> None:
    host = leading(make_host, level=30)
    code_of(host, RegisterController(registration()))
    gone = UnregisterController(UnregisterControllerRequest(2), active_id=1)
    assert code_of(host, gone) == error_codes.UNSUPPORTED_VERSION
    assert host.core.committed().controllers.get(2) is not None
