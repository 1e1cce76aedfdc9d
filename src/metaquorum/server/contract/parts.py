"""Commands of many rows, asked of the controller some rows at a time.

What one command writes is planned, placed in the log and replayed in one piece, and everybody else
waits for it. So a request of more than ROWS_PER_COMMAND rows becomes several commands, each a step
of its own. Kafka promises nothing about the rows of one request together: each has its own result.
The parts are asked for one behind the other, without waiting for their commits, and each row is
answered with what came of its part. See docs/decisions/199.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, TypeVar

from metaquorum.base.errors import RequestError
from metaquorum.runtime.loop.promise import AnyPromise, Promise
from metaquorum.server.contract.steps import Encoded, RowsApart, Steps
from metaquorum.wire.generated import error_codes
from metaquorum.wire.message import Message

P = TypeVar("P")

A = TypeVar("A")
M = TypeVar("M", bound=Message)

Ask = Callable[[P], Promise[A]]
"""Puts a part of a request to the active controller, wherever that is."""

_ELSEWHERE: Final = (error_codes.NOT_CONTROLLER, error_codes.NOT_LEADER_OR_FOLLOWER)


def answers_of_parts(
    parts: Sequence[P], ask: Callable[[P], Promise[A]]
) -> Steps[list[A | RequestError]]:
    """What came of each part: a reply, or the RequestError that refused it.

    Behind a part that is refused on the spot no more are asked for. RequestError if every part was
    refused: then nothing was done.
    """
    asked: list[Promise[A]] = []
    for part in parts:
        promise = ask(part)
        asked.append(promise)
        if _is_refused(promise):
            break
        yield None
    replies: list[A | RequestError] = []
    for promise in asked:
        yield promise
        reply = _result(promise)
        replies.append(reply)
    replies += replies[-1:] * (len(parts) - len(replies))
    refusals = [one for one in replies if isinstance(one, RequestError)]
    if len(refusals) == len(replies):
        raise refusals[0]
    return [_in_doubt(one) for one in replies]


def answered_in_parts(
    parts: Sequence[P],
    ask: Ask[P, M],
    refused: Callable[[P, int, str | None], M],
    answer: RowsApart,
) -> Steps[Encoded]:
    """The whole ``answer``: the rows that came of each part, or those that ``refused`` makes."""
    replies = yield from answers_of_parts(parts, ask)
    for part, reply in zip(parts, replies, strict=True):
        if isinstance(reply, RequestError):
            reply = refused(part, reply.code, reply.reason)
        yield from answer.add_some(getattr(reply, answer.name))
    return answer.done()


def _is_refused(promise: AnyPromise) -> bool:
    return promise.done and isinstance(_result(promise), RequestError)


def _result(promise: Promise[A]) -> A | RequestError:
    try:
        return promise.result()
    except RequestError as error:
        return error


def _in_doubt(replies: A | RequestError) -> A | RequestError:
    """A refusal beside parts that were written: "ask another node" would mean the whole request."""
    if not isinstance(replies, RequestError) or replies.code not in _ELSEWHERE:
        return replies
    return RequestError(
        error_codes.REQUEST_TIMED_OUT, "leadership ended before all of this was written"
    )


def in_groups(rows: Sequence[P], most: int) -> list[Sequence[P]]:
    """``rows`` in their order, so many at a time."""
    return [rows[at : at + most] for at in range(0, len(rows), most)]
