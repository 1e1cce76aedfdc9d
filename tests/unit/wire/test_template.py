"""A template matches the messages that it was learnt from, with other numbers, and no others."""

from __future__ import annotations

from struct import pack

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metaquorum.wire.template import Template, first_difference, learn

FORMS = ("iqq", "q", "iiqq", "ibq")
RANGES = {"b": 8, "i": 32, "q": 64}


def encode(codes: str, numbers) -> bytes:
    """A message with something in front of, between and behind the numbers."""
    pieces = (
        b"-%d-" % at + pack(f">{code}", number)
        for at, (code, number) in enumerate(zip(codes, numbers))
    )
    return b"".join(pieces) + b"end"


def learnt(codes: str) -> Template:
    template = learn(codes, lambda numbers: encode(codes, numbers))
    assert template is not None
    return template


@st.composite
def forms(draw):
    codes = draw(st.sampled_from(FORMS))
    return codes, tuple(
        draw(st.integers(-(1 << RANGES[code] - 1), (1 << RANGES[code] - 1) - 1)) for code in codes
    )


@given(forms())
def test_filled_and_matched_messages_are_those_encoded(form) -> None:
    codes, numbers = form
    template, message = learnt(codes), encode(codes, numbers)
    assert template.fill(*numbers) == message
    assert template.match(message) == numbers
    assert template.match(b"size" + message, 4) == numbers


@given(forms(), st.data())
def test_any_byte_between_the_numbers_makes_another_message(form, data) -> None:
    codes, numbers = form
    template, message = learnt(codes), bytearray(encode(codes, numbers))
    at = data.draw(st.integers(0, len(message) - 1))
    message[at] ^= 1 << data.draw(st.integers(0, 7))
    found = template.match(bytes(message))
    assert found is None or encode(codes, found) == message
    for other in (message[:-1], bytes(message) + b"!", b"!" + bytes(message)):
        assert template.match(bytes(other)) is None


@pytest.mark.parametrize(
    "message",
    [
        lambda numbers: b"no numbers at all",
        lambda numbers: pack(">i", numbers[0]),
        lambda numbers: pack(">qi", numbers[1], numbers[0]),
        lambda numbers: pack(">ii", *numbers),
        lambda numbers: pack(">iq", numbers[0], numbers[0] + numbers[1]),
        lambda numbers: pack(">iq", *numbers) + bytes(numbers[1] == 0),
        lambda numbers: pack(">iqq", *numbers, numbers[1]),
    ],
    ids=["none", "absent", "order", "width", "sum", "length", "twice"],
)
def test_numbers_that_are_no_fields_of_their_width_are_not_learnt(message) -> None:
    assert learn("iq", message) is None


def test_the_first_difference_of_a_prefix_is_nowhere() -> None:
    assert first_difference(b"abc", b"abd") == 2
    assert first_difference(b"abc", b"ab") == first_difference(b"", b"x") == -1
