"""Answers that take long to make, made in steps, so that nobody else has to wait for all of it.

A handler whose answer may be thousands of rows long returns ``InSteps``: a generator that does a
little work between two ``yield``s and returns the answer. ``server.fair_queue`` takes the steps,
one a turn of the loop. A step may yield a ``Promise``: the next step comes when that is done. A
long list of rows is best encoded as it is made (``RowsApart``), because neither its objects nor
their encoding then are ever there all at once.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from typing import Final, Generic, TypeVar

from attrs import define, field, frozen

from metaquorum.base.errors import InvariantViolated
from metaquorum.base.limits import MAX_RESPONSE_BYTES, ROWS_ENCODED_PER_STEP
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.wire.frames import too_large
from metaquorum.wire.message import Message
from metaquorum.wire.primitives import Parts, uvarint
from metaquorum.wire.registry import Codec

S = TypeVar("S")
T = TypeVar("T")
Made = TypeVar("Made", covariant=True)

Steps = Generator[AnyPromise | None, None, T]
"""What is done between two ``yield``s is a step; a promise that is yielded is waited for."""

_MOST_AT_ONCE: Final = 100  # the count of so many takes a byte where counts are varints


@frozen
class InSteps(Generic[Made]):
    """What a handler returns in place of an answer that takes long."""

    steps: Steps[Made]


class MadeInSteps(Promise[T]):
    """The promise of what steps come to: a request behind it must not overtake it."""

    __slots__ = ()


def taken(steps: Steps[T]) -> T:
    """What comes of all steps, taken in one go; InvariantViolated if one of them has to wait."""
    try:
        while True:
            awaited = next(steps)
            if awaited is not None and not awaited.done:
                raise InvariantViolated("a step waits where all of them were to be taken at once")
    except StopIteration as end:
        made: T = end.value
        return made


def promise_of_steps(steps: Steps[T]) -> MadeInSteps[T]:
    """The same of steps that may wait: the others follow where what they wait for is done."""
    made: MadeInSteps[T] = MadeInSteps()

    def go_on(_: AnyPromise | None = None) -> None:
        try:
            while True:
                awaited = next(steps)
                if awaited is not None and not awaited.done:
                    awaited.then(go_on)
                    return
        except StopIteration as end:
            made.complete(end.value)
        except InvariantViolated:
            raise
        except Exception as error:  # of this answer alone
            made.fail(error)

    made.on_cancel(steps.close)
    go_on()
    return made


@frozen
class Encoded:
    """An answer that is encoded already, its header left out."""

    body: Parts


@define
class RowsApart:
    """Encodes an answer whose last field is its one long array, some rows at a time.

    ``codec`` is the generated module, ``empty`` the answer without rows, ``name`` the attribute of
    the array. ``zero_bytes`` zeros follow it, of numbers that are 0, and in a flexible version an
    empty list of tags.
    """

    codec: Codec
    empty: Message
    name: str
    version: int
    flexible_from: int
    zero_bytes: int = 0
    _rows: Parts = field(factory=list)
    _count: int = 0
    _size_bytes: int = 0

    @property
    def _is_flexible(self) -> bool:
        return self.version >= self.flexible_from

    @property
    def _tags_bytes(self) -> int:
        return 1 if self._is_flexible else 0

    @property
    def _tail_bytes(self) -> int:
        return self.zero_bytes + self._tags_bytes

    @property
    def _count_bytes(self) -> int:
        return 1 if self._is_flexible else 4

    def add(self, rows: Sequence[Message]) -> None:
        """Encode these rows behind those that were added before; a hundred at most.

        EncodeError once they are more than an answer may be.
        """
        if not 0 < len(rows) <= _MOST_AT_ONCE:
            raise ValueError(f"{len(rows)} rows were to be encoded at once")
        setattr(self.empty, self.name, rows)
        some = self.codec.encode(self.empty, self.version)
        self._put(some[len(self._head()) + self._count_bytes : len(some) - self._tail_bytes])
        self._count += len(rows)

    def add_some(self, rows: Sequence[Message]) -> Steps[None]:
        """Encode these rows behind those that were added before, a hundred a step."""
        for at in range(0, len(rows), _MOST_AT_ONCE):
            self.add(rows[at : at + _MOST_AT_ONCE])
            yield None

    def add_nested(
        self,
        rows: Iterable[tuple[Message, Sequence[S]]],
        name: str,
        made: Callable[[S], Message],
    ) -> Steps[None]:
        """Encode rows whose last field ``name`` is an array itself, which may be long as well.

        Each row comes with what ``made`` makes the elements of that array of. A step encodes about
        ROWS_ENCODED_PER_STEP rows and elements.
        """
        few: list[Message] = []
        weight = 0
        for row, sources in rows:
            if few and (weight + len(sources) > ROWS_ENCODED_PER_STEP or len(few) == _MOST_AT_ONCE):
                self.add(few)
                few, weight = [], 0
                yield None
            if len(sources) > _MOST_AT_ONCE:
                yield from self._add_long(row, sources, name, made)
                continue
            setattr(row, name, [made(one) for one in sources])
            few.append(row)
            weight += 1 + len(sources)
        if few:
            self.add(few)
            yield None

    def _add_long(
        self, row: Message, sources: Sequence[S], name: str, made: Callable[[S], Message]
    ) -> Steps[None]:
        """Encode one row and the elements of its array, a hundred at a time."""
        setattr(row, name, [])
        setattr(self.empty, self.name, [row])
        tails = self._tags_bytes + self._tail_bytes
        none = self.codec.encode(self.empty, self.version)
        front = none[len(self._head()) + self._count_bytes : len(none) - self._count_bytes - tails]
        setattr(self.empty, self.name, [row])
        self._put(front)
        self._put(self._counted(len(sources)))
        for at in range(0, len(sources), _MOST_AT_ONCE):
            setattr(row, name, [made(one) for one in sources[at : at + _MOST_AT_ONCE]])
            some = self.codec.encode(self.empty, self.version)
            self._put(some[len(none) - tails : len(some) - tails])
            yield None
        self._put(bytes(self._tags_bytes))
        self._count += 1

    def _put(self, encoded: bytes) -> None:
        """EncodeError once it is more than an answer may be."""
        self._size_bytes += len(encoded)
        if self._size_bytes > MAX_RESPONSE_BYTES:
            raise too_large(self._size_bytes)
        self._rows.append(encoded)

    def done(self) -> Encoded:
        """The whole answer."""
        tail = bytes(self._tail_bytes)
        return Encoded([self._head(), self._counted(self._count), *self._rows, tail])

    def _counted(self, count: int) -> bytes:
        return uvarint(count + 1) if self._is_flexible else count.to_bytes(4, "big")

    def _head(self) -> bytes:
        """What stands in front of the array."""
        setattr(self.empty, self.name, [])
        none: bytes = self.codec.encode(self.empty, self.version)
        return none[: len(none) - self._count_bytes - self._tail_bytes]
