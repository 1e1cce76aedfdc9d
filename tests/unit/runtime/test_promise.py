"""A promise is answered once, heard once, and forgotten when nobody wants it."""

import pytest

from metaquorum.base.errors import InvariantViolated
from metaquorum.runtime.loop.promise import Promise


def test_a_listener_gets_a_value_set_before_or_after_it_was_added():
    heard: list[int] = []
    for listen_first in (True, False):
        promise: Promise[int] = Promise()
        if listen_first:
            promise.then(lambda done: heard.append(done.result()))
        promise.complete(7)
        if not listen_first:
            promise.then(lambda done: heard.append(done.result()))
    assert heard == [7, 7]


def test_an_error_is_raised_where_the_result_is_asked_for():
    promise: Promise[int] = Promise()
    promise.fail(KeyError("gone"))
    with pytest.raises(KeyError):
        promise.result()


def test_a_second_answer_and_a_second_listener_are_our_own_faults():
    promise: Promise[int] = Promise()
    promise.then(lambda done: None)
    with pytest.raises(InvariantViolated):
        promise.then(lambda done: None)
    promise.complete(1)
    with pytest.raises(InvariantViolated):
        promise.complete(2)


def test_a_cancelled_promise_notifies_its_owner_and_drops_late_answer():
    promise: Promise[int] = Promise()
    forgotten: list[str] = []
    heard: list[object] = []
    promise.on_cancel(lambda: forgotten.append("forgot"))
    promise.then(heard.append)
    promise.cancel()
    promise.complete(3)
    assert forgotten == ["forgot"] and heard == [] and promise.done


def test_a_mapped_promise_carries_values_errors_and_cancellation():
    source: Promise[int] = Promise()
    mapped = source.map(lambda n: n + 1)
    source.complete(1)
    assert mapped.result() == 2

    source = Promise()
    mapped = source.map(lambda n: n // 0)
    source.complete(1)
    with pytest.raises(ZeroDivisionError):
        mapped.result()

    source = Promise()
    source.map(str).cancel()
    assert source.cancelled
