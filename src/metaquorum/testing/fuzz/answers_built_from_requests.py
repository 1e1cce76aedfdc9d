"""Any well-formed request, with long and odd values, to a whole node: an answer that can be
written, or a closed connection, and a node that lives.

An answer that cannot be written is refused by the pipeline; here it is a broken promise all the
same, since whatever is made of a request is to be bounded where it is made.
"""

from __future__ import annotations

from typing import Final

from metaquorum.testing.fuzz.odd_requests import requests_in
from metaquorum.testing.fuzz.promise import promise
from metaquorum.testing.fuzz.served_node import ServedNode

_PAUSE_MS: Final = 3
_ROUND_MS: Final = 3_100  # so long a new group waits for more members
_ROUND_EVERY: Final = 64
_CHECKED_EVERY: Final = 8
_MOST_REQUESTS: Final = 400


def one_input(data: bytes) -> bool:
    """Requests, seven bytes each (``requests_in``), to one node; whether one was answered."""
    node = ServedNode()
    lines: list[str] = []
    node.pipeline.failures.note.note = lines.append
    answered = 0
    for number, (frame, of_client) in enumerate(requests_in(data)):
        if number == _MOST_REQUESTS:
            break
        exchange = node.ask(frame, of_client=of_client)
        promise(node.pipeline.failures.count == 0, f"nothing of a node fails: {lines}")
        if exchange.parts:
            answered += 1
        if number % _CHECKED_EVERY == 0:
            promise(not exchange.parts or exchange.answer is not None, "an answer can be read")
            node.wait(_ROUND_MS if number % _ROUND_EVERY == 0 else _PAUSE_MS)
    node.check_nothing_is_left()
    promise(node.pipeline.failures.count == 0, f"nothing of a node fails: {lines}")
    return answered > 0
