"""What a controller asks its host to do once a step is over."""

from __future__ import annotations

from metaquorum.base.errors import RequestError
from metaquorum.base.offsets import Epoch
from metaquorum.base.value import value
from metaquorum.controller.events import CommandId


@value
class Reply:
    """The answer to a command: the wire response, or why there is none."""

    id: CommandId
    response: object | RequestError


@value
class Failed:
    """Work that nobody waits for failed on an unexpected exception, and changed nothing."""

    cause: Exception


@value
class Resign:
    """This node cannot do the active controller's work; another should lead."""

    epoch: Epoch
    why: str


Effect = Reply | Failed | Resign
