"""Requests that failed on an unexpected exception, and connections that were closed for one: each
is counted and logged.

The line has the API, its version, who asked, the type of the exception and the place in the code,
never its text: that may quote what a client sent, and so a secret.
"""

from __future__ import annotations

from pathlib import PurePath
from typing import Final

from attrs import define

from metaquorum.base.errors import UnexpectedError
from metaquorum.server.access.note_gate import NoteGate
from metaquorum.server.contract.request import Origin
from metaquorum.wire.errors import EncodeError

_PACKAGE: Final = "metaquorum"


@define(eq=False)
class Failures:
    """Where they are noted, a few a second, and how many there were since the start."""

    note: NoteGate
    count: int = 0

    def add(self, error: Exception, api: str, version: int, origin: Origin) -> None:
        """One more: the request of that API, or what it was to be answered, raised ``error``."""
        self.count += 1
        cause = error.cause if isinstance(error, UnexpectedError) else error
        self.note(
            f"{api} version {version} of {origin.peer} on {origin.listener.name} failed: "
            f"{_kind_of(cause)} at {place_of(cause)}"
        )

    def add_connection(self, error: Exception, origin: Origin) -> None:
        """One more: a connection was closed for ``error``, whose text is ours alone."""
        self.count += 1
        self.note(
            f"the connection of {origin.peer} on {origin.listener.name} failed: {error} "
            f"at {place_of(error)}"
        )


def _kind_of(error: Exception) -> str:
    """The type, and of a message that cannot be encoded the field, which is a name of ours."""
    name = type(error).__name__
    return f"{name} of {error.path}" if isinstance(error, EncodeError) else name


def place_of(error: BaseException) -> str:
    """Where in our code an exception came from, as ``server/pipeline/pipeline.py:12``.

    The innermost place of this package, or of whatever there is where that has no part in it.
    """
    place, trace = "an unknown place", error.__traceback__
    is_ours = False
    while trace is not None:
        parts = PurePath(trace.tb_frame.f_code.co_filename).parts
        if _PACKAGE in parts:
            at = len(parts) - 1 - parts[::-1].index(_PACKAGE)
            place, is_ours = f"{'/'.join(parts[at + 1 :])}:{trace.tb_lineno}", True
        elif not is_ours and parts:
            place = f"{parts[-1]}:{trace.tb_lineno}"
        trace = trace.tb_next
    return place
