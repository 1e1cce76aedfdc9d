"""What the name of a source means: controllers, or files."""

from __future__ import annotations

import os
import re
from typing import Final

# Schemes of URIs are written in small letters, names of listeners and protocols in capitals.
_ADDRESS: Final = r"(?:[A-Z][A-Z0-9._-]*://)?[^/,\s]+:\d+"
_ADDRESSES: Final = re.compile(rf"{_ADDRESS}(?:\s*,\s*{_ADDRESS})*")


def is_quorum(source: str) -> bool:
    """Whether it is ``host:port,...`` of controllers, and no file of that name.

    ``PROTOCOL://`` may stand before a host, as in Kafka's bootstrap options.
    """
    return _ADDRESSES.fullmatch(source) is not None and not os.path.exists(source)


def from_anywhere(source: str) -> str:
    """The same source for a process in another directory."""
    return source if is_quorum(source) or "://" in source else os.path.abspath(source)
