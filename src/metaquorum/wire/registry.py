"""Rows of the generated index, and the loading of codecs on first use."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Protocol, cast

from attrs import frozen

from metaquorum.wire.message import AnyMessage
from metaquorum.wire.primitives import Buffer, Parts
from metaquorum.wire.shape import Shape

_GENERATED = "metaquorum.wire.generated"


class Codec(Protocol):
    """What every generated module offers; the message's class differs from one to the next."""

    NAME: str
    LOWEST_VERSION: int
    HIGHEST_VERSION: int
    FLEXIBLE_FROM: int | None
    SHAPE: Shape

    def decode(self, buf: Buffer, version: int, at: int = 0) -> AnyMessage:
        """The message at ``at``."""

    def get(self, buf: Buffer, at: int, version: int) -> tuple[AnyMessage, int]:
        """The message at ``at`` and the position behind it."""

    def encode(self, message: AnyMessage, version: int) -> bytes:
        """The message as bytes."""

    def put(self, parts: Parts, message: AnyMessage, version: int) -> None:
        """The message appended to ``parts``."""


@frozen
class Api:
    """One API: its key, its two halves, and the versions that their schemas describe."""

    key: int
    name: str
    request_module: str
    response_module: str
    lowest: int
    highest: int
    flexible_from: int | None

    def is_flexible(self, version: int) -> bool:
        """Whether this version has compact lengths and tagged fields (KIP-482)."""
        return self.flexible_from is not None and version >= self.flexible_from


@frozen
class RecordType:
    """One type of metadata record and the versions that its schema describes."""

    type: int
    name: str
    module: str
    lowest: int
    highest: int
    flexible_from: int | None


@cache
def load_codec(module: str) -> Codec:
    """A generated module by its name below ``wire.generated``."""
    return cast(Codec, import_module(f"{_GENERATED}.{module}"))
