"""A one-shot promise of an answer, for code that must not wait.

A handler that cannot answer yet returns a ``Promise``. The code that learns the answer completes
it, and the one callback queues bytes on a connection and does nothing else. There is no task, no
event and no channel behind it: those cost more than the whole request (trio measures 7 to 24 us
each). Everything here runs on one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeAlias, TypeVar

from metaquorum.base.errors import InvariantViolated

T = TypeVar("T")

Completion = Callable[["Promise[T]"], None]


class Promise(Generic[T]):
    """An answer that will come once: a value, an error, or a cancel if nobody wants it."""

    __slots__ = ("_callback", "_done", "_error", "_on_cancel", "_value", "cancelled")

    def __init__(self) -> None:
        self._done = False
        self.cancelled = False
        self._value: T | None = None
        self._error: BaseException | None = None
        self._callback: Completion[T] | None = None
        self._on_cancel: Callable[[], None] | None = None

    @property
    def done(self) -> bool:
        """Whether the answer has come, or will not be asked for any more."""
        return self._done

    def result(self) -> T:
        """The value; raises the error instead if that is what came."""
        if not self._done or self.cancelled:
            raise InvariantViolated("the result of a Promise was asked for before it was there")
        if self._error is not None:
            raise self._error
        return self._value  # type: ignore[return-value]

    def complete(self, value: T) -> None:
        """The answer is here. Too late after a cancel, which is no fault; twice is ours."""
        if self.cancelled:
            return
        if self._done:
            raise InvariantViolated("a Promise was completed twice")
        self._done = True
        self._value = value
        self._on_cancel = None
        callback, self._callback = self._callback, None
        if callback is not None:
            callback(self)

    def fail(self, error: BaseException) -> None:
        """There is no answer but this error."""
        if not self._done:
            self._error = error
        self.complete(None)  # type: ignore[arg-type]

    def then(self, callback: Completion[T]) -> None:
        """Call ``callback`` with this promise once it is done, at once if it already is."""
        if self.cancelled:
            return
        if self._done:
            callback(self)
            return
        if self._callback is not None:
            raise InvariantViolated("a Promise has one callback, and this one has it already")
        self._callback = callback

    def map(self, change: Callable[[T], U]) -> Promise[U]:
        """The same promise with ``change`` applied to its value; cancelling it cancels this."""
        mapped: Promise[U] = Promise()
        mapped.on_cancel(self.cancel)

        def pass_on(done: Promise[T]) -> None:
            try:
                value = change(done.result())
            except Exception as error:
                mapped.fail(error)
            else:
                mapped.complete(value)

        self.then(pass_on)
        return mapped

    def cancel(self) -> None:
        """Nobody waits for it any more; the code that keeps it until then forgets it."""
        if self._done:
            return
        self._done = self.cancelled = True
        self._callback = None
        on_cancel, self._on_cancel = self._on_cancel, None
        if on_cancel is not None:
            on_cancel()

    def on_cancel(self, forget: Callable[[], None]) -> None:
        """``forget`` is called if nobody wants the answer any more."""
        if self.cancelled:
            forget()
        elif not self._done:
            self._on_cancel = forget


AnyPromise: TypeAlias = Promise[Any]
"""A promise of whatever type: for code that waits for its end or cancels it, and reads no value.

A ``Promise`` takes values of its type, so it is not covariant, and ``Promise[object]`` would be
another type.
"""


def resolved(value: T) -> Promise[T]:
    """A promise that is kept already."""
    promise: Promise[T] = Promise()
    promise.complete(value)
    return promise


U = TypeVar("U")
