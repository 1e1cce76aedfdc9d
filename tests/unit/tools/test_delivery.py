"""The judge of a delivery: what was acknowledged must be read, and stand in the log once."""

from __future__ import annotations

from tools.delivery import Delivery


def test_a_record_that_is_acknowledged_and_not_read_is_lost() -> None:
    delivery = Delivery()
    for number in range(3):
        delivery.note_acknowledged(number)
    delivery.note_read(0, 0, 0)
    delivery.note_read(1, 0, 2)
    assert delivery.lost() == {1}
    delivery.note_read(0, 1, 1)
    assert delivery.lost() == set()


def test_a_record_that_was_given_up_may_be_there_or_not() -> None:
    delivery = Delivery()
    delivery.note_failed(0)
    assert delivery.lost() == set()
    delivery.note_read(0, 0, 0)
    assert (delivery.lost(), delivery.doubled()) == (set(), set())


def test_a_record_at_two_places_of_the_log_is_doubled() -> None:
    delivery = Delivery()
    for partition, offset in ((0, 0), (0, 0), (1, 0)):
        delivery.note_read(partition, offset, 7 if partition == 0 else 8)
    assert delivery.doubled() == set()  # one place was read twice
    delivery.note_read(1, 1, 7)
    assert delivery.doubled() == {7}
