"""Commands that came together on one connection: served one after the other, answered together.

A connection has one request under way, and what is pipelined behind it waits. That of a command is
a whole commit, so who pipelines commands would wait for as many commits. Those that came together
are therefore handed on together, in their order, and share a batch, and their answers leave in one
piece when the last of them is there. See docs/decisions/217.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from attrs import define, field

from metaquorum.base.clock import Millis
from metaquorum.base.errors import PeerError
from metaquorum.base.limits import COMMANDS_TOGETHER
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.steps import MadeInSteps
from metaquorum.server.pipeline.envelopes import Deliver
from metaquorum.server.sockets.connection import Connection
from metaquorum.wire.primitives import Parts

Serve = Callable[[bytes, Deliver], Promise[object] | None]
"""Serves one request: what to cancel if nobody waits for its answer any more, or None."""


@define(eq=False)
class PipelinedCommands:
    """``deliver`` gets all answers at once, in the order of the requests, or why one is missing.

    Clients tell answers apart by their order, so the others cannot leave without it.
    """

    connection: Connection
    serve: Serve
    deliver: Deliver
    _answers: list[Parts] = field(factory=list)
    _parked: list[Promise[object]] = field(factory=list)
    _missing: int = 0
    _pause_ms: Millis = 0
    _fault: PeerError | None = None
    _whole: Promise[object] = field(factory=Promise)

    def run(self, frame: bytes, api_key: int) -> Promise[object] | None:
        """Serve ``frame``, and what waits behind it of the same API; returns as ``serve`` does.

        PeerError for the first one alone: a fault behind it has its turn when these are answered.
        """
        self._missing = 1  # so that no answer is the last one before all were asked for
        self._take(frame)
        while self._takes_more:
            behind = self.connection.next_together(api_key)
            if behind is None:
                break
            try:
                self._take(behind)
            except PeerError:
                self.connection.not_together(behind)
                break
        self._one_less()
        if self._whole.done:
            return None
        self._whole.on_cancel(self._cancel)
        return self._whole

    @property
    def _takes_more(self) -> bool:
        """Nothing may be served before the last step of what was begun before it."""
        if self._parked and isinstance(self._parked[-1], MadeInSteps):
            return False
        return not self._pause_ms and len(self._answers) < COMMANDS_TOGETHER

    def _take(self, frame: bytes) -> None:
        answer: Parts = []
        self._answers.append(answer)
        self._missing += 1
        try:
            parked = self.serve(frame, partial(self._answered, answer))
        except PeerError:
            self._answers.pop()
            self._missing -= 1
            raise
        if parked is not None:
            self._parked.append(parked)

    def _answered(self, answer: Parts, parts: Parts | PeerError, pause_ms: Millis = 0) -> None:
        if isinstance(parts, PeerError):
            self._fault = parts
        else:
            answer += parts
        self._pause_ms = max(self._pause_ms, pause_ms)
        self._one_less()

    def _one_less(self) -> None:
        self._missing -= 1
        if not self._missing:
            self._whole.complete(None)
            if self._fault is not None:
                self.deliver(self._fault)
            else:
                self.deliver([part for answer in self._answers for part in answer], self._pause_ms)

    def _cancel(self) -> None:
        for parked in self._parked:
            parked.cancel()
