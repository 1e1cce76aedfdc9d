"""A promise is answered once, heard once, and forgotten when nobody wants it."""

import pytest

from metaquorum.base.errors import HouseError
from metaquorum.runtime.loop.later import Later


def test_a_listener_hears_a_value_that_comes_after_it_and_one_that_was_there_before():
    heard: list[int] = []
    for listen_first in (True, False):
        later: Later[int] = Later()
        if listen_first:
            later.then(lambda done: heard.append(done.result()))
        later.complete(7)
        if not listen_first:
            later.then(lambda done: heard.append(done.result()))
    assert heard == [7, 7]


def test_an_error_is_raised_where_the_result_is_asked_for():
    later: Later[int] = Later()
    later.fail(KeyError("gone"))
    with pytest.raises(KeyError):
        later.result()


def test_a_second_answer_and_a_second_listener_are_our_own_faults():
    later: Later[int] = Later()
    later.then(lambda done: None)
    with pytest.raises(HouseError):
        later.then(lambda done: None)
    later.complete(1)
    with pytest.raises(HouseError):
        later.complete(2)


def test_a_cancelled_promise_tells_its_keeper_and_swallows_a_late_answer():
    later: Later[int] = Later()
    forgotten: list[str] = []
    heard: list[object] = []
    later.on_cancel(lambda: forgotten.append("forgot"))
    later.then(heard.append)
    later.cancel()
    later.complete(3)
    assert forgotten == ["forgot"] and heard == [] and later.done


def test_a_mapped_promise_carries_values_errors_and_cancellation():
    source: Later[int] = Later()
    mapped = source.map(lambda n: n + 1)
    source.complete(1)
    assert mapped.result() == 2

    source = Later()
    mapped = source.map(lambda n: n // 0)
    source.complete(1)
    with pytest.raises(ZeroDivisionError):
        mapped.result()

    source = Later()
    source.map(str).cancel()
    assert source.cancelled
