"""What serves one API, and how its requests are decoded."""

from __future__ import annotations

from types import ModuleType

from attrs import define, field

from metaquorum.base.limits import MAX_REQUEST_ROWS
from metaquorum.server.contract.api_row import ApiRow
from metaquorum.server.contract.steps import InSteps
from metaquorum.server.pipeline.long_requests import decoded_in_steps
from metaquorum.wire.message import Message
from metaquorum.wire.registry import Codec
from metaquorum.wire.rows import RowCounter


@define(eq=False)
class Route:
    """What serves one API: its row, its handler and its two codecs, once they are imported."""

    api_row: ApiRow
    handler: ModuleType
    requests: Codec
    responses: Codec
    counters: dict[int, RowCounter] = field(factory=dict)

    def decode_long(self, frame: bytes, version: int, at: int) -> Message | InSteps[Message]:
        """A request that may have many rows; ``InSteps`` of it where its shape allows that.

        DecodeError if it is none, or has more rows than this API may have.
        """
        limit = self.api_row.most_rows
        counter = self.counters.get(version)
        if counter is None:
            counter = self.counters[version] = RowCounter.of(self.requests.SHAPE, version)
        if limit > MAX_REQUEST_ROWS and counter.begins_with_rows:
            return InSteps(decoded_in_steps(self.requests, counter, frame, version, at, limit))
        if len(frame) - at > limit:  # a row takes one byte at least
            counter.check(frame, at, limit)
        message: Message = self.requests.decode(frame, version, at)
        return message
