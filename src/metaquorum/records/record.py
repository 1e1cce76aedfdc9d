"""One record of a batch, as a reader sees it."""

from __future__ import annotations

from attrs import define

from metaquorum.base.clock import Millis
from metaquorum.base.offsets import Offset

Headers = tuple[tuple[str, bytes | None], ...]


@define
class Record:
    """A record with its absolute offset and timestamp; plain ``define``, as there are many."""

    offset: Offset
    timestamp_ms: Millis
    key: bytes | memoryview | None
    value: bytes | memoryview | None
    headers: Headers = ()
