"""The log directories of a configuration: each of them named once."""

from __future__ import annotations

import os
from collections.abc import Iterable

from metaquorum.base.errors import OperatorError


def check_distinct(directories: Iterable[str]) -> None:
    """OperatorError where two paths (``a`` and ``a/``, or a symbolic link) name one directory.

    A format would write it twice, the second time with another directory id. Kafka's format does,
    and its start finds the same directory id in both.
    """
    seen: dict[str, str] = {}
    for path in directories:
        first = seen.setdefault(os.path.realpath(path), path)
        if first != path:
            raise OperatorError(
                f"log.dirs or metadata.log.dir: {first} and {path} are the same directory; "
                "write it the same way, and once in log.dirs"
            )
