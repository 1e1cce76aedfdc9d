"""Commands of many rows, asked of the controller some rows at a time.

What one command writes is planned, placed in the log and replayed in one piece, and everybody else
waits for it. So a request of more than ROWS_PER_COMMAND rows becomes several commands, each a step
of its own. Kafka promises nothing about the rows of one request together: each has its own result.
The parts are asked for one behind the other, without waiting for their commits, and each row is
answered with what came of its part. See docs/decisions/199.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeVar

from metaquorum.base.errors import RequestError
from metaquorum.runtime.loop.promise import Promise
from metaquorum.server.contract.steps import Encoded, RowsApart, Steps
from metaquorum.wire.generated import error_codes

P = TypeVar("P")

Ask = Callable[[Any], Promise[Any]]
"""Puts a part of a request to the active controller, wherever that is."""

_ELSEWHERE: Final = (error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER)


def answers_of_parts(parts: Sequence[P], ask: Callable[[P], Promise[Any]]) -> Steps[list[Any]]:
    """What came of each part: a reply, or the RequestError that refused it.

    Behind a part that is refused on the spot no more are asked for. RequestError if every part was
    refused: then nothing was done.
    """
    asked: list[Promise[Any]] = []
    for part in parts:
        promise = ask(part)
        asked.append(promise)
        if _is_refused(promise):
            break
        yield None
    told: list[Any] = []
    for promise in asked:
        yield promise
        told.append(_result(promise))
    told += told[-1:] * (len(parts) - len(told))
    if all(isinstance(one, RequestError) for one in told):
        raise told[0]
    return [_in_doubt(one) for one in told]


def answered_in_parts(
    parts: Sequence[P],
    ask: Callable[[P], Promise[Any]],
    refused: Callable[[P, int, str | None], Any],
    answer: RowsApart,
) -> Steps[Encoded]:
    """The whole ``answer``: the rows that came of each part, or those that ``refused`` makes."""
    told = yield from answers_of_parts(parts, ask)
    for part, reply in zip(parts, told, strict=True):
        if isinstance(reply, RequestError):
            reply = refused(part, reply.code, reply.reason)
        yield from answer.add_some(getattr(reply, answer.name))
    return answer.done()


def _is_refused(promise: Promise[Any]) -> bool:
    return promise.done and isinstance(_result(promise), RequestError)


def _result(promise: Promise[Any]) -> Any:
    try:
        return promise.result()
    except RequestError as error:
        return error


def _in_doubt(told: Any) -> Any:
    """A refusal beside parts that were written: "ask another node" would mean the whole request."""
    if not isinstance(told, RequestError) or told.code not in _ELSEWHERE:
        return told
    return RequestError(
        error_codes.REQUEST_TIMED_OUT, "leadership ended before all of this was written"
    )


def in_groups(rows: Sequence[P], most: int) -> list[Sequence[P]]:
    """``rows`` in their order, so many at a time."""
    return [rows[at : at + most] for at in range(0, len(rows), most)]
