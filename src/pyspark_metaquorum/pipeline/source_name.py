"""What the word means that names a source: controllers, or files."""

from __future__ import annotations

import os
import re
from typing import Final

_ADDRESSES: Final = re.compile(r"[^/,\s]+:\d+(,[^/,\s]+:\d+)*")


def is_quorum(source: str) -> bool:
    """Whether it is ``host:port,...`` of controllers, and no file of that name."""
    return _ADDRESSES.fullmatch(source) is not None and not os.path.exists(source)


def from_anywhere(source: str) -> str:
    """The same source for a process in another directory."""
    return source if is_quorum(source) or "://" in source else os.path.abspath(source)
