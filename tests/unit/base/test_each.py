"""Lists of one, made without a loop, are those that a loop would make."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from metaquorum.base.each import each


@pytest.mark.parametrize("items", [(), (3,), (3, 1, 2), [5], [], [1, 1]])
def test_every_item_is_made_once_and_in_order(items: Sequence[int]) -> None:
    seen: list[int] = []

    def make(item: int) -> str:
        seen.append(item)
        return str(item)

    assert each(make, items) == [str(item) for item in items]
    assert seen == [*items]
