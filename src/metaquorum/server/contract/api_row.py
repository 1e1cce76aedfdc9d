"""One row of the table of APIs in ``api.py``, where its columns are explained."""

from __future__ import annotations

from enum import Enum
from importlib import import_module
from types import ModuleType

from attrs import frozen

from metaquorum.base.limits import MAX_REQUEST_ROWS
from metaquorum.server.access.authorise import Right
from metaquorum.wire.generated.index import request_codec, response_codec
from metaquorum.wire.registry import Codec


class Where(Enum):
    """On which kind of listener an API is offered."""

    EVERY = "every"
    CLIENTS = "clients"
    CONTROLLER = "controller"
    QUORUM = "quorum"


@frozen
class ApiRow:
    """One row: an API, the versions served, where, for whom, and by which handler module."""

    key: int
    name: str
    lowest: int
    highest: int
    module: str
    right: Right
    where: Where = Where.EVERY
    stopping: int | None = None
    forwards: bool = False
    most_rows: int = MAX_REQUEST_ROWS
    together: bool = False
    in_parts: bool = False
    of_proven: bool = False
    lowest_of_kafka: int = 0
    highest_of_4_3: int | None = None

    @property
    def is_enveloped(self) -> bool:
        """Whether it is taken to the leader with the client's name and address.

        Where the handler asks for rights row by row, the leader's does that, and for the client.
        """
        return self.forwards and self.right is Right.ROWS

    def handler(self) -> ModuleType:
        """The handler module, imported when the API is first used."""
        return import_module(f"metaquorum.server.handlers.{self.module}")

    def request_codec(self) -> Codec:
        """The generated module of its requests, imported when the API is first used."""
        return request_codec(self.key)

    def response_codec(self) -> Codec:
        """The generated module of its answers, imported when the API is first used."""
        return response_codec(self.key)
