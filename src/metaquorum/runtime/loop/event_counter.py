"""A counter in the kernel, Linux's eventfd: a read waits until another thread has added to it.

PyPy's `os` has no `eventfd`; the C library's does the same, and is called but once for a counter.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from typing import Final

from metaquorum.base.errors import InvariantViolated

MakeCounter = Callable[[int, int], int]
"""Takes what it starts from and its flags, gives its descriptor; OSError when it cannot be had."""


def library_eventfd() -> MakeCounter | None:
    """The C library's call, for a Python without `os.eventfd`; None where there is none."""
    import ctypes

    try:
        call = ctypes.CDLL(None, use_errno=True).eventfd
    except (OSError, AttributeError):
        return None
    call.argtypes = [ctypes.c_uint, ctypes.c_int]
    call.restype = ctypes.c_int

    def make(start: int, flags: int) -> int:
        fd = int(call(start, flags))
        if fd < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return fd

    return make


def known_eventfd() -> MakeCounter | None:
    """Python's own call or else the C library's; None on a platform that has no eventfd."""
    if sys.platform != "linux":
        return None
    own: MakeCounter | None = getattr(os, "eventfd", None)
    return own or library_eventfd()


_MAKE: Final = known_eventfd()
HAS_EVENTFD: Final = _MAKE is not None


def event_counter() -> int:
    """The descriptor of a new counter at zero, which child processes do not inherit.

    OSError when no descriptor is left, InvariantViolated without ``HAS_EVENTFD``.
    """
    if _MAKE is None:
        raise InvariantViolated("this platform has no eventfd")
    return _MAKE(0, os.O_CLOEXEC)  # EFD_CLOEXEC is the same bit, and not every Python names it
