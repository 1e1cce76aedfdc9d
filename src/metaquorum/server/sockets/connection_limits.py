"""What one connection may cost, and how it learns whether its peer has authenticated."""

from __future__ import annotations

from typing import Final, Protocol

from attrs import frozen

from metaquorum.base.clock import Millis
from metaquorum.base.limits import (
    CONNECTION_IDLE_MS,
    FRAME_ARRIVAL_MS,
    MAX_PRODUCE_FRAME_BYTES,
    MAX_REQUEST_FRAME_BYTES,
    PRESSED_FRAME_ARRIVAL_MS,
    SLOW_READER_MS,
)


class Gate(Protocol):
    """Whether a peer has authenticated, where it has to, and until when it must have."""

    @property
    def is_authenticated(self) -> bool: ...

    @property
    def takes_token(self) -> bool: ...

    @property
    def frame_bytes(self) -> int: ...

    @property
    def deadline(self) -> Millis: ...

    @property
    def complaint(self) -> str: ...


@frozen
class ConnectionLimits:
    """What one connection may cost."""

    frame_bytes: int = MAX_REQUEST_FRAME_BYTES
    produce_frame_bytes: int = MAX_PRODUCE_FRAME_BYTES
    idle_ms: Millis = CONNECTION_IDLE_MS
    frame_arrival_ms: Millis = FRAME_ARRIVAL_MS
    pressed_frame_arrival_ms: Millis = PRESSED_FRAME_ARRIVAL_MS
    slow_reader_ms: Millis = SLOW_READER_MS
    commands: frozenset[int] = frozenset()
    """Keys of the APIs whose requests stay in memory until what they change is committed."""

    def unfinished(self, spent_bytes: int | None) -> str:
        """What the line says of one that did not finish a request, and which budget was spent."""
        told = "left a request unfinished for"
        if spent_bytes is None:
            return f"{told} {self.frame_arrival_ms} ms"
        others = f"requests held all {spent_bytes} bytes that they may"
        return f"{told} {self.pressed_frame_arrival_ms} ms while {others}"


class SocketSide(Protocol):
    """What a connection asks of the one that has its socket."""

    def close(self, complaint: str | None = None) -> None: ...

    def unread_bytes(self) -> int: ...

    def is_held_back(self) -> bool: ...


class NoSocket:
    """Of a connection without a host: nothing comes, and there is nothing to close."""

    def close(self, complaint: str | None = None) -> None:
        """Nothing."""

    def unread_bytes(self) -> int:
        """None."""
        return 0

    def is_held_back(self) -> bool:
        """No."""
        return False


NO_SOCKET: Final[SocketSide] = NoSocket()
