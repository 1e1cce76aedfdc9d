"""What is made once."""

from __future__ import annotations

import pytest

from metaquorum.base.memo import Memo


def test_each_key_is_made_once() -> None:
    made: list[int] = []

    def square(number: int) -> int:
        made.append(number)
        return number * number

    squares = Memo(square)
    assert [squares[number] for number in (3, 2, 3, 2)] == [9, 4, 9, 4]
    assert made == [3, 2]


def test_what_could_not_be_made_is_asked_for_again() -> None:
    answers = iter([ValueError("not yet"), "now"])

    def make(key: str) -> str:
        answer = next(answers)
        if isinstance(answer, ValueError):
            raise answer
        return answer

    known = Memo(make)
    with pytest.raises(ValueError, match="not yet"):
        known["it"]
    assert known["it"] == "now"
