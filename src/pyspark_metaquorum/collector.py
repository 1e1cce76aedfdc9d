"""Python's collector of cycles, at rest while records are decoded.

Thousands of decoded records wait for their columns, and none of them is in a cycle: to look
through them again and again costs as much as a third of all the decoding.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator


@contextlib.contextmanager
def collector_at_rest() -> Iterator[None]:
    """No collection inside; where it was off before, it stays off."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
