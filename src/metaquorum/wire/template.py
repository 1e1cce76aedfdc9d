"""Encoded messages that differ in a few numbers alone: learnt once, then matched and filled.

A client that repeats a request, and a server that repeats an answer, mostly send the bytes of the
last one with other numbers in the same places. The places are not written down by hand: they are
found by encoding the message with other numbers, so that they follow the schema.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from struct import Struct, calcsize
from typing import Final

from attrs import define, field, frozen

from metaquorum.base.limits import LAST_FETCH_TRIES

NOWHERE: Final = -1

Encode = Callable[[Sequence[int]], bytes]
"""The message with these numbers in it, in the order of the template."""


@frozen
class Template:
    """The bytes around the numbers of a message; each number is a field of fixed width."""

    layout: Struct
    fixed: tuple[bytes, ...]

    def match(self, data: bytes, at: int = 0) -> tuple[int, ...] | None:
        """The numbers of a message that ends with ``data``; None if anything else differs."""
        layout = self.layout
        if len(data) - at != layout.size:
            return None
        found = layout.unpack_from(data, at)
        return found[1::2] if found[::2] == self.fixed else None

    def fill(self, *numbers: int) -> bytes:
        """The message with these numbers in it."""
        pieces: list[bytes | int] = [b""] * (2 * len(numbers) + 1)
        pieces[::2], pieces[1::2] = self.fixed, numbers
        return self.layout.pack(*pieces)


def learn(codes: str, encode: Encode) -> Template | None:
    """The template of a message, one ``struct`` code for each of its numbers, in their order.

    None if one of them is no field of that width in this message, or stands before the last one.
    """
    zeros = encode([0] * len(codes))
    ends, layout = 0, ">"
    for index, code in enumerate(codes):
        ones = encode([-(index == other) for other in range(len(codes))])
        at, size = first_difference(zeros, ones), calcsize(f">{code}")
        if at < ends or ones != zeros[:at] + b"\xff" * size + zeros[at + size :]:
            return None
        layout += f"{at - ends}s{code}"
        ends = at + size
    whole = Struct(f"{layout}{len(zeros) - ends}s")
    return Template(whole, whole.unpack(zeros)[::2])


def first_difference(one: bytes, other: bytes) -> int:
    """The first place where two messages differ; NOWHERE if the shorter begins the longer."""
    return next((at for at, pair in enumerate(zip(one, other)) if pair[0] != pair[1]), NOWHERE)


@define(eq=False)
class LastMessage:
    """What the last message of one connection is a template of.

    It is learnt again whenever a message does not fit, ``LAST_FETCH_TRIES`` times at most: after
    that the connection keeps the template that it has.
    """

    template: Template | None = field(default=None, kw_only=True)
    tries: int = field(default=0, kw_only=True)

    @property
    def is_given_up(self) -> bool:
        """Whether it was learnt so often that it never will be again."""
        return self.tries >= LAST_FETCH_TRIES

    def learn(self, codes: str, encode: Encode) -> bool:
        """Learn the template anew; False if there is none to be had."""
        if self.is_given_up:
            return False
        self.tries += 1
        self.template = learn(codes, encode)
        return self.template is not None
