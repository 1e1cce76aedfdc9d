"""What clients in groups hear where the coordinator could not be asked."""

from __future__ import annotations

from typing import Any

import pytest

from metaquorum.base.errors import RequestError
from metaquorum.node.groups_supervisor import in_group_codes
from metaquorum.runtime.loop.promise import Promise
from metaquorum.wire.generated import error_codes


def failed(code: int) -> Promise[Any]:
    promise: Promise[Any] = Promise()
    promise.fail(RequestError(code, "why"))
    return promise


def test_a_full_inbox_is_a_coordinator_to_be_asked_again() -> None:
    told = in_group_codes(failed(error_codes.THROTTLING_QUOTA_EXCEEDED))
    with pytest.raises(RequestError, match="why") as found:
        told.result()
    assert found.value.code == error_codes.COORDINATOR_NOT_AVAILABLE


def test_every_other_answer_stays_as_it_is() -> None:
    waiting: Promise[Any] = Promise()
    answered: Promise[Any] = Promise()
    answered.complete("answer")
    for one in (waiting, answered, failed(error_codes.NOT_COORDINATOR)):
        assert in_group_codes(one) is one
