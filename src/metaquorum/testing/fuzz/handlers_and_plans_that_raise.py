"""Handlers, plans, managers, coordinators and encoders that raise at a drawn call.

The client gets UNKNOWN_SERVER_ERROR, or its connection ends; the next request of another
is served; and once everybody has given up, no reply, no answer and no fetch of any request is left.

What is drawn is a number of calls. The one with that number, among all calls of functions that
serve one request, raises at once. Those of consensus, of replayed state and of the log are not
among them: what they raise is to stop the process.
"""

from __future__ import annotations

import inspect
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from functools import cache
from pathlib import Path
from types import CodeType, FrameType
from typing import Any, Final

from attrs import define

import metaquorum
from metaquorum.server.contract.api import API_ROWS
from metaquorum.testing.fuzz.odd_requests import BYTES_A_REQUEST, requests_in
from metaquorum.testing.fuzz.promise import promise
from metaquorum.testing.fuzz.served_node import Exchange, ServedNode
from metaquorum.testing.schemas import FieldText, message

_UNKNOWN_SERVER_ERROR: Final = -1
_MOST_REQUESTS: Final = 400
_ROUND_MS: Final = 3_100  # so long a new group waits for more members
_ROUND_EVERY: Final = 16
_MOST_CALLS: Final = 64  # most requests are served in fewer
_FAULTS_FROM: Final = 240  # a byte at or above it: a call raises; a tracer costs a request tenfold
_REFUSAL_RAISES: Final = 0x01  # in that byte: what refuses the request raises too
_ROOT: Final = str(Path(metaquorum.__file__).parent)
_SERVING: Final = (
    "server/handlers/",
    "server/contract/acls.py",
    "server/access/client_quotas.py",
    "server/contract/config_rights.py",
    "server/access/foreign.py",
    "server/contract/groups.py",
    "server/pipeline/leader_text.py",
    "server/contract/steps.py",
    "server/fetch/tailing.py",
    "server/contract/topics.py",
    "controller/managers/",
    "controller/plans.py",
    "controller/registration.py",
    "groups/admin.py",
    "groups/assignors.py",
    "groups/classic.py",
    "groups/classic_group.py",
    "groups/consumer",
    "groups/dispatcher.py",
    "groups/heartbeat_rules.py",
    "groups/joins.py",
    "groups/member_ids.py",
    "groups/offsets.py",
    "groups/patterns.py",
    "groups/reconciling.py",
    "groups/rounds.py",
    "groups/rows.py",
    "groups/subscriptions.py",
)
"""Where calls may raise, below the package; and in the codecs of answers."""
_RECORDS: Final = ("wire/generated/records/", "wire/generated/group/")
_ENCODE: Final = ("encode", "put")


class Planted(Exception):
    """What a call raises that was drawn to raise."""


@define(eq=False)
class Raiser:
    """Lets one call raise, ``after`` so many others."""

    after: int
    has_raised: bool = False

    def __call__(self, frame: FrameType, event: str, argument: Any) -> None:
        """Called at each call (``sys.settrace``); the interpreter drops a tracer that raised."""
        if not _serves(frame.f_code):
            return
        self.after -= 1
        if self.after < 0 and not self.has_raised:
            self.has_raised = True
            raise Planted(frame.f_code.co_name)


@contextmanager
def raising(raiser: Raiser) -> Iterator[None]:
    """Within, a call may raise."""
    before = sys.gettrace()
    sys.settrace(raiser)
    try:
        yield
    finally:
        sys.settrace(before)


@contextmanager
def refusing_raises(api_key: int) -> Iterator[None]:
    """Within, what refuses requests of that API raises."""
    handler = _HANDLERS[api_key]
    before = handler.refusal
    handler.refusal = _planted  # type: ignore[attr-defined]
    try:
        yield
    finally:
        handler.refusal = before  # type: ignore[attr-defined]


def _planted(*_: Any) -> None:
    raise Planted("refusal")


_NAMES: Final = {api_row.key: api_row.name for api_row in API_ROWS}
_HANDLERS: Final = {api_row.key: api_row.handler() for api_row in API_ROWS}


@cache
def _serves(code: CodeType) -> bool:
    """Whether a function is one of those that serve one request.

    Not so modules that are imported, and generators, which are called once more when they are
    dropped; what they call is.
    """
    is_generator = code.co_flags & inspect.CO_GENERATOR
    if not code.co_filename.startswith(_ROOT) or code.co_name == "<module>" or is_generator:
        return False
    path = code.co_filename[len(_ROOT) + 1 :]
    if path.startswith("wire/generated/"):
        is_answer = path.endswith("_response.py")
        return is_answer or (path.startswith(_RECORDS) and code.co_name in _ENCODE)
    return path.startswith(_SERVING)


def one_input(data: bytes) -> bool:
    """Nine bytes a request: whether a call raises, and which; then as ``requests_in``. Whether any
    request failed.
    """
    node = ServedNode()
    faults, requests = _parted(data)
    has_failed = False
    for number, (fault, (frame, of_client)) in enumerate(zip(faults, requests, strict=False)):
        if fault[0] >= _FAULTS_FROM:
            has_failed |= _ask_with_fault(node, frame, of_client, *fault)
        else:
            node.ask(frame, of_client=of_client)
        if number % _ROUND_EVERY == 0:
            node.wait(_ROUND_MS)
    node.check_nothing_is_left()
    return has_failed


def _parted(data: bytes) -> tuple[list[tuple[int, int]], Iterator[tuple[bytes, bool]]]:
    step = BYTES_A_REQUEST + 2
    starts = range(0, min(len(data) // step, _MOST_REQUESTS) * step, step)
    rest = b"".join(data[at + 2 : at + step] for at in starts)
    return [(data[at], data[at + 1]) for at in starts], requests_in(rest)


def _ask_with_fault(
    node: ServedNode, frame: bytes, of_client: bool, fault: int, after: int
) -> bool:
    """Serve one request in which a call raises; whether one did."""
    raiser, key = Raiser(after % _MOST_CALLS), int.from_bytes(frame[:2], "big")
    others = node.open
    with refusing_raises(key) if fault & _REFUSAL_RAISES else nullcontext(), raising(raiser):
        reply = node.ask(frame, of_client=of_client)
    if not raiser.has_raised:
        with raising(raiser):
            node.wait(_ROUND_MS)
        return False
    is_refused = any(_is_refused(one) for one in (reply, *others))
    promise(is_refused, f"who asked is told that it failed: {reply.answer}")
    node.check_lives()
    return True


def _is_refused(exchange: Exchange) -> bool:
    if not exchange.is_done:
        return False
    if exchange.closed or not exchange.parts:
        return True
    schema = message(f"{_NAMES[exchange.key]}Response")
    codes = list(_codes_of(exchange.answer, schema.fields, exchange.version))
    return not codes or _UNKNOWN_SERVER_ERROR in codes


def _codes_of(answer: Any, fields: Sequence[FieldText], version: int) -> Iterator[int]:
    """Every error code that an answer of that version carries."""
    for one, slot in zip(fields, answer.__slots__, strict=False):
        value = getattr(answer, slot)
        if version not in one.versions or value is None:
            continue
        if slot == "error_code":
            yield value
        if one.fields is not None:
            for struct in value if one.array else (value,):
                yield from _codes_of(struct, one.fields, version)
