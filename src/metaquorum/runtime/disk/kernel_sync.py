"""Syncs that the kernel makes while nobody waits for them: Linux's asynchronous I/O, ``io_submit``.

A thread that waits for a sync in place of the loop has to be woken, and needs the interpreter
before and after it, which the loop has. Here the loop asks the kernel for the sync of a file, and
a counter in the kernel, an eventfd, can be read once that has ended (decision 217).

No library that is at hand calls these four: they are called by their numbers, which each kind of
processor has its own of. Where they are not known, or the kernel is configured to refuse them,
there is no ``KernelSync``, and a thread waits as before.
"""

from __future__ import annotations

import os
import platform
import sys
from struct import Struct
from typing import Any, Final

import trio
from attrs import define, field

from metaquorum.runtime.loop.event_counter import HAS_EVENTFD, event_counter

_NUMBERS: Final = {"x86_64": (206, 207, 208, 209), "aarch64": (0, 1, 4, 2)}
"""Of io_setup, io_destroy, io_getevents and io_submit."""
_CONTROL_BLOCK: Final = Struct("=QIIHhIQQqQII")  # struct iocb
_EVENT: Final = Struct("=QQqq")  # struct io_event
_TIME: Final = Struct("=qq")  # struct timespec
_COUNTER_BYTES: Final = 8
_POINTER: Final = Struct("=Q")
_SYNC_DATA: Final = 3  # IOCB_CMD_FDSYNC
_COUNTS: Final = 1  # IOCB_FLAG_RESFD: the last field is a counter to add to


class _Kernel:
    """The four calls, and the memory that they read and write."""

    def __init__(self, numbers: tuple[int, int, int, int]) -> None:
        from cffi import FFI

        ffi = FFI()
        ffi.cdef("long syscall(long number, long a, long b, long c, long d, long e);")
        library: Any = ffi.dlopen(None)  # functions of a C library have no types
        self.call = library.syscall
        self.setup, self.destroy, self.events, self.submit = numbers
        self._kept = [
            ffi.new("unsigned char[]", layout.size)
            for layout in (_POINTER, _CONTROL_BLOCK, _POINTER, _EVENT, _TIME)
        ]
        places = [int(ffi.cast("long", one)) for one in self._kept]
        self.context_at, self.block_at, self.blocks_at, self.event_at, self.no_time_at = places
        context, self.block, blocks, self.event, _ = (ffi.buffer(one) for one in self._kept)
        blocks[:] = _POINTER.pack(self.block_at)
        self._context = context

    def begin(self) -> int | None:
        """A context for one request at a time; None where there can be none."""
        if self.call(self.setup, 1, self.context_at, 0, 0, 0) != 0:
            return None
        return int(_POINTER.unpack(self._context[:])[0])


@define(eq=False)
class KernelSync:
    """At most one sync is under way; ``counter`` is a descriptor that can be read at its end."""

    _kernel: _Kernel
    _context: int
    counter: int = field(factory=event_counter, init=False)
    _asked: int | None = field(default=None, init=False)

    @classmethod
    def found(cls) -> KernelSync | None:
        """None where the system has no such calls, or refuses them."""
        numbers = _NUMBERS.get(platform.machine())
        if not HAS_EVENTFD or numbers is None or sys.maxsize < 1 << 32:
            return None
        try:
            kernel = _Kernel(numbers)
        except (ImportError, OSError):
            return None
        context = kernel.begin()
        return None if context is None else cls(kernel, context)

    def begin(self, descriptor: int) -> bool:
        """Ask for the sync of a file's bytes.

        False where the kernel does not take it: then nothing is under way.
        """
        kernel = self._kernel
        if self._asked != descriptor:
            self._asked = descriptor
            kernel.block[:] = _CONTROL_BLOCK.pack(
                0, 0, 0, _SYNC_DATA, 0, descriptor, 0, 0, 0, 0, _COUNTS, self.counter
            )
        return bool(kernel.call(kernel.submit, self._context, 1, kernel.blocks_at, 0, 0) == 1)

    def has_ended(self) -> bool:
        """Whether the sync that was begun is over; asked until it is. OSError if it failed."""
        kernel = self._kernel
        found = kernel.call(kernel.events, self._context, 0, 1, kernel.event_at, kernel.no_time_at)
        if found != 1:
            return False
        os.read(self.counter, _COUNTER_BYTES)
        result = _EVENT.unpack(kernel.event[:])[2]
        if result < 0:
            raise OSError(-result, os.strerror(-result))
        return True

    def close(self) -> None:
        """Wait for the sync that is under way, and give context and counter back."""
        self._kernel.call(self._kernel.destroy, self._context, 0, 0, 0, 0)
        trio.lowlevel.notify_closing(self.counter)
        os.close(self.counter)
