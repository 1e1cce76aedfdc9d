"""The faked broker of the benches, on a connection that answers what a test wants."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from metaquorum.client.connection import Connection
from metaquorum.wire.generated import error_codes
from tools import fake_broker
from tools.fake_broker import FakeBroker


def broker_that_is_told(monkeypatch: pytest.MonkeyPatch, *answers: Any) -> FakeBroker:
    told = iter(answers)
    connection = SimpleNamespace(ask=lambda key, version, request: next(told))
    monkeypatch.setattr(Connection, "open", lambda *place, **options: connection)
    return FakeBroker(9, 1, "cluster")


def answer(code: int, *, is_fenced: bool) -> Any:
    return SimpleNamespace(error_code=code, is_fenced=is_fenced)


def test_broker_beats_until_it_is_unfenced(monkeypatch: pytest.MonkeyPatch) -> None:
    late = answer(error_codes.REQUEST_TIMED_OUT, is_fenced=True)
    fenced, unfenced = (answer(error_codes.NONE, is_fenced=one) for one in (True, False))
    broker_that_is_told(monkeypatch, late, fenced, unfenced).come_into_service()


def test_broker_does_not_beat_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fake_broker, "IN_SERVICE_S", 0.0)
    broker = broker_that_is_told(
        monkeypatch, *[answer(error_codes.NOT_CONTROLLER, is_fenced=True)] * 2
    )
    with pytest.raises(AssertionError, match="broker 1 is fenced still: NOT_CONTROLLER"):
        broker.come_into_service()
