"""The log lane's own thread, woken and heard by a pair of eventfds.

A commit waits for the disk twice, so what lies between the loop and the sync counts: a thread out
of trio's cache is handed a job, a name and a way back through a queue and a socket, which measures
60 to 170 us; a counter in the kernel at either end measures 20.

The counters are read and written as files: `os.eventfd_read` and `os.eventfd_write` give up where a
signal meets them, which any thread of the process may be the one to take.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any, Final

import trio
from attrs import define, field, frozen

from metaquorum.base.errors import HouseError
from metaquorum.runtime.disk.kernel_sync import KernelSync
from metaquorum.runtime.loop.event_counter import event_counter
from metaquorum.runtime.loop.lookout import Lookout, WaitingTasks

_COUNTER_BYTES: Final = 8
_ONE: Final = (1).to_bytes(_COUNTER_BYTES, sys.byteorder)

Tell = Callable[[Any, OSError | None], bool]
"""Takes what a work returned, or the error of the disk that it met with; False when the next one
is nobody's business."""


@frozen
class Unsynced:
    """What a work comes to that is done but for the sync of one file.

    ``ended`` is told whether that failed, and gives what the work comes to in the end, or raises.
    """

    descriptor: int
    ended: Callable[[OSError | None], Any]


@define(eq=False)
class LaneThread:
    """Does one thing at a time aside; a context manager.

    ``begin`` may be called by anybody on the loop, while one task is in ``ends``. What has begun
    cannot be given up: a cancelled task is held up until it has ended. A sync that is all that is
    left of a work (``Unsynced``) is the kernel's where it takes it.
    """

    lookout: Lookout = field(factory=WaitingTasks)
    _wake: int = field(init=False, default=-1)
    _done: int = field(init=False, default=-1)
    _job: Callable[[], Any] | None = field(init=False, default=None)
    _result: Any = field(init=False, default=None)
    _error: BaseException | None = field(init=False, default=None)
    _thread: threading.Thread | None = field(init=False, default=None)
    _busy: bool = field(init=False, default=False)
    _is_over: bool = field(init=False, default=False)
    """What was begun has ended, and nobody has heard of it yet."""
    _kernel: KernelSync | None = field(init=False, default=None)
    _unsynced: Unsynced | None = field(init=False, default=None)
    """What the kernel syncs now."""

    def __enter__(self) -> LaneThread:
        self._wake = event_counter()
        self._done = event_counter()
        self._kernel = KernelSync.found()
        self._thread = threading.Thread(target=self._run, name="log-lane", daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._job = None
        os.write(self._wake, _ONE)
        if self._thread is not None:
            self._thread.join()
        if self._kernel is not None:
            self._kernel.close()
        trio.lowlevel.notify_closing(self._done)
        os.close(self._wake)
        os.close(self._done)

    @property
    def leaves_syncs(self) -> bool:
        """Whether the kernel may take what a work leaves ``Unsynced``."""
        return self._kernel is not None

    def begin(self, work: Callable[[], Any], *, here: bool = False) -> None:
        """Have ``work`` done, by the thread or ``here`` and now.

        What it came to is told later in either case. HouseError while something else is done.
        """
        if self._busy:
            raise HouseError("the lane's thread does one thing at a time")
        self._busy = True
        if here:
            self._do(work)
            return
        self._job = work
        os.write(self._wake, _ONE)

    async def ends(self, tell: Tell) -> None:
        """Tell what each work came to, until nobody wants to know of the next."""

        def hear() -> bool:
            if not self._is_over and not self._is_synced():
                return True
            os.read(self._done, _COUNTER_BYTES)
            self._is_over = self._busy = False
            result, self._result = self._result, None
            error, self._error = self._error, None
            if error is not None and not isinstance(error, OSError):
                raise error
            return tell(result, error)

        try:
            await self.lookout.heed(self._done, hear)
        except trio.Cancelled:
            if self._busy:
                with trio.CancelScope(shield=True):
                    await trio.lowlevel.wait_readable(self._done)
            raise

    def _run(self) -> None:
        while True:
            os.read(self._wake, _COUNTER_BYTES)
            job = self._job
            if job is None:
                return
            self._do(job)

    def _do(self, job: Callable[[], Any]) -> None:
        try:
            result = job()
            if isinstance(result, Unsynced):
                kernel = self._kernel
                if kernel is not None and kernel.begin(result.descriptor, self._done):
                    self._unsynced = result
                    return
                os.fdatasync(result.descriptor)
                result = result.ended(None)
            self._result = result
        except BaseException as error:  # raised again where the call was made
            self._error = error
        self._is_over = True
        os.write(self._done, _ONE)

    def _is_synced(self) -> bool:
        """Whether the kernel is done with what it was left; that has come to something then."""
        unsynced, kernel = self._unsynced, self._kernel
        if unsynced is None or kernel is None:
            return False
        failed: OSError | None = None
        try:
            if not kernel.has_ended():
                return False
        except OSError as error:
            failed = error
        self._unsynced = None
        try:
            self._result = unsynced.ended(failed)
        except OSError as error:
            self._error = error
        return True
