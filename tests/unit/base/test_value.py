"""Values are equal by what they hold, may be keys, and are frozen to the type checker."""

from __future__ import annotations

from attrs import evolve

from metaquorum.base.value import value


@value
class Place:
    row: int
    seat: int = 0


def test_values_are_equal_by_their_fields_and_may_be_keys() -> None:
    assert Place(1, 2) == Place(1, 2) != Place(2, 1)
    assert {Place(1): "here"}[Place(1, 0)] == "here"
    assert evolve(Place(1, 2), seat=3) == Place(1, 3)


def test_a_value_has_no_room_for_anything_else() -> None:
    assert not hasattr(Place(1), "__dict__")
