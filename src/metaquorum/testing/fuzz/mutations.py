"""Seeded damage to kept inputs: the same inputs in every run, without a coverage tool."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

_EDGES = (
    b"\x00",
    b"\x7f",
    b"\x80",
    b"\xff",
    b"\x7f\xff",
    b"\x80\x00",
    b"\x7f\xff\xff\xff",
    b"\x80\x00\x00\x00",
    b"\xff\xff\xff\xff",
    b"\xff\xff\xff\xff\x0f",
    b"\x7f" + b"\xff" * 7,
    b"\x80" + bytes(7),
    b"\xff" * 10,
)
_MOST_CHANGES = 3
_LONGEST_RUN = 32


def mutations(inputs: Sequence[bytes], count: int, seed: str) -> Iterator[bytes]:
    """``count`` damaged copies of ``inputs``, all of them in turn; the same for the same seed."""
    chance = Random(seed)
    for index in range(count):
        data = bytearray(inputs[index % len(inputs)])
        for _ in range(chance.randint(1, _MOST_CHANGES)):
            _CHANGES[chance.randrange(len(_CHANGES))](data, inputs, chance)
        yield bytes(data)


def _place(data: bytearray, chance: Random) -> int:
    return chance.randint(0, len(data))


def _flip(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    if data:
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)


def _overwrite(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    edge = chance.choice(_EDGES)
    at = _place(data, chance)
    data[at : at + len(edge)] = edge


def _insert(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    at = _place(data, chance)
    data[at:at] = chance.choice(_EDGES)


def _delete(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    at = _place(data, chance)
    del data[at : at + chance.randint(1, _LONGEST_RUN)]


def _cut(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    del data[_place(data, chance) :]


def _repeat(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    at = _place(data, chance)
    data[at:at] = data[at : at + chance.randint(1, _LONGEST_RUN)]


def _splice(data: bytearray, inputs: Sequence[bytes], chance: Random) -> None:
    other = chance.choice(inputs)
    data[_place(data, chance) :] = other[chance.randint(0, len(other)) :]


_CHANGES = (_flip, _flip, _overwrite, _overwrite, _insert, _delete, _cut, _repeat, _splice)
